"""Games that a strategy imagines: the unseen cards dealt at random, and played to the end.

For strategies that choose. All that is known is taken from the view: the unseen cards are listed in
a fixed order and shuffled by the noise of the turn, so that neither the real order of the decks nor
the number of the deal has any part in it.

    game = new_game(view)
    for number in range(100):
        deal_unseen(game, noise, number)           # the same for every move that is tried
        for m in range(moves.size):
            left = play_out(game, moves, m, self.policy)   # cards left, 0 if won

Compiled, these are the engine's own steps, and nothing is allocated but by `new_game`; in plain
Python they play the very same games, some hundred times slower. `sim.games.club_fight.imagined`
holds both forms. It is no part of a strategy's stamp, as the engine is not: this file is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.games.club_fight import GAME

if TYPE_CHECKING:
    from sim.games.club_fight.view import Moves, Noise, View
    from sim.strategy import Policy

# To be raised whenever the functions below return something else than before, for the sake of the
# stamps: a golden test notices.
VERSION = 1


def new_game(view: View) -> Any:
    """Return an imagined game that stands where the view stands; its decks are not dealt yet."""
    return GAME.part("imagined").new_game(view)


def deal_unseen(game: Any, noise: Noise, number: int) -> None:
    """Deal the unseen cards into both decks, at random: sample `number` (0 ..) of this turn."""
    GAME.part("imagined").deal_unseen(game, noise.key, number)


def play_out(game: Any, moves: Moves, m: int, policy: Policy) -> int:
    """Make move `m`, then play on as a strategy does; return the cards left, 0 for a win.

    Whatever the strategy says, a move that wins at once is made. The game then stands again where
    it stood, with the same decks.
    """
    left: int = GAME.part("imagined").play_out(game, moves.clubs[m], moves.cells[m], policy)
    return left


def rate(game: Any, view: View, moves: Moves, policy: Policy) -> list[float]:
    """Return what a strategy scores each move of the turn."""
    scores: list[float] = GAME.part("imagined").rate(game, view, moves, policy)
    return scores


def sure_win(game: Any, moves: Moves) -> int:
    """Return a move that wins for certain, or -1 if there is none.

    For the end of a game alone: both decks must be empty, so that nothing is hidden.
    """
    move: int = GAME.part("imagined").sure_win(game, moves)
    return move
