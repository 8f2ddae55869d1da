"""The second contract, `choose`, as a user meets it; and parameters that name a strategy."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest

from sim import choosing, noise
from sim.choosing import noise_of
from sim.deals import CLUBS, GRID, NOISE, TIES
from sim.errors import BadInput, StrategyFailed
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.play import play_block
from sim.noise import Noise, draw
from sim.policy import Named, source_of, written
from sim.registry import discover
from sim.settings import params_of, text
from sim.work import Spec
from tests.command import Tipoff
from tests.plugins import load, outcomes

SAMPLER = """
    from sim.games.club_fight.sampled import deal_unseen, new_game, play_out
    from sim.games.club_fight.view import Moves, Noise, draw
    from sim.strategy import Count, Policy

    class Mine(Strategy):
        '''Try every move out on a few deals.'''

        policy: Policy = Policy("greedy-most-cards")
        deals_each: Count = 2

        def choose(self, view: View, moves: Moves, noise: Noise) -> int:
            game = new_game(view)
            best, chosen = 1000, draw(noise, 0, moves.size)
            for m in range(moves.size):
                left = 0
                for number in range(self.deals_each):
                    deal_unseen(game, noise, number)
                    left += play_out(game, moves, m, self.policy)
                if left < best:
                    best, chosen = left, m
            return chosen
    """
BY_CHANCE = """
    from sim.games.club_fight.view import Moves, Noise, draw

    class Mine(Strategy):
        def choose(self, view: View, moves: Moves, noise: Noise) -> int:
            return {}
    """

CONFIG = """\
experiment: ladder
game: club_fight
deals: 20
seed: 7
strategies:
  - greedy-most-cards
  - {use: look-ahead, %s}
"""


# --- One file, both lanes ---


def test_a_strategy_that_chooses_is_one_file(tmp_path: Path) -> None:
    listing = load(tmp_path, SAMPLER)
    mine = Spec(listing.origin, params_of(listing, {}), None).player(GAME)
    assert mine.lane == "compiled", mine.reason
    fast, slow = outcomes(mine, 1), outcomes(mine.in_plain_python(), 1)
    assert fast == slow
    left = np.array(outcomes(mine, 40)[0])
    assert left.mean() < 12  # at random 24 cards are left


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("-1", "chose move -1, and there is none"),
        ("moves.size", "and there is none; expected a number from 0 to moves.size - 1"),
        ("1 // view.turn", "ZeroDivisionError"),
    ],
)
def test_a_wrong_choice_is_told_in_both_lanes(tmp_path: Path, chosen: str, said: str) -> None:
    listing = load(tmp_path, BY_CHANCE.format(chosen))
    mine = Spec(listing.origin, {}, None).player(GAME)
    assert mine.lane == "compiled", mine.reason
    for lane in (mine, mine.in_plain_python()):
        with pytest.raises(StrategyFailed, match=r"strategy 'mine', deal 0, turn 1: ") as failed:
            outcomes(lane, 1)
        assert said in str(failed.value) and "mine.py:" in str(failed.value)


def test_one_that_cannot_be_compiled_plays_all_the_same(tmp_path: Path) -> None:
    listing = load(tmp_path, BY_CHANCE.format("sum(0 for _ in range(3))"))
    mine = Spec(listing.origin, {}, None).player(GAME)
    assert mine.lane == "plain" and "mine.py" in mine.reason
    assert len(outcomes(mine, 2)[0]) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("pass", "has no method score"),
        ("score = choose = lambda self, view, move: 0", "has both score and choose"),
        ("a: Policy = Policy('random'); b: Policy = Policy('random')", "one other strategy"),
    ],
)
def test_a_class_without_one_contract_is_refused(tmp_path: Path, body: str, said: str) -> None:
    more = "" if said != "one other strategy" else "\n        def score(self, view, move): return 0"
    text = f"""
    from sim.strategy import Policy

    class Mine(Strategy):
        {body.replace("; ", chr(10) + " " * 8)}{more}
    """
    with pytest.raises(BadInput, match=said):
        load(tmp_path, text)


@pytest.mark.slow
def test_the_check_passes_one(tipoff: Tipoff, empty_folder: Path) -> None:
    from tests.plugins import write

    said = tipoff("check", write(empty_folder, SAMPLER), "--json")
    assert said.status == 0, said.out + said.err


# --- Noise ---


def test_noise_is_a_stream_of_its_own_and_draws_are_even() -> None:
    assert len({int(one) for one in (NOISE, GRID, CLUBS, TIES)}) == 4
    turns = {int(first(deal, turn)) for deal in range(50) for turn in range(13)}
    assert len(turns) == 650
    for bound in (2, 7, 32):
        counts = np.bincount([draw(Noise(11), n, bound) for n in range(7000)], minlength=bound)
        chi = ((counts - 7000 / bound) ** 2 / (7000 / bound)).sum()
        assert abs(chi - (bound - 1)) < 5 * (2 * (bound - 1)) ** 0.5


@numba.njit
def first(deal: int, turn: int) -> int:
    return noise_of(np.uint64(5), deal, turn)  # type: ignore[no-any-return]


def test_both_forms_of_a_draw_agree() -> None:
    assert choosing.draw is noise.draw

    @numba.njit
    def compiled(key: int, number: int, bound: int) -> int:
        return draw(Noise(key), number, bound)

    for key in (0, 1, -1, 2**63 - 1, -(2**63)):
        for number in (0, 1, 99):
            assert compiled(key, number, 1000) == draw(Noise(key), number, 1000)


def test_another_tie_seed_is_another_chance(tmp_path: Path) -> None:
    listing = load(tmp_path, SAMPLER)
    mine = Spec(listing.origin, params_of(listing, {}), None).player(GAME)
    games = [play_block(Rules(1), Dice(5, ties), 0, 40, mine).outcomes for ties in (1, 1, 2)]
    assert (games[0] == games[1]).all() and (games[0] != games[2]).any()


# --- A parameter that names a strategy ---


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("rollouts: 0", "rollouts: expected at least 1, got 0"),
        ("candidates: 0", "candidates: expected at least 1, got 0"),
        ("policy: look-ahead", "policy: 'look-ahead' chooses its moves itself"),
        ("policy: {use: look-ahead}", "policy: 'look-ahead' chooses its moves itself"),
        ("policy: clairvoyant", "policy: 'clairvoyant' sees hidden cards"),
        ("policy: all-tip", "policy: unknown strategy 'all-tip'; did you mean 'all-tips'"),
        ("policy: {use: all-tips, pase: 0}", "all-tips has no parameter 'pase'; did you"),
        ("policy: {use: all-tips, pace: many}", "pace: expected a number, got 'many'"),
        ("policy: {use: all-tips, pace: [0, 1]}", "pace: expected a number, true, false or text"),
        ("policy: 3", "policy: expected the name of a strategy or a mapping with 'use'"),
        ("policy: [random, random]", "policy: 'random' stands twice in the list"),
    ],
)
def test_bad_input_is_refused_with_file_and_line(
    tipoff: Tipoff, empty_folder: Path, entry: str, said: str
) -> None:
    path = empty_folder / "ladder.yaml"
    path.write_text(CONFIG % entry)
    found = tipoff("run", path)
    assert found.status == 2 and "ladder.yaml:7:" in found.err, found.err
    assert said in found.err


def test_a_named_strategy_is_written_labelled_and_stamped() -> None:
    listing = discover().strategy("club_fight", "look-ahead")
    usual, other = (
        params_of(listing, {"policy": policy})
        for policy in ({"use": "all-tips", "pace": 0}, {"use": "all-tips", "pace": 0.25})
    )
    assert usual == params_of(listing, {})
    assert written(usual)["policy"]["use"] == "all-tips"
    assert written(usual)["policy"]["pace"] == 0.0
    assert params_of(listing, written(usual)) == usual  # as from results.json
    assert isinstance(usual["policy"], Named)
    assert text(other["policy"]) == "all-tips(pace=0.25)"
    stamps = {
        Spec(listing.origin, params, Rules(1)).stamp(GAME, Dice(1, 1)) for params in (usual, other)
    }
    assert len(stamps) == 2
    assert source_of(listing.origin, usual) != listing.origin.closure()


def test_a_run_with_a_named_strategy_can_be_verified(tipoff: Tipoff, empty_folder: Path) -> None:
    path = empty_folder / "ladder.yaml"
    path.write_text(CONFIG % "rollouts: 8, policy: [random, {use: all-tips, pace: 0}], deals: 4")
    assert tipoff("run", path, "--workers", 1).status == 0
    said = tipoff("verify", "reports/ladder")
    assert said.status == 0, said.out + said.err
    again = tipoff("run", "reports/ladder/config.yaml", "--out", "reports/ladder")
    assert again.status == 0 and "0 games played" in again.out + again.err
