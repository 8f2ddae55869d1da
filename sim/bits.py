"""Counting bits of the masks that cells and clubs are kept in.

Plain Python here, so strategies can be read and run without a compiler; `sim.jit` teaches numba the
same function as one machine instruction.
"""

from __future__ import annotations

from collections.abc import Iterator


def popcount(mask: int) -> int:
    """Return how many bits of a non-negative mask are set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """Return the number of the lowest set bit of a mask that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def members(mask: int) -> Iterator[int]:
    """Yield the numbers of the set bits, lowest first (plain Python only)."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
