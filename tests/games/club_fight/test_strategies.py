"""The shipped strategies: their formulas on positions worked out by hand, and how they relate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.cards import card, parse_card
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.games.club_fight.view import Move, View
from sim.lanes import Player
from sim.registry import Registry

SINGLE = {
    "joker-first": "joker",
    "block-breaker": "block",
    "save-middle-clubs": "middle",
    "weak-clubs-early": "weak",
    "pace-keeper": "pace",
}
NONE = dict.fromkeys(SINGLE.values(), 0.0)


def view_of(grid: str, hand: list[int], grid_deck: int = 10, clubs_deck: int = 5) -> View:
    """A view with the masks worked out from the grid."""
    cards = [parse_card(word) for word in grid.split()]

    def cells(test: Callable[[int], bool]) -> int:
        return sum(1 << cell for cell, number in enumerate(cards) if test(number))

    return View(
        grid=cards,  # type: ignore[arg-type]
        hand=sum(1 << value for value in hand),
        hearts=cells(lambda c: 0 <= c < 13),
        spades=cells(lambda c: 13 <= c < 26),
        diamonds=cells(lambda c: 26 <= c < 39),
        jokers=cells(lambda c: c == 52),
        lying=cells(lambda c: c >= 0),
        grid_deck=grid_deck,
        clubs_deck=clubs_deck,
        turn=0,
        discards=0,
        jokers_discarded=0,
        jokers_in_play=1,
        all_clear=1,
    )


def move(clubs: list[int], cells: list[int]) -> Move:
    """A move from its clubs and cells."""
    masks = sum(1 << value for value in clubs), sum(1 << cell for cell in cells)
    return Move(*masks, len(cells), len(clubs))


FULL = "6H 9S 2D AD Jk TD KD 4H 6S"  # four diamonds block the line


@pytest.fixture
def score(registry: Registry) -> Callable[..., float]:
    """Score of a move by a named strategy."""

    def ask(name: str, view: View, option: Move, **params: float) -> float:
        strategy: Any = registry.strategy("club_fight", name).cls(**params)
        return float(strategy.score(view, option))

    return ask


def test_formulas(score: Callable[..., float]) -> None:
    view = view_of(FULL, [3, 6, 12, 13])  # R = 9 + 10, C = 4 + 5
    three = move([3], [2, 3])
    assert score("random", view, three) == 0
    assert score("greedy-most-cards", view, three) == 2
    assert score("joker-first", view, move([3], [4])) == 101
    assert score("joker-first", view, three) == 2
    assert score("block-breaker", view, three) == 2  # two diamonds are left: nothing blocks
    assert score("block-breaker", view, move([3], [2])) == 1 - 2
    assert score("save-middle-clubs", view, move([7], [0])) == 1 - 0.8 * 1.25
    assert score("save-middle-clubs", view, move([6], [0, 8])) == 2 - 0.8
    assert score("save-middle-clubs", view, move([6, 7, 8], [0])) == 1 - 0.8 * 3.25
    assert score("weak-clubs-early", view, move([13], [6])) == 1.8
    assert score("weak-clubs-early", view, three) == 2


def test_weak_clubs_need_a_full_grid(score: Callable[..., float]) -> None:
    holes = view_of("6H 9S -- -- Jk TD KD -- 6S", [1, 13], grid_deck=0)
    assert score("weak-clubs-early", holes, move([13], [6])) == 1


@pytest.mark.parametrize(
    ("cells", "expected"), [([2, 3], 2.0), ([2, 3, 7], 3 + 100 * (1 + 7))], ids=["2", "3"]
)
def test_pace_is_rounded_up(cells: list[int], expected: float, score: Callable[..., float]) -> None:
    view = view_of(FULL, [3, 6, 12, 13])  # 19 cards, 9 clubs: three a turn
    assert score("pace-keeper", view, move([3], cells)) == expected


def test_pace_of_three_clubs_is_that_of_the_strongest(score: Callable[..., float]) -> None:
    view = view_of(FULL, [6, 7, 8, 12])  # 19 cards, 9 clubs: 57 / 9 = 7 for three clubs
    assert score("pace-keeper", view, move([6, 7, 8], list(range(9)))) == 9 + 100
    assert score("pace-keeper", view, move([11, 12, 13], list(range(6)))) == 6


def test_weakness_order(score: Callable[..., float]) -> None:
    view = view_of(FULL, [1], grid_deck=0, clubs_deck=12)
    values = [7, 6, 8, 5, 9, 4, 10, 3, 11, 2, 12, 1, 13]
    gains = [score("pace-keeper", view, move([value], [0]), weight=1) for value in values]
    assert gains == [1 + 1 + weakness for weakness in range(13)]


def test_hoarder(score: Callable[..., float]) -> None:
    early, late = view_of(FULL, [1, 2, 3, 9]), view_of(FULL, [1, 2, 3, 9], grid_deck=0)
    last = view_of(FULL, [1, 2, 3], grid_deck=4, clubs_deck=0)
    sweep = move([1, 2, 3], list(range(9)))
    assert score("all-clear-hoarder", late, sweep) == 1009
    assert score("all-clear-hoarder", early, sweep) == 9 - 300
    assert score("all-clear-hoarder", early, move([2], [2])) == 1 - 100
    assert score("all-clear-hoarder", early, move([9], [1])) == 1
    assert score("all-clear-hoarder", last, move([2], [2])) == 1
    without = early._replace(all_clear=0)
    assert score("all-clear-hoarder", without, move([2], [2])) == 1


@pytest.mark.parametrize(("name", "weight"), SINGLE.items())
def test_a_single_tip_is_all_tips_with_only_its_weight(
    name: str, weight: str, player: Callable[..., Player]
) -> None:
    own = {"joker": 100.0, "block": 2.0, "middle": 0.8, "weak": 0.8, "pace": 100.0}[weight]
    for rules in (Rules(1), Rules(2, True)):
        alone = play_block(rules, Dice(1, 2), 0, 3_000, player(name))
        among = play_block(rules, Dice(1, 2), 0, 3_000, player("all-tips", **NONE | {weight: own}))
        np.testing.assert_array_equal(alone.outcomes, among.outcomes)
        np.testing.assert_array_equal(alone.counters["pace"], among.counters["pace"])


def test_tips_without_weight_and_the_hoarder_without_all_clear_are_greedy(
    player: Callable[..., Player],
) -> None:
    greedy = play_block(Rules(1), Dice(1, 2), 0, 3_000, player("greedy-most-cards")).outcomes
    for other in (player("all-tips", **NONE), player("all-clear-hoarder")):
        np.testing.assert_array_equal(
            play_block(Rules(1), Dice(1, 2), 0, 3_000, other).outcomes, greedy
        )


def test_every_strategy_stands_in_the_file_of_its_name_and_cites_its_source(
    registry: Registry,
) -> None:
    for name, listing in registry.strategies("club_fight").items():
        assert listing.origin.module == f"strategies.club_fight.{name.replace('-', '_')}"
        assert listing.advice.endswith(".")
        for word in ("Source:", "Assumption:"):
            assert word in (listing.cls.__doc__ or ""), (name, word)


def test_card_numbers() -> None:
    assert card(1, 0) == 0
    assert card(13, 3) == 51
