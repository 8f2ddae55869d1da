"""The frame and the pieces that every chart is made of."""

from __future__ import annotations

import io
import subprocess
import sys
from functools import partial

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from sim.report import differences, leftover, pace, pairs, style, sweep, win_rate
from tests.report.drawn import drawn, outside, overlaps
from tests.report.make import field
from tests.report.make import sweep as make_sweep
from tests.report.make_counts import with_counts

DRAWS = {
    "win_rate": partial(win_rate.draw, field(3)),
    "differences": partial(differences.draw, field(3, deals=4_000)),
    "cells": partial(pairs.draw, field(3, two=False)),
    "cells with a scale": partial(pairs.draw, field(13, two=False)),
    "places": partial(pairs.draw, field(21, two=False)),
    "curves": partial(leftover.draw, field(2)),
    "histograms": partial(leftover.draw, field(7, two=False)),
    "paces": partial(pace.draw, with_counts(field(2))),
    "paces in rows": partial(pace.draw, with_counts(field(13, two=False))),
    "sweep": partial(sweep.draw, make_sweep([1, 2]), sweep.sweeps(make_sweep([1, 2]))[0]),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_chart_is_the_same_to_the_byte_and_not_blank(name: str) -> None:
    first = style.png(DRAWS[name])
    with matplotlib.rc_context({"font.size": 20, "axes.grid": False, "lines.linewidth": 5}):
        again = style.png(DRAWS[name])  # whatever the user's own settings are
    assert first == again
    assert b"Software" not in first
    image = Image.open(io.BytesIO(first))
    assert image.info["dpi"] == pytest.approx((style.DPI, style.DPI), abs=0.1)
    grey = np.asarray(image.convert("L"))
    assert grey.min() < 60
    assert 0.4 < (grey > 240).mean() < 0.99


def test_the_style_ends_with_its_block() -> None:
    before = matplotlib.rcParams["font.size"]
    with style.look():
        assert matplotlib.rcParams["font.size"] == style.TEXT
    assert matplotlib.rcParams["font.size"] == before


def test_drawing_never_loads_pyplot() -> None:
    code = "import sys, sim.report.write; assert 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_line_is_wrapped_whole_and_evenly() -> None:
    text = "one two three four five six seven eight nine ten"
    lines = style.wrap(text, 1.5).split("\n")
    assert " ".join(lines) == text
    widths = [style.text_width(line) for line in lines]
    assert max(widths) <= 1.5
    assert min(widths) > 0.6 * max(widths)


@pytest.mark.parametrize("text", ["", "short", "x" * 300])
def test_any_text_can_be_wrapped(text: str) -> None:
    assert style.wrap(text, 2.0).replace("\n", "") == text
    assert style.block_width([style.wrap(text, 2.0)]) <= 2.0


def test_bold_text_is_wider() -> None:
    assert style.text_width("words", weight="bold") > style.text_width("words") > 0.2


def test_the_frame_keeps_long_titles_inside() -> None:
    def draw() -> Figure:
        figure = style.framed(4.0, 2.0, "title " * 30, "subtitle " * 40, "footer " * 30)
        figure.subplots()
        return figure

    figure = drawn(draw)
    assert overlaps(figure) == []
    assert outside(figure) == []


def test_a_text_over_another_or_over_the_edge_would_be_noticed() -> None:
    def draw() -> Figure:
        figure = Figure()
        figure.text(0.5, 0.5, "one")
        figure.text(0.5, 0.51, "two")
        figure.text(0.97, 0.1, "over the edge")
        return figure

    figure = drawn(draw)
    assert overlaps(figure) == [("one", "two")]
    assert outside(figure) == ["over the edge"]


def test_every_pen_differs_by_more_than_colour() -> None:
    pens = [style.pen(index, 7) for index in range(7)]
    assert len({pen.marker for pen in pens}) == 7
    many = [style.pen(index, 20) for index in range(20)]
    assert len({pen.colour for pen in many}) == 20


def test_limits_are_shared_unless_a_panel_were_squashed() -> None:
    assert len(set(style.limits([(10, 30), (5, 20)], [3, 3]))) == 1
    assert len(set(style.limits([(10, 30), (40, 41)], [3, 3]))) == 2
    assert len(set(style.limits([(10, 10.2), (40, 41)], [1, 1]))) == 1  # one value: no spread


def test_limits_start_near_zero_when_the_values_do() -> None:
    ((low, high),) = style.limits([(3, 30)], [4])
    assert -2 < low <= 0
    assert high > 30
    ((low, _),) = style.limits([(33.1, 34.2)], [4])
    assert 32.5 < low < 33.1
    ((low, high),) = style.limits([(5, 5)], [1])
    assert low < 5 < high
