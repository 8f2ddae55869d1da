"""The page of a report: what it says, built once and written as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from sim.report.bands import CHART as PACE
from sim.report.columns import Columns
from sim.report.counts import counts_told
from sim.report.document import (
    Block,
    Bullets,
    Code,
    Document,
    Image,
    Section,
    Table,
    said,
)
from sim.report.effects_told import effects_told
from sim.report.ladder import way_texts
from sim.report.method import method
from sim.report.strength import strength_told
from sim.report.tips import CHART as EFFECTS
from sim.report.verdict import verdict
from sim.report.versus import (
    SAME,
    left_mark,
    left_places,
    left_span,
    turned,
    win_mark,
    win_places,
    win_span,
)
from sim.report.wording import deals_text, full_label, interval, signed
from sim.results import Change, Results

_NONE = "–"
AGAIN = "This command makes the same numbers, to the bit:"


def page(results: Results, images: Sequence[Image], reproduce: str, question: str) -> Document:
    """Return the whole page.

    Args:
        results: all that is said and counted.
        images: the charts, the most telling first.
        reproduce: the command that makes the same numbers.
        question: what the experiment asks, in the words of its config; "" if it has none.
    """
    lead = (said(question), said(_asked(results))) if question else (said(_asked(results)),)
    effects = [image for image in images if image.file == EFFECTS]
    pace = [image for image in images if image.file == PACE]
    others = [image for image in images if image.file not in (EFFECTS, PACE)]
    first = [] if effects else others[:1]  # the chart of the effects tells more
    sections = (
        Section("Verdict", (*verdict(results), *first)),
        Section("How strongly", strength_told(results)),
        Section("What each tip does", effects_told(results, effects)),
        Section("Results", _results(results)),
        Section("Charts", tuple(others[len(first) :])),
        Section("How they play", counts_told(results, pace)),
        Section("What the rules change", _changes(results)),
        Section("Method", (Bullets(tuple(method(results))),)),
        Section(
            "Play it again",
            (said(AGAIN), Code(reproduce)),
        ),
    )
    return Document(results.experiment, lead, tuple(part for part in sections if part.blocks))


def _asked(results: Results) -> str:
    """The question that every experiment asks."""
    count = len({entry.label for entry in results.entries})
    do, who, they = ("do", f"these {count} strategies", "they")
    if count == 1:
        do, who, they = ("does", "this strategy", "it")
    chosen = ", chosen ones" if results.deal_set else ""
    where = f"{results.game} over {deals_text(results.entries)}{chosen}"
    return f"How often {do} {who} win at {where}, and how many cards {do} {they} leave?"


# --- Tables ---


def _results(results: Results) -> tuple[Block, ...]:
    tables = [_table(results, variant) for variant in results.variant_names()]
    if not tables:
        return ()
    note = "The mean of the cards left counts a win as 0."
    if results.pairs:
        note += (
            f" Gain: points of the win rate over the baseline on the same deals; “{SAME}”: not "
            "separated from it. A rank such as 2–4 is the range of places the evidence leaves open."
        )
    return (*tables, said(note))


def _table(results: Results, variant: str) -> Table:
    columns = Columns(results, variant)
    ends = columns.interval
    head = ["strategy", "won, %", ends, "mean cards left", ends, "mean turns"]
    cells = [
        tuple(full_label(results, entry) for entry in columns.entries),
        columns.rates(),
        columns.rate_spans(),
        columns.means(),
        columns.mean_spans(),
        columns.turns(),
    ]
    if columns.against_baseline:
        head[3:3] = ["gain, points", ends]
        cells[3:3] = [columns.differences(_NONE), columns.difference_spans(_NONE)]
    if results.ladder is not None:
        head.append("of the way, 95 % interval")
        cells.append(way_texts(results.ladder, columns.entries))
    if winnable := columns.winnable(_NONE):
        head[3:3], cells[3:3] = ["of winnable, %"], [winnable]
    if columns.compared:
        head.insert(1, "rank")
        cells.insert(1, columns.ranks())
    return Table(variant, tuple(head), tuple(zip(*cells, strict=True)))


def _changes(results: Results) -> tuple[Block, ...]:
    """The same strategy under two rules variants, a table for each two."""
    steps = dict.fromkeys((change.a, change.b) for change in results.variants)
    tables = [_change_table(results, *step) for step in steps]
    if not tables:
        return ()
    note = (
        "Each strategy against itself on the same deals under other rules, so that nothing but the "
        f"rules differs. “{SAME}”: not separated (Holm over the rules variants of one strategy)."
    )
    return (said(note), *tables)


def _change_table(results: Results, a: str, b: str) -> Table:
    changes = [turned(change) for change in results.variants if (change.a, change.b) == (a, b)]
    changes.sort(key=lambda change: -change.difference)
    win, left = win_places(changes), left_places(changes)
    ends = interval(results)
    head = ("strategy", "change, points", ends, "change, cards left", ends)
    rows = tuple(_change_row(results, change, win, left) for change in changes)
    return Table(f"From {a} to {b}", head, rows)


def _change_row(results: Results, change: Change, win: int, left: int) -> tuple[str, ...]:
    """A difference of the later rules minus the earlier ones."""
    return (
        change.label,
        f"{win_mark(change)} {signed(100 * change.difference, win)}".strip(),
        win_span(change, win),
        f"{left_mark(change)} {signed(change.leftover_difference, left)}".strip(),
        left_span(change, left),
    )
