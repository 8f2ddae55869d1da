"""Counters made from plain numbers, for results that `tests.report.make` has made."""

from __future__ import annotations

from dataclasses import replace

from sim.results import Counted, Entry, Meaning, Results

KINDS = ("sweep", "pick", "never")
TURNS = 6  # of the longest game

MEANINGS = (
    Meaning("kinds", KINDS, "turns", "Kinds: the share of the turns."),
    Meaning("cleared", KINDS, "kinds", "Behind it: cards a use."),
    Meaning("jammed", ("door jammed",), "deals", "Jammed: the share of the deals."),
    Meaning("pace", ("lost", "won"), "deals", "Cards left."),
)


def counted(entry: Entry) -> Counted:
    """Return counters of an entry: a third of its wins is over after turn 5, all else after 6."""
    deals, wins = entry.deals, entry.wins
    early = wins // 3
    turns = TURNS * deals - early
    pace = (
        ((), *(spread(deals - wins, 36 - 5 * turn) for turn in range(1, TURNS + 1))),
        (
            (),
            *(spread(wins, 32 - 6 * turn) for turn in range(1, TURNS - 1)),
            (early, wins - early) if wins else (),
            (wins - early,) if wins else (),
        ),
    )
    counts = {
        "kinds": (turns // 4, turns - turns // 4, 0),
        "cleared": (3 * (turns // 4), turns - turns // 4, 0),
        "jammed": (deals // 1000,),
        "pace": pace,
    }
    return Counted(deals, turns, counts)


def spread(deals: int, middle: int) -> tuple[int, ...]:
    """Return counts of cards left: half of the deals at the middle, the others a card beside it."""
    fewer = deals // 4
    more = deals - fewer - deals // 2
    return (*[0] * (middle - 1), fewer, deals // 2, more) if deals else ()


def with_counts(results: Results) -> Results:
    """Return results whose entries are counted."""
    entries = tuple(replace(entry, counted=counted(entry)) for entry in results.entries)
    return replace(results, entries=entries, counters=MEANINGS, pace="pace")
