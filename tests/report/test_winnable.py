"""The share of deals that can be won at all, beside an entry that sees the hidden cards."""

from __future__ import annotations

from dataclasses import replace

from sim.report.columns import Columns
from sim.report.winnable import of_winnable, seer, told
from sim.results import Results
from tests.report.make import make_entry, make_results


def results() -> Results:
    made = make_results([make_entry("a", 0.3), make_entry("b", 0.8), make_entry("c", 0.4)])
    entries = tuple(
        replace(entry, clairvoyant=entry.label == "b", params={}) for entry in made.entries
    )
    return replace(made, entries=entries)


def test_every_win_is_a_proof() -> None:
    """Of the deals that it or the seer won; worked out from the counts of a pair by hand."""
    made = results()
    (variant,) = made.variant_names()
    pair = next(one for one in made.pairs if {one.a, one.b} == {"a", "b"})
    won = pair.both + (pair.only_a if pair.a == "a" else pair.only_b)
    found = of_winnable(made, variant, made.entries)
    assert found[0] == won / (pair.deals - pair.neither)
    assert found[1] is None and seer(made, variant) == made.entries[1]


def test_the_rest_is_counted_both_ways() -> None:
    (sentence,) = told(results())
    entry = results().entries[1]
    assert f"won {entry.wins:,} of {entry.deals:,} deals, each a proof" in sentence
    assert f"between {100 * entry.win_rate_low:.4g} and 100 %" in sentence


def test_without_a_seer_nothing_is_said() -> None:
    made = make_results([make_entry("a", 0.3), make_entry("b", 0.8)])
    (variant,) = made.variant_names()
    assert told(made) == [] and Columns(made, variant).winnable("") == ()
