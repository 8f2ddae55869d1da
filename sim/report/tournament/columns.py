"""The columns of one variant, best entry on top, for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sim.report.tournament.meetings import both_ways, lead_places, lead_span, mark
from sim.report.tournament.words import (
    Span,
    decimals_of,
    ends,
    firsts,
    in_order,
    of_rating,
    points,
    ranks,
    ratings_of,
    values,
)
from sim.report.wording import places_text, signed
from sim.standings import Meeting, Standings

Cells = tuple[str, ...]
INTERVAL = "95 % interval"
NONE = "–"


class Columns:
    """What is known of the entries of one variant, as texts, one an entry."""

    def __init__(self, standings: Standings, variant: str) -> None:
        """Sort the entries and find what each is compared with."""
        self.entries = in_order(standings, variant)
        pairs = both_ways(standings, variant)
        self.compared = bool(pairs)
        self.leads = [pairs.get((entry.label, standings.baseline)) for entry in self.entries]
        self._ratings = {one.label: one for one in ratings_of(standings, variant)}

    @property
    def labels(self) -> list[str]:
        """The labels, bare."""
        return [entry.label for entry in self.entries]

    def places(self) -> Cells:
        """Return the places that the evidence leaves to each."""
        return tuple(places_text(*entry.place) for entry in self.entries)

    def points(self) -> tuple[Cells, Cells]:
        """Return mean points and intervals."""
        return _pair([points(entry) for entry in self.entries])

    def firsts(self) -> tuple[Cells, Cells]:
        """Return shares of first places in percent, and intervals."""
        return _pair([firsts(entry) for entry in self.entries])

    def ranks(self) -> tuple[Cells, Cells]:
        """Return mean ranks and intervals."""
        return _pair([ranks(entry) for entry in self.entries])

    def ratings(self) -> tuple[Cells, Cells]:
        """Return ratings and intervals; nothing if there are none."""
        if len(self._ratings) < len(self.entries):
            return (), ()
        return _pair([of_rating(self._ratings[label]) for label in self.labels], more=0)

    def differences(self, none: str = NONE) -> Cells:
        """Return the leads over the baseline, with their mark."""
        decimals = lead_places(self._found)
        return self._leads(lambda one: f"{mark(one)} {signed(one.difference, decimals)}", none)

    def difference_spans(self, none: str = NONE) -> Cells:
        """Return the intervals of the leads."""
        decimals = lead_places(self._found)
        return self._leads(lambda one: lead_span(one, decimals), none)

    @property
    def _found(self) -> list[Meeting]:
        return [one for one in self.leads if one is not None]

    @property
    def against_baseline(self) -> bool:
        """Whether anybody is compared with the baseline."""
        return bool(self._found)

    def _leads(self, text: Callable[[Meeting], str], none: str) -> Cells:
        return tuple(none if one is None else text(one).strip() for one in self.leads)


def _pair(spans: Sequence[Span], more: int = 1) -> tuple[Cells, Cells]:
    """Return numbers and intervals, with more decimals than intervals resolve."""
    decimals = decimals_of(spans) + more
    return values(spans, decimals), tuple(ends(span, decimals) for span in spans)
