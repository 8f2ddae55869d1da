"""The columns of one rules variant, best entry on top, for the page and for the terminal."""

from __future__ import annotations

from sim.report.versus import SAME, against, win_places, win_span, win_width
from sim.report.winnable import of_winnable
from sim.report.wording import (
    by_win_rate,
    interval,
    mean_span,
    mean_width,
    percent,
    places,
    rank_text,
    rate_span,
    rate_width,
    signed,
    table_places,
)
from sim.results import Results

Cells = tuple[str, ...]


class Columns:
    """What is known of the entries of one rules variant, as texts, one an entry."""

    def __init__(self, results: Results, variant: str) -> None:
        """Sort the entries and find what each is compared with."""
        self.entries = by_win_rate(results.of_variant(variant))
        self.interval = interval(results)
        self._results, self._variant = results, variant
        found = against(results, results.baseline)
        self.pairs = [found.get((variant, entry.label)) for entry in self.entries]
        self.compared = any(pair.variant == variant for pair in results.pairs)
        self._rate = table_places(self.entries, rate_width)
        self._mean = table_places(self.entries, mean_width)
        self._points = self._point_places()

    def _point_places(self) -> int:
        pairs = [pair for pair in self.pairs if pair is not None]
        return max(win_places(pairs), places([max(map(win_width, pairs), default=1.0)], 4) + 1)

    @property
    def against_baseline(self) -> bool:
        """Whether there is a difference to print."""
        return any(pair is not None for pair in self.pairs)

    def ranks(self) -> Cells:
        """Return the range of places of each."""
        return tuple(map(rank_text, self.entries))

    def rates(self) -> Cells:
        """Return the win rates in percent."""
        return tuple(percent(entry.win_rate, self._rate) for entry in self.entries)

    def rate_spans(self) -> Cells:
        """Return their intervals."""
        return tuple(rate_span(entry, self._rate) for entry in self.entries)

    def winnable(self, none: str) -> Cells:
        """Return the percent won of the deals known to be winnable; `none` where it is unknown.

        Nothing at all if no entry sees hidden cards.
        """
        parts = of_winnable(self._results, self._variant, self.entries)
        if not any(part is not None for part in parts):
            return ()
        return tuple(none if part is None else percent(part, self._rate) for part in parts)

    def differences(self, none: str) -> Cells:
        """Return the differences from the baseline in points; `none` where there is none."""
        return tuple(
            none
            if pair is None
            else ("" if pair.separated else f"{SAME} ")
            + signed(100 * pair.difference, self._points)
            for pair in self.pairs
        )

    def difference_spans(self, none: str) -> Cells:
        """Return their paired intervals."""
        return tuple(none if pair is None else win_span(pair, self._points) for pair in self.pairs)

    def means(self, most_decimals: int = 4) -> Cells:
        """Return the mean cards left."""
        decimals = min(self._mean, most_decimals)
        return tuple(f"{entry.leftover_mean:.{decimals}f}" for entry in self.entries)

    def mean_spans(self) -> Cells:
        """Return their intervals."""
        return tuple(mean_span(entry, self._mean) for entry in self.entries)

    def turns(self) -> Cells:
        """Return the mean turns."""
        return tuple(f"{entry.turns_mean:.2f}" for entry in self.entries)
