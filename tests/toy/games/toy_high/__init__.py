"""Toy High, a solitaire that lives in the tests only: beat five cards, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.game import Counter, Game, Outcome


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
    counters={
        "beaten": Counter(
            (5,),
            ("first", "second", "third", "fourth", "fifth"),
            per="deals",
            note="The share of the deals in which each target was beaten.",
        )
    },
    sources=("made up for the tests",),
)
