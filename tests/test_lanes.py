"""Plug-ins in both lanes: what compiles, what is played in plain Python, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sim.errors import BadInput, StrategyFailed
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.play import play_block
from sim.lanes import Player, compile_reason
from sim.registry import Listing, discover
from sim.schedule import Job
from sim.source import closure_hash
from sim.work import Spec, player_of_blocks

DICE = Dice(5, 6)
HEAD = """\
import math
from sim.bits import popcount
from sim.games.club_fight.view import Move, View, clubs_left
from sim.strategy import Strategy
"""
HEAD_LINES = HEAD.count("\n")

Load = Callable[..., Listing]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Write a plug-in and load it as a new process would, helpers beside it included."""

    def forget() -> None:
        for name in [name for name in sys.modules if name.startswith("tipoff_plugin_")]:
            del sys.modules[name]

    def load(body: str = "", name: str = "mine.py", **helpers: str) -> Listing:
        for helper, text in helpers.items():
            (tmp_path / f"{helper}.py").write_text(dedent(text), encoding="utf-8")
        if body:
            (tmp_path / name).write_text(HEAD + dedent(body), encoding="utf-8")
        forget()
        return discover().add_plugin(tmp_path / name)[-1]

    yield load
    forget()


def player_of(listing: Listing, **params: Any) -> Player:
    return Spec(listing.origin, params, None).player(GAME)


def outcomes(player: Player, deals: int = 60, first: int = 0) -> list[list[int]]:
    played: list[list[int]] = play_block(Rules(2), DICE, first, deals, player).outcomes.tolist()
    return played


def in_plain_python(player: Player) -> Player:
    return replace(player, score_all=None)


def stamp_of(listing: Listing) -> str:
    return Spec(listing.origin, {}, Rules()).stamp(GAME, DICE)


# ---- what compiles

COMPILES = {
    "helper functions": """
        HALF = 0.5
        def inner(move):
            return HALF * move.cleared
        def outer(view, move):
            return inner(move) + popcount(view.jokers & move.cells)
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return outer(view, move)
        """,
    "helper methods": """
        class Mine(Strategy):
            weight: float = 2.0
            def each(self, cells: int, factor: float = 3.0) -> float:
                return self.weight * popcount(cells) * factor
            def tip(self, view: View, move: Move) -> float:
                return self.each(view.hearts & move.cells) - self.each(view.spades, 1.0)
            def score(self, view: View, move: Move) -> float:
                return move.cleared + self.tip(view, move)
        """,
    "a base class": """
        class _Base(Strategy):
            weight: float = 0.5
            def factor(self, view):
                return self.weight
            def score(self, view: View, move: Move) -> float:
                return self.factor(view) * popcount(move.cells & view.hearts) + move.cleared
        class Mine(_Base):
            more: float = 3.0
            def factor(self, view):
                return self.weight * self.more
        """,
    "whole numbers and switches": """
        class Mine(Strategy):
            share: float = 0.25
            count: int = 3
            brave: bool = True
            def score(self, view: View, move: Move) -> float:
                if self.brave and move.cleared % self.count == 1:
                    return 10 + self.share
                return move.cleared // self.count + self.share * view.turn
        """,
    "lists, loops and math": """
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                values = sorted([card % 13 for card in view.grid if card >= 0])
                total = 0.0
                for i, value in enumerate(values):
                    total += math.sqrt(value) if i % 2 else -1.0
                return total + min(move.cleared, 4) + (move.clubs in (2, 4, 8))
        """,
}


@pytest.mark.parametrize("name", COMPILES)
def test_both_lanes_play_the_same(name: str, load: Load) -> None:
    player = player_of(load(COMPILES[name]))
    assert player.lane == "compiled", player.reason
    assert outcomes(player) == outcomes(in_plain_python(player))


def test_parameters_are_not_baked_in(load: Load) -> None:
    listing = load(COMPILES["whole numbers and switches"])
    found = []
    for params in ({}, {"share": 2.0}, {"count": 2}, {"brave": False}):
        player = player_of(listing, **params)
        found.append(outcomes(player))
        assert found[-1] == outcomes(in_plain_python(player)), params
    assert all(found.count(one) == 1 for one in found)


def test_a_helper_beside_the_file(load: Load) -> None:
    helper = "def tip(move, weight):\n    return weight * move.cleared\n"
    body = """
        from _tips import tip
        class Mine(Strategy):
            weight: float = 1.0
            def score(self, view: View, move: Move) -> float:
                return tip(move, self.weight)
        """
    player = player_of(load(body, _tips=helper))
    assert player.lane == "compiled", player.reason
    greedy = player_of(discover().strategy("club_fight", "greedy-most-cards"))
    assert outcomes(player) == outcomes(greedy)


# ---- what does not

GENERATOR = """
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return sum(1.0 for _ in range(move.cleared))
    """
NOT_COMPILED = {
    GENERATOR: ("UnsupportedError: The use of yield in a closure is unsupported.", 4),
    """
    class Mine(Strategy):
        BONUS = 2.0
        def score(self, view: View, move: Move) -> float:
            return move.cleared + self.BONUS
    """: ("TypingError: Unknown attribute 'BONUS' of type self", 5),
    """
    def tip(view):
        return view.hand.bit_count()
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return move.cleared * 100 + tip(view)
    """: ("TypingError: Unknown attribute 'bit_count' of type int64", 3),
    """
    class Mine(Strategy):
        def tip(self, move):
            return move.__class__.__name__
        def score(self, view: View, move: Move) -> float:
            return move.cleared + len(self.tip(move))
    """: ("TypingError: Unknown attribute '__name__' of type class(Move)", 4),
}


@pytest.mark.parametrize(("body", "expected"), NOT_COMPILED.items(), ids=range(len(NOT_COMPILED)))
def test_the_reason_names_the_users_own_line(
    body: str, expected: tuple[str, int], load: Load, tmp_path: Path
) -> None:
    player = player_of(load(body))
    reason, line = expected
    assert player.lane == "plain"
    assert player.reason == f"{reason} ({tmp_path / 'mine.py'}:{HEAD_LINES + line})"
    greedy = player_of(discover().strategy("club_fight", "greedy-most-cards"))
    assert outcomes(player) == outcomes(greedy)  # all of these are greedy in other words


def test_reasons_are_short() -> None:
    assert compile_reason(ValueError("")) == "ValueError: no reason given"
    assert len(compile_reason(ValueError("x" * 5000))) < 250


# ---- what goes wrong while it plays

FAULTS = {
    "if view.turn == 3 and move.cleared == 2:\n    raise ValueError('I give up')": (
        "ValueError: I give up",
        2,
    ),
    "assert view.turn < 5, 'too long'": ("AssertionError: too long", 1),
    "return math.nan if view.turn == 2 else 1.0": ("returned the score nan, which is not a f", 0),
    "return 1e308 * (view.turn + 1)": ("returned the score inf, which is not a finite number", 0),
    "return -1e308 * (view.turn + 1)": ("returned the score -inf, which is not a finite numb", 0),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.items(), ids=range(len(FAULTS)))
def test_faults_are_reported_alike_in_both_lanes(
    text: str, expected: tuple[str, int], load: Load, tmp_path: Path
) -> None:
    lines = [f"        {line}" for line in (*text.split("\n"), "return 0.0 * clubs_left(view)")]
    head = "class Mine(Strategy):\n    def score(self, view: View, move: Move) -> float:\n"
    player = player_of(load(head + "\n".join(lines)))
    assert player.lane == "compiled", player.reason
    said = []
    for lane in (player, in_plain_python(player)):
        with pytest.raises(StrategyFailed) as caught:
            play_block(Rules(), DICE, 40, 20, lane)
        said.append(str(caught.value))
    reason, line = expected
    assert said[0] == said[1]
    assert said[0].startswith("strategy 'mine', deal 4") and f": {reason}" in said[0]
    assert said[0].endswith(f"({tmp_path / 'mine.py'}:{HEAD_LINES + 2 + line})")


def test_deal_and_turn_are_those_of_the_fault(load: Load) -> None:
    body = """
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return 1 / (view.discards - {})
        """
    seen: list[tuple[int, int, int]] = []
    probe = player_of(load(GENERATOR))
    spy = type(probe.strategy)
    deal = 7

    def score(self: Any, view: Any, move: Any) -> float:
        seen.append((deal, view.turn, view.discards))
        return 0.0

    spy.score = score  # type: ignore[attr-defined]
    play_block(Rules(), DICE, deal, 1, probe)
    _, turn, discards = next(one for one in seen if one[1] == 4)
    player = player_of(load(body.format(discards), name="other.py"))
    for lane in (player, in_plain_python(player)):
        with pytest.raises(StrategyFailed, match=rf"deal {deal}, turn {turn + 1}: ZeroDivision"):
            play_block(Rules(), DICE, deal - 3, 9, lane)


@pytest.mark.parametrize("value", ["None", "'a lot'", "[1.0]"])
def test_a_score_that_is_no_number(value: str, load: Load, tmp_path: Path) -> None:
    body = f"""
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return {value}
        """
    player = player_of(load(body))
    with pytest.raises(StrategyFailed) as caught:
        outcomes(player)
    assert "deal 0, turn 1: " in str(caught.value) and f"mine.py:{HEAD_LINES + 3})" in str(
        caught.value
    )
