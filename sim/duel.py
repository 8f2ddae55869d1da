"""`tipoff duel`: the deals that separate two strategies, and the turn at which they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.game import Dice, Game
from sim.lanes import Player


@dataclass(frozen=True)
class Side:
    """One of the two: its label and its player."""

    label: str
    player: Player


@dataclass(frozen=True)
class Duel:
    """Two strategies under the same rules on the same deals."""

    game: Game
    rules: Any
    dice: Dice
    sides: tuple[Side, Side]

    def swings(self, deals: int, top: int) -> list[tuple[int, int, int]]:
        """Play deals 0 .. `deals` - 1; return the largest swings as (deal, left a, left b).

        Deals that one wins and the other loses come first, then those furthest apart.
        """
        a, b = (self._left(side.player, deals) for side in self.sides)
        apart = np.abs(a - b) + 1000 * ((a == 0) != (b == 0))
        order = np.argsort(-apart, kind="stable")[:top]
        return [(int(k), int(a[k]), int(b[k])) for k in order if a[k] != b[k]]

    def _left(self, player: Player, deals: int) -> Any:
        block = self.game.part("play").play_block(self.rules, self.dice, 0, deals, player)
        return block.outcomes[0].astype(np.int64)

    def parting(self, deal: int) -> dict[str, Any]:
        """Return where they part on one deal, and how both games end."""
        one, other = (side.player for side in self.sides)
        found: dict[str, Any] = self.game.part("duel").parting(
            self.rules, self.dice, deal, (one, other)
        )
        return found

    def parting_text(self, deal: int) -> str:
        """Return the same for reading."""
        one, other = (side.label for side in self.sides)
        text: str = self.game.part("duel").parting_text(self.parting(deal), (one, other))
        return text


def table(swings: Sequence[tuple[int, int, int]], labels: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of a table of swings."""
    widths = [max(len(label), 4) for label in labels]
    yield "  ".join(
        ["    deal", *(label.rjust(width) for label, width in zip(labels, widths, strict=True))]
    )
    for deal, *left in swings:
        ends = ["won" if cards == 0 else str(cards) for cards in left]
        yield "  ".join(
            [f"{deal:8}", *(end.rjust(width) for end, width in zip(ends, widths, strict=True))]
        )
