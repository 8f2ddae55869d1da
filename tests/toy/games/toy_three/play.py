"""The rules of Toy Three, and its loop in both lanes.

Nine cards, 1 to 9, are shuffled and dealt, three each. One after the other everybody claims two
tricks, or does not. Then three tricks are played; seat 0 always leads and the highest card wins. A
trick is a point; a claim that holds doubles them, one that fails costs its price.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray
from sim.games.toy_three import Rules
from sim.games.toy_three.view import Claim, ClaimView, Play, PlayView

from sim.bits import lowest
from sim.choose import choose, turn_key
from sim.deals import TIES, deal_key, shuffle, stream_root
from sim.game import Dice, Games
from sim.jit import door, door_as, engine, pointers_in_tuples
from sim.lanes import Player, score_all_signature, strategy_fault

DECISIONS = {"claim": (ClaimView, Claim), "play": (PlayView, Play)}
DECK = np.uint64(0x3C6EF372FE94F82B)  # purpose of the stream that shuffles
SEATS, CARDS, TRICKS = 3, 9, 3
# Decisions made; of the trick, the highest card and who played it; the game in play.
TURN, BEST, WINNER, GAME, NOW = range(5)

Member = tuple[Player, ...]


class Room(NamedTuple):
    """All arrays of a block."""

    deck: NDArray[np.int64]  # (9,)
    now: NDArray[np.int64]  # (NOW,)
    held: NDArray[np.int64]  # (3,) masks
    claims: NDArray[np.int64]  # (3,)
    won: NDArray[np.int64]  # (3,)
    numbers: NDArray[np.int64]  # (3,) candidate numbers
    moves: NDArray[np.int64]  # (1, 3)
    scores: NDArray[np.float64]  # (3,)


class ThreeKeys(NamedTuple):
    """ThreeKeys of the streams of a run (uint64), and how ties are broken."""

    deck: Any
    ties: Any
    first: bool


KEYS = types.NamedTuple([types.uint64, types.uint64, types.boolean], ThreeKeys)
ROOM = types.NamedTuple([types.int64[::1]] * 6 + [types.int64[:, ::1], types.float64[::1]], Room)
_WEIGHTS = types.UniTuple(types.float64[::1], SEATS)


def new_room() -> Room:
    sizes = CARDS, NOW, SEATS, SEATS, SEATS, TRICKS
    arrays = [np.zeros(size, np.int64) for size in sizes]
    return Room(*arrays, np.zeros((1, TRICKS), np.int64), np.zeros(TRICKS))


@engine
def set_up(room: Any, key: Any) -> None:
    for i in range(CARDS):
        room.deck[i] = i + 1
    shuffle(room.deck, CARDS, key)
    room.now[TURN] = room.now[BEST] = room.now[WINNER] = 0
    for seat in range(SEATS):
        room.held[seat] = room.claims[seat] = room.won[seat] = 0
        for i in range(TRICKS):
            room.held[seat] |= 1 << room.deck[3 * seat + i]


@engine
def list_options(room: Any) -> Any:
    """List the candidates; return how many there are, 0 if the game is over."""
    turn, count = room.now[TURN], 0
    if turn < SEATS:
        for yes in range(2):
            room.moves[0, yes] = room.numbers[yes] = yes
        return 2
    if turn == SEATS * (TRICKS + 1):
        return 0
    held = room.held[turn % SEATS]
    while held:
        room.moves[0, count] = room.numbers[count] = lowest(held)
        held &= held - 1
        count += 1
    return count


@engine
def make(room: Any, chosen: Any) -> None:
    now, seat, value = room.now, room.now[TURN] % SEATS, room.moves[0, chosen]
    if now[TURN] < SEATS:
        room.claims[seat] = value
    else:
        room.held[seat] &= ~(1 << value)
        if value > now[BEST]:
            now[BEST], now[WINNER] = value, seat
        if seat == SEATS - 1:
            room.won[now[WINNER]] += 1
            now[BEST] = 0
    now[TURN] += 1


@engine
def points_of(room: Any, seat: Any, price: Any) -> Any:
    won = room.won[seat]
    if not room.claims[seat]:
        return won
    return 2 * won if won >= 2 else -price


@engine
def pick(room: Any, keys: Any, deal: Any, count: Any) -> Any:
    key = turn_key(deal_key(keys.ties, deal), room.now[TURN])
    return choose(room.scores, room.numbers, count, key, keys.first)


@door_as(
    types.void(
        KEYS,
        types.int64,
        types.int64[::1],
        types.int64[:, ::1],
        types.UniTuple(types.FunctionType(score_all_signature(ClaimView)), SEATS),
        _WEIGHTS,
        types.UniTuple(types.FunctionType(score_all_signature(PlayView)), SEATS),
        _WEIGHTS,
        types.int64[:, ::1],
        ROOM,
    )
)
def play_compiled(
    keys: Any,
    price: Any,
    deals: Any,
    seating: Any,
    claimers: Any,
    claim_weights: Any,
    players: Any,
    play_weights: Any,
    points: Any,
    room: Any,
) -> None:
    for game in range(points.shape[0]):
        room.now[GAME] = game
        set_up(room, deal_key(keys.deck, deals[game]))
        count = list_options(room)
        while count:
            turn = room.now[TURN]
            seat = turn % SEATS
            member = seating[game, seat]
            if turn < SEATS:
                asked = ClaimView(room.held[seat], turn)
                claimers[member](claim_weights[member], asked, room.moves, count, room.scores)
            else:
                seen = PlayView(room.held[seat], room.now[BEST], room.claims[seat])
                players[member](play_weights[member], seen, room.moves, count, room.scores)
            make(room, pick(room, keys, deals[game], count))
            count = list_options(room)
        for seat in range(SEATS):
            points[game, seat] = points_of(room, seat, price)


# The plain lane: the same rules, through doors.


@door
def root_of(seed: Any, purpose: Any) -> Any:
    return stream_root(seed, purpose)


@door
def open_game(room: Any, root: Any, deal: Any) -> None:
    set_up(room, deal_key(root, deal))


@door
def open_decision(room: Any) -> Any:
    return list_options(room)


@door
def close_decision(room: Any, keys: Any, deal: Any, count: Any) -> None:
    make(room, pick(room, keys, deal, count))


@door
def close_game(room: Any, price: Any, points: Any) -> None:
    for seat in range(SEATS):
        points[seat] = points_of(room, seat, price)


def play_plain(
    keys: ThreeKeys, price: int, deal: int, seated: Any, room: Room, points: Any
) -> None:
    open_game(room, keys.deck, deal)
    while count := open_decision(room):
        turn = int(room.now[TURN])
        seat = turn % SEATS
        held, moves = int(room.held[seat]), room.moves[0, :count].tolist()
        if turn < SEATS:
            view: Any = ClaimView(held, turn)
            options: list[Any] = [Claim(yes) for yes in moves]
        else:
            view = PlayView(held, int(room.now[BEST]), int(room.claims[seat]))
            options = [Play(card) for card in moves]
        player = seated[seat][turn >= SEATS]
        score = getattr(player.strategy, player.method)
        try:
            room.scores[:count] = [float(score(view, option)) for option in options]
        except Exception as error:
            raise strategy_fault(player, deal, turn, error) from error
        close_decision(room, keys, deal, count)
    close_game(room, price, points)


def play_games(
    rules: Rules,
    dice: Dice,
    deals: NDArray[np.int64],
    seating: NDArray[np.int64],
    members: Sequence[Member],
) -> Games:
    """Play a game for each row of `seating`."""
    started, room = time.perf_counter(), new_room()
    points = np.zeros(seating.shape, np.int64)
    roots = (root_of(dice.seed, DECK), root_of(dice.tie_seed, TIES))
    keys = ThreeKeys(*map(np.uint64, roots), dice.ties == "first")
    if all(player.is_compiled for member in members for player in member):
        claims, plays = zip(*members, strict=True)
        pointers = [
            tuple(getattr(player, part) for player in players)
            for players in (claims, plays)
            for part in ("score_all", "weights")
        ]
        try:
            with pointers_in_tuples():
                play_compiled(keys, rules.price, deals, seating, *pointers, points, room)
        except Exception as error:
            game, turn = int(room.now[GAME]), int(room.now[TURN])
            player = members[seating[game, turn % SEATS]][turn >= SEATS]
            raise strategy_fault(player, int(deals[game]), turn, error) from error
    else:
        for game, (deal, row) in enumerate(zip(deals.tolist(), seating.tolist(), strict=True)):
            seated = [members[member] for member in row]
            play_plain(keys, rules.price, deal, seated, room, points[game])
    return Games(points, time.perf_counter() - started)
