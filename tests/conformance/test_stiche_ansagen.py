"""The compiled engine of Stiche ansagen against the naive twin, and lane against lane."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.game import Dice
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.play import play_games
from sim.games.stiche_ansagen.room import new_room
from sim.games.stiche_ansagen.slow import Candidate, Options
from sim.games.stiche_ansagen.slow_game import TIES, Game, choose, key_of, new_game, play_game
from sim.games.stiche_ansagen.slow_views import by_views, move, view
from sim.games.stiche_ansagen.turns import Decision, decisions
from sim.games.stiche_ansagen.view import Bid
from sim.games.stiche_ansagen.watch import game_record
from tests.conformance.stiche_ansagen import (
    VARIANTS,
    Member,
    at_table,
    in_plain_python,
    made_members,
    shipped_members,
)

SEED, TIE_SEED = 20_26, 20_27
SEATS = range(2, 7)
FILE = Path(__file__).parents[1] / "golden" / "games_stiche_ansagen.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))["games"]


@pytest.fixture(scope="module")
def made() -> list[Member]:
    return in_plain_python(made_members())


@pytest.fixture(scope="module")
def shipped() -> list[Member]:
    return shipped_members()


def dice_of(ties: str = "hashed") -> Dice:
    return Dice(SEED, TIE_SEED, ties)


def opinion(member: Member, seen: Any, option: Any) -> float:
    """What a member thinks of an option."""
    player = member[0 if isinstance(option, Bid) else 1]
    return float(getattr(player.strategy, player.method)(seen, option))


def same_decision(
    decision: Decision, game: Game, member: Member, dice: Dice, deal: int
) -> Candidate:
    """Compare one decision field by field; return what the twin chooses."""
    one, seen = game.round, view(game)
    assert decision.seat == one.seat
    assert type(decision.view) is type(seen)
    for name in seen._fields:
        theirs, ours = getattr(decision.view, name), getattr(seen, name)
        np.testing.assert_array_equal(theirs, ours, f"{name} in {one}")
    options = {move(game, candidate): candidate for candidate in one.candidates()}
    assert len(set(decision.moves)) == len(decision.moves)
    assert set(decision.moves) == options.keys()
    scores = {candidate: opinion(member, seen, option) for option, candidate in options.items()}
    key = key_of(dice.tie_seed, TIES, deal)
    chosen = choose(game, lambda _, candidate: scores[candidate], key, dice.ties)
    assert options[decision.moves[decision.chosen]] == chosen
    return chosen


def same_games(rules: Rules, seated: Sequence[Member], deal: int, ties: str = "hashed") -> Game:
    """Play a deal in both, decision by decision; return the twin's game."""
    dice, room = dice_of(ties), new_room()
    game = new_game(Options(**vars(rules)), SEED, deal, len(seated))
    for decision in decisions(rules, dice, deal, seated, room):
        game.do(same_decision(decision, game, seated[decision.seat], dice, deal))
    assert game.over
    assert room.table.points[: len(seated)].tolist() == game.totals
    return game


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_decision_is_that_of_the_twin(rules: Rules, seats: int, made: list[Member]) -> None:
    same_games(rules, at_table(made, seats), seats)


@pytest.mark.parametrize("seats", SEATS)
def test_whole_games_under_house_rules(seats: int, made: list[Member]) -> None:
    same_games(Rules(), at_table(made, seats, 1), 7 * seats)


@pytest.mark.parametrize("rules", [VARIANTS[0], VARIANTS[5]], ids=str)
def test_the_first_of_equals_is_that_of_the_twin(rules: Rules, made: list[Member]) -> None:
    game = same_games(rules, at_table(made[:1], 4), 11, "first")
    said = [one.said for one in game.rounds]
    assert all(bid == 0 for bids in said for bid in bids[:-1])


def test_shipped_strategies_play_the_games_of_the_twin(shipped: list[Member]) -> None:
    members = in_plain_python(shipped)
    for first, seats in ((0, 4), (4, 3)):
        same_games(VARIANTS[first], at_table(members, seats, first), 13)


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_many_whole_games(
    rules: Rules, seats: int, made: list[Member], shipped: list[Member]
) -> None:
    whole = Options(**vars(rules))._replace(max_hand=12)
    members = [*made, *in_plain_python(shipped)]
    for deal in range(4):
        same_games(Rules(**whole._asdict()), at_table(members, seats, deal), deal)


@pytest.mark.slow
def test_the_largest_hands_of_all(made: list[Member]) -> None:
    """Two players with all cards of a pack, and as many of two packs as the engine has room for."""
    for rules in (Rules(max_hand=25), Rules(max_hand=51, packs=2)):
        same_games(rules, at_table(made, 2), 17)


def test_records_are_those_of_the_twin(made: list[Member]) -> None:
    rules, seated, deal = VARIANTS[2], at_table(made, 4), 23
    scores = [by_views(*(getattr(p.strategy, p.method) for p in member)) for member in seated]
    options = Options(**vars(rules))
    twin = play_game(options, SEED, TIE_SEED, "hashed", deal, scores).record()
    assert in_order(game_record(rules, dice_of(), deal, seated)) == in_order(twin)


def in_order(record: dict[str, Any]) -> dict[str, Any]:
    """A record with its hands sorted: in which order a hand is shown is nobody's rule."""
    rounds = [one | {"hands": [sorted(hand) for hand in one["hands"]]} for one in record["rounds"]]
    return record | {"rounds": rounds}


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"{golden['seed']}-{golden['deal']}")
def test_golden_games(golden: dict[str, Any], made: list[Member]) -> None:
    seed, tie_seed, deal, rules = (golden[key] for key in ("seed", "tie_seed", "deal", "rules"))
    nobody, seats = made[0], golden["seats"]
    no_opinion = [lambda *_: 0.0] * seats
    twin = play_game(Options(**rules), seed, tie_seed, "hashed", deal, no_opinion).record()
    third = twin["rounds"][2]
    assert [" ".join(hand) for hand in third["hands"]] == golden["third_hands"]
    record = game_record(Rules(**rules), Dice(seed, tie_seed), deal, [nobody] * seats)
    for found in (twin, record):
        third = found["rounds"][2]
        assert " ".join(one["trump_card"] for one in found["rounds"]) == golden["trump_cards"]
        assert third["bids"] == golden["third_bids"]
        assert [" ".join(t["cards"]) for t in third["tricks"]] == golden["third_tricks"]
        assert [one["won"] for one in found["rounds"]] == golden["won"]
        assert found["totals"] == golden["totals"]


@pytest.mark.parametrize("rules", [Rules(), *VARIANTS[1:]], ids=str)
def test_lanes_agree(rules: Rules, shipped: list[Member]) -> None:
    members = [*made_members(), *shipped]
    for member in members:
        assert all(player.is_compiled for player in member), [player.reasons for player in member]
    for seats in (2, 4, 6):
        table = at_table(members, seats, seats)
        seating = np.array([np.roll(np.arange(seats), turn) for turn in range(2)])
        deals = np.array([29, 2**40])
        fast = play_games(rules, dice_of(), deals, seating, table)
        plain = play_games(rules, dice_of(), deals, seating, in_plain_python(table))
        np.testing.assert_array_equal(fast.points, plain.points)


def test_what_differs_is_noticed(made: list[Member]) -> None:
    """The comparison is no comparison if the twin may play by other rules."""
    rules, seated = VARIANTS[0], at_table(made, 4)
    game = new_game(Options(**vars(VARIANTS[3])), SEED, 1, 4)
    with pytest.raises(AssertionError):
        for decision in decisions(rules, dice_of(), 1, seated, new_room()):
            game.do(same_decision(decision, game, seated[decision.seat], dice_of(), 1))
