"""Chance for strategies that sample: as many random numbers as they like, the same every time.

    draw(noise, 7, 32)  # draw number 7 of this turn: a whole number from 0 to 31

A turn has a `Noise` of its own. It comes from the tie seed, the deal and the turn by a stream of
its own purpose, so it is independent of both decks and of the choice among equal scores; and it is
folded, so that it cannot be traced back to seed and deal. Two draws with different numbers are
independent; the same number gives the same draw again.

Plain Python here, as in `sim.bits`; `sim.choosing` teaches numba the same function.
"""

from __future__ import annotations

from typing import NamedTuple

MASK = (1 << 64) - 1


class Noise(NamedTuple):
    """The chance of one turn: to be handed on to `draw`, and to what samples for a strategy."""

    key: int  # 64 bits, signed


def draw(noise: Noise, number: int, bound: int) -> int:
    """Return draw `number` (0 ..) of a turn, a whole number from 0 to `bound` - 1.

    `bound` is at most 2^32; every number is equally likely to one part in 2^32 / `bound`.
    """
    bits = _mix((noise.key + (number + 1) * 0x9E3779B97F4A7C15) & MASK) >> 32
    return bits * bound >> 32


def _mix(z: int) -> int:
    """Scramble 64 bits: the finaliser of splitmix64, as in `sim.deals`."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31
