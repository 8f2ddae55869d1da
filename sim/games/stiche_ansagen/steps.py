"""One step after the other of a game of Stiche ansagen, shared by the compiled loop and `turns`.

Everything happens in a `Room`: arrays made once a block, for the engine can allocate none itself.
"""

from __future__ import annotations

from typing import Any

from sim.bits import lowest
from sim.choose import choose, turn_key
from sim.deals import deal_key, shuffle
from sim.games.stiche_ansagen.rules import (
    BEST_RANK,
    BEST_SUIT,
    BIDDING,
    CARDS,
    DEALER,
    DECISIONS,
    LED,
    OVER,
    PACK,
    PHASE,
    PLACE,
    PLAYING,
    ROUND,
    SEAT,
    SEATS,
    SUITS,
    TRICKS,
    TRUMPS,
    TURNED_UP,
    WINNER,
    beats,
    belongs,
    can_follow,
    hand_size,
    of_suit,
    printed_card,
    score,
    worth_rank,
    worth_suit,
)
from sim.games.stiche_ansagen.view import TRUMP
from sim.jit import at, engine


@engine
def set_up(table: Any, options: Any, key: Any) -> None:
    """Begin the game of a deal."""
    table.now[ROUND], table.now[DECISIONS] = 0, 0
    for seat in range(SEATS):
        table.points[seat] = 0
    next_round(table, options, key)


@engine
def next_round(table: Any, options: Any, key: Any) -> None:
    """Deal the next round, or end the game."""
    now = table.now
    if now[ROUND] == options.rounds:
        now[PHASE] = OVER
        return
    now[ROUND] += 1
    now[CARDS] = hand_size(now[ROUND], options)
    now[DEALER] = (options.first_dealer + now[ROUND] - 1) % options.seats
    now[PHASE], now[PLACE], now[TRICKS] = BIDDING, 0, 0
    now[SEAT] = (now[DEALER] + 1) % options.seats
    now[LED], now[WINNER] = -1, -1
    _wipe(table)
    _deal(table, options, deal_key(key, now[ROUND]))


@engine
def _wipe(table: Any) -> None:
    for seat in range(SEATS):
        table.voids[seat], table.won[seat], table.bids[seat] = 0, 0, -1
        table.trick_suits[seat], table.trick_ranks[seat] = 0, 0
        for suit in range(SUITS):
            table.hands[seat, suit] = table.twins[seat, suit] = table.shown[seat, suit] = 0
    for suit in range(SUITS):
        table.out[suit] = table.out_twice[suit] = 0


@engine
def _deal(table: Any, options: Any, key: Any) -> None:
    now, deck = table.now, table.deck
    size = PACK * options.packs
    for i in range(size):
        deck[i] = i
    shuffle(deck, size, key)
    dealt = options.seats * now[CARDS]
    turned_up = deck[at(dealt)] % PACK
    now[TRUMPS] = turned_up // 13
    now[TURNED_UP] = worth_rank(turned_up, now[TRUMPS], options.bowers)
    table.out[TRUMP] = 1 << now[TURNED_UP]
    for i in range(dealt):
        card = deck[i] % PACK
        seat = (now[DEALER] + 1 + i) % options.seats
        suit = worth_suit(card, now[TRUMPS], options.bowers)
        bit = 1 << worth_rank(card, now[TRUMPS], options.bowers)
        table.twins[at(seat), at(suit)] |= table.hands[at(seat), at(suit)] & bit
        table.hands[at(seat), at(suit)] |= bit


@engine
def list_options(room: Any, options: Any) -> Any:
    """List the candidates of the decision; return how many there are, 0 if the game is over."""
    if room.table.now[PHASE] == BIDDING:
        return _list_bids(room, options)
    return _list_plays(room, options) if room.table.now[PHASE] == PLAYING else 0


@engine
def _list_bids(room: Any, options: Any) -> Any:
    now, count, forbidden = room.table.now, 0, -1
    if options.hook and now[PLACE] == options.seats - 1:
        forbidden = now[CARDS] - said(room.table)
    for bid in range(now[CARDS] + 1):
        if bid != forbidden:
            room.moves[0, at(count)] = room.numbers[at(count)] = bid
            count += 1
    return count


@engine
def said(table: Any) -> Any:
    """Return the sum of the bids made."""
    total = 0
    for seat in range(SEATS):
        total += max(table.bids[seat], 0)
    return total


@engine
def _list_plays(room: Any, options: Any) -> Any:
    table, now = room.table, room.table.now
    hand, led, count = table.hands[at(now[SEAT])], now[LED], 0
    free = led < 0 or not can_follow(hand, led, options.printed)
    for suit in range(SUITS):
        ranks = hand[suit] if free else of_suit(hand, suit, led, options.printed)
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            room.moves[0, at(count)], room.moves[1, at(count)] = suit, rank
            wins = led < 0 or beats(suit, rank, now[BEST_SUIT], now[BEST_RANK])
            room.moves[2, at(count)] = int(wins)
            room.numbers[at(count)] = printed_card(suit, rank, now[TRUMPS])
            count += 1
    return count


@engine
def pick(room: Any, keys: Any, deal: Any, count: Any) -> Any:
    """Return the index of the option to take, by score and then by hash."""
    key = turn_key(deal_key(keys.ties, deal), room.table.now[DECISIONS])
    return choose(room.scores, room.numbers, count, key, keys.first)


@engine
def make(room: Any, options: Any, chosen: Any, key: Any) -> None:
    """Do what was decided: bid, or play a card; `key` is that of the deal."""
    now = room.table.now
    now[DECISIONS] += 1
    if now[PHASE] == BIDDING:
        _bid(room.table, options, room.moves[0, at(chosen)])
    else:
        _play(room.table, options, room.moves[0, at(chosen)], room.moves[1, at(chosen)])
        if now[PLACE] == options.seats:
            _end_trick(room.table, options, key)


@engine
def _bid(table: Any, options: Any, tricks: Any) -> None:
    now = table.now
    table.bids[at(now[SEAT])] = tricks
    now[PLACE] += 1
    now[SEAT] = (now[SEAT] + 1) % options.seats
    if now[PLACE] == options.seats:
        now[PHASE], now[PLACE] = PLAYING, 0


@engine
def _play(table: Any, options: Any, suit: Any, rank: Any) -> None:
    now, seat, bit = table.now, table.now[SEAT], 1 << rank
    own = belongs(suit, rank, options.printed)
    if now[LED] < 0:
        now[LED] = own
    if own != now[LED]:
        table.voids[at(seat)] |= 1 << now[LED]
    if now[WINNER] < 0 or beats(suit, rank, now[BEST_SUIT], now[BEST_RANK]):
        now[WINNER], now[BEST_SUIT], now[BEST_RANK] = seat, suit, rank
    if table.twins[at(seat), at(suit)] & bit:
        table.twins[at(seat), at(suit)] ^= bit
    else:
        table.hands[at(seat), at(suit)] ^= bit
    table.out_twice[at(suit)] |= table.out[at(suit)] & bit
    table.out[at(suit)] |= bit
    table.shown[at(seat), at(suit)] |= bit
    table.trick_suits[at(now[PLACE])], table.trick_ranks[at(now[PLACE])] = suit, rank
    now[PLACE] += 1
    now[SEAT] = (seat + 1) % options.seats


@engine
def _end_trick(table: Any, options: Any, key: Any) -> None:
    now = table.now
    table.won[at(now[WINNER])] += 1
    now[SEAT] = now[WINNER]
    now[LED], now[WINNER], now[PLACE] = -1, -1, 0
    now[TRICKS] += 1
    for place in range(options.seats):
        table.trick_suits[place], table.trick_ranks[place] = 0, 0
    if now[TRICKS] == now[CARDS]:
        for seat in range(options.seats):
            table.points[seat] += score(table.bids[seat], table.won[seat], options.per_trick)
        next_round(table, options, key)
