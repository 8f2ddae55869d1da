"""Taking a trick and leaving it to others: what the playing parts share.

A card is beaten by the cards that nobody has seen yet and that could win over it: the fewer there
are, the likelier it holds once it is the best of the trick.
"""

from __future__ import annotations

from sim.games.stiche_ansagen.view import LEFT, SISTER, TRUMP, Play, PlayView, popcount

ABOVE = 16  # the lowest trump is stronger than any card of a plain suit
FIRST = 1000.0  # before all cards that are not meant
SUIT_WEIGHT = 4  # a higher card of the suit is as dangerous as so many trumps


def take_or_leave(view: PlayView, move: Play) -> float:
    """Return the score of `cheapest-winner-highest-loser`: to make the bid and not a trick more."""
    return take(view, move) if wants_more(view) else leave(view, move)


def take(view: PlayView, move: Play) -> float:
    """Return a score by which a trick is won as cheaply as is safe, else a low card is spent."""
    if not move.wins:
        return -strength(move)
    if is_last(view):
        return FIRST - strength(move)
    ruffed = move.suit != TRUMP and is_ruffed(view, move.suit)
    return -strength(move) if ruffed else FIRST - beaten_by(view, move)


def leave(view: PlayView, move: Play) -> float:
    """Return a score by which the highest card is spent that does not win the trick."""
    if not move.wins:
        return FIRST + strength(move)
    if is_last(view):  # if all win, this one trick should cost the most
        return strength(move)
    return beaten_by(view, move) + strength(move) / 64


def missing(view: PlayView) -> int:
    """Return how many tricks the bid is short of; negative if there are too many."""
    return int(view.bids[0] - view.won[0])


def wants_more(view: PlayView) -> bool:
    """Return whether more tricks are needed, and can be had."""
    return 0 < missing(view) <= view.left


def is_last(view: PlayView) -> bool:
    """Return whether nobody plays to the trick after this card."""
    return view.place == view.seats - 1


def strength(move: Play) -> int:
    """Return a number that orders cards: by rank, and any trump above other suits."""
    return move.rank + ABOVE if move.suit == TRUMP else move.rank


def beaten_by(view: PlayView, move: Play) -> int:
    """Return how many unseen cards beat a card, those of its suit four times over trumps."""
    higher = SUIT_WEIGHT * popcount(view.unseen[move.suit] >> move.rank + 1)
    return higher if move.suit == TRUMP else higher + popcount(view.unseen[TRUMP])


def is_ruffed(view: PlayView, suit: int) -> bool:
    """Return whether anybody to come is void in a suit and may have trumps."""
    if not view.unseen[TRUMP]:
        return False
    for other in range(1, view.seats - view.place):
        voids = view.voids[other]
        if voids >> suit & 1 and not voids >> TRUMP & 1:
            return True
    return False


def follows(view: PlayView, move: Play) -> bool:
    """Return whether a card is of the suit led."""
    printed = view.printed and move.rank == LEFT
    return view.led == (SISTER if printed else move.suit)


def length(view: PlayView, suit: int) -> int:
    """Return how many cards of a suit are in hand."""
    return popcount(view.hand[suit]) + popcount(view.twins[suit])
