"""A run from its config to its folder: the same to the bit whoever plays, resumed, and guarded."""

from __future__ import annotations

import errno
import math
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sim import playing, schedule
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.workers import START_METHODS
from tests.command import CONFIG, HEAD, Tipoff, config, results, tipoff_in
from tests.conftest import MakePlayer

TWO_LEVELS = HEAD + (
    "rules: {jokers: [1, 2]}\n"
    "strategies:\n"
    "  - greedy-most-cards\n"
    "  - {use: save-middle-clubs, weight: [0.4, 0.8], deals: 500}\n"
)


def test_a_run_writes_its_folder_and_says_so(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    """With charts, as a user sees it."""
    config(empty_folder, TWO_LEVELS)
    said = tipoff_in(capsys)("run", "tiny.yaml", "--workers", 2)
    assert said.status == 0 and said.err == "", "no bar and no warning where nobody watches"
    assert said.games == (4000, 0)
    folder = Path("reports/tiny")
    written = {path.name for path in folder.iterdir()}
    charts = {"win_rate.png", "leftover.png", "sweep_save-middle-clubs_weight.png"}
    tables = {"results.json", "summary.csv", "report.md"}
    assert written >= charts | tables | {"config.yaml", "results.sqlite"}
    for name in charts | tables:
        assert str(folder / name) in said.out
    for text in (said.out, (folder / "report.md").read_text()):
        assert said.digest[:12] in text and "seed 7" in text.lower()
    assert "tipoff run tiny.yaml" in (folder / "report.md").read_text()
    assert not [name for name in written if name.startswith(".") or name.endswith("journal")]


RATES = ("win_rate", "win_rate_low", "win_rate_high", "leftover_mean", "leftover_low")
ENTRY: dict[str, type] = {
    **dict.fromkeys(("label", "strategy", "digest"), str),
    **dict.fromkeys(("params", "rules"), dict),
    **dict.fromkeys(("deals", "wins"), int),
    **dict.fromkeys((*RATES, "leftover_high", "turns_mean"), float),
    **dict.fromkeys(("leaves", "leftover_histogram"), list),
}


def test_results_json_is_as_documented(tipoff: Tipoff, empty_folder: Path) -> None:
    said = tipoff("run", config(empty_folder, TWO_LEVELS))
    found = results(Path("reports/tiny"))
    assert {key: found[key] for key in ("experiment", "game", "seed", "digest")} == {
        "experiment": "tiny",
        "game": "club_fight",
        "seed": 7,
        "digest": said.digest,
    }
    assert {"tipoff", "rules", "stream", "numpy", "numba"} <= found["versions"].keys()
    kept = [(e["rules"]["jokers"], e["label"], e["deals"]) for e in found["entries"]]
    assert kept == [
        (jokers, *rest)
        for jokers in (1, 2)
        for rest in [
            ("greedy-most-cards", 1000),
            ("save-middle-clubs weight=0.4", 500),
            ("save-middle-clubs weight=0.8", 500),
        ]
    ]
    for entry in found["entries"]:
        assert {key: type(entry[key]) for key in ENTRY} == ENTRY
        check_entry(entry)
    digests = sorted(entry["digest"] for entry in found["entries"])
    assert found["digest"] == sha256("".join(digests).encode()).hexdigest()


def check_entry(entry: dict[str, Any]) -> None:
    counts, deals = entry["leftover_histogram"], entry["deals"]
    assert sum(counts) == deals and counts[0] == entry["wins"] and len(counts) == 42
    assert entry["win_rate"] == entry["wins"] / deals
    assert entry["win_rate_low"] < entry["win_rate"] < entry["win_rate_high"]
    assert math.isclose(entry["leftover_mean"], sum(c * n for c, n in enumerate(counts)) / deals)
    assert entry["leftover_low"] < entry["leftover_mean"] < entry["leftover_high"]
    assert 1 <= entry["turns_mean"] <= 13
    assert entry["digest"] == sha256("".join(entry["leaves"]).encode()).hexdigest()


def test_a_leaf_can_be_replayed(tipoff: Tipoff, empty_folder: Path, player: MakePlayer) -> None:
    tipoff("run", config(empty_folder))
    entries = results(Path("reports/tiny"))["entries"]
    for entry, played in zip(
        entries, (player("greedy-most-cards"), player("joker-first", weight=1.0)), strict=True
    ):
        outcomes = play_block(Rules(), Dice(7, 7), 0, 1000, played).outcomes
        assert entry["leaves"] == [sha256(outcomes.T.tobytes()).hexdigest()]


# ---- the same to the bit


def test_any_number_of_workers_and_any_block_size_give_the_same(
    tipoff: Tipoff, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, texts = config(empty_folder, TWO_LEVELS), set()
    for number, (workers, probe, seconds) in enumerate([(1, 200, 1), (2, 100, 0), (3, 900, 0.01)]):
        monkeypatch.setattr(schedule, "PROBE", probe)
        monkeypatch.setattr(schedule, "BLOCK_SECONDS", seconds)
        out = empty_folder / str(number)
        assert tipoff("run", path, "--workers", workers, "--out", out).status == 0
        texts.add((out / "results.json").read_text())
    assert len(texts) == 1


# Of the config in `tests.command`; a new one means a new `rules_version` or stream version.
DIGEST = "6d9ca4fbb29f4cad79ba81838cb3cfaffccca90a83c0211254ef67ed6c8c91be"


@pytest.mark.parametrize("method", START_METHODS)
def test_any_start_method_gives_the_same(method: str, tipoff: Tipoff, empty_folder: Path) -> None:
    said = tipoff("run", config(empty_folder), "--start-method", method, "--workers", 2)
    assert said.status == 0 and said.err == ""
    assert said.digest == DIGEST


@pytest.mark.parametrize("method", START_METHODS)
def test_no_process_of_a_run_has_anything_to_warn_of(method: str, empty_folder: Path) -> None:
    """Warnings are errors in the command and in its workers, charts included."""
    command = [sys.executable, "-m", "sim", "run", config(empty_folder), "--workers", "2"]
    done = subprocess.run(
        [*command, "--start-method", method],
        env=os.environ | {"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "") and DIGEST[:12] in done.stdout


# ---- resume, extend, add


def test_the_same_again_plays_nothing(tipoff: Tipoff, empty_folder: Path) -> None:
    first = tipoff("run", config(empty_folder))
    again = tipoff("run", "tiny.yaml")
    assert (first.games, again.games) == ((2000, 0), (0, 2000))
    assert again.digest == first.digest and again.status == 0


def test_more_deals_play_only_what_is_missing(tipoff: Tipoff, empty_folder: Path) -> None:
    config(empty_folder)
    tipoff("run", "tiny.yaml", "--deals", 333)
    more = tipoff("run", "tiny.yaml", "--deals", "1e3")
    assert more.games == (2000 - 666, 666)
    assert more.digest == tipoff("run", "tiny.yaml", "--out", "whole").digest


def test_an_added_strategy_is_all_that_is_played(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder))
    before = results(Path("reports/tiny"))["entries"]
    added = tipoff("run", config(empty_folder, CONFIG.replace("[", "[random, ")))
    assert added.games == (1000, 2000)
    assert results(Path("reports/tiny"))["entries"][1:] == before
    two = CONFIG + "rules: {jokers: [1, 2]}\n"
    assert tipoff("run", config(empty_folder, two)).games == (2000, 2000)


def test_labels_and_baselines_are_only_names(tipoff: Tipoff, empty_folder: Path) -> None:
    first = tipoff("run", config(empty_folder))
    renamed = CONFIG.replace("weight: 1", "weight: 1, label: jokers") + "baseline: jokers\n"
    assert tipoff("run", config(empty_folder, renamed)).games == (0, 2000)
    assert results(Path("reports/tiny"))["digest"] == first.digest


def test_the_resolved_config_plays_the_same(tipoff: Tipoff, empty_folder: Path) -> None:
    first = tipoff("run", config(empty_folder), "--deals", 300, "--seed", 8, "--out", "one")
    again = tipoff("run", "one/config.yaml", "--out", "two")
    assert again.digest == first.digest
    assert Path("one/config.yaml").read_text() == Path("two/config.yaml").read_text()


# ---- what a folder refuses


@pytest.mark.parametrize(
    ("old", "new", "words", "said"),
    [
        ("seed: 7", "seed: 8", (), "holds seed 7, not 8"),
        ("seed: 7", "seed: 7", ("--seed", 8), "holds seed 7, not 8"),
        ("experiment: tiny", "experiment: other", (), "holds experiment tiny, not other"),
        ("seed: 7", "seed: 7\nties: first", (), "holds ties hashed, not first"),
        ("seed: 7", "seed: 7\ntie_seed: 9", (), "holds tie seed 7, not 9"),
    ],
)
@pytest.mark.parametrize("kept", ["results.json", "results.sqlite"])
def test_a_folder_that_holds_something_else(
    old: str, new: str, words: tuple[object, ...], said: str, kept: str, tipoff: Tipoff
) -> None:
    """Also if only the published results are there, or only the store of an interrupted run."""
    folder = Path("out")
    tipoff("run", config(Path()), "--out", folder)
    for path in folder.iterdir():
        if path.name != kept:
            path.unlink()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    refused = tipoff("run", config(Path(), CONFIG.replace(old, new)), "--out", folder, *words)
    assert refused.status == 2 and f"out {said}" in refused.err and "--out DIR" in refused.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("deals", [999, 10])
def test_fewer_deals_than_are_shown(deals: int, tipoff: Tipoff) -> None:
    tipoff("run", config(Path()), "--out", "out")
    before = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    refused = tipoff("run", "tiny.yaml", "--out", "out", "--deals", deals)
    assert refused.status == 2 and "shows 'greedy-most-cards' over 1,000 deals" in refused.err
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == before
    Path("out/results.json").unlink()  # nothing was published: a trial may be shorter
    assert tipoff("run", "tiny.yaml", "--out", "out", "--deals", deals).games == (0, 2 * deals)


@pytest.mark.parametrize(
    "text", ["{", "[]", "null", '"x"', "{}", '{"entries": [1]}', "\xff", "[" * 100_000]
)
def test_a_results_file_that_is_not_ours(text: str, tipoff: Tipoff) -> None:
    Path("out").mkdir()
    Path("out/results.json").write_text(text, encoding="latin-1")
    refused = tipoff("run", config(Path()), "--out", "out")
    assert refused.status == 2 and "is not a results file of tipoff" in refused.err
    assert [path.name for path in Path("out").iterdir()] == ["results.json"]


@pytest.mark.parametrize("name", ["config.yaml", "report.md", "summary.csv"])
def test_files_of_the_users_own_are_not_overwritten(name: str, tipoff: Tipoff) -> None:
    """As in `tipoff run config.yaml --out .`, where the resolved config would replace it."""
    before = config(Path(), CONFIG + "# a comment\n", name=name).read_bytes()
    config(Path())
    refused = tipoff("run", "tiny.yaml", "--out", ".")
    assert refused.status == 2 and f"{name} is not of a run and would be overw" in refused.err
    assert Path(name).read_bytes() == before


@pytest.mark.parametrize("out", ["file", "file/below", "file/far/below"])
def test_a_folder_that_cannot_be_written(out: str, tipoff: Tipoff) -> None:
    Path("file").write_text("mine")
    refused = tipoff("run", config(Path()), "--out", out)
    assert refused.status == 2 and f"{out} cannot be written" in refused.err
    assert Path("file").read_text() == "mine" and refused.out == ""


def test_a_damaged_store_is_status_3(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder))
    store = Path("reports/tiny/results.sqlite")
    store.write_bytes(store.read_bytes()[:5000])
    said = tipoff("run", "tiny.yaml")
    assert said.status == 3 and "is damaged" in said.err and "move it away" in said.err
    store.unlink()
    assert tipoff("run", "tiny.yaml").games == (2000, 0)


def test_a_deleted_store_is_played_again(tipoff: Tipoff, empty_folder: Path) -> None:
    """Of a run that was stopped, only its config is left then; it is no file of the user's."""
    first = tipoff("run", config(empty_folder))
    for name in ("results.json", "results.sqlite"):
        Path("reports/tiny", name).unlink()
    again = tipoff("run", "tiny.yaml")
    assert again.games == (2000, 0) and again.digest == first.digest
    for name in ("results.json", "results.sqlite"):
        Path("reports/tiny", name).unlink()
    refused = tipoff("run", "tiny.yaml", "--seed", 8)
    assert refused.status == 2 and "config.yaml is not of a run" in refused.err


def test_a_report_that_cannot_be_written_is_one_message(
    tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "results.json")

    monkeypatch.setattr("sim.report.write.write_report", full)
    said = tipoff("run", config(Path()))
    assert (said.status, said.err) == (1, "tipoff: results.json: No space left on device\n")


def long_run(tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch, answer: Any, *words: str) -> Any:
    monkeypatch.setattr(playing, "ASK_ABOVE", 1e-9)
    asked: list[str] = []

    def reply(prompt: str) -> str:
        asked.append(prompt)
        if isinstance(answer, BaseException):
            raise answer
        return str(answer)

    monkeypatch.setattr("builtins.input", reply)
    monkeypatch.setattr("sys.stdin.isatty", lambda: answer is not None, raising=False)
    return tipoff("run", config(Path()), *words), len(asked)


@pytest.mark.parametrize("answer", ["y", "YES ", "n", "", "what", EOFError(), KeyboardInterrupt()])
def test_a_long_run_is_asked_about(
    answer: Any, tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, asked = long_run(tipoff, monkeypatch, answer)
    assert asked == 1 and "this run will take about 0.0 hours on" in said.err
    agreed = answer in ("y", "YES ")
    assert said.status == (0 if agreed else 130)
    if not agreed:
        assert "To go on" in said.err or "the same command goes on from here" in said.err
        monkeypatch.setattr(playing, "ASK_ABOVE", 1e9)
        assert tipoff("run", "tiny.yaml").games == (1600, 400)  # the probes are stored


@pytest.mark.parametrize(("answer", "words"), [(None, ()), ("n", ("--yes",))])
def test_a_long_run_on_a_pipe_or_with_yes_goes_on(
    answer: Any, words: tuple[str, ...], tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, asked = long_run(tipoff, monkeypatch, answer, *words)
    assert (said.status, asked) == (0, 0) and "this run will take about" in said.err
