"""Counters on their way from the store to results.json: over exactly the deals that are stated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import schedule
from sim.counted import counted, meanings
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.play import play_block
from sim.results import Results
from sim.store import Packed, Store
from sim.tally import tally
from tests.command import HEAD, Tipoff, config
from tests.conftest import MakePlayer

STAMP = "a" * 64
TWO = "rules: {jokers: [1, 2]}\nstrategies:\n  - random\n"
GREEDY = "  - {use: greedy-most-cards, deals: DEALS}\n"


def padded(counts: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return counts of results.json as an array, with the zeros that are left out."""
    whole = np.zeros(shape, np.int64)
    if len(shape) == 1:
        whole[: len(counts)] = counts
    else:
        for place, inner in enumerate(counts):
            whole[place] = padded(inner, shape[1:])
    return whole


def test_results_hold_the_counters_of_each_entry(
    tipoff: Tipoff,
    empty_folder: Path,
    player: MakePlayer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(schedule, "BLOCK_SECONDS", 0)  # many blocks
    text = HEAD + TWO + GREEDY.replace("DEALS", "700")
    assert tipoff("run", config(empty_folder, text)).status == 0
    results = Results.read(Path("reports/tiny/results.json"))
    assert (results.counters, results.pace) == (meanings(GAME), "pace")
    assert [entry.counted.deals for entry in results.entries] == [1000, 700] * 2
    for entry in results.entries:
        rules = Rules(**entry.rules)  # type: ignore[arg-type]
        block = play_block(rules, Dice(7, 7), 0, entry.deals, player(entry.strategy))
        assert entry.counted.turns == block.outcomes[1].sum(dtype=int)
        assert entry.counted.counts.keys() == block.counters.keys()
        for name, counts in entry.counted.counts.items():
            shape = GAME.counters[name].shape
            np.testing.assert_array_equal(padded(counts, shape), block.counters[name], name)


def test_a_block_that_reaches_beyond_the_deals_is_not_counted(
    tmp_path: Path, player: MakePlayer
) -> None:
    played, dice = player("random"), Dice(3, 3)
    with Store(tmp_path / "results.sqlite", GAME) as store:
        for first, count in ((0, 200), (200, 100), (300, 400)):
            store.add(
                STAMP, first, count, Packed.of(play_block(Rules(), dice, first, count, played))
            )
        for deals, covered in ((700, 700), (699, 300), (300, 300), (250, 200), (150, 0)):
            found = counted(store, STAMP, tally(store.outcomes(STAMP, deals)))
            expected = play_block(Rules(), dice, 0, covered, played)
            assert found.deals == covered
            assert found.turns == expected.outcomes[1].sum(dtype=int)
            assert found.counts["actions"] == tuple(expected.counters["actions"].tolist())


def test_an_entry_content_with_fewer_deals_says_how_many_are_counted(
    tipoff: Tipoff, empty_folder: Path
) -> None:
    """Its blocks were cut for more: of 200 deals, then of all others up to 1,000."""
    whole, cut = (HEAD + TWO + GREEDY.replace("DEALS", deals) for deals in ("1000", "500"))
    assert tipoff("run", config(empty_folder, whole)).status == 0
    said = tipoff("run", config(empty_folder, cut.replace("use:", "label: short, use:")))
    assert said.status == 0, said.err
    assert said.games[0] == 0
    entries = Results.read(Path("reports/tiny/results.json")).entries
    assert [(entry.deals, entry.counted.deals) for entry in entries] == [
        (1000, 1000),
        (500, 200),
    ] * 2
    for entry in entries:
        assert sum(entry.counted.counts["actions"]) == entry.counted.turns
        assert sum(map(sum, (rows[1] for rows in entry.counted.counts["pace"]))) == (
            entry.counted.deals
        )


def test_inner_counts_end_with_their_last_and_outer_ones_are_whole(tipoff: Tipoff) -> None:
    tipoff("run", config(Path.cwd()))
    counts = Results.read(Path("reports/tiny/results.json")).entries[0].counted.counts
    assert [len(counts[name]) for name in ("actions", "brought", "blocked")] == [8, 8, 3]
    assert [len(turns) for turns in counts["pace"]] == [14, 14]
    assert all(row[-1] for turns in counts["pace"] for row in turns if row)
    assert not any(turns[0] for turns in counts["pace"])
