"""Who sits where: per deal one hashed order, then all its rotations are played.

So every member of a line-up plays every hand of a deal once, and no seat favours anybody. The games
of one deal are one observation; what is kept of them are sums (`sim.seat_bytes`).

    order = the members, shuffled with the key of the deal; in rotation r, seat t has member
    order[(t - r) mod n]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.deals import deal_key, shuffle, stream_root
from sim.game import Block, Dice, Game
from sim.jit import door
from sim.lanes import Player
from sim.seat_bytes import Ints, Layout, Sums, pair_places

ORDER = np.uint64(0x8CB92BA72F3D8DD7)  # purpose of the streams that seat the members

Member = tuple[Player, ...]  # one player for each decision of the game


@door
def seat(seed: Any, first: Any, orders: Any) -> None:
    """Write the order of the members for deals `first` and on into the rows of (deals, n)."""
    root = stream_root(seed, ORDER)
    for i in range(orders.shape[0]):
        for member in range(orders.shape[1]):
            orders[i, member] = member
        shuffle(orders[i], orders.shape[1], deal_key(root, first + i))


def seating(seed: int, first: int, deals: int, members: int) -> Ints:
    """Return (deals x members, members): who sits at each seat, rotations in a row."""
    orders = np.empty((deals, members), np.int64)
    seat(seed, first, orders)
    turned = [np.roll(orders, rotation, axis=1) for rotation in range(members)]
    return np.stack(turned, axis=1).reshape(-1, members)


def play_deals(
    game: Game, rules: Any, dice: Dice, first: int, deals: int, members: Sequence[Member]
) -> Block:
    """Play all rotations of deals `first` .. `first + deals - 1` with one member a seat.

    Raises:
        StrategyFailed: naming strategy, deal and place, if a strategy does something wrong.
    """
    n = len(members)
    seated = seating(dice.seed, first, deals, n)
    numbers = np.repeat(np.arange(first, first + deals), n)
    played = game.part("play").play_games(rules, dice, numbers, seated, members)
    layout = Layout(game.seats[1])
    outcomes = layout.packed(summed(layout, seated, played.points, n))
    return Block(outcomes, by_seat(game, seated, played.points, n), played.seconds)


def summed(layout: Layout, seated: Ints, points: Ints, n: int) -> Sums:
    """Return the sums over the games of each deal, from the points at each seat."""
    own = np.empty_like(points)
    np.put_along_axis(own, seated, points, axis=1)
    best = own == own.max(axis=1, keepdims=True)
    firsts = best * (layout.units // best.sum(axis=1, keepdims=True))
    ahead = [np.sign(own[:, i] - own[:, j]) + 1 for i, j in pair_places(n)]
    parts = own, firsts, np.stack(ahead, axis=1)
    return Sums(*(part.reshape(-1, n, part.shape[1]).sum(axis=1) for part in parts))


def by_seat(game: Game, seated: Ints, points: Ints, n: int) -> dict[str, Ints]:
    """Return the points, and their squares, of each member at each seat, over all deals."""
    sums, squares = (np.zeros((game.seats[1],) * 2, np.int64) for _ in range(2))
    for place in range(n):
        np.add.at(sums[:, place], seated[:, place], points[:, place])
        np.add.at(squares[:, place], seated[:, place], points[:, place] ** 2)
    return {"seat_points": sums, "seat_squares": squares}
