"""What `make bench` says about ratios that fell; it is measured nowhere in the tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import engine, figures, strength


def test_a_drop_of_more_than_a_tenth_is_said() -> None:
    before = {"kept": 1.0, "better": 1.0, "a little": 1.0, "worse": 2.0, "not measured": 1.0}
    now = {"kept": 1.0, "better": 1.5, "a little": 0.91, "worse": 1.78, "new": 0.1}
    assert figures.drops(before, now) == ["worse: 1.78, was 2.00 (-11%)"]


def test_saving_keeps_what_was_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FILE", tmp_path / "figures.json")
    figures.FILE.write_text(json.dumps({"measured": "once", "ratios": {"a": 1.0, "b": 2.0}}))
    figures.save("today", {"b": 3.00049, "c": 4.0})
    assert figures.load() == {"a": 1.0, "b": 3.0, "c": 4.0}


def test_the_committed_figures_keep_the_promises() -> None:
    ratios = figures.load()
    assert ratios["greedy / C++ loop"] >= 1.0
    plain = {name for name in ratios if name.removesuffix(" / greedy") not in engine.BEYOND_TIPS}
    others = {name: ratios[name] for name in plain if name.endswith(" / greedy")}
    assert len(others) >= 8 and min(others.values()) >= 0.6, others


def test_the_curve_of_strength_is_that_of_its_table() -> None:
    text = strength.PAGE.read_text(encoding="utf-8")
    rows = strength.settings(text)
    written = [line for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert len(rows) == len(written) >= 5
    assert all(low <= rate <= high for row in rows for rate, low, high in row.rates)
    (axes,) = strength.curve(rows).axes
    drawn = [line.get_ydata() for line in axes.lines if len(line.get_xdata()) == len(rows)]
    assert [list(ys) for ys in drawn[:2]] == [
        [row.rates[level][0] for row in rows] for level in (0, 1)
    ]
