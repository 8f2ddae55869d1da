"""Runs that keep counts: the same numbers as from every deal, whoever plays, cut or resumed."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import sim
from sim import audit, count_store, counting, counts, receipts, recount, schedule, sums
from sim.audit import ranges
from sim.cli import main
from sim.errors import BadInput
from sim.results import Results
from tests.command import HEAD, Tipoff, config, results, without_charts
from tests.test_reuse import counted, really_played

__all__ = ["really_played"]

KEEP = "store: counts\n"
TWO_LEVELS = HEAD + (
    "rules: {jokers: [1, 2]}\n"
    "strategies: [greedy-most-cards, random, {use: joker-first, weight: [0.5, 3]}]\n"
)
FACTORIAL = HEAD + (
    "design: factorial\nstrategies:\n"
    "  - {use: all-tips, middle: [0, 0.8], joker: [0, 1], pace: [0, 1]}\n"
)
FRESH = (
    HEAD + "fresh_seed: 8\nstrategies: [greedy-most-cards, {use: joker-first, weight: [0.5, 9]}]\n"
)
OURS = {"digest", "leaves", "counts"}  # all that may differ


def set_ranges(patch: pytest.MonkeyPatch) -> None:
    for module in (counts, count_store, receipts, recount, sums, ranges):
        patch.setattr(module, "RANGE", 300)


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of 300 deals, so that a thousand are four; workers know nothing of ranges."""
    set_ranges(monkeypatch)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which TWO_LEVELS was counted; not to be written to."""
    folder = tmp_path_factory.mktemp("counted")
    before = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch:
        set_ranges(patch)
        without_charts(patch)
        patch.chdir(folder)
        assert main(["run", str(config(Path(), KEEP + TWO_LEVELS))]) == 0
    signal.signal(signal.SIGTERM, before)
    return folder


@pytest.fixture
def copied(finished: Path, empty_folder: Path) -> Path:
    """A copy of that run in the working folder: its results.json."""
    shutil.copytree(finished, empty_folder, dirs_exist_ok=True)
    return Path("reports/tiny/results.json")


def differences(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Yield the paths of all values that differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from differences(one.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{where}[{number}]")
    elif one != other:
        yield where


@pytest.mark.parametrize("text", [TWO_LEVELS, FACTORIAL, FRESH], ids=["levels", "factors", "fresh"])
def test_every_number_is_that_of_a_run_that_kept_the_deals(text: str, tipoff: Tipoff) -> None:
    config(Path(), text, "deals.yaml")
    config(Path(), KEEP + text, "counts.yaml")
    deals, ours = (
        tipoff("run", f"{kind}.yaml", "--out", kind, "--workers", 2) for kind in ("deals", "counts")
    )
    assert deals.status == ours.status == 0 and ours.games == deals.games
    one, other = results(Path("deals")), results(Path("counts"))
    found = list(differences(one, other))
    assert {path.rpartition(".")[2] for path in found} == OURS
    assert len([path for path in found if ".entries" in path]) == 2 * len(
        [*other["entries"], *(other["fresh"] or {"entries": []})["entries"]]
    )
    assert "counts" not in one and other["counts"]["deals"] == 300
    leaves = other["counts"]["leaves"]
    assert len(leaves) == 4 and other["digest"] == sha256("".join(leaves).encode()).hexdigest()
    assert audit.faults(Results.read(Path("counts/results.json"))) == []


def test_a_leaf_is_the_sum_of_its_range(tipoff: Tipoff) -> None:
    """Worked out from the deals of another run."""
    config(Path(), TWO_LEVELS, "deals.yaml")
    tipoff("run", "deals.yaml", "--out", "deals")
    tipoff("run", config(Path(), KEEP + TWO_LEVELS), "--out", "counts")
    run = sim.load("deals.yaml").run(out="deals", progress=False)
    cells = [next(run.outcomes(entry.label, entry.variant))[300:600] for entry in run.entries]
    numbers = [
        sum(1 for left in cell["leftover"] if left == cards)
        for cell in cells
        for cards in range(len(run.entries[0].leftover_histogram))
    ]
    numbers += [int(cell["turns"].sum()) for cell in cells]
    lost = [cell["leftover"].astype(int) for cell in cells]
    pairs = [(a, b) for i, a in enumerate(lost) for b in lost[i + 1 :]]
    numbers += [int(((a == 0) & (b == 0)).sum()) for a, b in pairs]
    numbers += [int((a * b).sum()) for a, b in pairs]
    leaf = sha256(b"".join(number.to_bytes(8, "little") for number in numbers)).hexdigest()
    assert results(Path("counts"))["counts"]["leaves"][1] == leaf


@pytest.mark.parametrize(("workers", "probe"), [(1, 700), (3, 100)])
def test_the_same_for_any_workers_and_blocks(
    workers: int, probe: int, tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = tipoff("run", config(Path(), KEEP + TWO_LEVELS), "--out", "one").digest
    monkeypatch.setattr(schedule, "PROBE", probe)
    monkeypatch.setattr(schedule, "LARGEST", probe)
    said = tipoff("run", "tiny.yaml", "--workers", workers, "--out", "other")
    assert said.digest == wanted
    assert Path("one/results.json").read_bytes() == Path("other/results.json").read_bytes()


def test_a_run_goes_on_where_it_was(tipoff: Tipoff) -> None:
    config(Path(), KEEP + TWO_LEVELS)
    tipoff("run", "tiny.yaml", "--deals", 250)
    more = tipoff("run", "tiny.yaml", "--deals", 700)
    assert more.games == (450 * 8, 250 * 8) and "cells: 8 extended" in more.out
    whole = tipoff("run", "tiny.yaml")
    assert whole.games == (300 * 8, 700 * 8)
    again = tipoff("run", "tiny.yaml")
    assert again.games == (0, 8000) and "cells: 8 reused" in again.out
    assert again.digest == whole.digest == tipoff("run", "tiny.yaml", "--out", "new").digest
    assert tipoff("report", "reports/tiny").status == 0
    fewer = tipoff("run", "tiny.yaml", "--deals", 999)
    assert fewer.status == 2 and "over 1,000 deals" in fewer.err


def test_another_entry_plays_all_again_and_says_so_before(
    tipoff: Tipoff, really_played: Path
) -> None:
    text = KEEP + HEAD + "strategies: [greedy-most-cards, random]\n"
    fork = "--start-method", "fork"
    first = tipoff("run", config(Path(), text), *fork)
    assert counted(really_played) == 2000 and first.err == ""
    more = text.replace("random", "random, joker-first")
    said = tipoff("run", config(Path(), more), *fork)
    assert "the entries changed: all 3 are played again, 3,000 games" in said.err
    assert said.games == (3000, 0) and counted(really_played) == 3000
    assert "2 replayed because the entries changed" in said.out and "1 new" in said.out
    store = tipoff("store", "reports/tiny")
    assert "2 entries together" in store.out and "3 entries together" in store.out
    assert store.out.count(" yes\n") == store.out.count(" no\n") == 1
    assert tipoff("store", "reports/tiny", "--prune", "--yes").status == 0
    assert tipoff("run", "tiny.yaml", *fork).games == (0, 3000)


def test_counts_of_the_fresh_seed_are_not_pruned(tipoff: Tipoff) -> None:
    tipoff("run", config(Path(), KEEP + FRESH))
    said = tipoff("store", "reports/tiny", "--prune", "--yes")
    assert "nothing to drop" in said.out and said.out.count(" yes\n") == 2
    found = json.loads(tipoff("store", "reports/tiny", "--json").out)
    assert [len(cell["members"]) for cell in found["cells"]] == [2, 3]
    assert found["damaged"] == []


def test_merged_shards_equal_the_undivided_run(tipoff: Tipoff) -> None:
    config(Path(), KEEP + TWO_LEVELS)
    for index in (1, 2, 3):
        assert tipoff("run", "tiny.yaml", "--shard", f"{index}/3").status == 0
    folders = [f"reports/tiny-{index}-of-3" for index in (1, 2, 3)]
    merged = tipoff("merge", *folders, "--out", "merged")
    assert merged.status == 0, merged.err
    whole = tipoff("run", "tiny.yaml", "--out", "whole")
    assert merged.digest == whole.digest and merged.games[0] == 0
    assert Path("merged/results.json").read_bytes() == Path("whole/results.json").read_bytes()
    again = tipoff("merge", *reversed(folders), "--out", "merged")
    assert again.digest == whole.digest, again.err


def test_overlapping_missing_and_foreign_shards_are_refused(tipoff: Tipoff) -> None:
    config(Path(), KEEP + TWO_LEVELS)
    for index in (1, 2):
        tipoff("run", "tiny.yaml", "--shard", f"{index}/2")
    one, other = (f"reports/tiny-{index}-of-2" for index in (1, 2))
    said = tipoff("merge", one, other, one, "--out", "m")
    assert said.status == 2 and f"of all entries is in both {one} and {one}" in said.err
    said = tipoff("merge", one, "--out", "m")
    assert said.status == 3 and "deals 500 to 999 of all entries are in none" in said.err
    config(Path(), TWO_LEVELS)
    tipoff("run", "tiny.yaml", "--shard", "2/2", "--out", "kept")
    said = tipoff("merge", one, "kept", "--out", "m")
    assert said.status == 2 and "has other entries, rules or deals" in said.err


@pytest.mark.parametrize("words", [("--all",), ("--sample", 2), ()])
def test_published_ranges_are_proved(
    words: tuple[object, ...], tipoff: Tipoff, copied: Path
) -> None:
    digest = results(copied.parent)["digest"]
    leaves = {"--all": 4, "--sample": 2, "": 1}["".join(map(str, words[:1]))]
    said = tipoff("verify", "reports/tiny", *words)
    assert said.status == 0, said
    assert f"8 entries, 4 leaves; digest {digest}" in said.out
    assert f"{leaves} of {leaves} leaves match" in said.out
    assert f"playing {leaves} of 4 leaves again" in said.out


def test_a_range_that_differs_is_named(tipoff: Tipoff, copied: Path) -> None:
    data = results(copied.parent)
    data["counts"]["leaves"][1] = "0" * 64
    data["digest"] = sha256("".join(data["counts"]["leaves"]).encode()).hexdigest()
    copied.write_text(json.dumps(data))
    said = tipoff("verify", copied, "--all")
    assert said.status == 1 and "3 of 4 leaves match" in said.out
    assert "range 1 (deals 300 to 599 of seed 7):" in said.out
    assert "digest " in said.out and "000000000000 in results.json" in said.out
    assert "likely cause: sources and versions are the same" in said.out


WRONG = {
    "digest": lambda data: data.update(digest="0" * 64),
    "its entries": lambda data: data["entries"][0].update(leaves=["0" * 64]),
    "there are 3 leaves, but 4": lambda data: data["counts"]["leaves"].pop(),
    "leaf 2 is no digest": lambda data: data["counts"]["leaves"].__setitem__(2, "x"),
    "its ranges have 50000": lambda data: data["counts"].update(deals=50_000),
    "greedy-most-cards": lambda data: data["entries"][0].update(digest="1" * 64),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_agree_is_found(what: str, copied: Path) -> None:
    data = results(copied.parent)
    WRONG[what](data)
    found = audit.faults(Results.from_json(json.dumps(data)))
    assert found and (what in found[0] or what == "its entries"), found


def test_pairs_that_do_not_fit_the_ranges_are_found(tipoff: Tipoff, copied: Path) -> None:
    """A file whose leaves are those of the games, but not its pairs."""
    found = Results.read(copied)
    pair = found.pairs[0]
    data = asdict(found)
    data["pairs"][0].update(both=pair.both + 1, neither=pair.neither + 1)
    data["pairs"][0].update(only_a=pair.only_a - 1, only_b=pair.only_b - 1)
    copied.write_text(json.dumps(data))
    said = tipoff("verify", copied, "--all")
    assert said.status == 1 and f"both is {pair.both + 1}, but the ranges hold" in said.out


def test_a_strange_file_ends_in_one_message(tipoff: Tipoff, copied: Path) -> None:
    data = results(copied.parent)
    data["pairs"][0]["a"] = "nobody"
    data["counts"]["leaves"] = []
    copied.write_text(json.dumps(data))
    said = tipoff("verify", copied, "--all")
    assert said.status == 1 and "there are 0 leaves, but 4" in said.out
    data = results(copied.parent)
    data["counts"] = {"deals": 300}
    copied.write_text(json.dumps(data))
    assert "is not a results file of tipoff; counts.leaves" in tipoff("verify", copied).err


def test_what_needs_every_deal_is_refused_by_name(tipoff: Tipoff, copied: Path) -> None:
    text = KEEP + TWO_LEVELS
    said = tipoff("export", "reports/tiny", "--csv")
    assert said.status == 2 and "reports/tiny keeps counts, not every deal" in said.err
    run = sim.load("tiny.yaml").run(deals=100, progress=False)
    with pytest.raises(BadInput, match="no outcomes to yield"):
        run.outcomes("random", {"jokers": 1})
    assert run.compare("random", "greedy-most-cards", {"jokers": 1}).deals == 100
    said = tipoff("run", config(Path(), text.replace(KEEP, "")))
    assert said.status == 2 and "keeps counts, but the experiment says `store: deals`" in said.err
    config(Path(), text)
    assert tipoff("duel", "club_fight", "random", "greedy-most-cards", "--config", "tiny.yaml")


UNTIL = "{until: {ranked: true, margin: 0.1}, at_most: 50_000}"
REFUSED = {
    "store: counts wants a fixed number of deals": (KEEP + TWO_LEVELS).replace("1000", UNTIL),
    "deals: an entry cannot have its own with": KEEP
    + HEAD
    + "strategies: [greedy-most-cards, {use: random, deals: 500}]\n",
    "store: expected 'deals' or 'counts'": "store: sums\n" + TWO_LEVELS,
    "store: counts can hold 500 cells, and these are 501": KEEP
    + HEAD
    + f"strategies: [{{use: joker-first, weight: {[i / 8 for i in range(501)]}}}]\n",
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_does_not_go_together_is_refused_with_its_line(why: str, tipoff: Tipoff) -> None:
    said = tipoff("run", config(Path(), REFUSED[why]))
    assert said.status == 2 and why in said.err and said.err.startswith("tipoff: tiny.yaml:")
    assert not Path("reports").exists()


def test_deals_given_instead_of_a_target_can_be_counted(tipoff: Tipoff) -> None:
    config(Path(), (KEEP + TWO_LEVELS).replace("1000", UNTIL))
    assert tipoff("run", "tiny.yaml", "--deals", 400).games == (3200, 0)


def test_blocks_take_longer_for_many_workers() -> None:
    span = count_store.Span(10**8, [(0, 10**8)], speed=1000.0)
    plan = counting.Together(span)
    plan.share_among(16)
    assert span.size == 1000 * schedule.BLOCK_SECONDS, "on one machine as ever"
    plan.share_among(600)
    assert span.size == 20_000


def test_plan_knows_that_the_store_stays_small(tipoff: Tipoff) -> None:
    config(Path(), KEEP + TWO_LEVELS)
    said = tipoff("plan", "tiny.yaml", "--deals", 10**9)
    megabytes = int(said.out.partition(" MB of store")[0].rpartition(" ")[2].replace(",", ""))
    assert 0 < megabytes < 2000
    config(Path(), TWO_LEVELS)
    said = tipoff("plan", "tiny.yaml", "--deals", 10**9)
    kept = int(said.out.partition(" MB of store")[0].rpartition(" ")[2].replace(",", ""))
    assert kept > 4000


def test_a_damaged_row_is_found_and_dropped(tipoff: Tipoff, copied: Path) -> None:
    with sqlite3.connect(copied.with_name("results.sqlite")) as db:
        db.execute("update block set outcomes = x'00' where first = 600")
    db.close()
    said = tipoff("store", "reports/tiny", "--prune", "--yes")
    assert said.status == 0 and "damaged: block 600 of '4 entries together'" in said.out
    assert tipoff("run", "tiny.yaml").games[0] == 300 * 8
    assert tipoff("verify", "reports/tiny", "--all").status == 0
