"""What a player of Stiche ansagen sees, and what a bid and a play are: all a strategy is given.

Cards are told by what they are worth under the trump of the round, not by what is printed on them:

- suits: `TRUMP` 0; `SISTER` 1, the other suit of the trump's colour; 2 and 3, those of the other
  colour;
- ranks: 2 to 10 as printed, `JACK` 11, `QUEEN` 12, `KING` 13, `ACE` 14; with bowers the jack of
  the sister suit is the trump of rank `LEFT` 15, and the jack of trumps that of rank `RIGHT` 16.

Cards of a suit are a mask: bit r is the card of rank r. With two packs a card may be there twice.
Players are told by where they sit: 0 is oneself, 1 the next in turn, and so on; arrays have places
for six, and those of nobody hold 0.

Hidden, and so absent here: the cards in other hands, and those that were not dealt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bits import lowest, popcount

__all__ = [
    "ACE",
    "JACK",
    "KING",
    "LEFT",
    "NOBODY",
    "NO_BID",
    "QUEEN",
    "RIGHT",
    "SISTER",
    "SUITS",
    "TRUMP",
    "Bid",
    "BidView",
    "Play",
    "PlayView",
    "lowest",
    "popcount",
]

TRUMP, SISTER = 0, 1
SUITS = 4
JACK, QUEEN, KING, ACE, LEFT, RIGHT = range(11, 17)
NO_BID = -1  # of who has not bid yet
NOBODY = -1  # a player, where nobody has played yet


class BidView(NamedTuple):
    """The round as a player sees it before bidding."""

    hand: NDArray[np.int64]  # (4,) masks of ranks held, by suit
    twins: NDArray[np.int64]  # (4,) masks of ranks held twice; all 0 with one pack
    turned_up: int  # rank of the card that shows the trump; it is out of play
    cards: int  # in each hand: the tricks of the round, 1 .. `max_hand`
    seats: int  # players, 2 .. 6
    place: int  # who bid before: 0 for forehand, `seats` - 1 for the dealer
    bids: NDArray[np.int64]  # (6,) of each player, `NO_BID` of those still to come
    points: NDArray[np.int64]  # (6,) of each player, from the rounds before
    round: int  # 1 .. `rounds`
    rounds: int
    bowers: int  # 1 if there are bowers
    packs: int  # 1 or 2
    hook: int  # 1 if the dealer may not make the bids add up to the tricks
    per_trick: int  # 1 if a wrong zero costs 10 a trick won, 0 if it costs 5


class Bid(NamedTuple):
    """So many tricks."""

    tricks: int  # 0 .. cards in hand


class PlayView(NamedTuple):
    """The trick as a player sees it before playing a card."""

    hand: NDArray[np.int64]  # (4,) masks of ranks held, by suit
    twins: NDArray[np.int64]  # (4,) masks of ranks held twice
    unseen: NDArray[np.int64]  # (4,) masks of ranks that may still be in another hand
    shown: NDArray[np.int64]  # (24,) [4 x player + suit] masks of ranks each played this round
    voids: NDArray[np.int64]  # (6,) mask of suits, bit by suit, that each was seen not to follow
    bids: NDArray[np.int64]  # (6,) of each player
    won: NDArray[np.int64]  # (6,) tricks that each has won
    points: NDArray[np.int64]  # (6,) of each player, from the rounds before
    trick_suits: NDArray[np.int64]  # (6,) of the cards in the trick, in the order played
    trick_ranks: NDArray[np.int64]  # (6,)
    place: int  # cards in the trick: 0 to lead
    led: int  # suit to be followed, `NOBODY` to lead
    winner: int  # player whose card is the best so far, `NOBODY` to lead
    best_suit: int  # of that card; 0 to lead
    best_rank: int  # of that card; 0 to lead
    turned_up: int  # rank of the trump that was turned up
    cards: int  # tricks of the round
    left: int  # tricks not finished yet, this one included, 1 .. `cards`
    seats: int  # players, 2 .. 6
    dealer: int  # player who dealt
    round: int  # 1 .. `rounds`
    rounds: int
    bowers: int  # 1 if there are bowers
    packs: int  # 1 or 2
    printed: int  # 1 if the left bower follows its printed suit, `SISTER`
    per_trick: int  # 1 if a wrong zero costs 10 a trick won, 0 if it costs 5


class Play(NamedTuple):
    """Play one card."""

    suit: int
    rank: int
    wins: int  # 1 if it is then the best card of the trick, as it is to lead
