"""A run cut into shards, played apart and put together: the same to the bit, misfits refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import BadInput
from sim.results import Results
from sim.schedule import gaps
from sim.shards import Shard
from tests.command import CONFIG, HEAD, Tipoff, config

TWO = (
    HEAD.replace("1000", "1500")
    + "rules: {jokers: [1, 2]}\n"
    + "strategies: [greedy-most-cards, {use: random, deals: 700}]\n"
)
FRESH = (
    HEAD + "fresh_seed: 8\nstrategies: [greedy-most-cards, {use: joker-first, weight: [0.5, 9]}]\n"
)


@pytest.mark.parametrize(
    "text", ["", "2", "0/3", "4/3", "1/0", "-1/3", "1/2/3", "a/b", "1/1000000"]
)
def test_a_shard_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="expected I/N, such as 2/8"):
        Shard.read(text)


@given(st.integers(1, 50), st.integers(1, 10_000))
def test_every_deal_is_in_exactly_one_shard(count: int, deals: int) -> None:
    parts = [Shard(i, count).part(deals) for i in range(1, count + 1)]
    assert [deal for part in parts for deal in part] == list(range(deals))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 900), st.integers(1, 200)), max_size=5))
def test_a_shard_takes_its_own_of_what_is_missing(
    count: int, blocks: list[tuple[int, int]]
) -> None:
    missing = gaps(blocks, 1000)
    deals = {deal for first, n in missing for deal in range(first, first + n)}
    for index in range(1, count + 1):
        shard = Shard(index, count)
        found = [d for first, n in shard.within(missing, 1000) for d in range(first, first + n)]
        assert set(found) == deals & set(shard.part(1000)) and len(found) == len(set(found))


def play(tipoff: Tipoff, count: int, *words: object) -> list[str]:
    """Play all shards of tiny.yaml and return their folders."""
    folders = []
    for index in range(1, count + 1):
        workers = 1 + index % 2
        said = tipoff("run", "tiny.yaml", "--shard", f"{index}/{count}", "--workers", workers)
        assert said.status == 0 and f"shard {index}/{count}: " in said.out
        folders.append(f"reports/tiny-{index}-of-{count}")
    return folders


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("text", [TWO, FRESH], ids=["two levels", "fresh seed"])
def test_merged_shards_equal_the_undivided_run(
    count: int, text: str, tipoff: Tipoff, empty_folder: Path
) -> None:
    config(empty_folder, text)
    folders = play(tipoff, count)
    merged = tipoff("merge", *folders, "--out", "merged")
    assert merged.status == 0
    whole = tipoff("run", "tiny.yaml", "--out", "whole")
    assert merged.digest == whole.digest
    one, other = (Results.read(Path(folder, "results.json")) for folder in ("merged", "whole"))
    assert one == other
    assert tipoff("merge", *reversed(folders), "--out", "merged").digest == whole.digest
    assert tipoff("report", "merged").status == 0


def test_a_shard_writes_no_report_and_goes_on_where_it_was(
    tipoff: Tipoff, empty_folder: Path
) -> None:
    config(empty_folder, TWO)
    (folder,) = play(tipoff, 2)[:1]
    assert not Path(folder, "results.json").exists()
    again = tipoff("run", "tiny.yaml", "--shard", "1/2")
    assert "shard 1/2: 0 games played, 2,200 were there already" in again.out
    other = tipoff("run", "tiny.yaml", "--shard", "2/2", "--out", folder)
    assert other.status == 2 and "holds shard 1/2, not shard 2/2" in other.err


def test_no_shard_in_the_folder_of_a_whole_run(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, TWO))
    said = tipoff("run", "tiny.yaml", "--shard", "1/2", "--out", "reports/tiny")
    assert said.status == 2 and "holds a run that is not cut into shards" in said.err


def test_overlapping_shards_are_refused(tipoff: Tipoff, empty_folder: Path) -> None:
    config(empty_folder, TWO)
    halves = play(tipoff, 2)
    said = tipoff("merge", *halves, halves[0], "--out", "merged")
    assert said.status == 2 and f"is in both {halves[0]} and {halves[0]}" in said.err
    tipoff("run", "tiny.yaml", "--shard", "2/3")
    said = tipoff("merge", halves[0], "reports/tiny-2-of-3", halves[1], "--out", "merged")
    assert (
        said.status == 2 and "deal 500 of 'greedy-most-cards' at 1 joker (easy) is in" in said.err
    )
    assert tipoff("merge", *halves, "--out", halves[0]).status == 2


def test_a_missing_shard_is_named_by_its_deals(tipoff: Tipoff, empty_folder: Path) -> None:
    config(empty_folder, TWO)
    thirds = play(tipoff, 3)
    said = tipoff("merge", thirds[0], thirds[2], "--out", "merged")
    assert said.status == 3
    assert "deals 500 to 999 of 'greedy-most-cards' at 1 joker (easy) are in none" in said.err
    assert not Path("merged/results.json").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (TWO.replace("seed: 7", "seed: 8"), "holds seed 8, but "),
        (TWO.replace("tiny", "other"), "holds experiment other, but"),
        (TWO.replace("1500", "1600"), "has other entries, rules or deals than"),
        (TWO.replace("random", "joker-first"), "has other entries, rules or deals than"),
    ],
)
def test_foreign_shards_are_refused(
    text: str, why: str, tipoff: Tipoff, empty_folder: Path
) -> None:
    config(empty_folder, TWO)
    tipoff("run", "tiny.yaml", "--shard", "1/2", "--out", "one")
    config(empty_folder, text)
    tipoff("run", "tiny.yaml", "--shard", "2/2", "--out", "two")
    said = tipoff("merge", "one", "two", "--out", "merged")
    assert said.status == 2 and why in said.err


def test_what_cannot_be_cut_or_merged(tipoff: Tipoff, empty_folder: Path) -> None:
    until = "{until: {ranked: true, margin: 0.1}, at_most: 50_000}"
    config(empty_folder, CONFIG.replace("1000", until))
    said = tipoff("run", "tiny.yaml", "--shard", "1/2")
    assert said.status == 2 and "give --deals N" in said.err
    assert tipoff("run", "tiny.yaml", "--shard", "1/2", "--deals", 100).status == 0
    assert tipoff("run", "tiny.yaml", "--shard", "3/2").status == 2
    said = tipoff("merge", "nowhere")
    assert said.status == 2 and "nowhere is no run folder" in said.err
