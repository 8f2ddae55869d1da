"""A typed position of Club Fight: laid on a table, and as a strategy sees it."""

from __future__ import annotations

from typing import Any

from sim.cards import EMPTY
from sim.games.club_fight import Rules
from sim.games.club_fight.rules import HAND, place
from sim.games.club_fight.steps import Room, new_room
from sim.games.club_fight.text import parse_grid, parse_hand
from sim.games.club_fight.turns import current_view, open_turn
from sim.games.club_fight.view import Move, View
from sim.jit import door


@door
def lay(room: Any, cell: Any, card: Any) -> None:
    """Lay a card into an empty cell."""
    place(room.table, cell, card)


def lay_out(grid: str, hand: str) -> Room:
    """Return a table with the cards of a typed position, both decks empty.

    Raises:
        BadInput: if the position is impossible.
    """
    room = new_room()
    for cell, card in enumerate(parse_grid(grid)):
        if card != EMPTY:
            lay(room, cell, card)
    room.table.now[HAND] = sum(1 << value for value in parse_hand(hand))
    return room


def moves_of(room: Room, rules: Rules) -> list[Move]:
    """Return every legal move, in order."""
    count = open_turn(room, int(rules.all_clear))
    return sorted(Move(*column) for column in room.moves[:, :count].T.tolist())


def position(grid: str, hand: str, rules: Rules | None = None) -> tuple[View, list[Move]]:
    """Return what a player sees of a typed position, and the legal moves: to test a score by.

    Args:
        grid: nine cards in reading order, such as `6H 9S 2D / AD Jk TD / KD 4H 6S`.
        hand: one to four clubs, such as `3C 6C QC KC`.
        rules: by default one joker, without All Clear.

    Raises:
        BadInput: if the position is impossible.
    """
    room, rules = lay_out(grid, hand), rules or Rules()
    return current_view(room, rules), moves_of(room, rules)
