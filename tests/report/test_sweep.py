"""`sweep_*.png`: which sweeps are drawn, and where their values stand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from matplotlib.figure import Figure

from sim.report.sweep import Sweep, draw, file_names, sweeps
from sim.results import Results
from tests.report.drawn import drawn, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, field, make_entry, make_results, sweep

NINE = [i / 10 for i in range(9)]


def only(results: Results) -> Sweep:
    (found,) = sweeps(results)
    return found


def picture(results: Results, which: int = 0) -> Figure:
    return drawn(partial(draw, results, sweeps(results)[which]))


def x_labels(figure: Figure, panel: int = -1) -> list[str]:
    return [label.get_text() for label in figure.axes[panel].get_xticklabels()]


@pytest.mark.parametrize(
    "results",
    [
        sweep(NINE),
        sweep([0, 0.001, 0.1, 1, 10, 1000], two=False),
        sweep([False, True]),
        sweep([0.25, 0.5], [1, 2, 3]),
        sweep([1, 2], list(range(12)), two=False),
        sweep([20 * i for i in range(30)], two=False),
        sweep([1, 1.1, 1.2, 5, 10], deals=200),
    ],
    ids=["nine", "orders", "bool", "product", "twelve", "thirty", "uneven"],
)
def test_every_text_is_whole_and_by_itself(results: Results) -> None:
    figure = picture(results)
    assert overlaps(figure) == []
    assert outside(figure) == []


def test_win_rate_and_cards_left_stand_over_the_values_played() -> None:
    results = sweep(NINE, two=False)
    upper, lower = with_gid(picture(results), "point")
    rates = [100 * entry.win_rate for entry in results.entries]
    means = [entry.leftover_mean for entry in results.entries]
    assert upper == list(zip(NINE, rates, strict=True))
    assert lower == list(zip(NINE, means, strict=True))


def test_entries_are_drawn_by_value_whatever_their_order() -> None:
    results = sweep([0.5, 0.1, 0.9], two=False)
    figure = picture(results)
    assert [x for x, _ in with_gid(figure, "point")[0]] == [0.1, 0.5, 0.9]
    assert x_labels(figure) == ["0.1", "0.5", "0.9"]


def test_the_best_values_are_ringed_and_the_near_ones_filled() -> None:
    rates = {0: 0.20, 1: 0.30, 2: 0.299, 3: 0.30}
    entries = [
        make_entry(f"w{w}", rate, deals=10_000, params={"w": w}, swept=("w",))
        for w, rate in rates.items()
    ]
    figure = picture(make_results(entries))
    assert [x for x, _ in with_gid(figure, "best")[0]] == [1, 3]
    points = [line for line in figure.axes[0].get_lines() if line.get_gid() == "point"]
    hollow = [line.get_xdata()[0] for line in points if line.get_markerfacecolor() == "white"]
    assert hollow == [0]


def test_values_over_orders_of_magnitude_stand_in_even_steps() -> None:
    figure = picture(sweep([0, 0.01, 1, 100], two=False))
    assert [x for x, _ in with_gid(figure, "point")[0]] == [0, 1, 2, 3]
    assert x_labels(figure) == ["0", "0.01", "1", "100"]
    assert figure.axes[-1].get_xlabel() == "weight (not to scale)"


def test_an_even_range_is_to_scale_however_long() -> None:
    figure = picture(sweep([i / 2 for i in range(60)], two=False))
    assert [x for x, _ in with_gid(figure, "point")[0]][-1] == 29.5
    assert figure.axes[-1].get_xlabel() == "weight"
    assert len(figure.axes[-1].get_xticks()) == 60


def test_booleans_are_called_false_and_true() -> None:
    assert x_labels(picture(sweep([True, False], two=False))) == ["false", "true"]


def test_variants_near_each_other_share_a_panel_with_a_legend() -> None:
    figure = picture(sweep(NINE[:3], deals=200))
    assert len(figure.axes) == 2
    names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert names == [EASY[0], HARD[0]]


def test_variants_far_apart_have_panels_of_their_own() -> None:
    figure = picture(sweep(NINE, deals=1_000_000))
    assert len(figure.axes) == 4
    assert [ax.get_title("left") for ax in figure.axes[:2]] == [EASY[0], HARD[0]]


def test_a_product_has_a_line_for_each_value_of_the_other_parameter() -> None:
    results = sweep([1, 2], [0.5, 1.5, 2.5], two=False)
    weight, other = sweeps(results)
    assert [line.rest for line in weight.lines] == ["other = 0.5", "other = 1.5", "other = 2.5"]
    assert [line.rest for line in other.lines] == ["weight = 1", "weight = 2"]
    figure = picture(results)
    looks = {(line.get_color(), line.get_marker()) for line in figure.axes[0].get_lines()}
    assert len({marker for _, marker in looks} - {"None", "o"}) == 2


def test_parameters_that_are_alike_everywhere_are_not_named() -> None:
    results = sweep([1, 2], two=False)
    entries = [replace(e, params={**e.params, "fixed": 3}) for e in results.entries]
    assert [line.rest for line in only(make_results(entries)).lines] == [""]


def test_a_single_value_and_no_sweep_draw_nothing() -> None:
    assert sweeps(sweep([0.5])) == []
    assert sweeps(field(3)) == []


def test_two_strategies_have_a_sweep_each() -> None:
    entries = [
        make_entry(f"{name}{w}", 0.2 + w / 100, strategy=name, params={"w": w}, swept=("w",))
        for name in ("first", "second")
        for w in (1, 2)
    ]
    found = sweeps(make_results(entries))
    assert file_names(found) == ["sweep_first_w.png", "sweep_second_w.png"]


def test_file_names_are_safe_and_different() -> None:
    def named(strategy: str, parameter: str) -> Sweep:
        return Sweep(strategy, parameter, ())

    found = [named("my/own: x", "../w"), named("a", "W"), named("A", "w"), named("a", "w")]
    assert file_names(found) == [
        "sweep_my_own_x_w.png",
        "sweep_a_W.png",
        "sweep_A_w_2.png",
        "sweep_a_w_3.png",
    ]


def test_the_title_names_strategy_and_parameter_and_the_deals() -> None:
    seen = {text.get_gid(): text.get_text() for text in texts(picture(sweep(NINE)))}
    assert seen["title"] == "tips: win rate and cards left by weight"
    assert "the same 100,000 deals" in seen["subtitle"]
