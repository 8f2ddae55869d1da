"""Nobody sees hidden cards: both decks are permuted under a position, and no choice changes.

The same test must fail for who does see them: for `clairvoyant`, and for a planted strategy that
deals the decks again from the seed. For that one the decks are permuted where they are dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.game import Dice
from sim.games.club_fight import Rules, picks, turns
from sim.games.club_fight.rules import CLUBS_NEXT, GRID_NEXT, GRID_SIZE, TURN
from sim.games.club_fight.steps import Room, keys, new_counters, new_room
from sim.games.club_fight.view import Moves, Noise, View
from sim.lanes import Player, plain_player
from sim.registry import discover
from sim.strategy import Strategy, contract

KNOWN = discover().strategies("club_fight")
HONEST = sorted(name for name, found in KNOWN.items() if not found.cls.clairvoyant)
DICE = Dice(31, 32)
DEALS, POSITIONS, ORDERS = 60, 500, 2


class Rebuilder(Strategy):
    """Deals every deck of the seed again, until one fits what lies on the table."""

    def choose(self, view: View, moves: Moves, noise: Noise) -> int:
        seen = [card for card in [*range(39), 52] if view.discards >> card & 1]
        seen += [card for card in view.grid if 0 <= card < 39]
        for number in range(DEALS):
            room = new_room()
            turns.open_deal(room, keys(DICE), number, view.jokers_in_play)
            size = int(room.table.now[GRID_SIZE])
            dealt = room.table.grid_deck[: size - view.grid_deck].tolist()
            if sorted(set(dealt) - {52}) == sorted(seen) and view.grid_deck:
                return int(room.table.grid_deck[size - view.grid_deck]) % moves.size
        return 0


def choice(player: Player, room: Room, rules: Rules, number: int, count: int) -> tuple[int, ...]:
    """Return the move that a player makes at the position of a room: its clubs and cells."""
    view = turns.current_view(room, rules)
    if player.chooses:
        picks.order_door(room, count)
        chosen = picks.asked(player, view, room, count, DICE, number)
    else:
        seen = view._replace(grid=room.table.grid)
        player.score_all(player.weights, seen, room.moves, count, room.scores)
        chosen = int(turns.pick_move(room, keys(DICE), number, count))
    return tuple(room.moves[:2, chosen].tolist())


@contextmanager
def permuted(room: Room, order: Random, patch: pytest.MonkeyPatch, number: int) -> Iterator[None]:
    """Have the cards that nobody has seen in another order, on the table and where it is dealt."""
    table, real = room.table, turns.open_deal
    decks = table.grid_deck.copy(), table.clubs_deck.copy()
    parts = (
        table.grid_deck[table.now[GRID_NEXT] : table.now[GRID_SIZE]],
        table.clubs_deck[table.now[CLUBS_NEXT] :],
    )
    for part in parts:
        part[:] = order.sample(part.tolist(), len(part))

    def dealt(into: Room, roots: Any, other: int, jokers: int) -> None:
        real(into, roots, other, jokers)
        if other == number:
            into.table.grid_deck[:], into.table.clubs_deck[:] = table.grid_deck, table.clubs_deck

    patch.setattr(turns, "open_deal", dealt)
    yield
    patch.undo()
    table.grid_deck[:], table.clubs_deck[:] = decks


def positions(player: Player) -> Iterator[tuple[int, Rules, Room, int]]:
    """Play deals in turn, and stop at every turn: deal, rules, table, number of moves."""
    for number in range(DEALS):
        rules = Rules(1 + number % 2, number % 4 == 3)
        room = new_room()
        turns.open_deal(room, keys(DICE), number, rules.jokers)
        while count := turns.open_turn(room, int(rules.all_clear)):
            yield number, rules, room, count
            count = turns.open_turn(room, int(rules.all_clear))
            move = choice(player, room, rules, number, count)
            found = (move == room.moves[:2, :count].T).all(axis=1)
            turns.close_turn(room, new_counters(), int(np.flatnonzero(found)[0]))


def changed(
    players: Sequence[Player], guide: Player, most: int, patch: pytest.MonkeyPatch
) -> list[int]:
    """Return for each player at how many of `most` positions its choice changed."""
    order, found = Random(7), [0] * len(players)
    for at, (number, rules, room, count) in enumerate(positions(guide)):
        if at == most:
            return found
        before = [choice(player, room, rules, number, count) for player in players]
        for _ in range(ORDERS):
            with permuted(room, order, patch, number):
                after = [choice(player, room, rules, number, count) for player in players]
            for i, (one, other) in enumerate(zip(before, after, strict=True)):
                found[i] += one != other
    raise AssertionError(f"fewer than {most} positions")


def made(name: str, player: Callable[..., Player]) -> Player:
    """Return a player, cheap if its class says how."""
    return player(name, **getattr(KNOWN[name].cls, "check", {"params": {}})["params"])


def test_no_honest_strategy_sees_hidden_cards(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [made(name, player) for name in HONEST]
    assert {contract(type(one.strategy)) for one in players} == {"score", "choose"}
    found = changed(players, player("random"), POSITIONS, monkeypatch)
    assert dict(zip(HONEST, found, strict=True)) == dict.fromkeys(HONEST, 0)


def test_the_test_sees_who_sees_them(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    seers = [player("clairvoyant"), plain_player(Rebuilder())]
    found = changed(seers, player("random"), 40, monkeypatch)
    assert min(found) > 10, found


def test_hidden_cards_go_to_nobody_else(player: Callable[..., Player]) -> None:
    """Without the declaration a strategy is not handed them, in either lane."""

    class Curious(Strategy):
        def choose(self, view: View, moves: Moves, noise: Noise, *more: Any) -> int:
            assert not more
            return 0

    room = new_room()
    turns.open_deal(room, keys(DICE), 0, 1)
    count = turns.open_turn(room, 0)
    assert choice(plain_player(Curious()), room, Rules(1), 0, count)
    assert room.table.now[TURN] == 0
