"""What nobody at the table sees: given to strategies that declare `clairvoyant = True` alone.

    def choose(self, view: View, moves: Moves, noise: Noise, hidden: Hidden) -> int:

Such a strategy is no player but a measure: of what could be won by whoever knew the cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Hidden(NamedTuple):
    """Both decks of the game in play; what lies above `next` has been dealt. Read only."""

    grid_deck: NDArray[np.int64]  # card numbers, top first; 52 is a joker
    grid_next: int
    grid_size: int
    clubs_deck: NDArray[np.int64]  # values 1..13, top first
    clubs_next: int
