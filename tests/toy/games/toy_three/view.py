"""What a player of Toy Three sees, to claim and to play."""

from __future__ import annotations

from typing import NamedTuple


class ClaimView(NamedTuple):
    """Before the first trick."""

    held: int  # cards in hand: bit per card 1..9
    place: int  # who was asked before


class Claim(NamedTuple):
    """Claim to win two tricks or more, or do not."""

    yes: int  # 1 or 0


class PlayView(NamedTuple):
    """Before playing a card."""

    held: int  # cards in hand: bit per card 1..9
    best: int  # highest card in the trick, 0 to lead
    claims: int  # one's own


class Play(NamedTuple):
    """Play one of the cards held."""

    card: int  # 1..9
