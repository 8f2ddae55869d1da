"""What a strategy may be written with: helper functions, helper methods, constants of its class."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins import greedy, in_plain_python, load, outcomes, player_of

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
    "constants of the class": """
        class _Base(Strategy):
            game = "club_fight"
            LIMIT = 4
            FACTOR = 0.5
        class Mine(_Base):
            LIMIT = 3
            def capped(me, count):
                return min(count, me.LIMIT)
            def score(self, view: View, move: Move) -> float:
                return self.capped(move.cleared) * self.FACTOR
        """,
    "defaults and names of arguments": """
        class Mine(Strategy):
            weight: float = 2.0
            def count(self, cells, times=3, plus=1.0):
                return self.weight * popcount(cells) * times + plus
            def index(self, view):
                return self.count(view.hearts, plus=0.0) + self.count(view.spades, 2)
            def score(self, view: View, move: Move) -> float:
                return self.count(cells=move.cells & view.hearts, times=5) - self.index(view)
        """,
    "lists, loops and math": """
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                values = [card % 13 for card in view.grid if card >= 0]
                total = 0.0
                for i, value in enumerate(values):
                    total += math.sqrt(value) if i % 2 else -1.0
                return total + min(move.cleared, 4) + (move.clubs in (2, 4, 8))
        """,
}


@pytest.mark.parametrize("name", COMPILES)
def test_both_lanes_play_the_same(name: str, tmp_path: Path) -> None:
    player = player_of(load(tmp_path, COMPILES[name]))
    assert player.lane == "compiled", player.reason
    assert outcomes(player) == outcomes(in_plain_python(player))


def test_parameters_are_not_baked_in(tmp_path: Path) -> None:
    listing = load(tmp_path, COMPILES["whole numbers and switches"])
    found = []
    for params in ({}, {"share": 2.0}, {"count": 2}, {"brave": False}):
        player = player_of(listing, **params)
        found.append(outcomes(player))
        assert found[-1] == outcomes(in_plain_python(player)), params
    assert all(found.count(one) == 1 for one in found)


def test_a_helper_beside_the_file(tmp_path: Path) -> None:
    helper = "def tip(move, weight):\n    return weight * move.cleared\n"
    body = """
        from _tips import tip
        class Mine(Strategy):
            weight: float = 1.0
            def score(self, view: View, move: Move) -> float:
                return tip(move, self.weight)
        """
    player = player_of(load(tmp_path, body, _tips=helper))
    assert player.lane == "compiled", player.reason
    assert outcomes(player) == outcomes(greedy())
