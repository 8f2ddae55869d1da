"""The results as text: a CSV file and a table for the terminal."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from sim.report.columns import Columns
from sim.report.stopped import ends
from sim.report.versus import SAME, against
from sim.report.wording import deals_text, full_label
from sim.results import Entry, Pair, Results

TERMINAL_WIDTH = 80  # columns


# --- summary.csv ---


def summary_csv(results: Results) -> str:
    """Return one row an entry, in the order of the config, floats unrounded.

    The columns of the rules are named `rules.<option>`, so that no option can clash with another
    column. The difference is that of the win rates, entry minus baseline; empty where there is
    none.
    """
    options = dict.fromkeys(option for entry in results.entries for option in entry.rules)
    found = against(results, results.baseline)
    run = {"seed": str(results.seed), "run_digest": results.digest}
    rows = [
        _csv_row(entry, found.get((entry.variant, entry.label)), list(options)) | run
        for entry in results.entries
    ]
    return as_csv(rows)


def as_csv(rows: Sequence[Mapping[str, str]]) -> str:
    """Return rows that all have the same columns as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _csv_row(entry: Entry, pair: Pair | None, options: Sequence[str]) -> dict[str, str]:
    rules = {f"rules.{name}": exact(entry.rules.get(name, "")) for name in options}
    params = ";".join(f"{name}={exact(value)}" for name, value in entry.params.items())
    numbers = {
        "deals": entry.deals,
        "wins": entry.wins,
        "win_rate": entry.win_rate,
        "win_rate_low": entry.win_rate_low,
        "win_rate_high": entry.win_rate_high,
        "rank_low": entry.rank[0],
        "rank_high": entry.rank[1],
        "difference": "" if pair is None else pair.difference,
        "difference_low": "" if pair is None else pair.low,
        "difference_high": "" if pair is None else pair.high,
        "p_holm": "" if pair is None else pair.p_holm,
        "leftover_mean": entry.leftover_mean,
        "leftover_low": entry.leftover_low,
        "leftover_high": entry.leftover_high,
        "turns_mean": entry.turns_mean,
    }
    names = {"label": entry.label, "strategy": entry.strategy, "params": params}
    told = {name: exact(number) for name, number in numbers.items()}
    return {**rules, **names, **told, "digest": entry.digest}


def exact(value: Any) -> str:
    """Return a value so that reading it gives it back to the last bit."""
    if isinstance(value, Mapping):
        own = ",".join(f"{name}={exact(one)}" for name, one in value.items() if name != "use")
        return f"{value['use']}({own})"
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- Terminal ---


def terminal(results: Results) -> str:
    """Return a small table for each rules variant, at most 80 columns wide."""
    blocks = [_terminal_table(results, variant) for variant in results.variant_names()]
    versions = ", ".join(f"{name} {value}" for name, value in results.versions.items())
    origin = f"seed {results.seed}, {versions}, digest {results.digest}"
    notes = [f"{_SEPARATED} {_INTERVALS[results.until is not None]}"] if results.pairs else []
    texts = [textwrap.fill(text, TERMINAL_WIDTH) for text in (*notes, origin)]
    stops = [textwrap.fill(text, TERMINAL_WIDTH) for text in ends(results).values()]
    return "\n\n".join([*blocks, *stops, *texts]) + "\n"


_SEPARATED = (
    "Gain: points of the win rate over the baseline on the same deals. "
    f'"{SAME}": not separated from it (Holm over all pairs of a table). A rank such as 2–4: the '
    "places left open."
)
_INTERVALS = ("Intervals are pointwise.", "All bounds of differences hold together, at every look.")


def _terminal_table(results: Results, variant: str) -> str:
    columns = Columns(results, variant)
    named = "" if columns.against_baseline else results.baseline  # else its row says "baseline"
    return terminal_table(
        f"{variant}, {deals_text(results.of_variant(variant))}",
        [full_label(results, entry, named) for entry in columns.entries],
        _terminal_columns(columns),
    )


def terminal_table(title: str, labels: Sequence[str], columns: Sequence[tuple[str, ...]]) -> str:
    """Return a table: a label in front of each row, and columns of numbers under their heads."""
    cells = list(zip(*columns, strict=True))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numbers = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in cells
    ]
    room = TERMINAL_WIDTH - len(numbers[0]) - 4
    named = ["", *labels]
    width = max((len(label) for label in named if len(label) <= room), default=0)
    return "\n".join([title, *map(_terminal_row, named, numbers, [width] * len(named))])


def _terminal_columns(columns: Columns) -> list[tuple[str, ...]]:
    """Head and cells of each column; the cards left have their interval where there is room."""
    span = columns.interval
    rates = [("won %", *columns.rates()), (span, *columns.rate_spans())]
    if not columns.compared:
        return [*rates, ("left", *columns.means()), (span, *columns.mean_spans())]
    found = [("rank", *columns.ranks()), *rates]
    if winnable := columns.winnable(""):
        found.append(("% of winnable", *winnable))
    if columns.against_baseline:
        found.append(("gain", *columns.differences("")))
        found.append((span, *columns.difference_spans("baseline")))
    return [*found, ("left", *columns.means(most_decimals=2))]


def _terminal_row(label: str, numbers: str, width: int) -> str:
    """A label too long for its column stands whole on a line of its own."""
    if len(label) > width:
        return f"  {label}\n  {'':{width}}  {numbers}"
    return f"  {label:{width}}  {numbers}"
