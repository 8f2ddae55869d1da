"""The results as text: a CSV file, a page to read and a table for the terminal."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Sequence
from urllib.parse import quote

from sim.report.wording import (
    by_win_rate,
    deals_text,
    full_label,
    mean_span,
    mean_width,
    percent,
    rate_span,
    rate_width,
    table_places,
)
from sim.results import Entry, Results

TERMINAL_WIDTH = 80  # columns
_NOTE = (
    "The mean of the cards left counts a win as 0. Intervals are 95 % and pointwise: Wilson for "
    "win rates, normal for the mean of the cards left. Overlapping intervals settle nothing: all "
    "played the same deals, so a difference can be clear although the intervals overlap; and "
    "among many intervals a few miss the truth."
)


# --- summary.csv ---


def summary_csv(results: Results) -> str:
    """Return one row an entry, in the order of the config, floats unrounded.

    The columns of the rules are named `rules.<option>`, so that no option can clash with another
    column.
    """
    options = dict.fromkeys(option for entry in results.entries for option in entry.rules)
    rows = [_csv_row(entry, list(options)) for entry in results.entries]
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _csv_row(entry: Entry, options: Sequence[str]) -> dict[str, str]:
    rules = {f"rules.{name}": _exact(entry.rules.get(name, "")) for name in options}
    params = ";".join(f"{name}={_exact(value)}" for name, value in entry.params.items())
    numbers = {
        "deals": entry.deals,
        "wins": entry.wins,
        "win_rate": entry.win_rate,
        "win_rate_low": entry.win_rate_low,
        "win_rate_high": entry.win_rate_high,
        "leftover_mean": entry.leftover_mean,
        "leftover_low": entry.leftover_low,
        "leftover_high": entry.leftover_high,
        "turns_mean": entry.turns_mean,
    }
    names = {"label": entry.label, "strategy": entry.strategy, "params": params}
    exact = {name: _exact(number) for name, number in numbers.items()}
    return {**rules, **names, **exact, "digest": entry.digest}


def _exact(value: float | int | bool | str) -> str:
    """Return a value so that reading it gives it back to the last bit."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- report.md ---


def markdown(results: Results, charts: Sequence[str], reproduce: str) -> str:
    """Return the page to read; `charts` are file names beside it, `reproduce` is a command."""
    tables = [_md_table(results, variant) for variant in results.variant_names()]
    images = [f"![{_md(_caption(chart))}]({quote(chart)})" for chart in charts]
    parts = [f"# {_md(results.experiment)}", _question(results), *tables, _NOTE, *images]
    return "\n\n".join([*parts, *_method(results, reproduce)]) + "\n"


def _question(results: Results) -> str:
    count = len({entry.label for entry in results.entries})
    do, who, they = ("do", f"these {count} strategies", "they")
    if count == 1:
        do, who, they = ("does", "this strategy", "it")
    where = f"{_md(results.game)} over {deals_text(results.entries)}"
    return f"How often {do} {who} win at {where}, and how many cards {do} {they} leave?"


def _md_table(results: Results, variant: str) -> str:
    entries = results.of_variant(variant)
    rate, mean = table_places(entries, rate_width), table_places(entries, mean_width)
    lines = [
        f"## {_md(variant)}",
        "",
        "| strategy | won, % | 95 % interval | mean cards left | 95 % interval | mean turns |",
        "|:---|---:|:---:|---:|:---:|---:|",
    ]
    lines += [
        f"| {_md(full_label(results, entry))} "
        f"| {percent(entry.win_rate, rate)} | {rate_span(entry, rate)} "
        f"| {entry.leftover_mean:.{mean}f} | {mean_span(entry, mean)} "
        f"| {entry.turns_mean:.2f} |"
        for entry in by_win_rate(entries)
    ]
    return "\n".join(lines)


def _method(results: Results, reproduce: str) -> list[str]:
    versions = ", ".join(f"{name} {value}" for name, value in results.versions.items())
    bullets = [
        f"Deals: {deals_text(results.entries)}, counted from deal 0 of seed {results.seed}; "
        "deal k of a seed is the same whoever plays it.",
        f"Ties: among moves of equal score, `{results.ties}` (tie seed {results.tie_seed}).",
        f"Versions: {_md(versions)}.",
        f"Digest of all outcomes: `{results.digest}`.",
    ]
    return [
        "## Method",
        "\n".join(f"- {bullet}" for bullet in bullets),
        "The same numbers again, to the bit:",
        f"```sh\n{reproduce}\n```",
    ]


def _caption(chart: str) -> str:
    return chart.rsplit(".", 1)[0].replace("_", " ")


def _md(text: str) -> str:
    """Return text that Markdown shows as it is, on one line and inside a table cell."""
    line = " ".join(text.split())
    inside_word = r"(?<=[^\W_])_(?=[^\W_])"  # there it means nothing and reads better bare
    return re.sub(rf"{inside_word}|([\\`*_<\[\]|#$~&])", _escape, line)


def _escape(match: re.Match[str]) -> str:
    return f"\\{match[0]}" if match[1] else match[0]


# --- Terminal ---


def terminal(results: Results) -> str:
    """Return a small table for each rules variant, at most 80 columns wide."""
    blocks = [_terminal_table(results, variant) for variant in results.variant_names()]
    versions = ", ".join(f"{name} {value}" for name, value in results.versions.items())
    origin = f"seed {results.seed}, digest {results.digest[:12]}, {versions}"
    return "\n\n".join([*blocks, textwrap.fill(origin, TERMINAL_WIDTH)]) + "\n"


def _terminal_table(results: Results, variant: str) -> str:
    entries = by_win_rate(results.of_variant(variant))
    rate, mean = table_places(entries, rate_width), table_places(entries, mean_width)
    cells = [("won %", "95 % interval", "left", "95 % interval")]
    cells += [
        (
            percent(entry.win_rate, rate),
            rate_span(entry, rate),
            f"{entry.leftover_mean:.{mean}f}",
            mean_span(entry, mean),
        )
        for entry in entries
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numbers = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in cells
    ]
    room = TERMINAL_WIDTH - len(numbers[0]) - 4
    labels = ["", *(full_label(results, entry) for entry in entries)]
    width = max((len(label) for label in labels if len(label) <= room), default=0)
    title = f"{variant}, {deals_text(results.entries)}"
    return "\n".join([title, *map(_terminal_row, labels, numbers, [width] * len(labels))])


def _terminal_row(label: str, numbers: str, width: int) -> str:
    """A label too long for its column stands whole on a line of its own."""
    if len(label) > width:
        return f"  {label}\n  {'':{width}}  {numbers}"
    return f"  {label:{width}}  {numbers}"
