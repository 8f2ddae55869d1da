"""Published results are proved again, and what cannot be proved is named with its likely cause."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.receipts import choose, read, receipts_of
from sim.registry import Registry
from sim.tally import LEAF
from tests.command import HEAD, Said, Tipoff, config, tipoff_in, without_charts
from tests.faults.harness import orphans
from tests.plugins import GREEDY, load, player_of, reading_anew, write

PUBLISHED = sorted((Path(__file__).parents[1] / "reports").glob("*/results.json"))
TOURNAMENTS = [path for path in PUBLISHED if '"tournament"' in path.read_text(encoding="utf-8")]
GALLERIES = [path for path in PUBLISHED if path not in TOURNAMENTS]
QUICK = "hook"  # the tournament whose leaves are shortest; those of the others take a minute
FOLDER = Path("reports/tiny")
RESULTS, STORE = FOLDER / "results.json", FOLDER / "results.sqlite"
MINE = HEAD + "plugins: [mine.py]\nstrategies: [greedy-most-cards, mine]\n"


@pytest.fixture
def tipoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> Tipoff:
    without_charts(monkeypatch)
    return reading_anew(tipoff_in(capsys))


@pytest.mark.parametrize("path", GALLERIES, ids=lambda path: path.parent.name)
def test_a_leaf_of_each_gallery(path: Path, tipoff: Tipoff, tmp_path: Path) -> None:
    """From its results.json alone."""
    (tmp_path / "results.json").write_bytes(path.read_bytes())
    said = tipoff("verify", tmp_path, "--sample", 1, "--seed", 4)
    assert (said.status, said.err) == (0, ""), said
    assert "its numbers agree with each other" in said.out
    assert "1 of 1 leaves match; 50,000 games in " in said.out


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[] if path.parent.name == QUICK else pytest.mark.slow)
        for path in TOURNAMENTS
    ],
    ids=lambda path: path.parent.name,
)
def test_a_leaf_of_each_tournament(path: Path, tipoff: Tipoff, tmp_path: Path) -> None:
    """From its results.json alone, and not if a digest in it was changed."""
    text = path.read_text(encoding="utf-8")
    (tmp_path / "results.json").write_text(text, encoding="utf-8")
    said = tipoff("verify", tmp_path, "--sample", 1, "--seed", 4)
    assert (said.status, said.err) == (0, ""), said
    assert "its numbers agree with each other" in said.out
    assert "1 of 1 leaves match; " in said.out


def test_a_forged_tournament_is_not_proved(tipoff: Tipoff, tmp_path: Path) -> None:
    text = "experiment: tiny\ngame: stiche_ansagen\ndeals: 20\nseed: 3\nseats: 2\n"
    (tmp_path / "tiny.yaml").write_text(text + "strategies: [always-zero, aces-and-trumps]\n")
    assert tipoff("run", "tiny.yaml", "--out", "out", "--workers", 1).status == 0
    assert "1 of 1 leaves match; 40 games in " in tipoff("verify", "out").out
    found = json.loads((tmp_path / "out" / "results.json").read_text())
    leaf = "0" * 64
    for change, said in (
        ({"digest": leaf}, "the digest is not that of the line-ups"),
        ({"seed": 4}, "leaf 0 of "),
        ({"tournament": 5}, "is not the results file of a tournament"),
    ):
        (tmp_path / "forged.json").write_text(json.dumps(found | change))
        told = tipoff("verify", "forged.json", "--workers", 1)
        assert told.status in (1, 2) and said in told.out + told.err
    found["entries"][0]["first_share"] += 0.01
    (tmp_path / "forged.json").write_text(json.dumps(found))
    told = tipoff("verify", "forged.json", "--workers", 1)
    assert told.status == 1 and "first places" in told.out


@pytest.mark.parametrize("words", [(), ("--all",), ("--workers", 2), ("--sample", 1)])
@pytest.mark.parametrize("kept", ["all", "results.json"])
def test_a_run_is_proved(kept: str, words: tuple[object, ...], tipoff: Tipoff) -> None:
    digest = tipoff("run", config(Path())).digest
    if kept != "all":
        STORE.unlink()
        (FOLDER / "config.yaml").unlink()
    said = tipoff("verify", RESULTS, *words)
    assert (said.status, said.err) == (0, ""), said
    leaves = 1 if "--sample" in words else 2
    assert f"2 entries, 2 leaves; digest {digest}" in said.out
    assert f"{leaves} of {leaves} leaves match; {leaves * 1000:,} games" in said.out


def test_the_best_on_a_fresh_seed_is_proved_too(tipoff: Tipoff) -> None:
    sweep = "strategies: [greedy-most-cards, {use: save-middle-clubs, weight: [0, 0.8]}]\n"
    tipoff("run", config(Path(), HEAD + "fresh_seed: 8\n" + sweep))
    said = tipoff("verify", FOLDER)
    assert said.status == 0 and "5 entries, 5 leaves" in said.out
    assert "5 of 5 leaves match; 5,000 games" in said.out
    edit(lambda data: data["fresh"]["entries"][1].update(wins=1, leaves=["0" * 64]))
    said = tipoff("verify", FOLDER)
    assert said.status == 1 and "4 of 5 leaves match" in said.out
    assert (
        "- on the fresh seed: 'save-middle-clubs weight=0.8' under 1 joker (easy): wi" in said.out
    )
    assert "leaf 0 (deals 0 to 999 of seed 8):" in said.out


def test_a_run_that_stopped_by_its_results_is_proved(tipoff: Tipoff) -> None:
    until = "deals: {until: {ranked: true, margin: 0.05}, at_most: 40_000, round: 2_000}"
    text = HEAD.replace("deals: 1000", until) + "strategies: [greedy-most-cards, joker-first]\n"
    assert tipoff("run", config(Path(), text)).status == 0
    said = tipoff("verify", FOLDER, "--all")
    assert said.status == 0 and "its numbers agree with each other" in said.out


# ---- which leaves


def test_leaves_are_chosen_by_the_seed(registry: Registry) -> None:
    receipts = receipts_of(read(GALLERIES[0]), registry)

    def chosen(sample: int, seed: int) -> list[tuple[int, int]]:
        (leaves,) = choose(receipts, sample, seed)
        return [(leaf.entry, leaf.number) for leaf in leaves]

    assert chosen(20, 5) == chosen(20, 5) != chosen(20, 6)
    assert len(set(chosen(20, 5))) == 20
    assert set(chosen(5, 5)) < set(chosen(20, 5)), "a larger sample holds the smaller one"
    often = [leaf for seed in range(600) for leaf in chosen(4, seed)]
    counts = [often.count(leaf) for leaf in chosen(10**6, 5)]  # of 10 on average
    assert len(counts) == 240 and min(counts) > 0 and max(counts) < 30


def test_the_choice_is_said(tipoff: Tipoff, finished: Path) -> None:
    said = tipoff("verify", FOLDER, "--sample", 1, "--seed", 77)
    assert "playing 1 of 2 leaves again, chosen by --seed 77" in said.out
    seeds = [
        re.findall(r"chosen by --seed (\d+)", tipoff("verify", FOLDER, "--sample", 1).out)[0]
        for _ in range(2)
    ]
    assert seeds[0] != seeds[1], "by default nobody can foretell it"


def test_leaves_cover_all_deals_and_the_last_may_be_short(registry: Registry) -> None:
    results = read(GALLERIES[0])
    entry = results.entries[0]
    entry = replace(entry, deals=2 * LEAF + 1, leaves=entry.leaves[:3])
    (receipts,) = receipts_of(replace(results, entries=(entry,)), registry)
    found = [(leaf.first, leaf.count) for leaf in receipts.leaves()]
    assert found == [(0, LEAF), (LEAF, LEAF), (2 * LEAF, 1)]


# ---- what does not hold


def edit(change: Callable[[Any], None]) -> None:
    """Change results.json by hand, and every digest that stands on what was changed."""
    data = json.loads(RESULTS.read_text())
    change(data)
    for entry in data["entries"]:
        entry["digest"] = sha256("".join(entry["leaves"]).encode()).hexdigest()
    digests = sorted(entry["digest"] for entry in data["entries"])
    data["digest"] = sha256("".join(digests).encode()).hexdigest()
    RESULTS.write_text(json.dumps(data))


def forge(data: Any) -> None:
    data["entries"][1]["leaves"] = ["0" * 64]


def test_an_edited_number_is_named(tipoff: Tipoff, finished: Path) -> None:
    edit(lambda data: data["entries"][0].update(wins=1))
    said = tipoff("verify", FOLDER)
    assert said.status == 1 and "2 of 2 leaves match" in said.out
    fault = "'greedy-most-cards' under 1 joker (easy): wins is 1, but "
    assert f"\n- {fault}" in said.out
    assert said.err.startswith(f"tipoff: {RESULTS} is not proved: {fault}")


def test_an_edited_leaf_is_found_by_playing(tipoff: Tipoff, finished: Path) -> None:
    edit(forge)
    said = tipoff("verify", FOLDER)
    assert said.status == 1 and "its numbers agree with each other" in said.out
    assert (
        "'joker-first weight=1' under 1 joker (easy), leaf 0 (deals 0 to 999 of seed 7):"
        in said.out
    )
    assert "the store holds the very deals that were played here" in said.out
    assert "sources and versions are the same: results.json was edited, or an " in said.out
    assert said.err == f"tipoff: {RESULTS} is not proved: 1 leaves differ\n"
    STORE.unlink()
    said = tipoff("verify", FOLDER)
    assert "no store is there to tell which of its 1,000 deals differ" in said.out
    assert "sources and versions are the same: results.json was edited, or an " in said.out


@pytest.mark.parametrize("key", ["seed", "tie_seed"])
def test_another_seed_is_found_by_playing(key: str, tipoff: Tipoff, finished: Path) -> None:
    STORE.unlink()
    edit(lambda data: data.update({key: 8}))
    assert "2 leaves differ" in tipoff("verify", FOLDER).err


def swap_histogram(data: Any) -> None:
    """Tell another story of the same deals, with everything that follows from it."""
    one, other = data["entries"]
    for name, value in other.items():
        if name.startswith(("win", "left")):
            one[name] = value
    data["pairs"] = []


def test_counts_are_compared_with_the_leaves_if_all_are_played(
    tipoff: Tipoff, finished: Path
) -> None:
    edit(swap_histogram)
    assert "leftover_histogram is not that of its leaves" in tipoff("verify", FOLDER).out
    edit(lambda data: data["entries"][1].update(turns_mean=5.5))
    said = tipoff("verify", FOLDER, "--all")
    assert "turns_mean is 5.5, but its leaves hold 1" in said.out and said.status == 1


# ---- likely causes


def test_an_edited_strategy(tipoff: Tipoff, tmp_path: Path) -> None:
    """With the store the first deal is named, as both versions really play it."""
    published = player_of(load(tmp_path, GREEDY))
    tipoff("run", config(tmp_path, MINE))
    edited = player_of(load(tmp_path, GREEDY.replace("move.cleared", "-move.cleared")))
    said = tipoff("verify", FOLDER, "--plugin", "mine.py")
    assert said.status == 1 and "1 of 2 leaves match" in said.out
    here, there = (
        play_block(Rules(), Dice(7, 7), 0, 1000, who).outcomes for who in (edited, published)
    )
    deal = int(np.flatnonzero((here != there).any(axis=0))[0])
    ends = ["leftover {}, turns {}".format(*side[:, deal]) for side in (here, there)]
    assert f"first deal that differs: {deal} ({ends[0]} here; {ends[1]} in the store)" in said.out
    assert "likely cause: the source of 'mine', or of what it imports, was edited" in said.out


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("recorded", [True, False])
def test_an_edited_helper(stored: bool, recorded: bool, tipoff: Tipoff, tmp_path: Path) -> None:
    """The results of older versions do not tell of their sources; then the store's stamps may."""
    body = """
        import _mine
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return move.cleared * _mine.SIGN
        """
    write(tmp_path, body, _mine="SIGN = 1.0\n")
    tipoff("run", config(tmp_path, MINE))
    write(tmp_path, body, _mine="SIGN = -1.0\n")
    if not stored:
        STORE.unlink()
    if not recorded:
        edit(lambda data: [entry.pop("source") for entry in data["entries"]])
    said = tipoff("verify", FOLDER, "--plugin", "mine.py")
    assert said.status == 1 and "1 leaves differ" in said.err
    known = "the source of 'mine', or of what it imports, was edited since"
    unknown = "unknown: the versions are the same, and the file does not tell its sources"
    assert f"likely cause: {known if stored or recorded else unknown}" in said.out
    assert ("first deal that differs" in said.out) == stored


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rules", "rules version 99 then, 1 now"),
        ("stream", "version of the stream of deals 99 then, 1 now"),
        ("numba", "numba 99 then, "),
        ("numpy", "numpy 99 then, "),
    ],
)
def test_another_version(name: str, said: str, tipoff: Tipoff, finished: Path) -> None:
    STORE.unlink()
    edit(lambda data: (forge(data), data["versions"].update({name: 99})))
    assert f"likely cause: {said}" in tipoff("verify", FOLDER).out


def test_a_strategy_that_is_not_there(tipoff: Tipoff, tmp_path: Path) -> None:
    write(tmp_path, GREEDY)
    tipoff("run", config(tmp_path, MINE))
    said = tipoff("verify", FOLDER)
    assert said.status == 1 and "1 of 1 leaves match" in said.out
    assert "'mine' under 1 joker (easy) cannot be played here: unknown strategy 'mine'" in said.out
    assert "a strategy of your own is given with --plugin FILE" in said.out
    assert tipoff("verify", FOLDER, "--plugin", "mine.py").status == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": {"jokers": 3}}, "cannot be played here: jokers: expected 1 or 2, got 3"),
        ({"rules": {"jokers": [1]}}, "cannot be played here: jokers: expected 1 or 2"),
        ({"params": {"wait": 1}}, "joker-first has no parameter 'wait'; did you mean 'weight'?"),
        ({"variant": "easy"}, "its rules are those of 1 joker (easy)"),
        ({"clairvoyant": True}, "clairvoyant is True, but the strategy is not so"),
    ],
)
def test_what_does_not_fit_the_game(
    change: dict[str, Any], said: str, tipoff: Tipoff, finished: Path
) -> None:
    edit(lambda data: data["entries"][1].update(change))
    found = tipoff("verify", FOLDER)
    if "jokers" in said and isinstance(change["rules"]["jokers"], list):
        assert found.status == 2 and "is not a results file" in found.err
    else:
        assert found.status == 1 and said in found.out


# ---- what is no results file, and damaged stores


def refused(said: Said, status: int, *words: str) -> None:
    assert said.status == status and "Traceback" not in said.err, said
    assert said.err.startswith("tipoff: ") and all(word in said.err for word in words), said.err


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"x"', "{}", '{"entries": [1]}', "\xff", "[" * 100_000, "\0"]
)
def test_a_file_that_is_no_results_file(text: str, tipoff: Tipoff) -> None:
    Path("results.json").write_text(text, encoding="latin-1")
    refused(tipoff("verify", "results.json"), 2, "results.json is not a results file of tipoff")


@pytest.mark.parametrize("name", ["none", "none/results.json", "a\0b", ".", "x" * 5000])
def test_a_file_that_is_not_there(name: str, tipoff: Tipoff) -> None:
    refused(tipoff("verify", name), 2, "cannot be read; expected the results.json of a run")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": -1}, "seed"),
        ({"tie_seed": 2**63}, "seed"),
        ({"ties": "best"}, "ties: expected hashed or first, got 'best'"),
        ({"game": "golf"}, "unknown game 'golf'"),
        ({"entries": []}, "has no entries"),
        ({"entries": 7}, "entries: "),
        ({"seed": "7"}, "seed: "),
    ],
)
def test_values_that_cannot_be(
    change: dict[str, Any], said: str, tipoff: Tipoff, finished: Path
) -> None:
    data = json.loads(RESULTS.read_text()) | change
    RESULTS.write_text(json.dumps(data))
    refused(tipoff("verify", FOLDER), 2, said)


@pytest.mark.parametrize(
    "change",
    [
        {"leaves": "00"},
        {"deals": "many"},
        {"leftover_histogram": [1.5]},
        {"win_rate": None},
        {"rank": [1]},
        {"params": []},
    ],
)
def test_entries_of_the_wrong_kind(change: dict[str, Any], tipoff: Tipoff, finished: Path) -> None:
    data = json.loads(RESULTS.read_text())
    data["entries"][0].update(change)
    RESULTS.write_text(json.dumps(data))
    refused(tipoff("verify", FOLDER), 2, "is not a results file of tipoff; entries.0.")


@pytest.mark.parametrize(
    "change",
    [
        {"deals": -5},
        {"deals": 10**30},
        {"leftover_histogram": []},
        {"leftover_histogram": [10**30, 1]},
        {"leftover_histogram": [-1, 1001]},
        {"turns_mean": float("nan")},
        {"turns_mean": float("inf")},
        {"win_rate": float("nan")},
        {"leaves": []},
        {"leaves": ["0" * 64] * 3},
        {"leaves": ["\x1b[2J"]},
        {"label": "\x1b[2J"},
    ],
)
def test_numbers_that_cannot_be(change: dict[str, Any], tipoff: Tipoff, finished: Path) -> None:
    """They are faults like others, and nothing in them reaches a terminal as a command."""
    STORE.unlink()
    data = json.loads(RESULTS.read_text())
    data["entries"][0].update(change)
    RESULTS.write_text(json.dumps(data))
    said = tipoff("verify", FOLDER)
    refused(said, 1, "is not proved")
    assert "\x1b" not in said.out + said.err


@pytest.mark.parametrize("bad", [b"junk", None])
def test_a_damaged_store(bad: bytes | None, tipoff: Tipoff, finished: Path) -> None:
    if bad is None:
        STORE.write_bytes(STORE.read_bytes()[:5000])
    else:
        spoil(bad)
    refused(tipoff("verify", FOLDER), 3, str(STORE))


def spoil(outcomes: bytes) -> None:
    """Write something else over the outcomes of the last block."""
    import sqlite3

    with sqlite3.connect(STORE) as db:
        db.execute("update block set outcomes = ? where first > 0", (outcomes,))
    db.close()


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
def test_ctrl_c_stops_it_cleanly(tipoff: Tipoff, tmp_path: Path) -> None:
    tipoff("run", config(tmp_path))
    STORE.unlink()
    edit(lambda data: data["entries"][0].update(deals=10**9, leaves=["0" * 64] * 20_000))
    words = [sys.executable, "-m", "sim", "verify", str(FOLDER), "--all", "--workers", "2"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout
        while "playing" not in (line := running.stdout.readline()):
            assert line, running.communicate()
        time.sleep(1.0)
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "stopped\n")
    if sys.platform.startswith("linux"):
        assert not orphans(running.pid)


def test_a_strategy_that_fails(tipoff: Tipoff, tmp_path: Path) -> None:
    write(tmp_path, GREEDY)
    tipoff("run", config(tmp_path, MINE))
    write(tmp_path, GREEDY.replace("return", "return math.inf +"))
    refused(tipoff("verify", FOLDER, "--plugin", "mine.py"), 1, "strategy 'mine', deal ", "score")
