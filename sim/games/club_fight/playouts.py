"""Imagined games, compiled and in plain Python: what `sampled` offers to strategies.

Compiled code calls the engine's steps on a table of its own. `play_out` is compiled once for all
strategies and policies; the policy is reached as a strategy is from the engine, once a turn through
a function pointer. Equal scores are settled by a hash of the sample, which is fair and cheap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from sim.bits import lowest
from sim.cards import EMPTY, JOKER
from sim.choose import choose, turn_key
from sim.deals import mix, shuffle
from sim.games.club_fight import sampled
from sim.games.club_fight.endgame import POSITIONS, sure_win_compiled
from sim.games.club_fight.moves import MOVE_FIELDS
from sim.games.club_fight.rules import (
    CELLS,
    CLUBS_NEXT,
    DISCARDS,
    FULL_GRID_DECK,
    GRID_NEXT,
    GRID_SIZE,
    HAND,
    JOKERS_OUT,
    KING,
    ROOM,
    SETS,
    TURN,
    Table,
    left,
    look,
    lying,
    place,
    refill,
    take,
)
from sim.games.club_fight.steps import ROOMS, Room, is_over, list_moves
from sim.games.club_fight.view import (
    Move,
    View,
    unseen_cards,
    unseen_clubs,
    unseen_jokers,
)
from sim.jit import TWO_FORMS, at, door, door_as, engine
from sim.lanes import score_all_signature, tuple_type

ODD = np.uint64(0x9FB21C651E98DF25)
# Places in Sample.facts.
JOKERS_IN_PLAY, ALL_CLEAR, CARDS, CLUBS, TIES = range(5)


class Sample(NamedTuple):
    """An imagined game: where it stands, and a room to play it on in."""

    start: Table  # as the player sees it, with decks that were dealt at random
    room: Room  # its table has the decks of `start`
    cards: NDArray[np.int64]  # (54,) the unseen grid cards in a fixed order
    clubs: NDArray[np.int64]  # (13,) the unseen clubs in a fixed order
    mixed: NDArray[np.int64]  # (54,) the same shuffled
    facts: NDArray[np.int64]  # (5,) two options of the rules, two counts, and a key for ties


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

SAMPLES = types.NamedTuple([tuple_type(Table), ROOMS, *[types.int64[::1]] * 4], Sample)
SCORE_ALL = types.FunctionType(score_all_signature(View))
MOST_CARDS = 54


@engine
def settle(game: Any, view: Any, cards: Any, jokers: Any, clubs: Any) -> None:
    """Lay the table as a view shows it, and list what it does not show.

    Args:
        game: the sample.
        view: what the player sees.
        cards: mask of the unseen grid cards.
        jokers: how many are unseen.
        clubs: mask of the unseen clubs.
    """
    table, now, facts = game.start, game.start.now, game.facts
    for value in range(KING + 1):
        table.by_value[value] = 0
    for suit in range(4):
        table.by_suit[suit] = 0
    for cell in range(CELLS):
        table.grid[cell] = EMPTY
        if view.grid[cell] != EMPTY:
            place(table, cell, view.grid[cell])
    now[HAND], now[GRID_NEXT], now[GRID_SIZE] = view.hand, 0, view.grid_deck
    now[CLUBS_NEXT], now[TURN] = KING - view.clubs_deck, view.turn
    now[DISCARDS], now[JOKERS_OUT] = view.discards, view.jokers_discarded
    facts[JOKERS_IN_PLAY], facts[ALL_CLEAR] = view.jokers_in_play, view.all_clear
    facts[CARDS], facts[CLUBS] = list_cards(game.cards, cards, jokers), 0
    while clubs:
        game.clubs[facts[CLUBS]] = lowest(clubs)
        clubs &= clubs - 1
        facts[CLUBS] += 1


@engine
def list_cards(into: Any, cards: Any, jokers: Any) -> Any:
    """List the cards of a mask by number, then the jokers; return how many there are."""
    count = 0
    while cards:
        into[at(count)] = lowest(cards)
        cards &= cards - 1
        count += 1
    for _ in range(jokers):
        into[at(count)] = JOKER
        count += 1
    return count


@engine
def deal(game: Any, noise: Any, number: Any) -> None:
    """Deal sample `number` of a turn."""
    table, facts, mixed = game.start, game.facts, game.mixed
    key = mix(np.uint64(noise) + np.uint64(number + 1) * ODD)
    facts[TIES] = np.int64(key)
    for i in range(facts[CARDS]):
        mixed[i] = game.cards[i]
    shuffle(mixed, facts[CARDS], mix(key ^ ODD))
    for i in range(table.now[GRID_SIZE]):
        table.grid_deck[i] = mixed[i]
    for i in range(facts[CLUBS]):
        mixed[i] = game.clubs[i]
    shuffle(mixed, facts[CLUBS], mix(key + ODD))
    first = table.now[CLUBS_NEXT]
    for i in range(KING - first):
        table.clubs_deck[at(first + i)] = mixed[i]


@engine
def begin(game: Any, clubs: Any, cells: Any) -> None:
    """Go back to where the player stands, and make a move."""
    table, start = game.room.table, game.start
    for cell in range(CELLS):
        table.grid[cell] = start.grid[cell]
    for value in range(KING + 1):
        table.by_value[value] = start.by_value[value]
    for suit in range(4):
        table.by_suit[suit] = start.by_suit[suit]
    for fact in range(7):
        table.now[fact] = start.now[fact]
    take(table, clubs, cells)
    refill(table)


@engine
def winning(room: Any, count: Any) -> Any:
    """Return the number of a move that wins at once, or -1."""
    table, found = room.table, -1
    if table.now[GRID_NEXT] == table.now[GRID_SIZE]:
        here = lying(table)
        for m in range(count):
            found = m if room.moves[1, m] == here else found
    return found


@engine
def preferred(game: Any, count: Any) -> Any:
    """Return the number of the move with the best score."""
    room = game.room
    key = turn_key(np.uint64(game.facts[TIES]), room.table.now[TURN])
    return choose(room.scores, room.numbers, count, key, False)


@engine
def advance(game: Any, chosen: Any) -> None:
    """Make a move of the imagined game."""
    room = game.room
    take(room.table, room.moves[0, at(chosen)], room.moves[1, at(chosen)])
    refill(room.table)


@door_as(types.int64(SAMPLES, types.int64, types.int64, SCORE_ALL, types.float64[::1]))
def play_out_compiled(game: Any, clubs: Any, cells: Any, score_all: Any, weights: Any) -> Any:
    """Play an imagined game to its end; return the cards left, or -1 if a score is not finite."""
    room, jokers, all_clear = game.room, game.facts[JOKERS_IN_PLAY], game.facts[ALL_CLEAR]
    begin(game, clubs, cells)
    while not is_over(room.table):
        count = list_moves(room, all_clear)
        chosen = winning(room, count)
        if chosen >= 0:
            return 0
        score_all(weights, look(room.table, jokers, all_clear), room.moves, count, room.scores)
        chosen = preferred(game, count)
        if chosen < 0:
            return -1
        advance(game, chosen)
    return left(room.table)


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
