"""Plug-ins in both lanes: why one is played in plain Python, and what goes wrong while it plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.errors import StrategyFailed
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.lanes import Loop, Player, compile_reason
from sim.registry import discover
from sim.strategy import contract
from strategies.club_fight.greedy_most_cards import GreedyMostCards as Greedy
from tests.plugins import DICE, HEAD_LINES, greedy, in_plain_python, load, outcomes, player_of

# ---- what does not

GENERATOR = """
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return sum(1.0 for _ in range(move.cleared))
    """
WRITES = "Cannot modify readonly array of type:"
NOT_COMPILED = {
    GENERATOR: ("UnsupportedError: The use of yield in a closure is unsupported.", 4),
    """
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return move.cleared + self.what if view.hand == 0 else move.cleared
    """: ("TypingError: Unknown attribute 'what' of type self", 4),
    """
    def tip(view):
        return view.hand.bit_count()
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return move.cleared * 100 + tip(view)
    """: ("TypingError: Unknown attribute 'bit_count' of type int64", 3),
    """
    class Mine(Strategy):
        def tip(self, view):
            return view.what if view.hand == 0 else 1.0
        def score(self, view: View, move: Move) -> float:
            return move.cleared + self.tip(view)
    """: ("TypingError: Unknown attribute 'what' of type View", 4),
    """
    def twice(method):
        def inner(self, move):
            return 2 * method(self, move)
        return inner
    class Mine(Strategy):
        @twice
        def tip(self, move):
            return move.cleared
        def score(self, view: View, move: Move) -> float:
            return self.tip(move)
    """: ("TypeError: the method 'inner' is no plain function", 10),
    """
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            cells = view.grid
            cells[0] = -1
            return move.cleared
    """: (f"TypingError: NumbaTypeError: {WRITES} readonly array(int64, 1d, C)", 5),
}


@pytest.mark.parametrize(("body", "expected"), NOT_COMPILED.items(), ids=range(len(NOT_COMPILED)))
def test_the_reason_names_the_users_own_line(
    body: str, expected: tuple[str, int], tmp_path: Path
) -> None:
    player = player_of(load(tmp_path, body))
    reason, line = expected
    assert player.lane == "plain"
    assert player.reason == f"{reason} ({tmp_path / 'mine.py'}:{HEAD_LINES + line})"
    assert outcomes(player) == outcomes(greedy())  # all of these are greedy in other words


def test_reasons_are_short() -> None:
    found = compile_reason(ValueError(""), Greedy)
    assert found.startswith("ValueError: no reason given (") and "greedy_most_cards.py:" in found
    assert len(compile_reason(ValueError("x" * 5000), Greedy)) < 250 + len(__file__)


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
    text: str, expected: tuple[str, int], tmp_path: Path
) -> None:
    lines = [f"        {line}" for line in (*text.split("\n"), "return 0.0 * clubs_left(view)")]
    head = "class Mine(Strategy):\n    def score(self, view: View, move: Move) -> float:\n"
    player = player_of(load(tmp_path, head + "\n".join(lines)))
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


def test_deal_and_turn_are_those_of_the_fault(tmp_path: Path) -> None:
    body = """
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return 1 / (view.discards - {})
        """
    seen: list[tuple[int, int, int]] = []
    probe = player_of(load(tmp_path, GENERATOR))
    spy = type(probe.strategy)
    deal = 7

    def score(self: Any, view: Any, move: Any) -> float:
        seen.append((deal, view.turn, view.discards))
        return 0.0

    spy.score = score  # type: ignore[attr-defined]
    play_block(Rules(), DICE, deal, 1, probe)
    _, turn, discards = next(one for one in seen if one[1] == 4)
    player = player_of(load(tmp_path, body.format(discards), name="other.py"))
    for lane in (player, in_plain_python(player)):
        with pytest.raises(StrategyFailed, match=rf"deal {deal}, turn {turn + 1}: ZeroDivision"):
            play_block(Rules(), DICE, deal - 3, 9, lane)


@pytest.mark.parametrize("value", ["None", "'a lot'", "[1.0]"])
def test_a_score_that_is_no_number(value: str, tmp_path: Path) -> None:
    body = f"""
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return {value}
        """
    player = player_of(load(tmp_path, body))
    with pytest.raises(StrategyFailed) as caught:
        outcomes(player)
    assert "deal 0, turn 1: " in str(caught.value) and f"mine.py:{HEAD_LINES + 3})" in str(
        caught.value
    )


# ---- loops with and without reference counting

LISTING = """
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            cells = [cell for cell in range(9) if move.cells >> cell & 1]
            return float(len(sorted(cells)))
    """


def counts(player: Player) -> bool:
    return bool((player.score_all or player.choose_move).targetoptions["_nrt"])


def test_shipped_strategies_count_no_references() -> None:
    listings = discover().strategies("club_fight").values()
    listings = [found for found in listings if contract(found.cls) == "score"]
    assert not [listing for listing in listings if counts(player_of(listing))]


def test_a_score_that_allocates_is_compiled_with_reference_counting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = player_of(load(tmp_path, LISTING))
    assert counts(first)
    assert outcomes(first) == outcomes(greedy())  # which it is in other words

    tried = []
    compile_loop = Loop.compile
    monkeypatch.setattr(
        Loop, "compile", lambda loop: tried.append(loop.counts) or compile_loop(loop)
    )
    again = player_of(load(tmp_path, LISTING))  # as in another process: found, not tried again
    assert tried == [True] and outcomes(again) == outcomes(first)


def test_no_strategy_moves_the_cards_of_the_table(tmp_path: Path) -> None:
    """Through an alias, which reading its text does not notice: it spoils its own copy alone."""
    body = """
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            cells = view.grid
            cells[0] = -1
            return move.cleared
    """
    player = player_of(load(tmp_path, body))
    assert player.lane == "plain"
    assert outcomes(player, 30) == outcomes(greedy(), 30)
