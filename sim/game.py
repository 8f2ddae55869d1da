"""The declarative card at the top of every game's package.

A game is one folder `sim/games/<name>/` whose `__init__` holds `GAME = Game(...)` and imports
nothing heavy. Beside it stand, by convention:

- `view`   `View` and `Move`: what a seat may see and choose, as NamedTuples;
- `rules`  the rules in prose and the compiled legal moves;
- `play`   `play_block`, the compiled loop;
- `text`   notation;
- `watch`  what `tipoff watch` and `tipoff moves` show;
- `slow`   the naive twin, for tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
class Game:
    """One game: what the spine must know about it."""

    name: str  # as in configs, and the name of its package
    title: str
    seats: tuple[int, int]  # fewest and most players
    decisions: tuple[str, ...]  # what a strategy scores
    outcome: Outcome
    rules: type[Any]  # frozen dataclass of the options; str(rules) says them in words
    rules_version: int  # bumped when behaviour changes, never for speed
    columns: tuple[str, ...]  # meaning of the outcome bytes of a deal; "leftover" 0 is a win
    worst: int  # most cards that can be left
    counters: Mapping[str, tuple[int, ...]]  # shape of each counter kept per block
    sources: tuple[str, ...]

    def part(self, name: str) -> Any:
        """Import a module of the game's package, such as `play` or `watch`, when it is needed."""
        return import_module(f"sim.games.{self.name}.{name}")
