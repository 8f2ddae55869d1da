"""The naive twin of Stiche ansagen against every test vector of the rules.

Vectors are named after their number in the rule specification (TV), or after its section (S).
"""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.slow import (
    PACK,
    Options,
    effective_suit,
    hand_sizes,
    legal_bids,
    legal_cards,
    order,
    points,
    winner,
)

FILE = Path(__file__).with_name("stiche_ansagen.json")
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
Vector = dict[str, Any]


def having(part: str) -> pytest.MarkDecorator:
    """Parametrise with the vectors that have a part."""
    found = [pytest.param(vector, id=vector["id"]) for vector in VECTORS if part in vector]
    return pytest.mark.parametrize("vector", found)


def options_of(vector: Vector) -> Options:
    return Options(**vector.get("options", {}))


@having("orders")
def test_orders(vector: Vector) -> None:
    for suit, cards in vector["orders"].items():
        assert order(suit, vector["trump"], options_of(vector)) == cards.split()


@having("orders")
def test_every_card_stands_in_the_order_of_one_suit(vector: Vector) -> None:
    orders = [order(suit, vector["trump"], options_of(vector)) for suit in "HSDC"]
    assert sorted(card for cards in orders for card in cards) == sorted(PACK)


@having("orders")
def test_a_card_of_higher_place_in_a_suit_wins(vector: Vector) -> None:
    for suit in "HSDC":
        for high, low in combinations(order(suit, vector["trump"], options_of(vector)), 2):
            assert winner([high, low], vector["trump"], options_of(vector)) == 0
            assert winner([low, high], vector["trump"], options_of(vector)) == 1


@having("legal")
def test_legal_cards(vector: Vector) -> None:
    for case in vector["legal"]:
        hand, trick = case["hand"].split(), case["trick"].split()
        found = legal_cards(hand, trick, vector["trump"], options_of(vector))
        assert sorted(found) == sorted(case["may"].split()), case
        assert found == sorted(found, key=PACK.index)


@having("tricks")
def test_winners(vector: Vector) -> None:
    for cards, place in vector["tricks"]:
        assert winner(cards.split(), vector["trump"], options_of(vector)) == place, cards


@having("sizes")
def test_hand_sizes(vector: Vector) -> None:
    for case in vector["sizes"]:
        assert hand_sizes(options_of(vector), case["seats"]) == case["hands"]
        largest = Rules(**vector.get("options", {})).largest_hand(case["seats"])
        assert largest == max(case["hands"])


@having("bids")
def test_legal_bids(vector: Vector) -> None:
    for case in vector["bids"]:
        found = legal_bids(case["cards"], case["said"], case["seats"], options_of(vector))
        assert found == case["may"], case


@having("points")
def test_points(vector: Vector) -> None:
    for bid, won, expected in vector["points"]:
        assert points(bid, won, options_of(vector)) == expected, (bid, won)


@pytest.mark.parametrize("follows", ["trump", "printed"])
def test_the_left_bower_belongs_to_one_suit(follows: str) -> None:
    options = Options(left_bower_follows=follows)
    assert effective_suit("JC", "S", options) == {"trump": "S", "printed": "C"}[follows]
    assert effective_suit("JS", "S", options) == "S"
    assert effective_suit("JH", "S", options) == "H"


def test_s2_rounds_and_tricks_are_as_many_as_the_rules_say() -> None:
    for seats in range(2, 7):
        sizes = hand_sizes(Options(), seats)
        assert (len(sizes), sum(sizes)) == ((16, 72) if seats == 6 else (20, 110))
