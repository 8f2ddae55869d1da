"""The declarative card at the top of every game's package, and what the spine asks of a game.

A game is one folder `sim/games/<name>/`; being there is all it takes to be found. Its strategies
stand in `strategies/<name>/`. The spine knows a game by these parts and by nothing else:

`__init__`
    `GAME = Game(...)`, its name that of the folder. It is imported by every command, so it imports
    nothing heavy. `GAME.rules` is a frozen dataclass of options, all with a default, each annotated
    `Literal[...]`, bool, int, float or str; a ValueError refuses options that do not go together;
    `str(rules)` says them in words, for every combination in others.
`view`
    Two NamedTuples: `View`, what a seat may see, of ints and int64 arrays, and `Move`, one
    candidate, of ints. A strategy says which game it plays by annotating `view: View`.
`play`
    `VIEW` and `MOVE`, those two classes, and

        play_block(rules, dice, first, count, player) -> Block

    which plays deals `first` .. `first + count - 1` with one player. Each depends on its number,
    the rules and the dice alone (`sim.deals`, with purposes of the game's own), equal scores are
    settled by `sim.choose`, and both lanes play the same: compiled through `player.score_all`, or
    if that is None by `player.strategy.score(view, move)`. What a strategy does wrong is raised as
    `sim.lanes.strategy_fault` says it.
`watch`
    What `tipoff watch` and `tipoff moves` show: `game_text`, `game_record`, `position_moves` and
    `position_text`. Only those two commands need it.
`picks`
    For strategies that choose, if the game is to have any: `MOVES` and `HIDDEN`, two NamedTuples
    (the candidates side by side with their `size`, and what only a clairvoyant may see), and what
    `play_block` needs to play a player that `chooses` (`sim.choosing`).

A block's outcomes are bytes, a row a column of `GAME.columns`: first the leftover, 0 for a win and
`GAME.worst` at most, then the moves made, then whatever else the game likes to keep. Its counters
have the names, order and shapes of `GAME.counters`, which may be empty. They tell how the results
came about: tables and the chart of the pace are made from what the card says of each.

By custom there are also `rules`, the rules in prose and the compiled legal moves; `text`, notation;
and `slow`, the naive twin for tests.

A game for several has more than one seat, an outcome of `Outcome.SCORE` or `Outcome.RANK`, and any
number of decisions. A strategy scores each with a method of its own, `bid(self, view: BidView,
move: Bid)` if `decisions` has "bid"; one that lacks a decision is a part of a player. Other parts:

`view`
    Two NamedTuples for each decision, told apart by their names, `BidView` and `Bid`. A view is
    what one seat may see, and tells players by where they sit from there.
`play`
    `DECISIONS`, those classes: `{"bid": (BidView, Bid), ...}`, and

        play_games(rules, dice, deals, seating, members) -> Games

    which plays a game a row: `seating`, (games, seats), has the number of the member at each seat;
    a member is one player for each decision. All rotations of a deal are played by the spine
    (`sim.seating`), which asks for nothing but the points of each seat, the more the better.
`watch`
    `game_text` and `game_record`, of one game with a member at each seat.

Its rules may refuse a number of seats: `check_seats(seats)` raises a ValueError. It needs no
columns, counters or worst.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.errors import BadInput
from sim.seat_bytes import Layout


class Outcome(Enum):
    """What a finished game is judged by; charts and statistics are chosen by it."""

    WIN = "win"  # won or lost; leftover cards tell how near a loss was
    SCORE = "score"  # points
    RANK = "rank"  # places


@dataclass(frozen=True)
class Dice:
    """Everything that chance decides: the seed of the deals, and how ties are broken."""

    seed: int  # 0 .. 2^63 - 1
    tie_seed: int
    ties: str = "hashed"  # or "first"


@dataclass(frozen=True)
class Block:
    """What playing some deals in a row gave."""

    outcomes: NDArray[np.uint8]  # (columns, deals)
    counters: dict[str, NDArray[np.int64]]  # summed over the deals
    seconds: float  # spent playing


@dataclass(frozen=True)
class Games:
    """What playing some games of a game for several gave."""

    points: NDArray[np.int64]  # (games, seats), the more the better
    seconds: float  # spent playing


@dataclass(frozen=True)
class Counter:
    """What a game counts beside the outcomes, and in words what each of its places counts.

    A place is shown as a share of what `per` names, "turns" or "deals", or, if that is another
    counter, as a mean of so many for each that is counted in the same place there.
    """

    shape: tuple[int, ...]
    places: tuple[str, ...]  # what each place counts, short: the heads of columns
    per: str  # "turns", "deals", or the name of another counter
    note: str  # sentences that explain a table of it


@dataclass(frozen=True)
class Game:
    """One game: what the spine must know about it."""

    name: str  # as in configs, and the name of its package
    title: str
    seats: tuple[int, int]  # fewest and most players
    decisions: tuple[str, ...]  # what a strategy scores
    outcome: Outcome
    rules: type[Any]  # frozen dataclass of the options; str(rules) says them in words
    rules_version: int  # bumped when behaviour changes, never for speed
    sources: tuple[str, ...]
    columns: tuple[str, ...] = ()  # meaning of the outcome bytes of a deal; "leftover" 0 is a win
    worst: int = 0  # most cards that can be left
    counters: Mapping[str, Counter] = field(default_factory=dict)  # kept per block
    yardstick: str = ""  # the strategy whose speed others are told beside; "" is the first
    pace: str = ""  # the counter of the deals by [won][turns made][cards left], if there is one

    def __post_init__(self) -> None:
        """Refuse a card whose counters cannot be shown; those of seats are the same for all."""
        if (self.outcome is Outcome.WIN) == self.for_several:
            raise ValueError(f"{self.name}: alone one wins or loses, several have points or places")
        if self.for_several:
            object.__setattr__(self, "counters", _seat_counters(self.seats[1]))
        for name, counter in self.counters.items():
            if len(counter.places) != counter.shape[0]:
                raise ValueError(f"counter '{name}': not every place has a name")
            if counter.per not in ("turns", "deals", *self.counters):
                raise ValueError(f"counter '{name}': there is no '{counter.per}' to count by")
        if self.pace and len(self.counters[self.pace].shape) != 3:
            raise ValueError(f"counter '{self.pace}' is not by [won][turns made][cards left]")

    @property
    def width(self) -> int:
        """Return the outcome bytes of a deal."""
        return Layout(self.seats[1]).width if self.for_several else len(self.columns)

    @property
    def for_several(self) -> bool:
        """Return whether more than one plays."""
        return self.seats != (1, 1)

    def alone(self, what: str) -> None:
        """Refuse what is for games that one plays alone.

        Raises:
            BadInput: if several play this one.
        """
        if self.for_several:
            raise BadInput(f"{what} is for games that one plays alone; {self.title} is for several")

    def part(self, name: str) -> Any:
        """Import a module of the game's package, such as `play` or `watch`, when it is needed.

        Raises:
            BadInput: if the game has no such module.
        """
        module = f"sim.games.{self.name}.{name}"
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            raise BadInput(f"{self.title} has no module '{name}'") from None


def _seat_counters(seats: int) -> dict[str, Counter]:
    """Return what is counted of each member of a line-up at each seat."""
    members = tuple(f"member {i + 1}" for i in range(seats))
    note = "Points of each member at each seat"
    return {
        "seat_points": Counter((seats, seats), members, "deals", f"{note}."),
        "seat_squares": Counter((seats, seats), members, "deals", f"{note}, squared."),
    }
