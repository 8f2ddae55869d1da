"""`ladder.png`: what is drawn, where, and that it can be read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from matplotlib.figure import Figure

from sim.ladder import ladder_of
from sim.report import ladder
from sim.report.document import Table
from sim.report.method import method
from sim.report.page import page
from sim.report.pictures import pictures
from sim.results import Results
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, make_entry, make_results


@cache
def results() -> Results:
    """From an entry that never wins to one that plays fewer deals, and one that always wins."""
    rates = {"random": 0.0, "joker-first": 0.3, "all-tips": 0.4, "far-sighted": 0.8}
    entries = [
        make_entry(label, rate * scale, variant, 10_000 if label == "far-sighted" else 1_000_000)
        for variant, scale in ((EASY, 1.0), (HARD, 0.5))
        for label, rate in rates.items()
    ]
    oracle = replace(make_entry("oracle", 1.0, EASY, 300), clairvoyant=True)
    made = make_results([*entries, oracle], baseline="joker-first")
    return replace(made, ladder=ladder_of(made, "random", "far-sighted"))


@cache
def figure() -> Figure:
    return drawn(lambda: ladder.draw(results()))


def test_every_text_is_whole_and_by_itself() -> None:
    assert overlaps(figure()) == []
    assert outside(figure()) == []


def test_dots_lie_at_log_odds_and_what_has_none_at_its_bound() -> None:
    easy, hard = with_gid(figure(), "dot")
    assert [x for x, _ in easy] == pytest.approx(
        [ladder.log_odds(rate) for rate in (0.8, 0.4, 0.3)]
    )
    assert [x for x, _ in hard] == pytest.approx(
        [ladder.log_odds(rate) for rate in (0.4, 0.2, 0.15)]
    )
    bounds = with_gid(figure(), "bound")
    oracle, never = (results().entries[i] for i in (-1, 0))
    assert [x for x, _ in bounds[0]] == pytest.approx(
        [ladder.log_odds(oracle.win_rate_low), ladder.log_odds(never.win_rate_high)]
    )


def test_the_way_stands_beside_the_rates() -> None:
    shown = [flat(text.get_text()) for text in texts(figure()) if text.get_gid() == "number"]
    assert "0 % (0–0.0004)" in shown and "0 %: bottom" in shown and "100 %: top" in shown
    found = results().ladder
    assert found
    half = next(rung for rung in found.rungs if rung.label == "all-tips")
    assert half.share == pytest.approx(0.5, abs=1e-4) and half.low < 0.5 < half.high
    assert any(text.startswith("50.0 % (49.") for text in shown)


def test_it_comes_first_and_its_shares_stand_in_the_table() -> None:
    found = pictures(results())
    assert found[0].image.file == "ladder.png" and "all-tips 50.0 %" in found[0].image.alt
    said = page(results(), [one.image for one in found], "tipoff run x", "")
    tables = [block for part in said.sections for block in part.blocks if isinstance(block, Table)]
    assert "of the way, 95 % interval" in tables[0].head
    assert any("Fieller" in str(line) for line in method(results()))
