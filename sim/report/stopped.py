"""Where a run stopped that played until something was known, and what its bounds are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sim.report.document import Text
from sim.report.wording import comparisons
from sim.results import Results, Stop, Until


def ends(results: Results) -> Mapping[str, str]:
    """Return a sentence for each rules variant; none if the deals were fixed before."""
    until = results.until
    return (
        {stop.variant: f"{stop.variant}: {_ended(until, stop)}." for stop in until.stops}
        if until
        else {}
    )


def _ended(until: Until, stop: Stop) -> str:
    if stop.reached:
        why = until.words
    else:
        why = f"no more were allowed, and {comparisons(stop.open)} would need more"
    early = f" ({', '.join(stop.early)} stopped earlier)" if stop.early else ""
    return f"stopped after {stop.deals:,} deals: {why}{early}"


def bounds(until: Until) -> Iterator[Text]:
    """Yield what one must know to judge bounds that hold at every look."""
    yield (
        f"Rounds: after every {until.round:,} deals it was decided who plays on, until "
        f"{until.words}, or {until.at_most:,} deals were played. Clearly worse entries stopped "
        "early; their bounds are wider. Decisions are made on complete rounds in deal order, so "
        "they are the same for any number of workers.",
    )
    each = f"{100 * until.alpha:.2g} %"
    yield (
        f"Bounds: those of the {until.comparisons} differences aimed at hold all together and at "
        f"every look with a probability of 95 % (each misses in at most {each} of runs): Tango's "
        "score interval for differences of win rates, Wilson's for win rates and normal ones for "
        "the cards left, all at the critical value of an asymptotic confidence sequence "
        "(Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024), "
        f"narrowest at {until.tuned_for:,.0f} deals.",
    )
