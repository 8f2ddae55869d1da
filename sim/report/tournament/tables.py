"""The standings as text: a CSV file and a table for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from sim.report.tables import TERMINAL_WIDTH, as_csv, exact, terminal_table
from sim.report.tournament.columns import INTERVAL, Columns
from sim.report.tournament.meetings import both_ways, unit
from sim.report.tournament.verdict import warnings
from sim.report.tournament.words import full_label, has_points
from sim.report.versus import SAME
from sim.report.wording import deals_text
from sim.standings import Standing, Standings

# --- summary.csv ---


def summary_csv(standings: Standings) -> str:
    """Return one row an entry, in the order of the config, floats unrounded.

    The columns of the rules are named `rules.<option>`, those of a seat `seat_<number>`. The
    difference is entry minus baseline per game, of points or, where only ranks count, of ranks the
    other way round; empty where there is none.
    """
    options = list(dict.fromkeys(name for entry in standings.entries for name in entry.rules))
    run = {"seed": str(standings.seed), "run_digest": standings.digest}
    most = max((len(entry.seat_means) for entry in standings.entries), default=0)
    return as_csv(
        [
            {
                **{f"rules.{name}": exact(entry.rules.get(name, "")) for name in options},
                "seats": exact(entry.seats),
                "label": entry.label,
                "parts": ";".join(f"{what}={exact(part)}" for what, part in entry.parts.items()),
                **_numbers(entry),
                **_compared(standings, entry),
                **_at_seats(entry, most),
                **run,
            }
            for entry in standings.entries
        ]
    )


_NUMBERS = (
    *("deals", "games", "points_mean", "points_low", "points_high"),
    *("first_share", "first_low", "first_high", "rank_mean", "rank_low", "rank_high"),
)


def _numbers(entry: Standing) -> dict[str, str]:
    found = {name: exact(getattr(entry, name)) for name in _NUMBERS}
    return found | {"place_low": exact(entry.place[0]), "place_high": exact(entry.place[1])}


def _compared(standings: Standings, entry: Standing) -> dict[str, str]:
    lead = both_ways(standings, entry.variant).get((entry.label, standings.baseline))
    rated = {(one.variant, one.label): one for one in standings.ratings}
    rating = rated.get((entry.variant, entry.label))
    found = {
        "difference": lead and lead.difference,
        "difference_low": lead and lead.low,
        "difference_high": lead and lead.high,
        "p_holm": lead and lead.p_holm,
        "rating": rating and rating.rating,
        "rating_low": rating and rating.low,
        "rating_high": rating and rating.high,
    }
    return {name: "" if number is None else exact(number) for name, number in found.items()}


def _at_seats(entry: Standing, most: int) -> dict[str, str]:
    found = {}
    for seat in range(most):
        own = seat < len(entry.seat_means)
        found[f"seat_{seat}"] = exact(entry.seat_means[seat]) if own else ""
        found[f"seat_{seat}_low"] = exact(entry.seat_lows[seat]) if own else ""
        found[f"seat_{seat}_high"] = exact(entry.seat_highs[seat]) if own else ""
    return found


# --- Terminal ---


def terminal(standings: Standings) -> str:
    """Return a small table for each variant, at most 80 columns wide."""
    names = standings.variant_names()
    tables = [_table(standings, variant) for variant in names]
    versions = ", ".join(f"{name} {value}" for name, value in standings.versions.items())
    texts = [warning for variant in names for warning in warnings(standings, variant)]
    texts += [_note(standings)] if standings.pairs else []
    texts.append(f"seed {standings.seed}, {versions}, digest {standings.digest}")
    return "\n\n".join([*tables, *(textwrap.fill(text, TERMINAL_WIDTH) for text in texts)]) + "\n"


def _note(standings: Standings) -> str:
    return (
        f"Lead: {unit(standings)} a game over the baseline on the same deals. "
        f'"{SAME}": not separated from it (Holm over all pairs of a table). A place such as 2–4: '
        "the places left open. Intervals are pointwise."
    )


def _table(standings: Standings, variant: str) -> str:
    columns = Columns(standings, variant)
    named = "" if columns.against_baseline else standings.baseline  # else its row says "baseline"
    return terminal_table(
        f"{variant}, {deals_text(columns.entries)}",
        [full_label(standings, entry, named) for entry in columns.entries],
        _columns(standings, columns),
    )


def _columns(standings: Standings, columns: Columns) -> Sequence[tuple[str, ...]]:
    main = columns.points() if has_points(standings) else columns.ranks()
    name = "points" if has_points(standings) else "mean rank"
    found = [(name, *main[0]), (INTERVAL, *main[1]), ("first %", *columns.firsts()[0])]
    if columns.compared:
        found.insert(0, ("place", *columns.places()))
    if columns.against_baseline:
        found.append(("lead", *columns.differences("baseline")))
    if rated := columns.ratings()[0]:
        found.append(("rating", *rated))
    return found
