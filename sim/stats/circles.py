"""Circles in a pair table: a above b, b above c, and yet c above a."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

Ints = NDArray[np.int64]


def circles(separated: Ints) -> list[tuple[int, ...]]:
    """Return a shortest circle of each set of players of whom everybody leads round to everybody.

    These sets are the strongly connected components of who is separated above whom; without any of
    two players or more, nothing contradicts an order (F. Harary, R. Z. Norman and D. Cartwright,
    Structural Models (1965)).

    Args:
        separated: (k, k), 1 where a is separated above b, -1 below, 0 else.

    Returns:
        Players, each separated above the next and the last above the first; of several such
        circles the first in order. Each begins with its first player.
    """
    above = csr_array((separated > 0).astype(np.int8))
    _, component = connected_components(above, directed=True, connection="strong")
    steps, before = shortest_path(above, unweighted=True, return_predecessors=True)
    shortest: dict[int, tuple[int, int, int]] = {}
    for a, b in np.argwhere(separated > 0).tolist():
        if component[a] == component[b]:
            key, length = int(component[a]), int(steps[b, a])
            shortest[key] = min(shortest.get(key, (length, a, b)), (length, a, b))
    return sorted(_path(before[b], b, a) for _, a, b in shortest.values())


def _path(before: NDArray[np.int32], first: int, last: int) -> tuple[int, ...]:
    """Return the circle that leads from `last` to `first` and back, `last` in front."""
    found = [last]
    while found[-1] != first:
        found.append(int(before[found[-1]]))
    return (last, *found[:0:-1])
