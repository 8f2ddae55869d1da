"""Club Fight: every weight at once, to be tuned."""

from __future__ import annotations

from strategies.club_fight._linear import LinearScore


class Linear(LinearScore):
    """Weigh everything on the table: cards by value, blocks by suit, the club by value, the pace.

    Source: none; what `tipoff tune` searches. The defaults are about those of `all-tips`.
    Assumption: a move is worth the sum of what it clears, leaves and costs, in cards.
    """
