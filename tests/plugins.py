"""Plug-in files for tests: written, loaded as a new process would, and played."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.play import play_block
from sim.lanes import Player
from sim.registry import Listing, discover
from sim.work import Spec
from tests.command import Said, Tipoff

DICE = Dice(5, 6)
HEAD = """\
import math
from sim.bits import popcount
from sim.games.club_fight.view import Move, View, clubs_left
from sim.strategy import Strategy
"""
HEAD_LINES = HEAD.count("\n")

GREEDY = """
    class Mine(Strategy):
        weight: float = 1.0
        def score(self, view: View, move: Move) -> float:
            return self.weight * move.cleared
    """
UNCOMPILED = """
    class Mine(Strategy):
        weight: float = 1.0
        def score(self, view: View, move: Move) -> float:
            return sum(self.weight for _ in range(move.cleared))
    """


def write(folder: Path, body: str, name: str = "mine.py", **helpers: str) -> Path:
    """Write a plug-in with the usual imports at its top, and helper modules beside it."""
    for helper, text in helpers.items():
        (folder / f"{helper}.py").write_text(dedent(text), encoding="utf-8")
    path = folder / name
    path.write_text(HEAD + dedent(body), encoding="utf-8")
    return path


def forget() -> None:
    """Forget all plug-ins, as if this were a new process."""
    for name in [name for name in sys.modules if name.startswith("tipoff_plugin_")]:
        del sys.modules[name]


def load(folder: Path, body: str, name: str = "mine.py", **helpers: str) -> Listing:
    """Write a plug-in and load it; return its last strategy."""
    path = write(folder, body, name, **helpers)
    forget()
    return discover().add_plugin(path)[-1]


def player_of(listing: Listing, **params: Any) -> Player:
    return Spec(listing.origin, params, None).player(GAME)


def greedy() -> Player:
    return player_of(discover().strategy("club_fight", "greedy-most-cards"))


def in_plain_python(player: Player) -> Player:
    return player.in_plain_python()


def outcomes(player: Player, deals: int = 60, first: int = 0) -> list[list[int]]:
    played: list[list[int]] = play_block(Rules(2), DICE, first, deals, player).outcomes.tolist()
    return played


def reading_anew(tipoff: Tipoff) -> Tipoff:
    """Commands as if each were a process of its own: plug-ins are read anew."""

    def anew(*words: object) -> Said:
        forget()
        return tipoff(*words)

    return anew
