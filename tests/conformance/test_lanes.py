"""Every shipped strategy plays the same game compiled and in plain Python, move by move."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.games.club_fight.steps import new_counters, new_room
from sim.games.club_fight.turns import turns
from sim.games.club_fight.view import View
from sim.lanes import Player
from sim.registry import discover
from sim.strategy import contract

KNOWN = discover().strategies("club_fight")
NAMES = sorted(name for name, found in KNOWN.items() if contract(found.cls) == "score")
CHOOSE = sorted(KNOWN.keys() - set(NAMES))
DEALS = 200
DICE = Dice(5, 6)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_plain_agree(name: str, player: Callable[..., Player]) -> None:
    compiled = player(name)
    assert compiled.lane == "compiled", compiled.reason
    plain = compiled.in_plain_python()
    for rules in (Rules(1), Rules(2, True)):
        fast = play_block(rules, DICE, 0, DEALS // 2, compiled)
        slow = play_block(rules, DICE, 0, DEALS // 2, plain)
        np.testing.assert_array_equal(fast.outcomes, slow.outcomes)
        for counter, values in fast.counters.items():
            np.testing.assert_array_equal(values, slow.counters[counter], counter)


@pytest.mark.parametrize("name", CHOOSE)
def test_who_chooses_chooses_alike(name: str, player: Callable[..., Player]) -> None:
    compiled = player(name, **getattr(KNOWN[name].cls, "check", {"params": {}})["params"])
    assert compiled.lane == "compiled", compiled.reason
    for rules in (Rules(1), Rules(2, True)):
        fast = play_block(rules, DICE, 0, 2, compiled)
        slow = play_block(rules, DICE, 0, 2, compiled.in_plain_python())
        np.testing.assert_array_equal(fast.outcomes, slow.outcomes)
        for counter, values in fast.counters.items():
            np.testing.assert_array_equal(values, slow.counters[counter], counter)


@pytest.mark.parametrize("name", NAMES)
def test_every_score_is_the_same_to_the_bit(name: str, player: Callable[..., Player]) -> None:
    compiled, room = player(name), new_room()
    for number in range(20):
        for turn in turns(Rules(2, True), DICE, number, compiled, room, new_counters()):
            view = View(room.table.grid, *turn.view[1:])
            scores = np.zeros(room.scores.size)
            count = len(turn.moves)
            compiled.score_all(compiled.weights, view, room.moves, count, scores)
            assert scores[:count].tolist() == turn.scores


def test_blocks_of_any_size_give_the_same_outcomes(player: Callable[..., Player]) -> None:
    played = player("all-tips")
    whole = play_block(Rules(2), DICE, 0, 700, played).outcomes
    for size in (1, 7, 100, 333):
        parts = [
            play_block(Rules(2), DICE, first, min(size, 700 - first), played).outcomes
            for first in range(0, 700, size)
        ]
        np.testing.assert_array_equal(np.hstack(parts), whole)
