"""What a strategy decides: all of its game, or a part of it.

A game with one decision asks `score` or `choose` (`sim.strategy`). One with several asks a method
for each, named after it: `bid`, `play`. A strategy that has not all of them is a part of a player.
"""

from __future__ import annotations

from sim.game import Game
from sim.strategy import Strategy, contract, parameters


def decided(cls: type[Strategy], game: Game) -> tuple[str, ...]:
    """Return the decisions of a game that a strategy makes, in the order of the card."""
    if len(game.decisions) == 1:
        return game.decisions
    return tuple(one for one in game.decisions if callable(getattr(cls, one, None)))


def lacking(cls: type[Strategy], game: Game) -> tuple[str, ...]:
    """Return the decisions of a game that a strategy does not make; none if it is whole."""
    made = decided(cls, game)
    return tuple(one for one in game.decisions if one not in made)


def check(cls: type[Strategy], game: Game | None) -> None:
    """Raise TypeError if a class lacks what every strategy has, in its game if that is known."""
    parameters(cls)
    if game is None or len(game.decisions) == 1:
        contract(cls)
    elif not decided(cls, game):
        wanted = " nor ".join(f"{one}(self, view, move)" for one in game.decisions)
        raise TypeError(f"{cls.__name__} has no method {wanted}")
