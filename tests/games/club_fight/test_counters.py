"""What the engine counts beside the outcomes, against a count by the naive twin."""

from __future__ import annotations

import numpy as np
import pytest

from sim.game import Dice
from sim.games.club_fight import GAME, Rules, slow
from sim.games.club_fight.play import play_block
from sim.games.club_fight.rules import Action
from tests.conftest import MakePlayer

# "An effect that several actions allow counts for the first of" these.
ORDER = ("match", "sum", "any", "line", "down", "up", "run", "all_clear")
SEED, DEALS = 91, 15


def most_cards(_: slow.Game, move: slow.Candidate) -> float:
    return float(len(move[1]))


def naive(rules: Rules) -> dict[str, dict[tuple[object, ...], int]]:
    """Play with the twin and count by name: what each counter holds where it is not 0."""
    found: dict[str, dict[tuple[object, ...], int]] = {name: {} for name in GAME.counters}

    def add(counter: str, *place: object, amount: int = 1) -> None:
        found[counter][place] = found[counter].get(place, 0) + amount

    for number in range(DEALS):
        game = slow.Game(*slow.deal(SEED, number, rules.jokers), rules.all_clear)
        key, left = slow.tie_key(SEED, number), list[int]()
        while not game.over:
            for block in slow.blocked(game.grid):
                add("blocked", block)
            move = slow.choose(game, most_cards, key)
            action = min(game.actions()[move], key=ORDER.index)
            add("actions", action)
            add("brought", action, amount=len(move[1]))
            game.play(move)
            left.append(game.left)
        for turn, cards in enumerate(left, start=1):
            add("pace", int(game.won), turn, cards)
    return found


@pytest.mark.parametrize("rules", [Rules(1), Rules(2, all_clear=True)], ids=str)
def test_counters_are_those_of_the_twin(rules: Rules, player: MakePlayer) -> None:
    block = play_block(rules, Dice(SEED, SEED), 0, DEALS, player("greedy-most-cards"))
    actions = [action.name.lower() for action in Action]
    names = {"actions": actions, "brought": actions, "blocked": ["line", "updown", "run"]}
    expected = naive(rules)
    for counter, values in block.counters.items():
        held = {
            (names[counter][place[0]],) if counter in names else place: int(values[place])
            for place in zip(*map(np.ndarray.tolist, np.nonzero(values)), strict=True)
        }
        assert held == expected[counter], counter
        assert values.shape == GAME.counters[counter].shape


def test_the_card_names_the_places_in_the_order_of_the_engine() -> None:
    for counter in ("actions", "brought"):
        names = [name.lower().replace(" ", "_") for name in GAME.counters[counter].places]
        assert names == [action.name.lower() for action in Action]
    assert GAME.counters["blocked"].places == ("line blocked", "up/down blocked", "run blocked")
    assert GAME.counters[GAME.pace].shape == (2, 14, GAME.worst + 1)


def test_counters_add_up(player: MakePlayer) -> None:
    block = play_block(Rules(), Dice(1, 1), 0, 2000, player("all-tips"))
    left, turns = block.outcomes.astype(int)
    counters = block.counters
    assert counters["actions"].sum() == counters["pace"].sum() == turns.sum()
    assert counters["brought"].sum() == (40 - left).sum()
    assert counters["pace"][1, 1].sum() == (left == 0).sum()
    assert (counters["blocked"] <= turns.sum()).all()
