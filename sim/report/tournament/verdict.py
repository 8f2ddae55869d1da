"""What came out of a tournament, in sentences made from the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sim.report.document import Bullets, Paragraph, said
from sim.report.tournament.meetings import (
    both_ways,
    lead_places,
    lead_span,
    leads,
    size_text,
    turned,
    unit,
)
from sim.report.tournament.words import (
    around,
    circles_of,
    decimals_of,
    ends,
    has_points,
    in_order,
    number,
    points,
    ranks,
)
from sim.report.verdict import MOST_NAMES, MOST_SENTENCES
from sim.report.wording import listed, signed
from sim.standings import Meeting, Standing, Standings


def verdict(standings: Standings) -> tuple[Paragraph | Bullets, ...]:
    """Return for each variant who is best, as far as it is known, and who leads the baseline."""
    blocks: list[Paragraph | Bullets] = []
    for variant in standings.variant_names():
        blocks.append(said(best(standings, variant)))
        blocks += [said(sentence) for sentence in warnings(standings, variant)]
        if items := tuple((item,) for item in _against_baseline(standings, variant)):
            blocks.append(Bullets(items))
    return tuple(blocks)


# --- Who is best ---


def best(standings: Standings, variant: str) -> str:
    """Return a sentence on the best entry of a variant, or on those that may be it."""
    entries = in_order(standings, variant)
    highest = f"The best mean is that of {named([entries[0]])}, {amount(standings, entries[0])}."
    if len(entries) == 1:
        return f"At {variant}, {named(entries)} has {amount(standings, entries[0])}."
    if not both_ways(standings, variant):
        return f"At {variant}, no two can be compared. {highest}"
    top = [entry for entry in entries if entry.place[0] == 1]
    if not top:
        return f"At {variant}, nobody is best: everybody has somebody separated above. {highest}"
    if len(top) == 1 and top[0].place == (1, 1):
        return _alone(standings, top[0], next(one for one in entries if one is not top[0]))
    if len(top) == 1:
        return (
            f"At {variant}, nobody is separated above {named(top)}, but it is not separated from "
            f"all others either. {highest}"
        )
    return (
        f"At {variant}, {named(top)} share the first place: nobody is separated above them, and "
        f"they are not separated from each other. {highest}"
    )


def _alone(standings: Standings, first: Standing, second: Standing) -> str:
    lead = both_ways(standings, first.variant)[first.label, second.label]
    return (
        f"At {first.variant}, {named([first])} is best, separated above every other: "
        f"{amount(standings, first)}, {size_text(standings, lead)} better than the next, "
        f"{second.label}."
    )


def amount(standings: Standings, entry: Standing) -> str:
    """Return "34.0 points a game (33.6 to 34.4)", or the mean rank where there are none."""
    scored = has_points(standings)
    span = points(entry) if scored else ranks(entry)
    decimals = max(1, decimals_of([span]))
    value, within = number(span.value, decimals), ends(span, decimals).replace("–", " to ")
    return f"{value} points a game ({within})" if scored else f"a mean rank of {value} ({within})"


def named(entries: Sequence[Standing]) -> str:
    """Return the labels of entries as one would say them; of many, the first."""
    names = [entry.label + (" (sees hidden cards)" * entry.clairvoyant) for entry in entries]
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} others"]
    return listed(names)


def warnings(standings: Standings, variant: str) -> Iterator[str]:
    """Yield a sentence for each circle of a variant."""
    for circle in circles_of(standings, variant):
        yield (
            f"Warning: pairs go in a circle at {variant}: {around(circle)}, each separated. No one "
            "number says who of these is better, neither mean nor rating: read the pairs."
        )


# --- Against the baseline ---


def _against_baseline(standings: Standings, variant: str) -> Iterator[str]:
    """Yield leads, what cannot be told apart, and what is behind, from the largest lead down."""
    found = leads(standings, variant)
    ahead = [one for one in found if one.separated and one.difference > 0]
    same = [one for one in found if not one.separated]
    behind = [one for one in found if one.separated and one.difference < 0]
    yield from _kind(standings, ahead, _ahead, "are ahead of")
    yield from _kind(standings, same, _tie, "cannot be told apart from")
    yield from reversed([*_kind(standings, behind[::-1], _behind, "are behind")])


def _kind(
    standings: Standings,
    found: list[Meeting],
    sentence: Callable[[Standings, Meeting], str],
    verb: str,
) -> Iterator[str]:
    """Yield a sentence for each, or for the first of many and one that sums up the rest."""
    shown = found if len(found) <= MOST_SENTENCES else found[: MOST_SENTENCES - 1]
    yield from (sentence(standings, one) for one in shown)
    if rest := found[len(shown) :]:
        decimals = lead_places(rest)
        least, most = sorted(abs(one.difference) for one in (rest[0], rest[-1]))
        size = f"by {least:.{decimals}f} to {most:.{decimals}f} {unit(standings)} a game"
        yield f"{len(rest)} others {verb} {rest[0].b} at {rest[0].variant}" + (
            f" {size}." if rest[0].separated else " either."
        )


def _ahead(standings: Standings, one: Meeting) -> str:
    return f"{one.a} is ahead of {one.b} at {one.variant} by {size_text(standings, one)}."


def _behind(standings: Standings, one: Meeting) -> str:
    return f"{one.a} is behind {one.b} at {one.variant} by {size_text(standings, turned(one))}."


def _tie(standings: Standings, one: Meeting) -> str:
    decimals = lead_places([one])
    return (
        f"{one.a} cannot be told apart from {one.b} at {one.variant}: the difference is "
        f"{signed(one.difference, decimals)} {unit(standings)} a game ({lead_span(one, decimals)})."
    )
