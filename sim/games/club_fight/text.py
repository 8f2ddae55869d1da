"""Positions and moves of Club Fight as text that a person can type and read.

A grid is nine cards in reading order, rows set apart by `/`: `6H 9S 2D / AD Jk TD / KD 4H 6S`; `--`
is an empty cell. A hand is one to four clubs: `3C 6C QC KC`.
"""

from __future__ import annotations

from typing import Any

from sim.bits import members
from sim.cards import CLUBS, EMPTY, JOKER, RANKS, card_text, parse_card
from sim.errors import BadInput
from sim.games.club_fight.rules import CELLS, HAND_SIZE, Action, Block
from sim.games.club_fight.view import Move

MOST_JOKERS = 2


def parse_grid(text: str) -> list[int]:
    """Return the nine cards of a grid.

    Raises:
        BadInput: if it is no position that can lie on the table.
    """
    rows = text.split("/")
    cards = [parse_card(word) for row in rows for word in row.split()]
    if len(cards) != CELLS:
        raise BadInput(f"a grid has nine cells, with -- for an empty one; got {len(cards)}")
    if len(rows) > 1 and [len(row.split()) for row in rows] != [3, 3, 3]:
        raise BadInput("a grid has three rows of three cells, set apart by /")
    for card in cards:
        if card != JOKER and card // 13 == CLUBS and card != EMPTY:
            raise BadInput(f"{card_text(card)} cannot lie in the grid: clubs are held in hand")
    _refuse_twice([card for card in cards if card not in (JOKER, EMPTY)], "in the grid")
    if cards.count(JOKER) > MOST_JOKERS:
        raise BadInput(f"{cards.count(JOKER)} jokers lie in the grid; the deck has at most two")
    if all(card == EMPTY for card in cards):
        raise BadInput("no card lies in the grid: the game is over")
    return cards


def parse_hand(text: str) -> list[int]:
    """Return the values of the clubs of a hand.

    Raises:
        BadInput: if it is not one to four different clubs.
    """
    cards = [parse_card(word) for word in text.split()]
    for card in cards:
        if card in (JOKER, EMPTY) or card // 13 != CLUBS:
            raise BadInput(f"{card_text(card)} cannot be in hand: only clubs are held")
    _refuse_twice(cards, "in hand")
    if not 1 <= len(cards) <= HAND_SIZE:
        raise BadInput(f"a hand holds one to four clubs; got {len(cards)}")
    return [card % 13 + 1 for card in cards]


def _refuse_twice(cards: list[int], where: str) -> None:
    for card in cards:
        if cards.count(card) > 1:
            raise BadInput(f"{card_text(card)} stands twice {where}")


def club_text(value: int) -> str:
    """Return the notation of the club of a value: 10 is `TC`."""
    return f"{RANKS[value - 1]}C"


def clubs_text(mask: int) -> list[str]:
    """Return the clubs of a mask, lowest first."""
    return [club_text(value) for value in members(mask)]


def grid_text(grid: list[int]) -> str:
    """Return a grid in one line."""
    words = [card_text(card) for card in grid]
    return " / ".join(" ".join(words[row : row + 3]) for row in (0, 3, 6))


def picture(words: list[str]) -> str:
    """Return a grid of cards in notation as a picture of three lines."""
    return "\n".join("  ".join(words[row : row + 3]) for row in (0, 3, 6))


def blocks_text(mask: int) -> list[str]:
    """Return the blocked actions of a mask with a bit per `Block`."""
    return [block.name.lower() for block in Block if mask >> block & 1]


def actions_text(mask: int) -> list[str]:
    """Return the actions of a mask with a bit per `Action`."""
    return [action.name.lower() for action in Action if mask >> action & 1]


def move_record(grid: list[int], move: Move, actions: int) -> dict[str, Any]:
    """Return a move as it stands in JSON: clubs, cells, the cards in them, the actions."""
    cells = list(members(move.cells))
    return {
        "clubs": clubs_text(move.clubs),
        "cells": cells,
        "cards": [card_text(grid[cell]) for cell in cells],
        "actions": actions_text(actions),
    }


def move_text(record: dict[str, Any]) -> str:
    """Return a move in words: `3C clears 2D AD (sum, down)`."""
    clubs, cards, actions = (", ".join(record[key]) for key in ("clubs", "cards", "actions"))
    return f"{clubs.replace(', ', ' ')} clears {cards.replace(', ', ' ')} ({actions})"
