"""A game made up for the tests: adding it touches no shared file, adding a strategy touches one.

The toy lives in `tests/toy` and is put on the paths of `sim.games` and `strategies`, as if it stood
there. It has what `sim.game` asks of a game and nothing else.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim.games
import strategies
from sim.errors import StrategyFailed
from sim.game import Dice, Game
from sim.lanes import Player
from sim.registry import Registry, discover
from sim.results import Results
from sim.store import FILE_NAME, Store
from sim.work import Spec
from tests.toys import ROOT, TOY, Said, installed, on_path, tipoff

DEALS = 1500
CACHES = shutil.ignore_patterns("__pycache__")
CONFIG = f"""# Does thrift pay?
experiment: thrift
game: toy_high
deals: {DEALS}
seed: 7
rules: {{hand: [2, 3]}}
strategies:
  - play-highest
  - {{use: just-enough, thrift: [0, 0.5, 1]}}
"""
PLAY_LOWEST = '''"""Toy High: one more strategy."""

from __future__ import annotations

from sim.games.toy_high.view import Move, View
from sim.strategy import Strategy


class PlayLowest(Strategy):
    """Play the lowest card you hold."""

    def score(self, view: View, move: Move) -> float:
        return -move.card
'''


@pytest.fixture
def toy() -> Iterator[Registry]:
    """The registry of a Tipoff in which the toy is installed."""
    with installed():
        yield discover()


def run(folder: Path, *words: object, text: str = CONFIG) -> Said:
    """Run a config with two workers."""
    config = folder.parent / "thrift.yaml"
    config.write_text(text, encoding="utf-8")
    workers = ("--workers", 2, "--start-method", "fork")
    return tipoff("run", config, "--out", folder, *workers, *words)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Said]:
    """The folder of a run, and what it said."""
    folder = tmp_path_factory.mktemp("first") / "out"
    with installed():
        return folder, run(folder)


@pytest.fixture
def folder(first: tuple[Path, Said], tmp_path: Path) -> Path:
    """A copy of that folder, to go on in."""
    return shutil.copytree(first[0], tmp_path / "out")


def make_player(registry: Registry, name: str, **params: float) -> Player:
    game, listing = registry.game("toy_high"), registry.strategy("toy_high", name)
    return Spec(listing.origin, params, game.rules()).player(game)


def part(game: Game) -> Any:
    return game.part("play")


def test_the_toy_is_found_and_leaves_no_trace() -> None:
    before = set(sys.modules)
    with installed():
        found = discover()
        assert list(found.strategies("toy_high")) == ["just-enough", "play-highest"]
        assert found.game("toy_high").title == "Toy High"
        assert set(discover().strategies("club_fight")) == set(found.strategies("club_fight"))
    assert "toy_high" not in discover().games
    assert {name for name in set(sys.modules) - before if "toy_high" in name} == set()
    assert not hasattr(sim.games, "toy_high") and not hasattr(strategies, "toy_high")


def test_an_experiment_is_played_stored_and_drawn(first: tuple[Path, Said]) -> None:
    out, said = first
    assert said.status == 0, said.err
    assert f"{8 * DEALS:,} games played;" in said.out
    charts = ["win_rate.png", "leftover.png", "sweep_just-enough_thrift.png"]
    charts += ["differences.png", "pairs.png"]
    wanted = [*charts, "report.html", "report.md", "summary.csv", "results.json"]
    wanted += ["results.sqlite", "config.yaml"]
    assert sorted(path.name for path in out.iterdir()) == sorted(wanted)
    for name in charts:
        assert (out / name).read_bytes()[:4] == b"\x89PNG"
        assert str(out / name) in said.out
    found = Results.read(out / "results.json")
    assert found.game == "toy_high" and found.digest in said.out
    assert found.variant_names() == ["2 cards in hand", "3 cards in hand"]
    labels = ["play-highest", *(f"just-enough thrift={value}" for value in ("0", "0.5", "1"))]
    assert [entry.label for entry in found.entries] == labels * 2
    for entry in found.entries:
        assert entry.lane == "compiled"
        assert sum(entry.leftover_histogram) == entry.deals == DEALS
        assert len(entry.leftover_histogram) == 6  # 0 to `worst`
        assert 0 < entry.wins < DEALS and entry.turns_mean == 5
    page = (out / "report.md").read_text(encoding="utf-8")
    assert "toy_high" in page and "## 3 cards in hand" in page


def test_strategies_that_agree_play_the_same_games(first: tuple[Path, Said]) -> None:
    entries = Results.read(first[0] / "results.json").entries
    # thrift 0.5 and 1 rank all moves alike; at 0 the tie-break chooses
    assert entries[2].digest == entries[3].digest != entries[1].digest


def test_counters_are_those_of_the_card(toy: Registry, first: tuple[Path, Said]) -> None:
    game, best = toy.game("toy_high"), Results.read(first[0] / "results.json").entries[0]
    origin = toy.strategy("toy_high", "play-highest").origin
    stamp = Spec(origin, {}, game.rules(hand=2)).stamp(game, Dice(7, 7))
    with Store(first[0] / FILE_NAME, game) as store:
        covered, counters = store.counters(stamp, DEALS)
    beaten = counters["beaten"]
    assert covered == best.counted.deals == DEALS
    assert best.counted.turns == 5 * DEALS
    assert best.counted.counts == {"beaten": tuple(beaten.tolist())}
    assert beaten.shape == (5,)
    assert beaten.sum() == sum((5 - c) * n for c, n in enumerate(best.leftover_histogram))


def test_what_the_card_says_of_its_counters_is_told(first: tuple[Path, Said]) -> None:
    results = Results.read(first[0] / "results.json")
    page = (first[0] / "report.md").read_text(encoding="utf-8")
    assert "The share of the deals in which each target was beaten." in page
    assert "| strategy | first | second | third | fourth | fifth |" in page
    best = max(results.of_variant("3 cards in hand"), key=lambda entry: entry.win_rate)
    shares = [f"{100 * n / DEALS:.0f} %" for n in best.counted.counts["beaten"]]
    assert " | ".join(shares) in page
    assert results.pace == "" and not (first[0] / "pace.png").exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"places": ("one",)}, "not every place has a name"),
        ({"per": "sum"}, "there is no 'sum' to count by"),
    ],
)
def test_a_card_that_cannot_be_shown_is_refused(
    toy: Registry, change: dict[str, Any], problem: str
) -> None:
    game = toy.game("toy_high")
    odd = replace(game.counters["beaten"], **change)
    with pytest.raises(ValueError, match=problem):
        replace(game, counters={"beaten": odd})
    with pytest.raises(ValueError, match="is not by"):
        replace(game, pace="beaten")


def test_a_run_goes_on_where_it_stood(toy: Registry, folder: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    said = run(folder)
    assert said.status == 0 and f"0 games played, {8 * DEALS:,} were there already" in said.out
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed <= {"results.sqlite", "report.md", "report.html"}  # the page names the command

    more = run(folder, "--deals", DEALS + 500)
    assert f"{8 * 500:,} games played, {8 * DEALS:,} were there already" in more.out
    assert run(tmp_path / "whole", "--deals", DEALS + 500, "--workers", 1).status == 0
    whole = (tmp_path / "whole" / "results.json").read_bytes()
    assert (folder / "results.json").read_bytes() == whole

    fewer = run(folder, "--deals", 10)
    assert fewer.status == 2 and "give another folder with --out" in fewer.err


def test_a_new_strategy_is_one_file_and_only_it_is_played(folder: Path, tmp_path: Path) -> None:
    advice = tmp_path / "strategies"
    shutil.copytree(TOY / "strategies", advice, ignore=CACHES)
    (advice / "toy_high" / "play_lowest.py").write_text(PLAY_LOWEST, encoding="utf-8")
    with installed(advice=advice):
        said = run(folder, text=CONFIG + "  - play-lowest\n")
    assert said.status == 0, said.err
    assert f"{2 * DEALS:,} games played, {8 * DEALS:,} were there already" in said.out
    played = [entry.strategy for entry in Results.read(folder / "results.json").entries]
    assert played.count("play-lowest") == 2


def test_a_new_file_among_the_shipped_strategies_is_found(tmp_path: Path) -> None:
    before = {name: listing.cls for name, listing in discover().strategies("club_fight").items()}
    copy = tmp_path / "strategies"
    shutil.copytree(ROOT / "strategies", copy, ignore=CACHES)
    source = (copy / "club_fight" / "random.py").read_text(encoding="utf-8")
    text = source.replace("class Random", "class OneMore")
    (copy / "club_fight" / "one_more.py").write_text(text, encoding="utf-8")
    text = source.replace("class Random", "class Shared")
    (copy / "club_fight" / "_shared.py").write_text(text, encoding="utf-8")  # is not listed
    with on_path(strategies, [copy], "strategies.club_fight"):
        found = discover().strategies("club_fight")
        assert set(found) - set(before) == {"one-more"} and set(before) < set(found)
        assert "one-more(): Take any move" in tipoff("list", "strategies").out
    after = {name: listing.cls for name, listing in discover().strategies("club_fight").items()}
    assert after == before  # the very same classes


def test_both_lanes_play_the_same_games(toy: Registry) -> None:
    game = toy.game("toy_high")
    for hand in (2, 3):
        for name, params in (("play-highest", {}), ("just-enough", {"thrift": 0.0})):
            for ties in ("hashed", "first"):
                compiled, rules = make_player(toy, name, **params), game.rules(hand)
                fast = part(game).play_block(rules, Dice(3, 4, ties), 10, 200, compiled)
                plain = replace(compiled, score_all=None)
                slow = part(game).play_block(rules, Dice(3, 4, ties), 10, 200, plain)
                np.testing.assert_array_equal(fast.outcomes, slow.outcomes)
                np.testing.assert_array_equal(fast.counters["beaten"], slow.counters["beaten"])
                assert fast.counters["beaten"].sum() == (5 - fast.outcomes[0].astype(int)).sum()


def test_ties_are_settled_by_the_dice(toy: Registry) -> None:
    game, thriftless = toy.game("toy_high"), make_player(toy, "just-enough", thrift=0.0)
    by_seed = [
        part(game).play_block(game.rules(), Dice(3, tie_seed), 0, 500, thriftless).outcomes
        for tie_seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(by_seed[0], by_seed[1])
    assert (by_seed[0] != by_seed[2]).any()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "strategies: [play-higest]",
            "6:14: unknown strategy 'play-higest'; did you mean 'play-highest'?",
        ),
        (
            "strategies: [joker-first]",
            "6:14: unknown strategy 'joker-first'; known: just-enough, play-highest",
        ),
        (
            "strategies: [{use: just-enough, weight: 1}]",
            "just-enough has no parameter 'weight' (parameters: thrift)",
        ),
        ("rules: {jokers: 1}\nstrategies: [play-highest]", "Toy High has no rule 'jokers'"),
        ("rules: {hand: 4}\nstrategies: [play-highest]", "hand: expected 2 or 3, got 4"),
    ],
)
def test_errors_speak_of_the_toy(lines: str, message: str, toy: Registry, tmp_path: Path) -> None:
    head = "experiment: wrong\n\ngame: toy_high\ndeals: 100\nseed: 7\n"
    said = run(tmp_path / "wrong", text=head + lines + "\n")
    assert said.status == 2
    assert message in said.err and "thrift.yaml:6:" in said.err
    assert not (tmp_path / "wrong").exists()


def test_what_is_the_toys_is_unknown_elsewhere(toy: Registry, tmp_path: Path) -> None:
    text = CONFIG.replace("toy_high", "club_fight").replace("rules: {hand: [2, 3]}\n", "")
    said = run(tmp_path / "wrong", text=text)
    assert said.status == 2 and "unknown strategy 'play-highest'" in said.err
    assert "did you mean 'just-enough'" not in said.err
    said = run(tmp_path / "wrong", text=CONFIG.replace("toy_high", "toy_hihg"))
    assert said.status == 2 and "unknown game 'toy_hihg'; did you mean 'toy_high'?" in said.err


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("assert view.turn != 2, 'stuck'\n        return 0.0", "AssertionError: stuck"),
        ("return math.nan if view.turn == 2 else 0.0", "not a finite number"),
    ],
)
def test_a_failing_strategy_is_named_with_deal_turn_and_line(
    compiled: bool, body: str, complaint: str, toy: Registry, tmp_path: Path
) -> None:
    text = PLAY_LOWEST.replace("return -move.card", body)
    text = text.replace("annotations\n", "annotations\n\nimport math\n")
    path = tmp_path / "failing.py"
    path.write_text(text, encoding="utf-8")
    toy.add_plugin(path, "toy_high")
    game, player = toy.game("toy_high"), make_player(toy, "play-lowest")
    assert player.lane == "compiled"
    with pytest.raises(StrategyFailed) as caught:
        lane = player if compiled else replace(player, score_all=None)
        part(game).play_block(game.rules(), Dice(1, 1), 40, 10, lane)
    assert "strategy 'play-lowest', deal 40, turn 3" in str(caught.value)
    assert complaint in str(caught.value) and f"{path}:" in str(caught.value)


def test_lists_show_the_toy(toy: Registry) -> None:
    said = tipoff("list", "games")
    assert "toy_high: Toy High, rules version 1\n    options: hand=3" in said.out
    said = tipoff("list", "strategies")
    assert "just-enough(thrift=1.0): Beat the target with the lowest card" in said.out


def test_commands_the_toy_has_no_module_for_refuse_it(toy: Registry) -> None:
    said = tipoff("watch", "toy_high", "play-highest")
    assert (said.status, said.err) == (2, "tipoff: Toy High has no module 'watch'\n")


def test_its_strategies_are_checked_like_any(toy: Registry, tmp_path: Path) -> None:
    said = tipoff("check", TOY / "strategies" / "toy_high" / "just_enough.py")
    assert said.status == 0, said.out + said.err
    assert "imports      Toy High: just-enough" in said.out
    assert "5,000 deals of each of 2 rules variants" in said.out
    path = tmp_path / "mine.py"
    path.write_text(PLAY_LOWEST.replace("-move.card", "1 / (view.turn - 3)"), encoding="utf-8")
    said = tipoff("check", path)
    assert said.status == 1
    assert "deal 0, turn 4: ZeroDivisionError: " in said.out and f"{path}:13" in said.out


def test_a_game_without_a_template_says_so(toy: Registry, tmp_path: Path) -> None:
    said = tipoff("new", "my-tip", "--game", "toy_high", "--dir", tmp_path)
    assert said.status == 2 and "Toy High has no template for new strategies" in said.err
    said = tipoff("new", "my-tip", "--dir", tmp_path)
    assert said.status == 0 and str(tmp_path / "my_tip.py") in said.out  # of the one that has it


def test_the_stamp_knows_the_view_of_a_game_wherever_it_stands(tmp_path: Path) -> None:
    def stamp(folder: Path) -> str:
        with installed(folder / "games", folder / "strategies"):
            found = discover()
            game = found.game("toy_high")
            origin = found.strategy("toy_high", "just-enough").origin
            return Spec(origin, {"thrift": 1.0}, game.rules()).stamp(game, Dice(1, 1))

    for name in ("same", "edited"):
        shutil.copytree(TOY, tmp_path / name, ignore=CACHES)
    view = tmp_path / "edited" / "games" / "toy_high" / "view.py"
    view.write_text(view.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert stamp(tmp_path / "same") == stamp(TOY) != stamp(tmp_path / "edited")
