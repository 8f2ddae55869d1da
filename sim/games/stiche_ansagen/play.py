"""Playing Stiche ansagen: games at full speed, in the lane of those who play.

The compiled loop calls a scoring loop through a pointer once a decision. If any of the strategies
at a table could not be compiled, all of them are asked in plain Python; both share every step.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.deals import deal_key
from sim.errors import StrategyFailed
from sim.game import Dice, Games
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.room import KEYS, OPTIONS, ROOMS, Room, keys, new_room, options_of
from sim.games.stiche_ansagen.rules import BIDDING, PHASE, SEAT, SEATS
from sim.games.stiche_ansagen.seen import look_to_bid, look_to_play
from sim.games.stiche_ansagen.steps import list_options, make, pick, set_up
from sim.games.stiche_ansagen.turns import fault_at, play_out
from sim.games.stiche_ansagen.view import Bid, BidView, Play, PlayView
from sim.jit import at, door_as, pointers_in_tuples
from sim.lanes import Player, score_all_signature

DECISIONS = {"bid": (BidView, Bid), "play": (PlayView, Play)}

_WEIGHTS = types.UniTuple(types.float64[::1], SEATS)


@door_as(
    types.void(
        KEYS,
        OPTIONS,
        types.int64[::1],
        types.int64[:, ::1],
        types.UniTuple(types.FunctionType(score_all_signature(BidView)), SEATS),
        _WEIGHTS,
        types.UniTuple(types.FunctionType(score_all_signature(PlayView)), SEATS),
        _WEIGHTS,
        types.int64[:, ::1],
        types.int64[::1],
        ROOMS,
    )
)
def play_compiled(
    keys: Any,
    options: Any,
    deals: Any,
    seating: Any,
    bidders: Any,
    bid_weights: Any,
    players: Any,
    play_weights: Any,
    points: Any,
    where: Any,
    room: Any,
) -> None:
    """Play a game for each row of `seating`, and write the points of each seat into `points`.

    `where` (2,) always holds the game in play, and 1 if a score was not finite.
    """
    table = room.table
    for game in range(points.shape[0]):
        where[0] = game
        key = deal_key(keys.deck, deals[game])
        set_up(table, options, key)
        count = list_options(room, options)
        while count:
            member = seating[game, at(table.now[SEAT])]
            if table.now[PHASE] == BIDDING:
                bid_view = look_to_bid(table, room.eyes, options)
                bidders[member](bid_weights[member], bid_view, room.moves, count, room.scores)
            else:
                play_view = look_to_play(table, room.eyes, options)
                players[member](play_weights[member], play_view, room.moves, count, room.scores)
            chosen = pick(room, keys, deals[game], count)
            if chosen < 0:
                where[1] = 1
                return
            make(room, options, chosen, key)
            count = list_options(room, options)
        for seat in range(options.seats):
            points[game, seat] = table.points[seat]


def play_games(
    rules: Rules,
    dice: Dice,
    deals: NDArray[np.int64],
    seating: NDArray[np.int64],
    members: Sequence[tuple[Player, ...]],
) -> Games:
    """Play a game for each row of `seating`, (games, seats): the number of the member at each seat.

    Args:
        rules: the options.
        dice: what chance decides.
        deals: (games,) the deal of each game.
        seating: who sits where.
        members: for each, the player that bids and the player that plays.

    Raises:
        StrategyFailed: if a strategy raises, or a score is not a finite number; the message names
            strategy, deal, round and source line.
    """
    points, room = np.zeros(seating.shape, np.int64), new_room()
    started = time.perf_counter()
    if all(player.is_compiled for member in members for player in member):
        _play_compiled(rules, dice, deals, seating, members, points, room)
    else:
        for game, (deal, row) in enumerate(zip(deals.tolist(), seating.tolist(), strict=True)):
            seated = [members[member] for member in row]
            points[game] = play_out(rules, dice, deal, seated, room)
    return Games(points, time.perf_counter() - started)


def _play_compiled(
    rules: Rules,
    dice: Dice,
    deals: NDArray[np.int64],
    seating: NDArray[np.int64],
    members: Sequence[tuple[Player, ...]],
    points: NDArray[np.int64],
    room: Room,
) -> None:
    where, options = np.zeros(2, np.int64), options_of(rules, seating.shape[1])
    full = [*members, *[members[0]] * (SEATS - len(members))]
    bids, plays = zip(*full, strict=True)
    pointers = (
        tuple(player.score_all for player in bids),
        tuple(player.weights for player in bids),
        tuple(player.score_all for player in plays),
        tuple(player.weights for player in plays),
    )
    try:
        with pointers_in_tuples():
            play_compiled(keys(dice), options, deals, seating, *pointers, points, where, room)
    except Exception as error:  # raised by a strategy, through its function pointer
        raise _fault(room, deals, seating, members, int(where[0]), error) from error
    if where[1]:
        scores = room.scores[~np.isfinite(room.scores)]
        what = f"returned the score {float(scores[0])}, which is not a finite number"
        raise _fault(room, deals, seating, members, int(where[0]), what)


def _fault(
    room: Room,
    deals: NDArray[np.int64],
    seating: NDArray[np.int64],
    members: Sequence[tuple[Player, ...]],
    game: int,
    fault: Exception | str,
) -> StrategyFailed:
    seated = [members[member] for member in seating[game].tolist()]
    return fault_at(room, seated, int(deals[game]), fault)
