"""`points.png` and `places.png`: what every entry scores, and where it ends."""

from __future__ import annotations

from matplotlib.figure import Figure

from sim.report import style
from sim.report.rows import Column
from sim.report.tournament import dots
from sim.report.tournament.words import by_rank, firsts, in_order, points, ranks, texts
from sim.report.wording import deals_text
from sim.standings import Standings


def draw_points(standings: Standings) -> Figure:
    """Draw the mean points per game, best on top, with the share of first places beside them."""
    groups = [in_order(standings, variant) for variant in standings.variant_names()]
    return dots.draw(
        standings,
        [dots.dots_of(standings, entries, points) for entries in groups],
        (
            Column(
                "points (95 % interval)",
                tuple(texts([points(entry) for entry in entries]) for entries in groups),
            ),
            Column(
                "first",
                tuple(tuple(f"{firsts(e).value:.1f} %" for e in entries) for entries in groups),
                style.SMALL,
                style.QUIET,
            ),
        ),
        title=f"Points per game over {deals_text(standings.entries)}",
        subtitle="Dot: mean points per game. Bar, where wider than the dot: 95 % interval. "
        "First: share of the first places.",
        axis_label="mean points per game",
    )


def draw_places(standings: Standings) -> Figure:
    """Draw the mean rank of every entry, best on top, and its share of first places."""
    groups = [by_rank(standings, variant) for variant in standings.variant_names()]
    return dots.draw(
        standings,
        [
            dots.dots_of(standings, entries, ranks, even=(entries[0].seats + 1) / 2)
            for entries in groups
        ],
        (
            Column(
                "rank (95 % interval)",
                tuple(texts([ranks(entry) for entry in entries]) for entries in groups),
            ),
            Column(
                "first (95 % interval)",
                tuple(texts([firsts(entry) for entry in entries], " %") for entries in groups),
                style.SMALL,
                style.QUIET,
            ),
        ),
        title=f"Rank at the end of a game over {deals_text(standings.entries)}",
        subtitle="Dot: mean rank; 1 is first, who tie share the mean of their ranks. Bar, where "
        "wider than the dot: 95 % interval. Thin line: the mean rank of all at the table. First: "
        "share of the first places.",
        axis_label="mean rank (1 = best)",
        least=1.0,
    )
