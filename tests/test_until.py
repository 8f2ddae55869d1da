"""Playing until something is known: what a config may ask for, and where a run then stops."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import config as configs
from sim import plan as plans
from sim.errors import BadInput
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.plan import Plan
from sim.registry import discover
from sim.results import Results
from sim.spelling import dump, resolved
from sim.stats.gram import gram_of
from sim.stats.sequence import HalfWidth, Ranked, Target, judge, sequence_for, win_bounds
from sim.until import Until
from sim.yaml_lines import parse
from tests.command import Tipoff, config, tipoff_in
from tests.conftest import MakePlayer

HEAD = "experiment: tiny\ngame: club_fight\nseed: 7\nstrategies: [{}]\ndeals: {}\n"
NAMES = ("greedy-most-cards", "save-middle-clubs", "joker-first", "block-breaker", "random")
WIDTH = "{until: {half_width: 0.02, of: difference}, at_most: 40_000, round: 2_000}"
RANKED = "{until: {ranked: true, margin: 0.02}, at_most: 40_000, round: 2_000}"


def text(deals: str, *names: str) -> str:
    return HEAD.format(", ".join(names or NAMES), deals)


def loaded(deals: str, *names: str, more: str = "") -> configs.Config:
    return configs.check(parse((text(deals, *names) + more).encode(), Path("some.yaml")))


def planned(deals: str, *names: str, more: str = "") -> Plan:
    return plans.make(loaded(deals, *names, more=more), discover())


# --- In a config ---


@pytest.mark.parametrize(
    ("deals", "words"),
    [
        (WIDTH, "every difference from the baseline is known to ±2 points, but for those clearly"),
        (RANKED, "every two entries are separated or known to differ by less than 2 points"),
    ],
)
def test_a_target_is_read_and_written_back(deals: str, words: str) -> None:
    found = loaded(deals).experiment
    assert isinstance(found.deals, Until) and str(found.deals.until).startswith(words)
    assert (found.deals.at_most, found.deals.round) == (40_000, 2_000)
    assert configs.check(parse(dump(found).encode(), Path("x"))).experiment == found
    plan = planned(deals)
    again = plans.make(configs.check(parse(resolved(plan).encode(), Path("x"))), discover())
    assert again == plan


def test_a_round_is_a_leaf_unless_it_is_given() -> None:
    found = planned("{until: {ranked: true, margin: 0.03}, at_most: 1e6}").until
    assert found is not None and found.round == 50_000


@pytest.mark.parametrize(
    ("until", "rest", "message"),
    [
        ("half_width: 0, of: difference", "at_most: 1e6", "half_width: expected more than 0, got"),
        ("half_width: -1, of: difference", "at_most: 1e6", "half_width: expected more than 0, got"),
        ("half_width: .nan, of: difference", "at_most: 1e6", "half_width: expected less than 1"),
        ("half_width: 1, of: difference", "at_most: 1e6", "half_width: expected less than 1, got"),
        ("half_width: 0.1, of: rate", "at_most: 1e6", "of: expected 'difference', got 'rate'"),
        ("half_width: 0.1", "at_most: 1e6", "missing key 'of'"),
        ("half_with: 0.1", "at_most: 1e6", "unknown key 'half_with'; did you mean 'half_width'?"),
        ("ranked: true, margin: 0", "at_most: 1e6", "margin: expected more than 0, got 0"),
        ("ranked: false, margin: 0.1", "at_most: 1e6", "ranked: expected true, got false"),
        ("ranked: true", "at_most: 1e6", "missing key 'margin'"),
        ("ranked: true, margin: 0.1", "at_most: 49_999", "at least one round of 50_000 deals, got"),
        (
            "ranked: true, margin: 0.1",
            "at_most: 2e3, round: 3e3",
            "one round of 3_000 deals, got 2",
        ),
        ("ranked: true, margin: 0.1", "at_most: 2e3, round: 9", "round: expected at least 1_000"),
        ("ranked: true, margin: 0.1", "at_most: 1e11", "at_most: expected at most 10_000_000_000"),
        ("ranked: true, margin: 0.1", "atmost: 1e6", "key 'atmost'; did you mean 'at_most'?"),
        ("ranked: true, margin: 0.1", "round: 1e6", "missing key 'at_most'"),
    ],
)
def test_a_target_that_makes_no_sense_is_refused(until: str, rest: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        loaded(f"{{until: {{{until}}}, {rest}}}")
    assert str(caught.value).startswith("some.yaml:5:") and message in str(caught.value)


@pytest.mark.parametrize("deals", ["{until: soon, at_most: 1e6}", "{}", "{at_most: 5}", "[1]"])
def test_what_is_no_target_is_refused(deals: str) -> None:
    with pytest.raises(BadInput, match=r"some.yaml:5:\d+: "):
        loaded(deals)


@pytest.mark.parametrize(
    ("names", "more", "message"),
    [
        (("random",), "", "5:8: until: there must be two entries to compare"),
        (("random", "{use: joker-first, deals: 5}"), "", "4:48: deals: an entry cannot have its"),
        (("{use: joker-first, weight: [0, 1]}",), "design: factorial\n", "6:9: design: factorial"),
    ],
)
def test_what_does_not_go_with_a_target(names: tuple[str, ...], more: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"some.yaml:{message}"):
        planned(WIDTH, *names, more=more)


def test_a_number_of_deals_on_the_command_line_replaces_the_target() -> None:
    plan = plans.make(loaded(WIDTH), discover(), deals=500)
    assert plan.until is None and [cell.deals for cell in plan.cells] == [500] * 5


# --- Where a run stops ---


def naive_stop(target: Target, outcomes: NDArray[np.uint8], at_most: int) -> tuple[list[int], bool]:
    """Return the deals of each entry, looked for from scratch after every 2,000."""
    sequence = sequence_for(target, len(outcomes), 1, at_most)
    played = np.zeros(len(outcomes), np.int64)
    worse = np.zeros(len(outcomes), bool)
    for deals in range(2_000, at_most + 1, 2_000):
        played[~worse] = deals
        found = judge(win_bounds(gram_of(outcomes, played), sequence), 0, target)
        worse = found.worse
        if found.done:
            return played.tolist(), True
    return played.tolist(), False


@pytest.fixture(scope="module")
def outcomes(player: MakePlayer) -> NDArray[np.uint8]:
    blocks = [play_block(Rules(), Dice(7, 7), 0, 40_000, player(name)) for name in NAMES]
    return np.array([block.outcomes[0] for block in blocks])


def entries(folder: str = "reports/tiny") -> Results:
    return Results.read(Path(folder, "results.json"))


@pytest.mark.parametrize(
    ("deals", "target"), [(WIDTH, HalfWidth(0.02)), (RANKED, Ranked(0.02))], ids=str
)
def test_a_run_stops_where_it_should(
    deals: str, target: Target, tipoff: Tipoff, empty_folder: Path, outcomes: NDArray[np.uint8]
) -> None:
    """At the first complete round that meets the target, the clearly worse before, exactly so."""
    said = tipoff("run", config(empty_folder, text(deals)))
    assert said.status == 0 and said.err == ""
    found, (played, reached) = entries(), naive_stop(target, outcomes, 40_000)
    assert [entry.deals for entry in found.entries] == played
    assert reached and 2_000 < max(played) < 40_000 and min(played) < max(played)
    assert found.until is not None
    (stop,) = found.until.stops
    early = [name for name, own in zip(NAMES, played, strict=True) if own < max(played)]
    assert (stop.deals, stop.reached, stop.open, list(stop.early)) == (max(played), True, 0, early)
    assert f"stopped after {max(played):,} deals: every" in " ".join(said.out.split())
    assert said.games == (sum(played), 0)


def test_the_results_show_the_bounds_of_the_sequence(
    tipoff: Tipoff, empty_folder: Path, outcomes: NDArray[np.uint8]
) -> None:
    tipoff("run", config(empty_folder, text(WIDTH)))
    found = entries()
    played = np.array([entry.deals for entry in found.entries])
    sequence = sequence_for(HalfWidth(0.02), 5, 1, 40_000)
    bounds = win_bounds(gram_of(outcomes, played), sequence)
    for pair in found.pairs:
        a, b = NAMES.index(pair.a), NAMES.index(pair.b)
        assert (pair.low, pair.high) == (bounds.low[a, b], bounds.high[a, b])
        assert pair.deals == min(played[a], played[b])
    narrow = tipoff("run", "tiny.yaml", "--deals", 40_000, "--out", "fixed")
    assert narrow.status == 0 and entries("fixed").until is None
    assert found.until is not None and found.until.alpha == 0.05 / 4


@pytest.mark.parametrize("words", [("--workers", 1), ("--workers", 3), ("--start-method", "spawn")])
def test_the_stopping_point_is_the_same_whoever_plays(
    words: tuple[Any, ...], tipoff: Tipoff, empty_folder: Path
) -> None:
    first = tipoff("run", config(empty_folder, text(WIDTH)), "--workers", 2, "--out", "first")
    other = tipoff("run", "tiny.yaml", "--out", "other", *words)
    assert other.digest == first.digest
    assert Path("first/results.json").read_text() == Path("other/results.json").read_text()


def some_blocks_lost(store: Path) -> Iterator[int]:
    """Take away blocks as an interrupted run would not have them; yield their deals."""
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        blocks = list(db.execute("select stamp, first, count from block order by stamp, first"))
        for stamp, first, count in blocks[::3]:
            db.execute("delete from block where stamp = ? and first = ?", (stamp, first))
            yield count


def test_interrupted_it_goes_on_to_the_same_end(tipoff: Tipoff, empty_folder: Path) -> None:
    first = tipoff("run", config(empty_folder, text(WIDTH)))
    before = Path("reports/tiny/results.json").read_text()
    lost = sum(some_blocks_lost(Path("reports/tiny/results.sqlite")))
    missing = tipoff("report", "reports/tiny")
    assert missing.status == 3 and "is missing; run the same command again" in missing.err
    again = tipoff("run", "tiny.yaml")
    assert lost > 0 and again.games == (lost, first.games[0] - lost)
    assert Path("reports/tiny/results.json").read_text() == before
    assert tipoff("run", "tiny.yaml").games == (0, first.games[0])
    assert tipoff("report", "reports/tiny").status == 0
    assert Path("reports/tiny/results.json").read_text() == before


def test_rules_variants_stop_by_themselves(tipoff: Tipoff, empty_folder: Path) -> None:
    more = "rules: {jokers: [1, 2]}\n"
    said = tipoff("run", config(empty_folder, text(WIDTH) + more))
    found = entries()
    assert said.status == 0 and found.until is not None
    easy, hard = found.until.stops
    assert (easy.variant, hard.variant) == ("1 joker (easy)", "2 jokers (hard)")
    assert easy.deals > hard.deals, "fewer games are won on the hard level, so they vary less"
    assert found.until.comparisons == 8 and found.until.alpha == 0.05 / 8


def test_out_of_reach_is_said_after_the_first_round(tipoff: Tipoff, empty_folder: Path) -> None:
    deals = "{until: {half_width: 0.001, of: difference}, at_most: 6_000, round: 2_000}"
    said = tipoff("run", config(empty_folder, text(deals, *NAMES[:2])))
    assert said.status == 0
    assert (
        "1 joker (easy), after 2,000 deals: a half width of 0.1 points is out of reach" in said.err
    )
    assert "expect 1 comparison to stay open" in said.err and "It would take about" in said.err
    assert said.err.count("out of reach") == 1
    told = " ".join(said.out.split())
    assert "stopped after 6,000 deals: no more were allowed, and 1 comparison would need" in told
    found = entries()
    assert found.until is not None and not found.until.stops[0].reached
    (pair,) = found.pairs
    promised = float(said.err.split("stay open and ")[1].split(" points")[0])
    assert promised == pytest.approx(50 * (pair.high - pair.low), rel=0.15)


def test_a_target_never_shrinks_what_a_folder_shows(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, text(WIDTH)), "--deals", 35_000)
    said = tipoff("run", "tiny.yaml")
    assert said.status == 2 and "over 35,000 deals, more than the" in said.err
    assert {entry.deals for entry in entries().entries} == {35_000}


def test_the_report_says_what_the_bounds_are(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    assert tipoff_in(capsys)("run", config(empty_folder, text(WIDTH))).status == 0
    page = Path("reports/tiny/report.md").read_text()
    for words in ("95 % bounds", "(stopped after ", "every look", "clearly worse", "confidence"):
        assert words in page
    assert "95 % interval" not in page and "pointwise" not in page


def test_a_plan_foresees_where_the_run_stops(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, text(WIDTH)))
    foreseen = tipoff("plan", "tiny.yaml")
    assert foreseen.status == 0
    assert "deals until every difference from the baseline is known to ±2 points" in foreseen.out
    games = int(foreseen.out.split(" games")[0].replace(",", ""))
    assert games == pytest.approx(sum(entry.deals for entry in entries().entries), rel=0.5)
    assert "half width of the 95 % bounds to expect" in foreseen.out


def test_a_plan_says_what_is_out_of_reach(tipoff: Tipoff, empty_folder: Path) -> None:
    deals = "{until: {half_width: 0.0001, of: difference}, at_most: 50_000}"
    said = tipoff("plan", config(empty_folder, text(deals, *NAMES[:2])))
    assert said.status == 0
    assert "too few deals are allowed: 1 comparison would stay open, the widest at " in said.out
