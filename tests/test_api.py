"""The Python API: what it takes, what it gives, and that it keeps quiet."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.errors import Status
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.games.club_fight.view import Move, View
from sim.workers import default_start_method
from tests.command import CONFIG, HEAD, Tipoff, config
from tests.conftest import MakePlayer
from tests.plugins import GREEDY, write

TINY: dict[str, Any] = {
    "experiment": "tiny",
    "game": "club_fight",
    "deals": 1000,
    "seed": 7,
    "strategies": ["greedy-most-cards", {"use": "joker-first", "weight": 1}],
}
DIGEST = "6d9ca4fbb29f4cad79ba81838cb3cfaffccca90a83c0211254ef67ed6c8c91be"  # as in test_run


class Mine(sim.Strategy):
    """Clear cards."""

    weight: float = 1.0

    def score(self, view: View, move: Move) -> float:
        return self.weight * move.cleared


class Slow(sim.Strategy):
    """Clear cards, in words that cannot be compiled."""

    def score(self, view: View, move: Move) -> float:
        return sum(1.0 for _ in range(move.cleared))


def refused(*words: str) -> Any:
    """The error of bad input, all of whose words stand in its message."""
    pattern = "".join(f"(?=.*{word})" for word in words)
    return pytest.raises(sim.TipoffError, match=f"(?s){pattern}", check=_is_bad_input)


def _is_bad_input(error: sim.TipoffError) -> bool:
    return error.status == Status.BAD_INPUT


# ---- what may be loaded


def test_whatever_is_loaded_plays_the_same(empty_folder: Path) -> None:
    path = config(empty_folder)
    for given in (path, str(path), CONFIG, json.dumps(TINY), TINY):
        assert sim.load(given).run(workers=1).results.digest == DIGEST


def test_a_shipped_experiment_has_its_name() -> None:
    found = sim.load("club_fight/all_clear")
    assert found.name == "all_clear" and found.game.title == "Club Fight"
    assert len(found.variants) == 4 and "greedy-most-cards" in found.labels
    assert repr(found).startswith("<experiment 'all_clear': ")


def test_values_of_numpy_are_values() -> None:
    given = TINY | {"deals": np.int64(100), "rules": {"jokers": (1, 2), "all_clear": np.False_}}
    given["strategies"] = [{"use": "joker-first", "weight": np.linspace(0, 1, 3)}]
    found = sim.load(given)
    assert found.labels == [f"joker-first weight={weight}" for weight in (0, 0.5, 1)]
    assert len(found.variants) == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (TINY | {"deals": 0}, ["<mapping>:3:8: deals: expected at least 1"]),
        (TINY | {"dels": 5}, ["unknown key 'dels'; did you mean 'deals'"]),
        (TINY | {"seed": object()}, ["<mapping>: expected numbers, text, lists and mappings"]),
        (TINY | {3: 5}, ["expected keys that are text"]),
        (TINY | {"strategies": ["randm"]}, ["did you mean 'random'"]),
        (HEAD + "strategies: [randm]\n", ["<text>:5:14: unknown strategy 'randm'"]),
        ("club_fight/beginer_tips", ["did you mean 'club_fight/beginner_tips'"]),
        (Path("none.yaml"), ["no config file"]),
        (17, ["expected a path, a name, the text of a config or a mapping, got 17"]),
    ],
)
def test_what_is_wrong_is_said_with_its_place(given: Any, words: list[str]) -> None:
    with refused(*words):
        sim.load(given)


def test_a_mapping_that_holds_itself_is_refused() -> None:
    given: dict[str, Any] = dict(TINY)
    given["rules"] = given
    with refused("nested more than 20 deep"):
        sim.load(given)


# ---- strategies that are given as classes


def test_a_class_joins_the_others() -> None:
    run = sim.load(CONFIG, strategies=[Mine]).run(deals=200)
    assert [entry.label for entry in run.entries][-1] == "mine"
    assert run.entries[-1].digest == run.entries[0].digest, "it plays as greedy-most-cards does"
    assert {entry.lane for entry in run.entries} == {"compiled"}


def test_a_class_that_the_config_names_plays_as_it_says() -> None:
    given = TINY | {"strategies": ["random", {"use": Mine, "weight": [-1, 1]}]}
    assert sim.load(given).labels == ["random", "mine weight=-1", "mine weight=1"]
    text = HEAD + "strategies: [random, {use: mine, weight: 3}]\n"
    assert sim.load(text, strategies=[Mine]).labels == ["random", "mine weight=3"]


def test_a_plugin_file_is_loaded(empty_folder: Path) -> None:
    path = write(empty_folder, GREEDY)
    text = HEAD + "strategies: [random, mine]\n"
    assert sim.load(text, plugins=[path]).labels == ["random", "mine"]
    with refused("unknown strategy 'mine'"):
        sim.load(text)


def test_what_is_no_strategy_is_refused() -> None:
    class Nothing(sim.Strategy):
        pass

    class Other(sim.Strategy):
        game = "chess"

        def score(self, view: object, move: object) -> float:
            return 0.0

    class Random(sim.Strategy):
        def score(self, view: View, move: Move) -> float:
            return 0.0

    for given, word in (
        (Mine(), "expected a class derived from Strategy"),
        (int, "expected a class derived from Strategy"),
        (Nothing, "has no method score"),
        (Other, "Other plays 'chess', not 'club_fight'"),
        (Random, "a built-in strategy already has that name"),
    ):
        with refused(word):
            sim.load(CONFIG, strategies=[given])  # type: ignore[list-item]


def test_what_cannot_be_compiled_plays_after_a_warning() -> None:
    found = sim.load(CONFIG, strategies=[Slow])
    with pytest.warns(UserWarning, match="'slow' cannot be compiled: .*; it pl") as warned:
        run = found.run(deals=20, workers=1)
    assert [warning.filename for warning in warned] == [__file__], "it points at the caller"
    assert [entry.lane for entry in run.entries] == ["compiled", "compiled", "plain"]
    assert run.entries[2].digest == run.entries[0].digest
    with pytest.raises(sim.TipoffError, match="cannot be compiled"):
        found.run(deals=20, require_compiled=True)


# ---- how it runs


def test_nothing_is_printed_and_no_folder_is_left(
    empty_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run = sim.load(TINY).run(workers=2)
    folder = run.folder
    assert folder.is_dir() and run.paths == [] and (run.played, run.reused) == (2000, 0)
    deals = run.outcomes("greedy-most-cards")
    next(deals)
    del run
    gc.collect()
    assert folder.is_dir(), "somebody still reads"
    del deals
    gc.collect()
    assert not folder.exists() and list(empty_folder.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_a_failed_run_leaves_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Broken(sim.Strategy):
        def score(self, view: View, move: Move) -> float:
            return 1.0 / (view.discards * 0)

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(
        sim.TipoffError, match=r"'broken', deal \d+, turn 1: ZeroDivision.*test_api"
    ):
        sim.load(CONFIG, strategies=[Broken]).run(deals=20)
    assert list(tmp_path.iterdir()) == []


def test_with_a_folder_it_is_what_the_command_makes(tipoff: Tipoff, empty_folder: Path) -> None:
    run = sim.load(config(empty_folder)).run(out="mine")
    assert run.folder == Path("mine") and run.paths == [Path("mine/results.json")]
    said = tipoff("run", "tiny.yaml", "--out", "other")
    assert said.digest == run.results.digest == DIGEST
    for name in ("results.json", "config.yaml"):
        assert Path("mine", name).read_text() == Path("other", name).read_text()
    assert tipoff("report", "mine").status == 0
    more = sim.load("mine/config.yaml").run(deals=1500, out="mine")
    assert (more.played, more.reused) == (1000, 2000)
    with refused("shows 'greedy-most-cards' over 1,500 deals"):
        sim.load(TINY).run(out="mine")
    with refused("holds seed 7, not 8"):
        sim.load(TINY).run(deals=1500, seed=8, out="mine")


def test_the_report_says_how_to_do_it_again(empty_folder: Path) -> None:
    sim.load(TINY).run(out="a folder", deals=100)
    page = Path("a folder/report.md").read_text()
    assert "tipoff run 'a folder/config.yaml' --out 'a folder'" in page

    class Local(Mine):
        pass

    sim.load(TINY, strategies=[Local]).run(out="typed", deals=100)
    page = Path("typed/report.md").read_text()
    assert "sim.load('typed/config.yaml', strategies=[Local]).run()" in page
    again = sim.load("typed/config.yaml", strategies=[Local]).run(out="typed")
    assert (again.played, again.reused) == (0, 300)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"deals": 0}, "deals: expected at least 1"),
        ({"deals": 1.5}, "deals: expected a whole number"),
        ({"seed": -1}, "seed: expected at least 0"),
        ({"workers": 0}, "workers: expected at least 1"),
        ({"start_method": "frok"}, "start_method: unknown 'frok'; did you mean 'fork'"),
        ({"out": "file/below"}, "file/below cannot be written"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], word: str, empty_folder: Path) -> None:
    Path("file").touch()
    with refused(word):
        sim.load(TINY).run(**options)


def test_a_million_may_be_written_as_a_float() -> None:
    assert sim.load(TINY).run(deals=1e2, workers=1).entries[0].deals == 100  # type: ignore[arg-type]


def test_a_bar_if_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    sim.load(TINY).run(deals=300, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "600/600 games, " in err and "leader: " in err


def test_it_runs_beside_other_threads() -> None:
    """As in a notebook. A process with threads is not forked."""
    found: list[Any] = []

    def work() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found.append((default_start_method(), sim.load(TINY).run(workers=2).results.digest))

    assert default_start_method() != "forkserver"
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    method = "forkserver" if sys.platform.startswith("linux") else "spawn"
    assert found == [(method, DIGEST)]


# ---- what a run gives


@pytest.fixture(scope="module")
def run() -> sim.Run:
    """Two levels, two entries, the second of which is content with fewer deals."""
    strategies = ["greedy-most-cards", {"use": "joker-first", "deals": 60_000}]
    two = TINY | {"deals": 120_000, "rules": {"jokers": [1, 2]}, "strategies": strategies}
    return sim.load(two).run()


EASY = "1 joker (easy)"


def test_outcomes_are_the_deals_in_order(run: sim.Run, player: MakePlayer) -> None:
    arrays = list(run.outcomes("greedy-most-cards", {"jokers": 2}))
    assert [len(array) for array in arrays] == [50_000, 50_000, 20_000]
    whole = np.concatenate(arrays)
    assert whole.dtype.names == ("deal", "leftover", "turns")
    assert whole["deal"].dtype == np.int64 and whole["leftover"].dtype == np.uint8
    assert np.array_equal(whole["deal"], np.arange(120_000))
    played = play_block(Rules(2), Dice(7, 7), 0, 120_000, player("greedy-most-cards")).outcomes
    assert np.array_equal([whole["leftover"], whole["turns"]], played)


def test_two_entries_are_read_side_by_side(run: sim.Run) -> None:
    deals = [run.outcomes(label, EASY) for label in ("greedy-most-cards", "joker-first")]
    won = [0, 0]
    for one, other in zip(*deals, strict=False):
        assert np.array_equal(one["deal"][: len(other)], other["deal"])
        one = one[: len(other)]
        won[0] += int(((one["leftover"] == 0) & (other["leftover"] != 0)).sum())
        won[1] += int(((one["leftover"] != 0) & (other["leftover"] == 0)).sum())
    pair = run.compare("greedy-most-cards", "joker-first", EASY)
    assert won == [pair.only_a, pair.only_b] and pair.deals == 60_000


def test_a_comparison_is_the_way_round_that_is_asked_for(run: sim.Run) -> None:
    one = run.compare("greedy-most-cards", "joker-first", EASY)
    other = run.compare("joker-first", "greedy-most-cards", {"jokers": 1})
    assert (one.difference, one.low, one.high) == (-other.difference, -other.high, -other.low)
    assert one.difference > 0
    with refused("one and the same"):
        run.compare("joker-first", "joker-first", EASY)


@pytest.mark.parametrize(
    ("label", "variant", "words"),
    [
        (
            "greedy-cards",
            EASY,
            ["no entry has the label 'greedy-cards'; did you mean 'greedy-most-cards'"],
        ),
        ("joker-first", None, ["is played under several rules; expected one of '1 joker"]),
        ("joker-first", {}, ["is played under several rules"]),
        ("joker-first", "3 jokers", ["is not played under '3 jokers'; expected one of '1 joker"]),
        ("joker-first", {"jokers": 3}, ["is not played under"]),
    ],
)
def test_an_entry_that_is_not_there(
    run: sim.Run, label: str, variant: Any, words: list[str]
) -> None:
    with refused(*words):
        run.outcomes(label, variant)  # at once, not when it is read


def test_the_summary_is_plain(run: sim.Run) -> None:
    found = run.summary()
    told = json.loads(run.results.to_json())
    histograms = [entry.pop("leftover_histogram") for entry in found["entries"]]
    assert [array.tolist() for array in histograms] == [
        entry.pop("leftover_histogram") for entry in told["entries"]
    ]
    assert all(array.dtype == np.int64 for array in histograms)
    assert json.loads(json.dumps(found)) == told
    assert type(found["entries"]) is list and type(found["entries"][0]) is dict


def test_a_run_prints_as_its_table(run: sim.Run) -> None:
    assert "1 joker (easy)" in str(run) and run.results.digest in str(run).replace("\n", "")
    assert repr(run) == "<run of 'tiny': 4 entries>"


def test_a_chart_is_a_picture(run: sim.Run, tmp_path: Path) -> None:
    chart = run.chart("differences")
    assert chart._repr_png_().startswith(b"\x89PNG") and repr(chart) == "<chart 'differences'>"
    assert chart.save(tmp_path / "chart.png").read_bytes() == chart.png
    assert [path.name for path in tmp_path.iterdir()] == ["chart.png"]
    with refused("no chart 'diferences'; did you mean 'differences'"):
        run.chart("diferences")
    with refused("cannot be written"):
        chart.save(tmp_path / "chart.png" / "below")


def test_a_folder_that_was_changed_since_is_status_3(empty_folder: Path) -> None:
    run = sim.load(TINY).run(out="mine", deals=100)
    store = Path("mine/results.sqlite")
    store.write_bytes(store.read_bytes()[:5000])
    with pytest.raises(sim.TipoffError, match="is damaged") as caught:
        list(run.outcomes("joker-first weight=1"))
    assert caught.value.status == Status.STORE_DAMAGED


def test_reading_does_not_keep_others_out(empty_folder: Path) -> None:
    run = sim.load(TINY).run(out="mine")
    deals = run.outcomes("joker-first weight=1")
    next(deals)
    assert sim.load(TINY).run(out="mine", deals=1100).played == 200
    assert run.compare("joker-first weight=1", "greedy-most-cards").deals == 1000


# ---- the package


def test_all_names_are_there() -> None:
    assert sorted(sim.__all__) == sim.__all__
    for name in sim.__all__:
        assert getattr(sim, name).__doc__ and name in dir(sim)
    with pytest.raises(AttributeError, match="'sim' has no attribute 'lod'"):
        sim.lod  # type: ignore[attr-defined] # noqa: B018


@pytest.mark.parametrize("package", ["sim", "sim.api", "strategies", "strategies.club_fight"])
def test_packages_import_without_a_warning(package: str) -> None:
    code = f"""
import importlib, pkgutil
package = importlib.import_module({package!r})
for found in pkgutil.walk_packages(getattr(package, '__path__', []), {package!r} + '.'):
    if not found.name.endswith('__main__'):
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:  # an extra that is not installed
            assert error.name == 'distributed', error
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
