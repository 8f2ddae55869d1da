"""Playing Club Fight turn by turn in Python: the plain lane, and what `watch` shows.

The rules are those of the compiled loop, reached through a few doors; only the scores are asked in
plain Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sim.errors import StrategyFailed
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.rules import TURN, look
from sim.games.club_fight.steps import (
    Counters,
    Keys,
    Room,
    finish,
    is_over,
    keys,
    list_moves,
    make_move,
    pick,
    set_up,
)
from sim.games.club_fight.view import Move, View
from sim.jit import door
from sim.lanes import Player, strategy_fault


class Turn(NamedTuple):
    """One turn as the player found it, and what was chosen."""

    view: View
    moves: list[Move]  # all candidates
    scores: list[float]  # none of a strategy that chooses
    chosen: int  # index of the move taken


@door
def open_deal(room: Any, keys: Any, number: Any, jokers: Any) -> None:
    """Deal number `number`."""
    set_up(room, keys, number, jokers)


@door
def open_turn(room: Any, all_clear: Any) -> Any:
    """List the candidates of the turn; return how many there are, 0 if the game is over."""
    return 0 if is_over(room.table) else list_moves(room, all_clear)


@door
def seen(room: Any, jokers: Any, all_clear: Any) -> Any:
    """Return the numbers of the view; its grid is `room.table.grid`."""
    return look(room.table, jokers, all_clear)[1:]


@door
def pick_move(room: Any, keys: Any, number: Any, count: Any) -> Any:
    """Return the index of the move to take, -1 if a score is not finite."""
    return pick(room, keys, number, count)


@door
def close_turn(room: Any, counters: Any, chosen: Any) -> None:
    """Make the chosen move."""
    make_move(room, counters, chosen)


@door
def close_deal(room: Any, counters: Any, outcomes: Any, i: Any) -> None:
    """Write the outcome of the finished game."""
    finish(room, counters, outcomes, i)


def turns(
    rules: Rules, dice: Dice, number: int, player: Player, room: Room, counters: Counters
) -> Iterator[Turn]:
    """Play one deal, yielding each turn before its move is made.

    Raises:
        StrategyFailed: if the strategy raises, or a score is not a finite number.
    """
    roots, all_clear = keys(dice), int(rules.all_clear)
    open_deal(room, roots, number, rules.jokers)
    while count := open_turn(room, all_clear):
        view = current_view(room, rules)
        if player.chooses:
            picks = GAME.part("picks")  # compiled when it is needed
            picks.order_door(room, count)
            scores, moves = [], _moves(room, count)
            chosen = picks.asked(player, view, room, count, dice, number)
        else:
            moves = _moves(room, count)
            scores = _scores(player, view, moves, number)
            chosen = _best(player, scores, room, roots, number)
        yield Turn(view, moves, scores, chosen)
        close_turn(room, counters, chosen)


def _moves(room: Room, count: int) -> list[Move]:
    return [Move(*column) for column in room.moves[:, :count].T.tolist()]


def _best(player: Player, scores: list[float], room: Room, roots: Keys, number: int) -> int:
    """Return the number of the move to make by its score."""
    count, turn = len(scores), int(room.table.now[TURN])
    room.scores[:count] = scores
    chosen = int(pick_move(room, roots, number, count))
    if chosen < 0:
        bad = next(score for score in scores if not np.isfinite(score))
        raise not_finite(player, number, turn, bad)
    return chosen


def current_view(room: Room, rules: Rules) -> View:
    """Return what the player sees as plain ints and a list: ten times faster outside numba."""
    grid: Any = room.table.grid.tolist()
    return View(grid, *seen(room, rules.jokers, int(rules.all_clear)))


def play_deal(
    rules: Rules,
    dice: Dice,
    number: int,
    player: Player,
    room: Room,
    counters: Counters,
    outcomes: Any,
    i: int,
) -> None:
    """Play one deal in the plain lane and write its outcome into column `i`."""
    for _ in turns(rules, dice, number, player, room, counters):
        pass
    close_deal(room, counters, outcomes, i)


def _scores(player: Player, view: View, moves: list[Move], number: int) -> list[float]:
    score = player.strategy.score  # type: ignore[attr-defined]  # checked when it was found
    try:
        return [float(score(view, move)) for move in moves]
    except Exception as error:  # whatever a strategy's author left in it
        raise strategy_fault(player, number, view.turn, error) from error


def not_finite(player: Player, number: int, turn: int, score: float) -> StrategyFailed:
    """Say that a score is not a finite number."""
    what = f"returned the score {score}, which is not a finite number"
    return strategy_fault(player, number, turn, what)
