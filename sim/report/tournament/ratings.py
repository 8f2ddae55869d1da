"""`ratings.png`: the strength behind all games of a variant, with a warning where it misleads."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from sim.report.rows import Column
from sim.report.tournament import dots
from sim.report.tournament.dots import Dots, panel_of
from sim.report.tournament.words import around, of_rating, ratings_of, texts
from sim.report.wording import deals_text
from sim.standings import Standings

MOST_CIRCLES = 2  # named below a title; of more, the first


def draw(standings: Standings) -> Figure:
    """Draw the rating of every entry, highest on top; 0 is the mean of all."""
    variants = [name for name in standings.variant_names() if ratings_of(standings, name)]
    parts = [_part(standings, variant) for variant in variants]
    return dots.draw(
        standings,
        parts,
        (Column("rating (95 % interval)", tuple(texts(part.spans) for part in parts)),),
        title=f"Ratings from all games of {deals_text(standings.entries)}",
        subtitle=" ".join(
            [
                "Dot: rating; 400 points more are odds of ten to one to end ahead, 0 is the mean "
                "of all. Bar, where wider than the dot: 95 % interval.",
                *warning(standings),
            ]
        ),
        axis_label="rating",
    )


def _part(standings: Standings, variant: str) -> Dots:
    found = ratings_of(standings, variant)
    named = {entry.label: entry for entry in standings.of_variant(variant)}
    panel = panel_of(standings, [named[rating.label] for rating in found])
    intransitive = any(circle.variant == variant for circle in standings.circles)
    if intransitive:
        panel = replace(panel, title=f"{variant} (intransitive)")
    return Dots(panel, tuple(map(of_rating, found)), even=0.0)


def warning(standings: Standings) -> list[str]:
    """Return the sentence that warns of ratings where players beat each other in a circle."""
    if not standings.circles:
        return []
    named = [f"at {one.variant}, {around(one)}" for one in standings.circles[:MOST_CIRCLES]]
    more = len(standings.circles) - len(named)
    rest = f"; and in {more} more circles" if more else ""
    return [
        f"Warning: no one number says who is better where players stand in a circle ("
        f"{'; '.join(named)}{rest}). Look at the pairs."
    ]
