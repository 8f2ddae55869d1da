"""Club Fight, a solitaire by D. Teuber (2023): clear 40 or 41 cards with 13 clubs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.game import Game, Outcome


@dataclass(frozen=True)
class Rules:
    """The options of Club Fight."""

    jokers: Literal[1, 2] = 1
    all_clear: bool = False

    def __str__(self) -> str:
        level = "1 joker (easy)" if self.jokers == 1 else "2 jokers (hard)"
        return level + (", with All Clear" if self.all_clear else "")


GAME = Game(
    name="club_fight",
    title="Club Fight",
    seats=(1, 1),
    decisions=("move",),
    outcome=Outcome.WIN,
    rules=Rules,
    rules_version=1,
    columns=("leftover", "turns"),
    worst=41,
    counters={
        "actions": (8,),  # turns that used each kind of action
        "brought": (8,),  # cards cleared by each kind of action
        "blocked": (3,),  # turns at whose start line, updown, run were blocked
        "pace": (2, 14, 42),  # [won][turns made][cards left] deals
    },
    sources=("D. Teuber, Club Fight, rules of July 2024",),
    yardstick="greedy-most-cards",
)
