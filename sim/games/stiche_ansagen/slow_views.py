"""What a seat sees, told by the naive twin of Stiche ansagen from the printed cards.

`view` says what each field means; here it is worked out anew from all that was dealt and played.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.games.stiche_ansagen.slow import (
    HIGH_TO_LOW,
    PACK,
    SISTER,
    Candidate,
    Card,
    Round,
    effective_suit,
    is_bower,
    winner,
)
from sim.games.stiche_ansagen.slow_game import Game, Score
from sim.games.stiche_ansagen.view import NO_BID, NOBODY, Bid, BidView, Play, PlayView

PLACES = 6  # for players
RANK = {letter: 14 - place for place, letter in enumerate(HIGH_TO_LOW)}  # ace 14 .. two 2
Ints = NDArray[np.int64]


def suit_number(suit: str, trump: str) -> int:
    """Trump 0, the other of its colour 1, then the other colour: hearts or spades first."""
    others = [other for other in "HSDC" if other not in (trump, SISTER[trump])]
    return [trump, SISTER[trump], *others].index(suit)


def worth(card: Card, one: Round) -> tuple[int, int]:
    """Suit and rank of a card under the trump: bowers are trumps of the ranks 15 and 16."""
    if is_bower(card, one.trump, one.options):
        return 0, 16 if card[1] == one.trump else 15
    return suit_number(card[1], one.trump), RANK[card[0]]


def led_number(one: Round) -> int:
    """The suit to be followed."""
    return suit_number(effective_suit(one.trick.cards[0], one.trump, one.options), one.trump)


def masks(cards: Iterable[Card], one: Round) -> list[int]:
    """Cards as a mask of ranks for each suit."""
    worths = {worth(card, one) for card in cards}
    return [sum(1 << rank for suit, rank in worths if suit == n) for n in range(4)]


def ints(values: Iterable[int]) -> Ints:
    """Values as an array."""
    return np.array([*values], np.int64)


def padded(values: Iterable[int]) -> Ints:
    """Values of each player, and 0 at the places of nobody."""
    known = [*values]
    return ints(known + [0] * (PLACES - len(known)))


def from_here(one: Round) -> list[int]:
    """The seats in the order of the seat whose turn it is: itself, the next, ..."""
    return [(one.seat + i) % one.seats for i in range(one.seats)]


def twice(cards: list[Card]) -> list[Card]:
    """Cards that are there twice."""
    return [card for card in cards if cards.count(card) == 2]


def unseen(one: Round) -> list[Card]:
    """Cards of which "at least one copy is neither in the own hand nor played nor turned up"."""
    played = [card for seat in range(one.seats) for card in one.played(seat)]
    seen = [*one.hand(one.seat), *played, one.trump_card]
    return [card for card in PACK if seen.count(card) < one.options.packs]


def voids(seat: int, one: Round) -> int:
    """Mask of the suits that a seat was seen not to follow."""
    found = set()
    for trick in one.tricks:
        suits = [effective_suit(card, one.trump, one.options) for card in trick.cards]
        place = (seat - trick.leader) % one.seats
        if place < len(suits) and suits[place] != suits[0]:
            found.add(suit_number(suits[0], one.trump))
    return sum(1 << suit for suit in found)


def bid_view(game: Game) -> BidView:
    """What the seat sees that bids."""
    one, options = game.round, game.options
    seats, hand = from_here(one), one.hand(one.seat)
    bids = [one.bid_of(seat) for seat in seats]
    return BidView(
        hand=ints(masks(hand, one)),
        twins=ints(masks(twice(hand), one)),
        turned_up=worth(one.trump_card, one)[1],
        cards=one.cards,
        seats=game.seats,
        place=len(one.said),
        bids=padded(NO_BID if bid is None else bid for bid in bids),
        points=padded(game.totals[seat] for seat in seats),
        round=one.number,
        rounds=len(game.sizes),
        bowers=int(options.bowers),
        packs=options.packs,
        hook=int(options.hook),
        per_trick=int(options.wrong_zero == "per_trick"),
    )


def play_view(game: Game) -> PlayView:
    """What the seat sees that plays a card."""
    one, options, trick = game.round, game.options, game.round.trick
    seats, hand, leads = from_here(one), one.hand(one.seat), not trick.cards
    best = trick.cards[winner(trick.cards, one.trump, options)] if trick.cards else None
    in_trick = [worth(card, one) for card in trick.cards]
    best_suit, best_rank = worth(best, one) if best else (0, 0)
    return PlayView(
        hand=ints(masks(hand, one)),
        twins=ints(masks(twice(hand), one)),
        unseen=ints(masks(unseen(one), one)),
        shown=ints(shown(seats, one)),
        voids=padded(voids(seat, one) for seat in seats),
        bids=padded(one.bid_of(seat) or 0 for seat in seats),
        won=padded(one.won(seat) for seat in seats),
        points=padded(game.totals[seat] for seat in seats),
        trick_suits=padded(suit for suit, _ in in_trick),
        trick_ranks=padded(rank for _, rank in in_trick),
        place=len(trick.cards),
        led=NOBODY if leads else led_number(one),
        winner=NOBODY if leads else seats.index(one.winner_of(trick)),
        best_suit=best_suit,
        best_rank=best_rank,
        turned_up=worth(one.trump_card, one)[1],
        cards=one.cards,
        left=one.cards - len(one.finished),
        seats=game.seats,
        dealer=seats.index(one.dealer),
        round=one.number,
        rounds=len(game.sizes),
        bowers=int(options.bowers),
        packs=options.packs,
        printed=int(options.left_bower_follows == "printed"),
        per_trick=int(options.wrong_zero == "per_trick"),
    )


def shown(seats: list[int], one: Round) -> list[int]:
    """For each player and suit the ranks played this round, with room for six players."""
    known = [mask for seat in seats for mask in masks(one.played(seat), one)]
    return known + [0] * (4 * PLACES - len(known))


def view(game: Game) -> BidView | PlayView:
    """What the seat sees whose turn it is."""
    return bid_view(game) if game.round.bidding else play_view(game)


def move(game: Game, candidate: Candidate) -> Bid | Play:
    """A candidate as a strategy is asked about it."""
    if isinstance(candidate, int):
        return Bid(candidate)
    one = game.round
    trick = [*one.trick.cards, candidate]
    wins = winner(trick, one.trump, game.options) == len(trick) - 1
    return Play(*worth(candidate, one), int(wins))


def by_views(bid: Callable[[Any, Any], float], play: Callable[[Any, Any], float]) -> Score:
    """A score that asks functions of what is seen, as strategies have them."""

    def score(game: Game, candidate: Candidate) -> float:
        asked = bid if game.round.bidding else play
        return float(asked(view(game), move(game, candidate)))

    return score
