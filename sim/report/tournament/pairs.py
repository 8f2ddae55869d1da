"""`pairs.png`: every two entries that can be compared, one panel a variant.

A square of cells or, for many entries, the places that the evidence leaves to each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.figure import Figure

from sim.report import squares, standing, style
from sim.report.rows import Chart, Column, Panel
from sim.report.squares import Cell, Square, letters
from sim.report.tournament.dots import panel_of
from sim.report.tournament.meetings import bare_places, both_ways, lead_texts, unit
from sim.report.tournament.words import has_points, in_order
from sim.report.versus import SAME
from sim.report.wording import deals_text, places_text
from sim.standings import Meeting, Standing, Standings

_PITCH = 0.28  # inches a row of places

Groups = Sequence[Sequence[Standing]]  # of each variant, best first


def compared(standings: Standings) -> list[str]:
    """Return the variants in which anybody is compared with anybody."""
    found = {meeting.variant for meeting in standings.pairs}
    return [variant for variant in standings.variant_names() if variant in found]


def is_square(standings: Standings) -> bool:
    """Return whether all pairs are drawn, and not only the places of the entries."""
    most = max(len(standings.of_variant(variant)) for variant in compared(standings))
    return most <= squares.MOST_CELLS


def draw(standings: Standings) -> Figure:
    """Draw the differences per game of all pairs, or for many entries where each stands."""
    groups = [in_order(standings, variant) for variant in compared(standings)]
    return _cells(standings, groups) if is_square(standings) else _places(standings, groups)


def _place_column(groups: Groups) -> Column:
    return Column("place", tuple(tuple(places_text(*e.place) for e in group) for group in groups))


# --- Cells ---


def _cells(standings: Standings, groups: Groups) -> Figure:
    decimals = bare_places(standings.pairs)
    found = [_square(standings, entries, decimals) for entries in groups]
    width, aside = squares.room(found)
    what = "Points per game of the row minus the column's"
    more, best = "scores more; orange: less", "Highest mean"
    if not has_points(standings):
        what = "Mean rank of the column minus the row's"
        more, best = "ends better; orange: worse", "Best mean rank"
    chart = Chart(
        results=standings,
        panels=tuple(_tagged(standings, entries) for entries in groups),
        columns=(_place_column(groups),),
        title=f"Every entry against every other on {deals_text(standings.entries)}",
        subtitle=f"{what}, on the same deals. Purple: the row {more}; “{SAME}”: not separated "
        f"(Holm over all pairs of the panel); blank: not compared. {best} on top and at the left.",
        axis_label="",
        plot_width=width,
        aside=aside,
    )
    return squares.drawn(chart, found)


def _tagged(standings: Standings, entries: Sequence[Standing]) -> Panel:
    """The rows, the letter of its column behind each label."""
    return panel_of(standings, entries, squares.PITCH, letters(len(entries)))


def _square(standings: Standings, entries: Sequence[Standing], decimals: int) -> Square:
    cells = {
        labels: Cell(meeting.difference, meeting.separated)
        for labels, meeting in both_ways(standings, entries[0].variant).items()
    }
    return Square([entry.label for entry in entries], cells, decimals)


# --- Places ---


def _places(standings: Standings, groups: Groups) -> Figure:
    panels = tuple(panel_of(standings, entries, _PITCH) for entries in groups)
    by = "points" if has_points(standings) else "mean rank"
    chart = Chart(
        results=standings,
        panels=panels,
        columns=(
            _place_column(groups),
            Column(
                f"{unit(standings)} over the next (95 % interval)",
                tuple(_over_the_next(standings, entries) for entries in groups),
                style.SMALL,
                style.QUIET,
            ),
        ),
        title=f"Who is separated from whom on {deals_text(standings.entries)}",
        subtitle=f"Dot: place by {by}. Bar: the places left open by the entries it is not "
        "separated from (Holm over all pairs of the panel); without a bar the place is settled. "
        f"“{SAME}”: not separated from the next.",
        axis_label=f"place by {by} (1 = best)",
        plot_width=3.4,
    )
    figure, axes = chart.begin()
    for ax, part, entries in zip(axes, panels, groups, strict=True):
        standing.ranges(ax, part, [entry.place for entry in entries])
    return figure


def _over_the_next(standings: Standings, entries: Sequence[Standing]) -> tuple[str, ...]:
    """How far each is above the next; nothing for the last and where two were not compared."""
    pairs = both_ways(standings, entries[0].variant)
    found: list[Meeting | None] = [pairs.get((a.label, b.label)) for a, b in pairwise(entries)]
    said = iter(lead_texts([one for one in found if one is not None]))
    return (*("" if one is None else next(said) for one in found), "")
