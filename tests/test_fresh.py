"""The best of a sweep again on deals of another seed: played once, stored, drawn again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.results import Results
from tests.command import HEAD, Tipoff, config, tipoff_in

SWEEP = (
    "rules: {jokers: [1, 2]}\n"
    "strategies: [greedy-most-cards, random, {use: save-middle-clubs, weight: [0, 0.8]}]\n"
)
FRESH = HEAD + "fresh_seed: 8\n" + SWEEP


def entries(folder: str = "reports/tiny") -> Results:
    return Results.read(Path(folder, "results.json"))


def test_the_best_and_the_baseline_play_on_the_fresh_seed(
    tipoff: Tipoff, empty_folder: Path
) -> None:
    said = tipoff("run", config(empty_folder, FRESH))
    found = entries()
    assert said.status == 0 and said.games == (8 * 1000 + 4 * 1000, 0)
    assert found.fresh is not None and found.fresh.fresh is None
    assert (found.fresh.seed, found.fresh.tie_seed) == (8, 8)
    labels = ["greedy-most-cards", "save-middle-clubs weight=0.8"]
    for variant in found.variant_names():
        assert [entry.label for entry in found.fresh.of_variant(variant)] == labels


def test_it_is_what_a_run_of_that_seed_gives(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, FRESH))
    plain = HEAD.replace("seed: 7", "seed: 8") + SWEEP
    tipoff("run", config(empty_folder, plain), "--out", "other")
    found, other = entries(), entries("other")
    assert found.fresh is not None
    digests = {(entry.label, entry.variant): entry.digest for entry in other.entries}
    for entry in found.fresh.entries:
        assert entry.digest == digests[entry.label, entry.variant]
    assert found.digest == tipoff("run", config(empty_folder, HEAD + SWEEP), "--out", "no").digest


def test_it_is_stored_and_drawn_again(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    tipoff = tipoff_in(capsys)
    config(empty_folder, FRESH)
    assert tipoff("run", "tiny.yaml").status == 0
    before, page = Path("reports/tiny/results.json"), Path("reports/tiny/report.md")
    data, text = before.read_text(), page.read_text()
    assert "## How strongly" in text and "of seed 8" in text
    assert tipoff("run", "tiny.yaml").games == (0, 12_000)
    assert tipoff("report", "reports/tiny").status == 0
    assert (before.read_text(), page.read_text()) == (data, text)


def test_a_seed_of_ties_of_its_own_stays(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, FRESH + "tie_seed: 3\n"))
    fresh = entries().fresh
    assert fresh is not None and fresh.tie_seed == 3


def test_without_a_sweep_nothing_more_is_played(tipoff: Tipoff, empty_folder: Path) -> None:
    said = tipoff("run", config(empty_folder, HEAD + "fresh_seed: 8\nstrategies: [random]\n"))
    assert said.games == (1000, 0) and entries().fresh is None


def test_it_must_be_another_seed(tipoff: Tipoff, empty_folder: Path) -> None:
    said = tipoff("run", config(empty_folder, HEAD + "fresh_seed: 7\n" + SWEEP))
    assert said.status == 2 and ":5:13: fresh_seed: must not be the seed itself" in said.err
    assert tipoff("run", "tiny.yaml", "--seed", 5).status == 0
