"""The naive twin against every test vector of the rules, and against the golden deals."""

import json
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from sim.games.club_fight import slow
from tests.perft.vectors import Moves, Play, Vector, divide, load, yardsticks

VECTORS = load()
GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "deals_club_fight.json").read_text(encoding="utf-8")
)["deals"]


def moves(vector: Vector, hand: str) -> Moves:
    """What the twin finds for a hand, given as ranks."""
    clubs = [rank + "C" for rank in hand.split()]
    return Moves.found(vector.grid, slow.actions(vector.grid, clubs, vector.all_clear))


@pytest.mark.parametrize(
    ("vector", "hand"),
    [pytest.param(v, hand, id=f"{v.id}-{hand}") for v in VECTORS for hand in v.clubs],
)
def test_moves(vector: Vector, hand: str) -> None:
    difference = divide({hand: vector.clubs[hand]}, {hand: moves(vector, hand)})
    assert not difference, difference


@pytest.mark.parametrize(
    "vector", [pytest.param(v, id=v.id) for v in VECTORS if v.blocks is not None]
)
def test_blocks(vector: Vector) -> None:
    assert slow.blocked(vector.grid) == vector.blocks


@pytest.mark.parametrize("vector", [pytest.param(v, id=v.id) for v in VECTORS if v.suits])
def test_suits_of_the_data_are_those_of_its_grid(vector: Vector) -> None:
    suits = [card[-1] for card in vector.grid if card]
    assert {suit: suits.count(suit) for suit in vector.suits} == vector.suits


@pytest.mark.parametrize(
    ("play", "all_clear"),
    [
        pytest.param(play, v.all_clear, id=f"{v.id}-{n}")
        for v in VECTORS
        for n, play in enumerate(v.plays, 1)
    ],
)
def test_plays(play: Play, all_clear: bool) -> None:
    game = slow.Game(play.grid_deck, play.clubs_deck, all_clear, play.grid, play.hand)
    assert game.actions()[play.move] == play.kinds
    game.play(play.move)
    assert game.turn == 1
    assert {name: getattr(game, name) for name in play.after} == play.after


def test_single_card_every_move_wins_at_once() -> None:
    """TV6: whatever the club and whatever the kind, the last card takes the win with it."""
    grid = next(v.grid for v in VECTORS if v.id == "TV6a")
    hand = ["5C", "6C", "7C"]
    for move in slow.actions(grid, hand):
        game = slow.Game([], [], False, grid, hand)
        game.play(move)
        assert game.won


def test_divide_names_the_club_the_kind_and_the_sets() -> None:
    vector = VECTORS[0]
    wrong = slow.actions(vector.grid, ["3C"])
    del wrong[frozenset({"3C"}), frozenset({3, 2, 7})]
    wrong[frozenset({"3C"}), frozenset({8})].add("sum")
    found = {"3": Moves.found(vector.grid, wrong)}
    for expected in (vector.clubs["3"], moves(vector, "3")):
        rows = [line.split(maxsplit=4) for line in divide({"3": expected}, found).splitlines()]
        assert ["3", "run", "5", "4", "missing {2D 4H AD}"] in rows
        assert ["3", "sum", "1", "2", "not allowed {6S}"] in rows
    assert divide({"3": moves(vector, "3")}, {"3": moves(vector, "3")}) == ""


@pytest.mark.parametrize("golden", [pytest.param(g, id=f"{g['seed']}-{g['deal']}") for g in GOLDEN])
@pytest.mark.parametrize("jokers", [1, 2])
def test_golden_deals(golden: dict[str, Any], jokers: int) -> None:
    grid_deck, clubs_deck = slow.deal(golden["seed"], golden["deal"], jokers)
    assert grid_deck == golden[{1: "grid_one_joker", 2: "grid_two_jokers"}[jokers]].split()
    assert clubs_deck == golden["clubs"].split()
    assert slow.tie_key(golden["seed"], golden["deal"]) == int(golden["tie_key"], 16)


def test_stream_is_splitmix64() -> None:
    """The first outputs from state 1234567, as Vigna's reference program prints them."""
    assert list(islice(slow.stream(1234567), 3)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_below_draws_again_where_the_remainder_would_be_unfair() -> None:
    """2^32 = 3 * 1431655765 + 1, so of all inputs only 0 is one too many for three."""
    assert slow.below(3, iter([0xFFFFFFFF, 1 << 32])) == 0
    assert slow.below(3, iter([1431655766 << 32])) == 1
    assert slow.below(3, iter([2863311531 << 32])) == 2  # the remainder is the threshold: fair
    assert slow.below(3, iter([0xFFFFFFFF << 32])) == 2


def test_ties_go_to_the_highest_hash_and_scores_before_hashes() -> None:
    game, key = slow.Game(*slow.deal(2024, 0, 2)), slow.tie_key(2024, 0)
    candidates = game.actions()
    highest = max(candidates, key=lambda c: slow.tie_hash(key, 0, c))
    assert slow.choose(game, lambda *_: 0.0, key) == highest
    largest = slow.choose(game, lambda _, candidate: float(len(candidate[1])), key)
    assert len(largest[1]) == max(len(cells) for _, cells in candidates)


def test_number_of_a_candidate() -> None:
    """Clubs from bit 9 + value on, cells below: ace of clubs is bit 10, king bit 22."""
    assert slow.number((frozenset({"AC"}), frozenset({0, 8}))) == 1 << 10 | 1 << 8 | 1
    assert slow.number((frozenset({"KC", "QC", "JC"}), frozenset({4}))) == 0b111 << 20 | 1 << 4


def test_tie_hash_is_frozen() -> None:
    """Key 12345, fourth turn, king of clubs on cells 0 and 2."""
    assert slow.tie_hash(12345, 3, (frozenset({"KC"}), frozenset({0, 2}))) == 0xC65BD587E99D8C05


@pytest.mark.parametrize("jokers", [1, 2])
def test_random_play_is_near_the_yardstick(jokers: int) -> None:
    """A player without an opinion never wins and leaves about 22 or 24 cards."""
    games = [
        slow.play_out(*slow.deal(2024, k, jokers), lambda *_: 0.0, slow.tie_key(2024, k))
        for k in range(12)
    ]
    yardstick = yardsticks()["random"]
    assert sum(game.won for game in games) == yardstick["won"]
    assert fmean(game.left for game in games) == pytest.approx(
        yardstick["left"][str(jokers)], abs=3
    )
