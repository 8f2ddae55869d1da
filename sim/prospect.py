"""What a run that plays until something is known says while it plays: what is in reach."""

from __future__ import annotations

from collections.abc import Sequence

from sim.playing import Playing
from sim.report.wording import comparisons
from sim.rounds import Variant
from sim.say import say
from sim.stats.outlook import Aim, Outlook
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
            if self._rounds == 1 and ahead.deals > variant.aim.at_most:
                after = f"{variant.name}, after {max(variant.deals):,} deals"
                say(f"{after}: {missed(variant.aim, ahead)}")
            for cell, own in zip(variant.group.cells, ahead.each.tolist(), strict=True):
                if cell in variant.playing():
                    expected[cell] = max(deals[cell], own)
        self._playing.expect(expected)


def missed(aim: Aim, ahead: Outlook) -> str:
    """Say that a target is out of reach, what is in reach, and what the target would take."""
    kind = "half width" if isinstance(aim.target, HalfWidth) else "margin"
    wanted, reachable = 100 * aim.target.aim, 100 * ahead.reachable
    return (
        f"a {kind} of {wanted:.3g} points is out of reach of at most {aim.at_most:,} deals; "
        f"expect {comparisons(ahead.open)} to stay open and {reachable:.2g} points at the widest. "
        f"It would take about {ahead.about} deals"
    )
