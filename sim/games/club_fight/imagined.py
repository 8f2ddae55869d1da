"""What `sampled` offers to strategies, in both forms: for compiled code and for plain Python."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import overload

from sim.games.club_fight import sampled
from sim.games.club_fight.endgame import POSITIONS, sure_win_compiled
from sim.games.club_fight.moves import MOVE_FIELDS
from sim.games.club_fight.playouts import (
    ALL_CLEAR,
    JOKERS_IN_PLAY,
    MOST_CARDS,
    Sample,
    advance,
    begin,
    deal,
    play_out_compiled,
    preferred,
    settle,
    winning,
)
from sim.games.club_fight.rules import (
    CELLS,
    FULL_GRID_DECK,
    KING,
    ROOM,
    SETS,
    Table,
    left,
    look,
)
from sim.games.club_fight.steps import Room, is_over, list_moves
from sim.games.club_fight.view import Move, View, unseen_cards, unseen_clubs, unseen_jokers
from sim.jit import TWO_FORMS, door, engine


def empty() -> Sample:
    """Return the memory for an imagined game, the only that one takes."""
    grid_deck, clubs_deck = np.zeros(FULL_GRID_DECK, np.int64), np.zeros(KING, np.int64)
    start = Table(
        np.zeros(CELLS, np.int64),
        np.zeros(KING + 1, np.int64),
        np.zeros(4, np.int64),
        np.zeros(7, np.int64),
        grid_deck,
        clubs_deck,
    )
    table = Table(
        np.zeros(CELLS, np.int64),
        np.zeros(KING + 1, np.int64),
        np.zeros(4, np.int64),
        np.zeros(7, np.int64),
        grid_deck,
        clubs_deck,
    )
    room = Room(
        table,
        np.zeros((MOVE_FIELDS, ROOM), np.int64),
        np.zeros(ROOM),
        np.zeros(ROOM, np.int64),
        np.zeros((6, SETS), np.int64),
        np.zeros(14, np.int64),
    )
    lists = np.zeros(MOST_CARDS, np.int64), np.zeros(KING, np.int64)
    return Sample(
        start, room, lists[0], lists[1], np.zeros(MOST_CARDS, np.int64), np.zeros(5, np.int64)
    )


empty_compiled = numba.njit(empty)
unseen, jokers_of, clubs_of = engine(unseen_cards), engine(unseen_jokers), engine(unseen_clubs)
NOT_FINITE = "a score of the strategy it names is not a finite number"

# --- As strategies call it, compiled ---

TWO_FORMS.update((sampled.new_game, sampled.deal_unseen, sampled.play_out, sampled.rate))
TWO_FORMS.add(sampled.sure_win)


@overload(sampled.new_game)
def _new_game(view: Any) -> Any:
    def made(view: Any) -> Any:
        game = empty_compiled()
        settle(game, view, unseen(view), jokers_of(view), clubs_of(view))
        return game

    return made


@overload(sampled.deal_unseen)
def _deal_unseen(game: Any, noise: Any, number: Any) -> Any:
    def dealt(game: Any, noise: Any, number: Any) -> Any:
        deal(game, noise.key, number)

    return dealt


@overload(sampled.play_out)
def _play_out(game: Any, moves: Any, m: Any, policy: Any) -> Any:
    def played(game: Any, moves: Any, m: Any, policy: Any) -> Any:
        clubs, cells = moves.clubs[m], moves.cells[m]
        cards = play_out_compiled(game, clubs, cells, policy.score_all, policy.weights)
        if cards < 0:
            raise ValueError(NOT_FINITE)
        return cards

    return played


@overload(sampled.rate)
def _rate(game: Any, view: Any, moves: Any, policy: Any) -> Any:
    def rated(game: Any, view: Any, moves: Any, policy: Any) -> Any:
        into = game.room.moves
        for m in range(moves.size):
            into[0, m], into[1, m] = moves.clubs[m], moves.cells[m]
            into[2, m], into[3, m] = moves.cleared[m], moves.spent[m]
        scores = np.zeros(moves.size)
        policy.score_all(policy.weights, view, into, moves.size, scores)
        return scores

    return rated


@overload(sampled.sure_win)
def _sure_win(game: Any, moves: Any) -> Any:
    def found(game: Any, moves: Any) -> Any:
        won = np.zeros(POSITIONS, np.int64)
        move = sure_win_compiled(game.start, game.room, game.facts[ALL_CLEAR], won)
        for m in range(moves.size):
            if moves.clubs[m] << CELLS | moves.cells[m] == move:
                return m
        return -1

    return found


# --- As strategies call it, in plain Python ---


@door
def settle_door(game: Any, view: Any, cards: Any, jokers: Any, clubs: Any) -> None:
    """Let Python call `settle`."""
    settle(game, view, cards, jokers, clubs)


@door
def deal_door(game: Any, noise: Any, number: Any) -> None:
    """Let Python call `deal`."""
    deal(game, noise, number)


@door
def begin_door(game: Any, clubs: Any, cells: Any) -> None:
    """Let Python call `begin`."""
    begin(game, clubs, cells)


@door
def list_door(game: Any) -> Any:
    """List the moves; return how many there are, 0 if the game is over, -1 if one wins at once."""
    if is_over(game.room.table):
        return 0
    count = list_moves(game.room, game.facts[ALL_CLEAR])
    return -1 if winning(game.room, count) >= 0 else count


@door
def look_door(game: Any) -> Any:
    """Return the numbers of the view; its grid is that of the table."""
    return look(game.room.table, game.facts[JOKERS_IN_PLAY], game.facts[ALL_CLEAR])[1:]


@door
def advance_door(game: Any, count: Any) -> Any:
    """Make the preferred move; return whether the scores were finite."""
    chosen = preferred(game, count)
    if chosen >= 0:
        advance(game, chosen)
    return chosen >= 0


@door
def left_door(game: Any) -> Any:
    """Return the cards left."""
    return left(game.room.table)


def new_game(view: View) -> Sample:
    """Do what `sampled.new_game` says."""
    game, seen = empty(), view._replace(grid=np.array(view.grid, np.int64))
    settle_door(game, seen, unseen_cards(view), unseen_jokers(view), unseen_clubs(view))
    return game


def deal_unseen(game: Sample, noise: int, number: int) -> None:
    """Do what `sampled.deal_unseen` says."""
    deal_door(game, noise, number)


def play_out(game: Sample, clubs: int, cells: int, policy: Any) -> int:
    """Do what `sampled.play_out` says."""
    begin_door(game, clubs, cells)
    while count := list_door(game):
        if count < 0:
            return 0
        view = View(game.room.table.grid.tolist(), *look_door(game))
        moves = [Move(*column) for column in game.room.moves[:, :count].T.tolist()]
        game.room.scores[:count] = [float(policy.score(view, move)) for move in moves]
        if not advance_door(game, count):
            raise ValueError(NOT_FINITE)
    return int(left_door(game))


def rate(game: Sample, view: View, moves: Any, policy: Any) -> list[float]:
    """Do what `sampled.rate` says."""
    fields = zip(moves.clubs, moves.cells, moves.cleared, moves.spent, strict=True)
    return [float(policy.score(view, Move(*values))) for values in fields]


def sure_win(game: Sample, moves: Any) -> int:
    """Do what `sampled.sure_win` says."""
    won = np.zeros(POSITIONS, np.int64)
    move = sure_win_compiled(game.start, game.room, game.facts[ALL_CLEAR], won)
    pairs = zip(moves.clubs, moves.cells, strict=True)
    return next((m for m, (clubs, cells) in enumerate(pairs) if clubs << CELLS | cells == move), -1)
