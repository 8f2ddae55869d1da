"""The charts of a tournament: what is drawn, where, and that it can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from matplotlib.figure import Figure

from sim.report.tournament import pairs, players, points, ratings, seats
from sim.report.tournament.pictures import pictures
from sim.report.versus import SAME
from sim.standings import Standings
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make_standings import (
    FOUR,
    Room,
    by_rank,
    make_standing,
    make_standings,
    several,
    with_circle,
)

ODD = ("$a_b$ ^ \\frac <b>|`x`", "a label of very many words that no chart has room for on a line")


def odd() -> Standings:
    """Two entries with labels that are text and nothing else, one of them long."""
    return make_standings(
        [
            make_standing(label, mean, room)
            for room in (FOUR, Room(5))
            for label, mean in zip(ODD, (-3.0, 4.0), strict=True)
        ]
    )


MADE: dict[str, Callable[[], Standings]] = {
    "one": partial(several, 1, (FOUR,)),
    "two": partial(several, 2, (FOUR,)),
    "five": several,
    "forty": partial(several, 40, (FOUR,)),
    "circle": with_circle,
    "odd": odd,
    "ranks": lambda: by_rank(several(5, (FOUR,))),
}


@cache
def charts(which: str) -> dict[str, Figure]:
    return {one.image.file: drawn(one.draw) for one in pictures(MADE[which]())}


def said(figure: Figure, gid: str) -> list[str]:
    return [flat(text.get_text()) for text in texts(figure) if text.get_gid() == gid]


def labels(figure: Figure, panel: int = 0) -> list[str]:
    return [flat(text.get_text()) for text in figure.axes[panel].get_yticklabels()]


@pytest.mark.parametrize("which", MADE)
def test_every_text_is_whole_and_by_itself(which: str) -> None:
    for file, figure in charts(which).items():
        assert overlaps(figure) == [], file
        assert outside(figure) == [], file


def test_which_charts_there_are() -> None:
    scored = ["points.png", "places.png", "pairs.png", "ratings.png", "seats.png"]
    assert list(charts("five")) == [*scored, "players.png"]
    assert list(charts("two")) == scored
    assert list(charts("one")) == [file for file in scored if file != "pairs.png"]
    assert list(charts("ranks")) == ["places.png", "pairs.png", "ratings.png"]


# --- Points and places ---


def test_points_are_sorted_within_their_panel_and_the_interval_is_drawn() -> None:
    made = several(5)
    figure = charts("five")["points.png"]
    for ax, variant, dots in zip(
        figure.axes, made.variant_names(), with_gid(figure, "dot"), strict=True
    ):
        entries = made.of_variant(variant)
        assert ax.get_title("left") == variant
        assert [x for x, _ in dots] == [entry.points_mean for entry in entries]
        ends = [list(line.get_xdata()) for line in ax.get_lines()]
        assert all([entry.points_low, entry.points_high] in ends for entry in entries)
    assert labels(figure)[2] == "average (baseline)"


def test_points_stand_at_the_right_with_the_share_of_first_places() -> None:
    entry = make_standing("a", -3.0, first_share=0.251)
    figure = drawn(lambda: points.draw_points(make_standings([entry])))
    assert said(figure, "number") == ["−3.0 (−3.4 to −2.6)", "25.1 %"]
    assert said(figure, "heading") == ["points (95 % interval)", "first"]


def test_places_are_sorted_by_mean_rank_which_points_may_contradict() -> None:
    often = make_standing("often-second", 9.0, rank_mean=2.2, rank_low=2.1, rank_high=2.3)
    wins = make_standing("wins-or-loses", 5.0, rank_mean=1.9, rank_low=1.8, rank_high=2.0)
    made = make_standings([often, wins])
    assert labels(drawn(lambda: points.draw_points(made)))[0] == "often-second (baseline)"
    figure = drawn(lambda: points.draw_places(made))
    assert labels(figure)[0] == "wins-or-loses"
    assert said(figure, "number")[0] == "1.9 (1.8–2.0)"
    ((middle,),) = with_gid(figure, "even")
    assert middle[0] == 2.5, "the mean rank of four"
    assert figure.axes[0].get_xlim()[0] > 0.9, "nobody ends before the first place"


# --- Pairs ---


def cells(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts if text.get_gid() == "cell"]


def test_pairs_that_were_never_compared_are_blank_and_others_may_be_equal() -> None:
    entries = [make_standing(label, mean) for label, mean in zip("abc", (9, 8.99, 1), strict=True)]
    made = make_standings(entries, against={("a", "c"): None})
    figure = drawn(lambda: pairs.draw(made))
    assert cells(figure) == [SAME, "", SAME, "+8.0", "", "−8.0"]
    assert any("blank: not compared" in text for text in said(figure, "subtitle"))


def test_pairs_of_ranks_say_who_ends_better() -> None:
    figure = charts("ranks")["pairs.png"]
    assert any("Mean rank of the column minus the row's" in t for t in said(figure, "subtitle"))
    assert all(text.startswith("+") for text in cells(figure)[:4]), "the best is on top"


def test_many_entries_are_drawn_as_places() -> None:
    figure = charts("forty")["pairs.png"]
    assert cells(figure) == []
    assert len(with_gid(figure, "dot")[0]) == 40
    assert with_gid(figure, "range")[0]


# --- Ratings ---


def test_ratings_warn_of_a_circle_and_only_then() -> None:
    figure = charts("circle")["ratings.png"]
    assert figure.axes[0].get_title("left") == f"{FOUR.words} (intransitive)"
    (subtitle,) = said(figure, "subtitle")
    assert "Warning" in subtitle
    assert "a above b above c above a" in subtitle
    assert "Warning" not in said(charts("five")["ratings.png"], "subtitle")[0]


def test_ratings_are_sorted_by_themselves() -> None:
    made = several(3, (FOUR,))
    turned = replace(made, ratings=tuple(replace(one, rating=-one.rating) for one in made.ratings))
    figure = drawn(lambda: ratings.draw(turned))
    assert labels(figure) == labels(drawn(lambda: ratings.draw(made)))[::-1]


# --- Seats and players ---


def lines(figure: Figure, gid: str, panel: int = 0) -> list[Any]:
    return [line for line in figure.axes[panel].get_lines() if line.get_gid() == gid]


def test_every_seat_has_a_mark_of_its_own_at_its_mean() -> None:
    made = several(2, (FOUR,))
    figure = charts("two")["seats.png"]
    marks = lines(figure, "seat")
    assert len({mark.get_marker() for mark in marks[:4]}) == 4
    assert len({mark.get_color() for mark in marks[:4]}) == 4
    means = [mean for entry in made.entries for mean in entry.seat_means]
    assert [float(mark.get_xdata()[0]) for mark in marks] == means
    spans = [tuple(line.get_xdata()) for line in lines(figure, "interval")]
    assert spans[0] == (made.entries[0].seat_lows[0], made.entries[0].seat_highs[0])
    names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert names == ["seat 0", "seat 1", "seat 2", "seat 3"]


def test_players_are_drawn_where_only_their_number_differs() -> None:
    rooms = (Room(3), Room(5), Room(3, hook=False), Room(5, hook=False))
    made = several(2, rooms)
    assert [group.title for group in players.groups(made)] == ["hook true", "hook false"]
    figure = drawn(lambda: players.draw(made))
    (first, _) = lines(figure, "line")
    assert list(first.get_xdata()) == [3, 5]
    assert list(first.get_ydata()) == [made.entries[0].points_mean, made.entries[2].points_mean]
    assert len({line.get_linestyle() for line in lines(figure, "line")}) == 2
    assert players.groups(several(2, (Room(3), Room(5, hook=False)))) == []
    assert players.groups(by_rank(made)) == [], "ranks of more players mean something else"


def test_an_entry_that_only_some_tables_have_is_no_trouble() -> None:
    made = make_standings([make_standing("a", 1.0, Room(3)), make_standing("b", 2.0, Room(4))])
    assert overlaps(drawn(lambda: players.draw(made))) == []
    assert overlaps(drawn(lambda: seats.draw(made))) == []
