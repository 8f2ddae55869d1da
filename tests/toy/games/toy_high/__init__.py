"""Toy High, a solitaire that lives in the tests only: beat five cards, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.game import Game, Outcome


@dataclass(frozen=True)
class Rules:
    """The options of Toy High."""

    hand: Literal[2, 3] = 3  # cards held

    def __str__(self) -> str:
        return f"{self.hand} cards in hand"


GAME = Game(
    name="toy_high",
    title="Toy High",
    seats=(1, 1),
    decisions=("move",),
    outcome=Outcome.WIN,
    rules=Rules,
    rules_version=1,
    columns=("leftover", "turns"),
    worst=5,
    counters={"beaten": (5,)},  # deals in which the target of each turn was beaten
    sources=("made up for the tests",),
)
