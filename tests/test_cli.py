"""What a user types, and what comes back: help, lists, mistakes, and odd terminals."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sim.experiments import shipped
from sim.registry import discover
from tests.command import HEAD, Said, Tipoff, config, results
from tests.plugins import GREEDY, write

GRID, HAND = "6H 9S 2D / AD Jk TD / KD 4H 6S", "3C 6C QC KC"
MOVES = ("moves", "club_fight")
WATCH = ("watch", "club_fight")


def refused(said: Said, *words: str) -> None:
    """Status 2, one message on standard error, and nothing on standard output."""
    assert said.status == 2 and said.out == "", said
    assert all(word in said.err for word in words), said.err
    assert said.err.startswith("tipoff") and "Traceback" not in said.err


# ---- words that are not known


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ruin"], "unknown 'ruin'; did you mean 'run'?"),
        (["lisst", "games"], "unknown 'lisst'; did you mean 'list'?"),
        ([], "the following arguments are required: COMMAND"),
        (["run"], "tipoff run: the following arguments are required: config"),
        (["list", "game"], "unknown 'game'; did you mean 'games'?"),
        (["run", "x.yaml", "--sed", "4"], "unknown option --sed; did you mean '--seed'?"),
        (["run", "x.yaml", "--worker=4"], "unknown option --worker; did you mean '--workers'?"),
        (["run", "--Deals", "4", "x.yaml"], "unknown option --Deals; did you mean '--deals'?"),
        (["watch", "--jsn"], "required: game, strategy"),
        ([*MOVES, "--jsn"], "unknown option --jsn; did you mean '--json'?"),
        (["run", "x.yaml", "y.yaml"], "unexpected argument 'y.yaml'"),
        (["run", "x.yaml", "--start-method", "frok"], "unknown 'frok'; did you mean 'fork'?"),
        (["run", "x.yaml", "--workers", "0"], "expected a whole number from 1 to 4096, got 0"),
        (["run", "x.yaml", "--workers", "99999"], "expected a whole number from 1 to 4096, got 9"),
        (["run", "x.yaml", "--workers", "two"], "--workers: expected a whole number"),
        (["run", "x.yaml", "--out", ""], "--out: expected a folder, got nothing"),
        ([*WATCH, "random", "--deal", "-1"], "--deal: expected "),
        (
            [*WATCH, "random", "--seed", str(2**63)],
            "--seed: expected a whole number from 0 to 2",
        ),
        (["watch", "clubfight", "random"], "unknown game 'clubfight'; did you mean 'club_fight'?"),
        ([*WATCH, "randm"], "unknown strategy 'randm'; did you mean 'random'?"),
        ([*WATCH, "joker-first", "--set", "wieght=1"], "no parameter 'wieght'; did you mean 'weig"),
        ([*WATCH, "joker-first", "--set", "weight"], "--set: expected NAME=VALUE, got 'weight'"),
        ([*WATCH, "joker-first", "--set", "weight=a"], "weight: expected a number, got 'a'"),
        (
            [*WATCH, "joker-first", "--set", "weight=.nan"],
            "expected a finite number, got nan",
        ),
        (
            [*WATCH, "joker-first", "--set", "weight=.inf"],
            "expected a finite number, got inf",
        ),
        (
            [*WATCH, "joker-first", "--set", "weight=" + "9" * 200],
            "weight: a number of more than",
        ),
        ([*WATCH, "joker-first", "--set", "weight=1", "weight=2"], "--set: weight is given twice"),
        ([*WATCH, "random", "--rules", "jokers=3"], "jokers: expected 1 or 2, got 3"),
        ([*WATCH, "random", "--rules", "joker=1"], "no rule 'joker'; did you mean 'jokers'?"),
        (["moves", "golf", "--grid", GRID, "--hand", HAND], "unknown game 'golf'"),
        (MOVES, "give --grid and --hand, or --stdin"),
        ([*MOVES, "--stdin", "--grid", GRID], "or --stdin, but not both"),
        (["run", "none.yaml"], "there is no config file and no shipped experiment 'none.yaml'"),
        (["run", "club_fight/beginer_tips"], "did you mean 'club_fight/beginner_tips'?"),
        (["run", "."], ". is not a file; expected a YAML config"),
        (["run", "x" * 5000], "there is no config file"),
        (["run", "a\0b"], "there is no config file"),
        (["run", "club_fight/all_clear", "--deals", "0"], "--deals: expected at least 1, got 0"),
        (["run", "club_fight/all_clear", "--seed", "-1"], "--seed"),
        (["run", "club_fight/all_clear", "--plugin", "no.py"], "no.py: there is no such plug-in"),
        (["list", "strategies", "--plugin", "no.py"], "no.py: there is no such plug-in"),
    ],
)
def test_mistakes_are_answered_with_what_was_meant(
    words: list[str], message: str, tipoff: Tipoff
) -> None:
    refused(tipoff(*words), message)
    assert list(Path().iterdir()) == [], "nothing is written"


@pytest.mark.parametrize("command", [(), ("run",), ("list",), ("watch",), ("moves",)])
def test_help(command: tuple[str, ...], tipoff: Tipoff) -> None:
    said = tipoff(*command, "--help")
    assert said.status == 0 and said.out.startswith("usage: tipoff") and said.err == ""


# ---- the list "Bad input" of the issue: file and line, and nothing is played or written

E = "experiment: tiny\ngame: club_fight\ndeals: 10\nseed: 7\n"
S = "strategies: [random]\n"
BAD = {
    "unknown key": (E + S + "workrs: 2", 6, "did you mean 'workers'?"),
    "unknown strategy": (E + "strategies:\n  - randm", 6, "did you mean 'random'?"),
    "unknown parameter": (E + "strategies: [{use: joker-first, wait: 1}]", 5, "mean 'weight'?"),
    "unknown game": (E.replace("_", "") + S, 2, "did you mean 'club_fight'?"),
    "unknown rule": (E + S + "rules: {joker: 1}", 6, "did you mean 'jokers'?"),
    "out of range": (E.replace("7", "-7") + S, 4, "seed: expected at least 0, got -7"),
    "rule out of range": (E + S + "rules: {jokers: 3}", 6, "expected 1 or 2, got 3"),
    "wrong type": (E.replace("10", "ten") + S, 3, "expected a whole number, got 'ten'"),
    "nan": (E + "strategies: [{use: joker-first, weight: .nan}]", 5, "a finite number, got nan"),
    "infinity": (E + "strategies: [{use: joker-first, weight: [1, -.inf]}]", 5, "got -inf"),
    "duplicate key": (E + S + "seed: 8", 6, "key 'seed' is given twice; first on line 4"),
    "empty file": ("", 1, "the file is empty"),
    "not YAML": (E + "strategies: [random", 5, ""),
    "tags": (E + "strategies: !!python/name:os.getpid", 5, "tags"),
    "no strategies": (E + "strategies: []", 5, "the list is empty, nothing to play"),
    "no strategies at all": (E, 1, "missing key 'strategies'"),
    "sweep over nothing": (E + "strategies: [{use: joker-first, weight: []}]", 5, "nothing to sw"),
    "axis over nothing": (E + S + "rules: {jokers: []}", 6, "nothing to sweep"),
    "no deals": (E.replace("10", "0") + S, 3, "expected at least 1, got 0"),
    "negative deals": (E.replace("10", "-10") + S, 3, "expected at least 1, got -10"),
    "same label": (
        E + "strategies:\n  - random\n  - {use: joker-first, label: random}",
        7,
        "is already that of the entry on line 6",
    ),
    "same content": (
        E + "strategies:\n  - {use: random, label: one}\n  - {use: random, label: two}",
        7,
        "the same strategy with the same parameters is on line 6",
    ),
    "no such baseline": (E + S + "baseline: randm", 6, "did you mean 'random'?"),
    "missing plug-in": (E + S + "plugins: [none.py]", 6, "none.py"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_configs_are_refused_with_file_and_line(name: str, tipoff: Tipoff) -> None:
    text, line, message = BAD[name]
    config(Path(), text)
    refused(tipoff("run", "tiny.yaml"), f"tipoff: tiny.yaml:{line}:", message)
    assert [path.name for path in Path().iterdir()] == ["tiny.yaml"]


# ---- lists


def test_list_games(tipoff: Tipoff) -> None:
    said = tipoff("list", "games")
    assert said.status == 0 and "club_fight: Club Fight, rules version 1" in said.out
    assert "jokers=1" in said.out and "all_clear=" in said.out and "D. Teuber" in said.out


def test_list_strategies(tipoff: Tipoff) -> None:
    said = tipoff("list", "strategies")
    shipped_ones = discover().strategies("club_fight").values()
    for listing in shipped_ones:
        assert f"{listing.name}(" in said.out and listing.advice in said.out
    assert "joker-first(weight=100.0): Clear jokers early." in said.out
    assert said.out.count("club_fight, built-in") == len(shipped_ones) and said.status == 0


def test_list_strategies_with_a_plugin(tipoff: Tipoff, tmp_path: Path) -> None:
    path = write(tmp_path, GREEDY)
    said = tipoff("list", "strategies", "--plugin", "mine.py")
    assert "mine(weight=1.0)" in said.out and str(path) in said.out


def test_list_experiments(tipoff: Tipoff) -> None:
    said = tipoff("list", "experiments")
    names = [line.partition(":")[0] for line in said.out.splitlines()]
    assert names == [name for name, _ in shipped()]
    assert {"club_fight/beginner_tips", "club_fight/tip_strength", "club_fight/all_clear"} <= {
        *names
    }
    assert "Which beginner's tip for Club Fight is worth following?" in said.out


def test_shipped_experiments_are_found_from_any_folder(tipoff: Tipoff) -> None:
    said = tipoff("run", "club_fight/all_clear", "--deals", 50)
    assert said.status == 0 and said.games == (600, 0)
    assert results(Path("reports/all_clear"))["seed"] == 2024


# ---- installed packages


def test_a_broken_entry_point_is_listed_and_stops_nobody(
    tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Point(SimpleNamespace):
        def load(self) -> type:
            if self.name == "bad":
                raise ImportError("no module named nothing")
            from strategies.club_fight.random import Random

            return type("Installed", (Random,), {"__module__": Random.__module__})

    points = [Point(name="bad", value="away:Bad"), Point(name="good", value="here:Installed")]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    said = tipoff("list", "strategies")
    assert said.status == 0 and "broken: bad (away:Bad): ImportError: no module named" in said.out
    assert "installed(): " in said.out and "entry point here:Installed" in said.out
    assert tipoff("run", config(Path())).status == 0


# ---- odd terminals


def shell(*words: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "sim", *words]
    return subprocess.run(command, capture_output=True, timeout=120, **more)  # type: ignore[call-overload,no-any-return]


def test_a_terminal_that_knows_ascii_only(empty_folder: Path, tipoff: Tipoff) -> None:
    config(empty_folder, HEAD + "strategies: [{use: random, label: für \N{SNOWMAN}}]\n")
    tipoff("run", "tiny.yaml")
    run = shell("run", "tiny.yaml", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert run.returncode == 0, run.stderr
    assert rb"f\xfcr \u2603" in run.stdout and run.stderr == b""


def test_a_reader_that_goes_away(empty_folder: Path) -> None:
    command = f"'{sys.executable}' -m sim list strategies | head -n 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert run.stdout.startswith("all-clear-hoarder()") and run.stderr == ""


def test_bytes_that_are_no_text_on_standard_input() -> None:
    run = shell(*MOVES, "--stdin", input=b"6H \xff | 3C\n")
    assert run.returncode == 2 and b"is not a card" in run.stderr
    assert b"Traceback" not in run.stderr
