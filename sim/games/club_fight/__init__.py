"""Club Fight, a solitaire by D. Teuber (2023): clear 40 or 41 cards with 13 clubs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.game import Counter, Game, Outcome


@dataclass(frozen=True)
class Rules:
    """The options of Club Fight."""

    jokers: Literal[1, 2] = 1
    all_clear: bool = False

    def __str__(self) -> str:
        level = "1 joker (easy)" if self.jokers == 1 else "2 jokers (hard)"
        return level + (", with All Clear" if self.all_clear else "")


# In the order of `rules.Action`.
_ACTIONS = ("match", "sum", "any", "line", "up", "down", "run", "All Clear")

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
        "actions": Counter(
            (8,),
            _ACTIONS,
            per="turns",
            note="Actions: the share of the turns that used each. An effect that several actions "
            f"allow counts for the first of {', '.join(_ACTIONS[:-1])}.",
        ),
        "brought": Counter(
            (8,), _ACTIONS, per="actions", note="Behind the ×: the cards cleared per use."
        ),
        "blocked": Counter(
            (3,),
            ("line blocked", "up/down blocked", "run blocked"),
            per="turns",
            note="Blocked: the share of the turns that began with three or more diamonds (line), "
            "spades (up and down) or hearts (run) in the grid.",
        ),
        "pace": Counter(
            (2, 14, 42), ("lost", "won"), per="deals", note="Cards left after each turn made."
        ),
    },
    sources=("D. Teuber, Club Fight, rules of July 2024",),
    pace="pace",
    yardstick="greedy-most-cards",
)
