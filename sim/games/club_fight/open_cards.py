"""Club Fight with open cards: a beam search over both decks, for strategies that see them.

    game = new_game(view)             # of `sampled`
    m = search(game, moves, hidden, width)

From turn to turn the `width` best positions are kept, those with the fewest cards left, equals by
hash. A win that is found is a proof. One that is not found may be there all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.games.club_fight import GAME

if TYPE_CHECKING:
    from sim.games.club_fight.hidden import Hidden
    from sim.games.club_fight.view import Moves

# To be raised whenever `search` returns something else than before, for the sake of the stamps.
VERSION = 1


def search(game: Any, moves: Moves, hidden: Hidden, width: int) -> int:
    """Return the first move of a line that wins, or of the one that leaves the fewest cards."""
    move: int = GAME.part("beam").search(game, moves, hidden, width)
    return move
