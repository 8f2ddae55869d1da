"""Playing cards: their numbers inside the engine and their notation outside it.

A card is an `int`: 13 x suit + value - 1 for the 52 cards of a pack, `JOKER` for a joker, `EMPTY`
for no card. Suits are numbered hearts, spades, diamonds, clubs; values run from 1 (ace) to 13
(king). Notation: rank `A 2..9 T J Q K` and suit `H S D C`, `Jk`, and `--` for an empty place;
input also takes `10` and either case.
"""

from __future__ import annotations

from sim.errors import BadInput

HEARTS, SPADES, DIAMONDS, CLUBS = range(4)
JOKER = 52
EMPTY = -1

RANKS = "A23456789TJQK"
SUITS = "HSDC"


def card(value: int, suit: int) -> int:
    """Return the card of `value` (1..13) and `suit` (0..3)."""
    return 13 * suit + value - 1


def card_text(number: int) -> str:
    """Return the notation of a card number, such as `TD`, `Jk` or `--`."""
    if number == JOKER:
        return "Jk"
    if number == EMPTY:
        return "--"
    return RANKS[number % 13] + SUITS[number // 13]


def parse_card(text: str) -> int:
    """Return the card number of one word of notation.

    Raises:
        BadInput: if the word is no card; the message says what a card looks like.
    """
    word = text.strip().upper().replace("10", "T", 1)
    if word == "JK":
        return JOKER
    if word == "--":
        return EMPTY
    if len(word) == 2 and word[0] in RANKS and word[1] in SUITS:
        return card(RANKS.index(word[0]) + 1, SUITS.index(word[1]))
    text = text if len(text) <= 20 else f"{text[:17]}..."
    raise BadInput(f"'{text}' is not a card; expected a rank A23456789TJQK and a suit HSDC, or Jk")
