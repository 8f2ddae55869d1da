"""The rules of Stiche ansagen: what is legal, who wins a trick, what a round is worth.

Rounds grow from one card a hand to the largest hand, which is played twice, and shrink to one
again. After the deal the next card is turned up: its suit is trump. Forehand, left of the dealer,
bids first: a number of tricks, from none to all; the dealer last. Forehand leads; who can follow
suit must, nobody has to trump or to beat; the highest trump wins, else the highest card of the suit
led. The winner leads. With bowers the jack of trumps is the highest trump, the jack of the other
suit of its colour the second, and a trump for every purpose.

    a bid of 1 or more, just made:    10 points a trick
    a bid of 0, just made:             5 points
    a bid of 1 or more, missed:      -10 points a trick bid, however far it was missed
    a bid of 0, missed:               -5 points

"bid 3, won 1: -30 points; 0 and 0: +5; 2 and 2: +20."

Inside the engine a card is what it is worth under the trump: suit and rank as in `view`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.games.stiche_ansagen.view import JACK, LEFT, RIGHT, SISTER, TRUMP
from sim.jit import engine

PACK = 52
SUITS = 4
SEATS = 6  # at most
ACE, VALUES = 14, 13

# Places in `Table.now`.
(
    ROUND,
    CARDS,  # in each hand: the tricks of the round
    DEALER,
    PHASE,
    SEAT,  # whose turn it is
    PLACE,  # bids made, or cards in the trick
    TRICKS,  # finished
    LED,  # suit to be followed, -1 to lead
    WINNER,  # seat whose card is the best so far, -1 to lead
    BEST_SUIT,
    BEST_RANK,
    TURNED_UP,  # rank of the trump that was turned up
    TRUMPS,  # the printed suit that is trump
    DECISIONS,  # made in the game
    NOW,
) = range(15)
BIDDING, PLAYING, OVER = range(3)

# All ranks of a suit, as masks: without bowers; with them trumps, and the sister suit.
PLAIN = 0b111_1111_1111_1100
JACKS = 1 << JACK
WITH_BOWERS = PLAIN & ~JACKS | 1 << LEFT | 1 << RIGHT


class Options(NamedTuple):
    """The rules as the engine knows them, and how many play."""

    seats: int
    rounds: int
    largest: int  # hand
    first_dealer: int
    bowers: int
    packs: int
    hook: int
    per_trick: int
    printed: int


class Table(NamedTuple):
    """A game as it stands."""

    now: NDArray[np.int64]  # (NOW,)
    deck: NDArray[np.int64]  # (104,) printed cards as shuffled
    hands: NDArray[np.int64]  # (6, 4) masks of ranks held, by seat and suit
    twins: NDArray[np.int64]  # (6, 4) masks of ranks held twice
    out: NDArray[np.int64]  # (4,) masks of ranks that were played or turned up
    out_twice: NDArray[np.int64]  # (4,)
    shown: NDArray[np.int64]  # (6, 4) masks of ranks played, by seat and suit
    voids: NDArray[np.int64]  # (6,) masks of suits that a seat did not follow
    bids: NDArray[np.int64]  # (6,) -1 before
    won: NDArray[np.int64]  # (6,) tricks
    points: NDArray[np.int64]  # (6,) of the rounds finished
    trick_suits: NDArray[np.int64]  # (6,) in the order played
    trick_ranks: NDArray[np.int64]  # (6,)


@engine
def worth_suit(card: Any, trumps: Any, bowers: Any) -> Any:
    """Return the suit of a printed card, 0..51, as `view` counts suits."""
    suit = card // VALUES
    sister = suit == trumps ^ 2
    if bowers and sister and card % VALUES + 1 == JACK:
        return TRUMP
    return TRUMP if suit == trumps else SISTER if sister else 2 + (suit >> 1)


@engine
def worth_rank(card: Any, trumps: Any, bowers: Any) -> Any:
    """Return the rank of a printed card, 0..51, as `view` counts ranks."""
    suit, value = card // VALUES, card % VALUES + 1
    if bowers and value == JACK and (suit == trumps or suit == trumps ^ 2):
        return RIGHT if suit == trumps else LEFT
    return ACE if value == 1 else value


@engine
def printed_card(suit: Any, rank: Any, trumps: Any) -> Any:
    """Return the card, 0..51, that is worth this suit and rank."""
    if rank > ACE:
        return VALUES * (trumps if rank == RIGHT else trumps ^ 2) + JACK - 1
    printed = trumps ^ (2 * suit) if suit <= SISTER else (suit - 2) * 2 + (trumps & 1 ^ 1)
    return VALUES * printed + (0 if rank == ACE else rank - 1)


@engine
def ranks_of(suit: Any, bowers: Any) -> Any:
    """Return the mask of all ranks of a suit."""
    if not bowers or suit > SISTER:
        return PLAIN
    return WITH_BOWERS if suit == TRUMP else PLAIN & ~JACKS


@engine
def hand_size(number: Any, options: Any) -> Any:
    """Return the cards dealt to each hand in round `number`, 1 .. `rounds`."""
    return min(number, options.rounds + 1 - number)


@engine
def belongs(suit: Any, rank: Any, printed: Any) -> Any:
    """Return the suit that a card belongs to for following and leading."""
    return SISTER if printed and rank == LEFT else suit


@engine
def of_suit(hand: Any, suit: Any, led: Any, printed: Any) -> Any:
    """Return the ranks of `suit` in a hand, (4,) masks, that follow the suit `led`."""
    bower = 1 << LEFT if printed else 0
    if suit == led:
        return hand[suit] & ~bower
    return hand[TRUMP] & bower if suit == TRUMP and led == SISTER else 0


@engine
def can_follow(hand: Any, led: Any, printed: Any) -> Any:
    """Return whether a hand holds a card of the suit led."""
    return of_suit(hand, led, led, printed) | of_suit(hand, TRUMP, led, printed)


@engine
def beats(suit: Any, rank: Any, best_suit: Any, best_rank: Any) -> Any:
    """Return whether a card is better than the best so far; of equal ones the first wins."""
    if suit == best_suit:
        return rank > best_rank
    return suit == TRUMP


@engine
def score(bid: Any, won: Any, per_trick: Any) -> Any:
    """Return the points of a round."""
    if bid == 0:
        miss = -10 * won if per_trick else -5
        return 5 if won == 0 else miss
    return 10 * bid if won == bid else -10 * bid
