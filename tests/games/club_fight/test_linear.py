"""The scorers that add everything up: by hand, and their look at the hand against the twin."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml

from sim.games.club_fight import slow
from sim.games.club_fight.text import club_text
from sim.registry import Registry
from sim.strategy import parameters
from strategies.club_fight._follow import follow
from tests.conformance.test_twin import PACK
from tests.games.club_fight.test_strategies import FULL, move, view_of
from tests.test_layers import ROOT

NOTHING = {
    "hearts",
    "spades",
    "diamonds",
    "club_a",
    "club_k",
    "joker",
    *(f"club_{n}" for n in "56789"),
}
TUNED = ("tuned_easy", "tuned_hard", "tuned_patient")


def made(registry: Registry, name: str, **params: float) -> Any:
    """A strategy of which nothing counts but what is given."""
    cls: Any = registry.strategy("club_fight", name).cls
    return cls(**dict.fromkeys(parameters(cls), 0.0) | params)


@pytest.mark.parametrize(
    ("params", "clubs", "cells", "expected"),
    [
        ({}, [3], [2, 3], 2),
        ({"joker": 5.0}, [3], [4], 1 + 5),
        ({"ace": 3.0}, [3], [2, 3], 2 + 3),
        ({"low": 3.0}, [3], [2, 3, 7], 3 + 6),
        ({"middle": 3.0}, [12], [0, 1, 8], 3 + 9),
        ({"high": 3.0}, [12], [5, 6], 2 + 3),
        ({"king": 3.0}, [12], [5, 6], 2 + 3),
        ({"diamonds": -2.0}, [3], [0], 1 - 2),  # four diamonds lie, two are needed to go
        ({"diamonds": -2.0}, [3], [2, 3], 2),
        ({"hearts": -2.0, "spades": -2.0}, [3], [2], 1),  # two of each lie
        ({"brink": -1.0}, [3], [2, 3], 2 - 3),  # two are left of each suit
        ({"brink": -1.0}, [3], [0], 1 - 1),
        ({"club_7": -4.0, "club_8": -9.0}, [7], [0], 1 - 4),
        ({"club_k": 4.0, "fade": 0.5}, [13], [0], 1 + 4),  # the first turn
        ({"pace": 2.0}, [3], [2, 3], 2),  # 19 cards, 9 clubs: three a turn
        ({"pace": 2.0}, [3], [2, 3, 7], 3 + 2),
        ({"hurry": 9.0}, [3], [2, 3], 2 + 9 * 2 * (19 / 9 - 3)),
    ],
)
def test_every_weight(
    params: dict[str, float],
    clubs: list[int],
    cells: list[int],
    expected: float,
    registry: Registry,
) -> None:
    view = view_of(FULL, [3, 6, 12, 13])
    for name in ("linear", "patient"):
        score = made(registry, name, **params).score(view, move(clubs, cells))
        assert score == pytest.approx(expected), name


def test_weights_of_clubs_fade(registry: Registry) -> None:
    late = view_of(FULL, [3, 13])._replace(turn=12)
    fading = made(registry, "linear", club_k=4.0, fade=0.5)
    assert fading.score(late, move([13], [0])) == 1 + 2


@pytest.mark.parametrize(
    ("params", "grid_deck", "counts"),
    [
        ({"most": 3.0}, 10, True),
        ({"end_most": 3.0}, 10, False),
        ({"most": 3.0}, 0, False),
        ({"end_most": 3.0}, 2, True),  # the last two cards fill the grid: nothing more is dealt
    ],
)
def test_what_the_hand_could_do_next(
    params: dict[str, float], grid_deck: int, counts: bool, registry: Registry
) -> None:
    view = view_of(FULL, [3, 6, 12], grid_deck=grid_deck)
    most, total, able = follow(view, move([3], [2, 3]))
    left = ["6H", "9S", "--", "--", "Jk", "TD", "KD", "4H", "6S"]
    six, queen = (most_by_twin(left, club) for club in (6, 12))
    assert (most, total, able) == (max(six, queen), six + queen, (six > 2) + (queen > 2))
    found = made(registry, "patient", **params).score(view, move([3], [2, 3]))
    assert found == 2 + 3 * most * counts


def most_by_twin(grid: list[str], club: int) -> int:
    """The most cards one club can clear, by trying all subsets."""
    cards = [None if word == "--" else word for word in grid]
    found = slow.actions(cards, [club_text(club)])
    # Sums of five cards and more, hardly ever the best, are not looked for.
    return max(
        (len(cells) for (_, cells), kinds in found.items() if len(cells) < 5 or kinds - {"sum"}),
        default=0,
    )


def test_the_look_at_the_hand_agrees_with_the_twin() -> None:
    dice = random.Random(11)
    for _ in range(400):
        grid: list[str] = [card if dice.random() < 0.8 else "--" for card in dice.sample(PACK, 9)]
        lying = [cell for cell, card in enumerate(grid) if card != "--"]
        if not lying:
            continue
        hand = dice.sample(range(1, 14), 4)
        cells = dice.sample(lying, dice.randint(1, min(4, len(lying))))
        view = view_of(" ".join(grid), hand)
        left = ["--" if cell in cells else card for cell, card in enumerate(grid)]
        best = [most_by_twin(left, club) for club in hand[1:]]
        expected = max(best), sum(best), sum(one >= 3 for one in best)
        assert follow(view, move(hand[:1], cells)) == expected, (grid, hand, cells)


def test_the_last_club(registry: Registry) -> None:
    view = view_of("6H 6S -- -- -- -- -- -- 2D", [6, 2], grid_deck=0)
    finishing = made(registry, "patient", last=7.0)
    assert finishing.score(view, move([2], [8])) == 1 + 7  # the 6 takes both sixes, and wins
    assert finishing.score(view, move([2], [0])) == 1  # 6S and 2D are left: no 6 takes both


def test_crowded_suits(registry: Registry) -> None:
    view = view_of("2H 3H 4H -- -- -- -- -- --", [2, 3], grid_deck=4)
    crowding = made(registry, "patient", coming=1.0)
    # One heart goes; a quarter of the 10 hearts, 13 spades and 13 diamonds not seen may come.
    assert crowding.score(view, move([2], [0])) == 1 - (2 + 2.5 - 2) - 2 * (3.25 - 2)
    seen = view._replace(discards=0b1111111111 << 3)  # all other hearts
    assert crowding.score(seen, move([2], [0])) == 1 - 2 * (3.25 - 2)


def test_short_advice_counts_points(registry: Registry) -> None:
    view = view_of(FULL, [3, 6, 12, 13])
    params = {"card": 2, "joker": 3, "block": 5, "middle": 4, "weak": 7}
    strategy: Any = registry.strategy("club_fight", "short-advice").cls(**params)
    assert strategy.score(view, move([3], [2, 3])) == 4
    assert strategy.score(view, move([3], [4])) == 2 + 3 - 5
    assert strategy.score(view, move([6], [2, 3])) == 4 - 4
    assert strategy.score(view, move([13], [2, 3])) == 4 + 7


@pytest.mark.parametrize("name", TUNED)
def test_tuned_strategies_are_what_the_search_found(name: str, registry: Registry) -> None:
    found = yaml.safe_load((ROOT / "reports" / name / "tuned.yaml").read_text(encoding="utf-8"))
    entry = {key: value for key, value in found["entry"].items() if key not in ("use", "label")}
    base = registry.strategy("club_fight", found["entry"]["use"]).cls
    tuned = registry.strategy("club_fight", name.replace("_", "-")).cls
    assert issubclass(tuned, base.__mro__[1])
    expected = {key: one.default for key, one in parameters(base).items()} | entry
    assert {key: one.default for key, one in parameters(tuned).items()} == expected
