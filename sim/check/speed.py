"""How fast is it? Beside a built-in strategy of its game, both in turn in one run."""

from __future__ import annotations

import statistics

from sim.check.model import Verdict, ok
from sim.check.subject import Subject
from sim.lanes import Player
from sim.registry import Listing

PAIRS = 5
SECONDS = 0.1  # a block
FEWEST, MOST = 5_000, 20_000  # deals in a block of a built-in one, and of any


def speed(subject: Subject) -> Verdict:
    """Return its games a second; being slow is no fault."""
    other = yardstick(subject)
    rival = subject.player_of(other, {})
    deals = subject.amount(MOST, subject.player, SECONDS * len(subject.variants)).deals
    pairs = [
        (_rate(subject, subject.player, deals), _rate(subject, rival, max(deals, FEWEST)))
        for _ in range(PAIRS)
    ]
    mine, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    lanes = f"{subject.player.lane}, {rival.lane}"
    return ok(
        f"{mine:,.0f} games a second beside {theirs:,.0f} of {other.name} ({lanes}): {ratio:.2f}"
    )


def yardstick(subject: Subject) -> Listing:
    """Return the built-in strategy that others are measured by."""
    known = subject.registry.strategies(subject.game.name)
    return known[subject.game.yardstick] if subject.game.yardstick else next(iter(known.values()))


def _rate(subject: Subject, player: Player, deals: int) -> float:
    return deals / max(subject.block(player, subject.variants[0], 0, deals).seconds, 1e-9)
