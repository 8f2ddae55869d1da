"""A game for three, with two decisions, made up for the tests: adding it touches no shared file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sim.errors import BadInput, StrategyFailed
from sim.game import Dice
from sim.published import read
from sim.registry import Registry, discover
from sim.seat_bytes import Layout
from sim.seating import Member, play_deals, seating
from sim.settings import params_of
from sim.standings import Standings
from sim.table_work import MemberSpec, TableSpec
from tests.toys import Said, installed, tipoff

DEALS = 400
CONFIG = f"""# Does it pay to be bold?
experiment: boldness
game: toy_three
deals: {DEALS}
seed: 7
seats: 3
rules: {{price: [1, 2]}}
strategies:
  - bold
  - {{claim: careful, play: just-above}}
  - {{claim: {{use: careful, least: 7}}, play: [just-above, bold]}}
"""

FAILING = '''"""Fails in the second trick."""

from sim.games.toy_three.view import Play, PlayView
from sim.strategy import Strategy


class Failing(Strategy):
    def play(self, view: PlayView, move: Play) -> float:
        assert view.held & view.held - 1, "stuck"
        return 0.0
'''


@pytest.fixture
def toy() -> Iterator[Registry]:
    """The registry of a Tipoff in which the toys are installed."""
    with installed():
        yield discover()


def run(folder: Path, text: str = CONFIG, *words: object) -> Said:
    """Run a config with two workers."""
    config = folder / "boldness.yaml"
    config.write_text(text, encoding="utf-8")
    workers = ("--workers", 2, "--start-method", "fork")
    return tipoff("run", config, "--out", folder / "out", *workers, *words)


def members(registry: Registry, *names: str) -> list[Member]:
    """Return members as `claim+play`, with the defaults of their parts."""
    game = registry.game("toy_three")
    return list(
        TableSpec(tuple(map(partial(spec_of, registry), names)), game.rules()).player(game).members
    )


def spec_of(registry: Registry, name: str) -> MemberSpec:
    listings = [registry.strategy("toy_three", part) for part in name.split("+")]
    return tuple((one.origin, params_of(one, {})) for one in listings)


def test_it_is_found_with_its_parts(toy: Registry) -> None:
    assert list(toy.strategies("toy_three")) == ["bold", "careful", "just-above"]
    said = tipoff("list", "strategies")
    assert "careful(least=6): Claim if you hold two of the highest cards." in said.out
    assert "toy_three, built-in, a part: claim" in said.out
    assert "toy_three: Toy Three, for 3 to 3, rules version 1" in tipoff("list", "games").out


def test_it_leaves_no_trace() -> None:
    assert "toy_three" not in discover().games


def test_a_tournament_is_played_stored_and_drawn(toy: Registry, tmp_path: Path) -> None:
    said = run(tmp_path)
    assert said.status == 0, said.err
    assert f"{4 * 2 * 3 * DEALS:,} games played" in said.out  # line-ups, rules, rotations
    found = read(tmp_path / "out" / "results.json")
    assert isinstance(found, Standings) and found.kind == "rank"
    assert len(found.lineups) == 8 and len(found.entries) == 8
    for entry in found.entries:
        assert entry.deals == DEALS and entry.games == 3 * 3 * DEALS  # line-ups, rotations
        assert 1 <= entry.rank_low <= entry.rank_mean <= entry.rank_high <= 3
        assert 0 < entry.first_low <= entry.first_share <= entry.first_high < 1
    again = run(tmp_path)
    assert "0 games played" in again.out
    assert read(tmp_path / "out" / "results.json") == found


def test_rotations_of_a_deal_use_every_seat(toy: Registry) -> None:
    rows = seating(7, 10, 5, 3).reshape(5, 3, 3)
    assert (np.sort(rows, axis=2) == np.arange(3)).all()  # all sit in each game
    assert (np.sort(rows, axis=1) == np.arange(3)[:, None]).all()  # each sits on every seat
    orders = seating(7, 0, 3000, 3)[::3]
    counts = [
        int((orders == order).all(axis=1).sum()) for order in itertools.permutations(range(3))
    ]
    assert sum(counts) == 3000 and min(counts) > 400


def test_both_lanes_play_the_same(toy: Registry) -> None:
    game = toy.game("toy_three")
    seated = members(toy, "bold+bold", "careful+just-above", "bold+just-above")
    plain = [tuple(player.in_plain_python() for player in member) for member in seated]
    mixed = [plain[0], *seated[1:]]
    blocks = [
        play_deals(game, game.rules(), Dice(3, 4), 20, 60, table)
        for table in (seated, plain, mixed)
    ]
    assert all(player.is_compiled for member in seated for player in member)
    for block in blocks[1:]:
        np.testing.assert_array_equal(block.outcomes, blocks[0].outcomes)
        np.testing.assert_array_equal(
            block.counters["seat_points"], blocks[0].counters["seat_points"]
        )


def test_blocks_may_be_cut_anywhere(toy: Registry) -> None:
    game, seated = (
        toy.game("toy_three"),
        members(toy, "bold+bold", "careful+bold", "bold+just-above"),
    )
    whole = play_deals(game, game.rules(), Dice(3, 4), 0, 50, seated)
    parts = [
        play_deals(game, game.rules(), Dice(3, 4), *cut, seated) for cut in ((0, 20), (20, 30))
    ]
    together = np.concatenate([part.outcomes for part in parts], axis=1)
    np.testing.assert_array_equal(together, whole.outcomes)
    sums = Layout(3).unpacked(whole.outcomes, 3)
    assert (sums.firsts.sum(axis=1) == 3 * Layout(3).units).all()  # one first place a game
    assert whole.counters["seat_points"].sum() == sums.points.sum()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("seats: 3\nstrategies: [bold, careful]", "8:20: 'careful' is a part: it has no play"),
        ("seats: 3\nstrategies: [{claim: careful}]", "8:14: missing 'play': name a strategy"),
        (
            "seats: 3\nstrategies: [{claim: just-above, play: bold}]",
            "claim: 'just-above' has no claim; expected one of bold, careful",
        ),
        ("seats: 3\nstrategies: [{claim: bold, plays: bold}]", "has no decision 'plays'"),
        ("seats: 4\nstrategies: [bold]", "7:8: seats: Toy Three is for 3 to 3, not for 4"),
        ("seats: 3\nstrategies: [bold]", "7:8: seats: 3 cannot sit down together, there are 1"),
        ("strategies: [bold]", "missing key 'seats': how many play Toy Three, 3 to 3"),
        (
            "lineups: [[bold, bold]]\nstrategies: [bold]",
            "7:11: lineups: 2 labels; expected 3 to 3, one a seat",
        ),
        (
            "lineups: [[bold, bald, bold]]\nstrategies: [bold]",
            "7:18: no entry has the label 'bald'; did you mean 'bold'?",
        ),
        ("seats: 3\nfield: [bold, bold, bold]\nstrategies: [bold]", "field: 3 labels; at 3 seats"),
        ("seats: 3\ntournament: against_field\nstrategies: [bold]", "wants the key `field`"),
        ("seats: 3\nstrategies: [joker-first]", "unknown strategy 'joker-first'"),
        ("seats: 3\nladder: [bold, bold]\nstrategies: [bold]", "ladder: is for games that one"),
        ("seats: 3\nstore: counts\nstrategies: [bold]", "store: a tournament keeps every deal"),
        ("seats: 3\nrules: {price: 3}\nstrategies: [bold]", "price: expected 1 or 2, got 3"),
        ("seats: 3\nstrategies: [bold, {use: bold, label: bolder}]", "the same player is entered"),
    ],
)
def test_what_is_wrong_is_named(lines: str, message: str, toy: Registry, tmp_path: Path) -> None:
    head = "# A tournament\n\nexperiment: wrong\ngame: toy_three\ndeals: 100\nseed: 7\n"
    said = run(tmp_path, head + lines + "\n")
    assert said.status == 2
    assert message in said.err and "boldness.yaml:" in said.err
    assert not (tmp_path / "out").exists()


def test_a_solitaire_has_no_seats(toy: Registry, tmp_path: Path) -> None:
    head = "experiment: wrong\ngame: toy_high\ndeals: 100\nseed: 7\nseats: 3\n"
    said = run(tmp_path, head + "strategies: [play-highest]\n")
    assert said.status == 2 and "5:1: seats: Toy High is played alone" in said.err


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
def test_a_failing_part_is_named(compiled: bool, toy: Registry, tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text(FAILING, encoding="utf-8")
    toy.add_plugin(path, "toy_three")
    game, seated = toy.game("toy_three"), members(toy, "bold+failing", "bold+bold", "bold+bold")
    assert seated[0][1].lane == "compiled"
    lane = seated if compiled else [tuple(p.in_plain_python() for p in m) for m in seated]
    with pytest.raises(StrategyFailed) as caught:
        play_deals(game, game.rules(), Dice(1, 1), 0, 5, lane)
    assert "strategy 'failing', deal 0" in str(caught.value)
    assert "AssertionError: stuck" in str(caught.value) and f"{path}:9" in str(caught.value)


def test_what_decides_nothing_is_refused(toy: Registry, tmp_path: Path) -> None:
    path = tmp_path / "idle.py"
    path.write_text(FAILING.replace("def play", "def think"), encoding="utf-8")
    with pytest.raises(BadInput, match=r"Failing has no method claim.* nor play"):
        toy.add_plugin(path, "toy_three")
