"""What `tipoff watch` and `tipoff moves` show of Club Fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.cards import EMPTY, card_text
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.actions import allowed_by
from sim.games.club_fight.position import lay_out, moves_of
from sim.games.club_fight.rules import GRID_SIZE, Block, is_blocked
from sim.games.club_fight.rules import left as cards_left
from sim.games.club_fight.steps import Room, new_counters, new_room
from sim.games.club_fight.text import (
    blocks_text,
    club_text,
    clubs_text,
    move_record,
    move_text,
    parse_grid,
    parse_hand,
    picture,
)
from sim.games.club_fight.turns import Turn, turns
from sim.games.club_fight.view import Move
from sim.jit import door
from sim.lanes import Player

ALTERNATIVES = 3  # other moves shown for each turn


@door
def actions_of(room: Any, clubs: Any, cells: Any) -> Any:
    """Return the mask of actions that allow a candidate."""
    return allowed_by(room.table, clubs, cells)


@door
def blocked(room: Any) -> Any:
    """Return the mask of blocked actions."""
    mask = 0
    for block in (Block.LINE, Block.UPDOWN, Block.RUN):
        mask |= is_blocked(room.table, block) << block
    return mask


@door
def left(room: Any) -> Any:
    """Return the cards in grid and grid deck."""
    return cards_left(room.table)


def position_moves(grid: str, hand: str, rules: Rules) -> dict[str, Any]:
    """Return every legal effect of a typed position, as `tipoff moves --json` prints it.

    Raises:
        BadInput: if the position is impossible.
    """
    room = lay_out(grid, hand)
    cards, clubs = parse_grid(grid), parse_hand(hand)
    return {
        "grid": _grid_record(cards),
        "hand": [club_text(value) for value in clubs],
        "blocked": blocks_text(blocked(room)),
        "moves": [_record(room, cards, move) for move in moves_of(room, rules)],
    }


def position_text(found: dict[str, Any]) -> str:
    """Return the moves of a position for reading: a line a club, then its effects."""
    lines = [f"blocked: {', '.join(found['blocked']) or 'nothing'}"]
    lines += [move_text(move) for move in found["moves"]]
    return "\n".join([*lines, f"{len(found['moves'])} moves"])


def game_record(rules: Rules, dice: Dice, number: int, player: Player) -> dict[str, Any]:
    """Return one whole game, as `tipoff watch --json` prints it."""
    room, counters = new_room(), new_counters()
    played = [
        turn_record(room, turn) for turn in turns(rules, dice, number, player, room, counters)
    ]
    table, cards = room.table, int(left(room))
    return {
        "grid_deck": [card_text(card) for card in table.grid_deck[: table.now[GRID_SIZE]].tolist()],
        "clubs_deck": [club_text(value) for value in table.clubs_deck.tolist()],
        "turns": [record for record, _ in played],
        "won": cards == 0,
        "leftover": cards,
    }


def game_text(rules: Rules, dice: Dice, number: int, player: Player) -> Iterator[str]:
    """Yield one game turn by turn for reading."""
    room, counters = new_room(), new_counters()
    for turn in turns(rules, dice, number, player, room, counters):
        record, others = turn_record(room, turn)
        yield _turn_text(record, others, turn, int(left(room)))
    cards = int(left(room))
    yield "Won: no card is left." if cards == 0 else f"Lost: {cards} cards are left."


def _record(room: Room, grid: list[int], move: Move) -> dict[str, Any]:
    return move_record(grid, move, int(actions_of(room, move.clubs, move.cells)))


def turn_record(room: Room, turn: Turn) -> tuple[dict[str, Any], list[tuple[float, str]]]:
    """Return a turn as in JSON, and the best other moves with their scores."""
    grid = list(turn.view.grid)
    record = {
        "turn": turn.view.turn + 1,
        "grid": _grid_record(grid),
        "hand": clubs_text(turn.view.hand),
        "blocked": blocks_text(blocked(room)),
        "move": _record(room, grid, turn.moves[turn.chosen]),
        "score": turn.scores[turn.chosen] if turn.scores else None,
        "candidates": len(turn.moves),
    }
    if not turn.scores:  # it chooses
        return record, []
    ranked = sorted(range(len(turn.moves)), key=lambda i: (-turn.scores[i], turn.moves[i]))
    others = [i for i in ranked if i != turn.chosen][:ALTERNATIVES]
    shown = [(turn.scores[i], move_text(_record(room, grid, turn.moves[i]))) for i in others]
    return record, shown


def _grid_record(grid: list[int]) -> list[str | None]:
    return [None if card == EMPTY else card_text(card) for card in grid]


def _turn_text(
    record: dict[str, Any], others: list[tuple[float, str]], turn: Turn, cards: int
) -> str:
    view = turn.view
    facts = [
        f"Turn {record['turn']}   {cards} cards left, {view.grid_deck} of them in the deck",
        *(f"    {line}" for line in picture([card_text(card) for card in view.grid]).splitlines()),
        f"  hand     {' '.join(record['hand'])}   (and {view.clubs_deck} in the deck)",
        f"  blocked  {', '.join(record['blocked']) or 'nothing'}",
        f"  move     {move_text(record['move'])}" + _score_text(record["score"]),
    ]
    facts += [f"  or       {text}, score {score:g}" for score, text in others]
    return "\n".join([*facts, f"           best of {record['candidates']} candidates", ""])


def _score_text(score: float | None) -> str:
    return "" if score is None else f", score {score:g}"
