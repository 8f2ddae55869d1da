"""Toy Three, a game for three that lives in the tests only: claim or not, then three tricks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.game import Game, Outcome


@dataclass(frozen=True)
class Rules:
    """The options of Toy Three."""

    price: Literal[1, 2] = 2  # points that a failed claim costs

    def __str__(self) -> str:
        return f"a failed claim costs {self.price}"


GAME = Game(
    name="toy_three",
    title="Toy Three",
    seats=(3, 3),
    decisions=("claim", "play"),
    outcome=Outcome.RANK,
    rules=Rules,
    rules_version=1,
    sources=("made up for the tests",),
)
