"""What a run that plays until something is known says while it plays: what is in reach."""

from __future__ import annotations

from collections.abc import Sequence

from sim.cast import say
from sim.playing import Playing
from sim.rounds import Variant
from sim.stats.outlook import Outlook
from sim.stats.sequence import HalfWidth


class Prospect:
    """Hears of every round; looks ahead after the first, the second, the fourth, the eighth ..."""

    def __init__(self, playing: Playing) -> None:
        self._playing, self._rounds = playing, 0

    def hear(self, variants: Sequence[Variant], deals: Sequence[int]) -> None:
        """Say after the first round what is out of reach, and keep the bar's end true.

        Args:
            variants: the rules variants that play on.
            deals: of each cell of the plan so far.
        """
        self._rounds += 1
        if self._rounds & (self._rounds - 1):  # not a power of two
            return
        expected = list(deals)
        for variant in variants:
            ahead = variant.outlook()
            if self._rounds == 1 and ahead.deals > variant.at_most:
                say(f"{variant.name}, after {max(variant.deals):,} deals: {missed(variant, ahead)}")
            for cell in variant.playing():
                expected[cell] = max(deals[cell], min(ahead.deals, variant.at_most))
        self._playing.expect(expected)


def missed(variant: Variant, ahead: Outlook) -> str:
    """Say that a target is out of reach, what is in reach, and what the target would take."""
    kind = "half width" if isinstance(variant.target, HalfWidth) else "margin"
    wanted, reachable = 100 * variant.target.aim, 100 * ahead.reachable
    return (
        f"a {kind} of {wanted:.3g} points is out of reach of at most {variant.at_most:,} deals; "
        f"expect {ahead.open} comparisons to stay open and {reachable:.2g} points at the widest. "
        f"It would take about {ahead.deals:,} deals"
    )
