"""The page of a tournament: what it says, built once and written as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from sim.report.document import Block, Bullets, Code, Document, Image, Section, Table, said
from sim.report.page import AGAIN
from sim.report.squares import letters
from sim.report.tournament.columns import INTERVAL, Columns
from sim.report.tournament.meetings import bare_places, both_ways, mark, unit
from sim.report.tournament.method import method
from sim.report.tournament.verdict import verdict, warnings
from sim.report.tournament.words import Span, decimals_of, ends, full_label, has_points, number
from sim.report.versus import SAME
from sim.report.wording import deals_text, signed
from sim.standings import Standings


def page(standings: Standings, images: Sequence[Image], reproduce: str, question: str) -> Document:
    """Return the whole page.

    Args:
        standings: all that is said and counted.
        images: the charts, the most telling first.
        reproduce: the command that makes the same numbers.
        question: what the experiment asks, in the words of its config; "" if it has none.
    """
    asked = said(_asked(standings))
    charts = {image.file: image for image in images}
    lead = (images[0].file,) if images else ()

    def shown(file: str) -> tuple[Block, ...]:
        return (charts[file],) if file in charts and file not in lead else ()

    sections = (
        Section("Verdict", (*verdict(standings), *(charts[file] for file in lead))),
        Section("Results", (*_results(standings), *shown("places.png"))),
        Section("Pairs", (*shown("pairs.png"), *_pairs(standings))),
        Section("Ratings", (*_ratings(standings), *shown("ratings.png"))),
        Section("Seats", (*shown("seats.png"), *_seats(standings))),
        Section("Players", shown("players.png")),
        Section("Method", (Bullets(tuple(method(standings))),)),
        Section("Play it again", (said(AGAIN), Code(reproduce))),
    )
    return Document(
        standings.experiment,
        (said(question), asked) if question else (asked,),
        tuple(part for part in sections if part.blocks),
    )


def _asked(standings: Standings) -> str:
    """The question that every tournament asks."""
    count = len({entry.label for entry in standings.entries})
    what = "scores most" if has_points(standings) else "ends best"
    who = "this player" if count == 1 else f"these {count} players"
    return (
        f"Who of {who} {what} at {standings.game} over {deals_text(standings.entries)}, every deal "
        "played from every seat, and how sure is that?"
    )


# --- Tables ---


def _results(standings: Standings) -> tuple[Block, ...]:
    tables = [_table(standings, variant) for variant in standings.variant_names()]
    if not tables:
        return ()
    note = "Numbers are means per game; first: share of the first places."
    if standings.pairs:
        note += (
            f" Lead: {unit(standings)} per game over the baseline on the same deals; “{SAME}”: not "
            "separated from it. A place such as 2–4 is the range that the evidence leaves open."
        )
    return (*tables, said(note))


def _table(standings: Standings, variant: str) -> Table:
    columns = Columns(standings, variant)
    found = [("player", tuple(full_label(standings, entry) for entry in columns.entries))]
    if columns.compared:
        found.append(("place", columns.places()))
    if has_points(standings):
        found += zip(("points", INTERVAL), columns.points(), strict=True)
    if columns.against_baseline:
        found += [(f"lead, {unit(standings)}", columns.differences())]
        found += [(INTERVAL, columns.difference_spans())]
    found += zip(("first, %", INTERVAL), columns.firsts(), strict=True)
    found += zip(("mean rank", INTERVAL), columns.ranks(), strict=True)
    if columns.ratings()[0]:
        found += zip(("rating", INTERVAL), columns.ratings(), strict=True)
    found.append(("games", tuple(f"{entry.games:,}" for entry in columns.entries)))
    return _of_columns(variant, found)


def _of_columns(title: str, columns: Sequence[tuple[str, tuple[str, ...]]]) -> Table:
    rows = zip(*(cells for _, cells in columns), strict=True)
    return Table(title, tuple(head for head, _ in columns), tuple(rows))


def _pairs(standings: Standings) -> tuple[Block, ...]:
    """Everybody against everybody, as a table of differences."""
    if not standings.pairs:
        return ()
    row = "row minus column" if has_points(standings) else "column minus row, so more is better"
    note = (
        f"Differences in {unit(standings)} per game, {row}; “{SAME}”: not separated; blank: not "
        "compared. Intervals, p-values and how often one ended ahead of the other stand in "
        "results.json."
    )
    variants = dict.fromkeys(pair.variant for pair in standings.pairs)
    return (*(_pair_table(standings, variant) for variant in variants), said(note))


def _pair_table(standings: Standings, variant: str) -> Table:
    labels, pairs = Columns(standings, variant).labels, both_ways(standings, variant)
    decimals, names = bare_places(pairs.values()), letters(len(labels))

    def cell(a: str, b: str) -> str:
        one = pairs.get((a, b))
        if one is None:
            return ""
        return f"{mark(one)} {signed(one.difference, decimals)}".strip()

    rows = tuple(
        (f"{name} {a}", *(cell(a, b) for b in labels))
        for name, a in zip(names, labels, strict=True)
    )
    return Table(f"{variant}, pairs", ("player", *names), rows)


def _ratings(standings: Standings) -> tuple[Block, ...]:
    """What the ratings mean, and where not to trust them."""
    if not standings.ratings:
        return ()
    drawn = f"{standings.prior:g} game" + ("" if standings.prior == 1 else "s")
    meaning = (
        "A rating sums up all games of a variant in one number: the strengths that make it "
        "likeliest who ended ahead of whom, by one fit over all pairs of all games (Bradley and "
        "Terry), a tie half a win for both. 400 points more are odds of ten to one to end ahead; 0 "
        f"is the mean of all. Everybody is taken to have drawn {drawn} with an average player, so "
        "that who never lost has a rating too. Intervals are from "
        f"{standings.resamples:,} resamples of the deals. The pairs above tell more."
    )
    names = standings.variant_names()
    found = [warning for variant in names for warning in warnings(standings, variant)]
    return (said(meaning), *map(said, found))


def _seats(standings: Standings) -> tuple[Block, ...]:
    """The mean points at each seat, a table a variant."""
    if not has_points(standings):
        return ()
    return tuple(_seat_table(standings, variant) for variant in standings.variant_names())


def _seat_table(standings: Standings, variant: str) -> Table:
    entries = Columns(standings, variant).entries
    spans = {
        entry.label: tuple(map(Span, entry.seat_means, entry.seat_lows, entry.seat_highs))
        for entry in entries
    }
    decimals = decimals_of([span for own in spans.values() for span in own]) + 1
    rows = tuple(
        (label, *(f"{number(span.value, decimals)} ({ends(span, decimals)})" for span in own))
        for label, own in spans.items()
    )
    seats = [f"seat {seat}, {INTERVAL}" for seat in range(entries[0].seats)]
    return Table(f"{variant}, points at each seat", ("player", *seats), rows)
