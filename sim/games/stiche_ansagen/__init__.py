"""Stiche ansagen, an Oh Hell with bowers: say how many tricks you will win, then win just those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.game import Game, Outcome

PACK = 52  # cards
FEWEST, MOST = 2, 6  # players


@dataclass(frozen=True)
class Rules:
    """The options of Stiche ansagen.

    Raises:
        ValueError: if hands so large cannot be dealt, or nobody sits where the first dealer would.
    """

    hook: bool = False  # the dealer may not make the bids add up to the tricks
    wrong_zero: Literal["mirror", "per_trick"] = "mirror"  # costs 5, or 10 a trick won
    left_bower_follows: Literal["trump", "printed"] = "trump"  # the suit it belongs to
    max_hand: int = 10  # cards; fewer where the packs do not last
    packs: Literal[1, 2] = 1
    first_dealer: int = 0  # seat
    bowers: bool = True  # the jacks of the trump's colour are the highest trumps

    def __post_init__(self) -> None:
        """Refuse what cannot be dealt."""
        most = (PACK * self.packs - 1) // FEWEST
        if not 1 <= self.max_hand <= most:
            packs = f"{self.packs} pack{'s' if self.packs > 1 else ''}"
            raise ValueError(
                f"max_hand: hands of {self.max_hand} cannot be dealt from {packs}; "
                f"expected 1 to {most}"
            )
        if not 0 <= self.first_dealer < MOST:
            raise ValueError(f"first_dealer: expected a seat, 0 to {MOST - 1}")

    def check_seats(self, seats: int) -> None:
        """Refuse rules that so many players cannot play by, with a ValueError."""
        if self.first_dealer >= seats:
            raise ValueError(
                f"first_dealer: seat {self.first_dealer} is empty with {seats} players; "
                f"expected 0 to {seats - 1}"
            )

    def largest_hand(self, seats: int) -> int:
        """Return the most cards that so many players are dealt: one more has to be turned up."""
        return min(self.max_hand, (PACK * self.packs - 1) // seats)

    def __str__(self) -> str:
        said = {
            "the dealer's bid restricted": self.hook,
            "a wrong zero costs 10 a trick": self.wrong_zero == "per_trick",
            "the left bower follows its printed suit": self.left_bower_follows == "printed",
            f"hands of up to {self.max_hand}": self.max_hand != 10,
            "two packs": self.packs == 2,
            f"seat {self.first_dealer} deals first": self.first_dealer > 0,
            "no bowers": not self.bowers,
        }
        return ", ".join(text for text, holds in said.items() if holds) or "house rules"


GAME = Game(
    name="stiche_ansagen",
    title="Stiche ansagen",
    seats=(FEWEST, MOST),
    decisions=("bid", "play"),
    outcome=Outcome.SCORE,
    rules=Rules,
    rules_version=1,
    sources=(
        "a family's written rules (German), as specified with their open points decided",
        "pagat.com, Oh Hell; Euchre rules for the bowers",
    ),
    yardstick="aces-and-trumps",
)
