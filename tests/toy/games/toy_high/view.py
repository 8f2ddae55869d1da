"""What the player of Toy High sees, and what a move is."""

from __future__ import annotations

from typing import NamedTuple


class View(NamedTuple):
    """The table as the player sees it before a move."""

    target: int  # the card to be beaten, 1..12
    held: int  # cards in hand: bit per card 1..12
    turn: int  # moves already made, 0..4


class Move(NamedTuple):
    """Play one of the cards held."""

    card: int  # 1..12
