"""Where two strategies part: what `tipoff duel` shows of Club Fight."""

from __future__ import annotations

from collections import deque
from typing import Any

from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.steps import new_counters, new_room
from sim.games.club_fight.text import move_text, picture
from sim.games.club_fight.turns import Turn, turns
from sim.games.club_fight.watch import left, turn_record
from sim.lanes import Player


def parting(
    rules: Rules, dice: Dice, number: int, players: tuple[Player, Player]
) -> dict[str, Any]:
    """Return the first turn at which two strategies move differently, and how both games end.

    Up to there they stand at the same position: the deal is the same, and equal moves are told
    apart alike. "turn" is None if they never part.
    """
    rooms = new_room(), new_room()
    games = [
        turns(rules, dice, number, player, room, new_counters())
        for player, room in zip(players, rooms, strict=True)
    ]
    found: dict[str, Any] = {"deal": number, "turn": None}
    for one, other in zip(*games, strict=False):
        if one.moves[one.chosen] != other.moves[other.chosen]:
            record, _ = turn_record(rooms[0], one)
            rival, _ = turn_record(rooms[1], other)
            found |= record | {"moves": [_choice(record, one, other), _choice(rival, other, one)]}
            del found["move"], found["score"]
            break
    for game in games:
        deque(game, maxlen=0)  # play it to its end
    return found | {"leftover": [int(left(room)) for room in rooms]}


def _choice(record: dict[str, Any], own: Turn, rival: Turn) -> dict[str, Any]:
    """Return the move chosen, and what the same strategy thinks of the other's move."""
    place = own.moves.index(rival.moves[rival.chosen])
    other = own.scores[place] if own.scores else None
    return {"move": record["move"], "score": record["score"], "other": other}


def parting_text(found: dict[str, Any], labels: tuple[str, str]) -> str:
    """Return a parting for reading."""
    ends = [_end(label, cards) for label, cards in zip(labels, found["leftover"], strict=True)]
    if found["turn"] is None:
        return "\n".join([f"Deal {found['deal']}: both play the same game", *ends])
    grid = picture([card or "--" for card in found["grid"]])
    lines = [
        f"Deal {found['deal']}: they part at turn {found['turn']}",
        *(f"    {line}" for line in grid.splitlines()),
        f"  hand     {' '.join(found['hand'])}",
        f"  blocked  {', '.join(found['blocked']) or 'nothing'}",
    ]
    for label, choice in zip(labels, found["moves"], strict=True):
        scores = ""
        if choice["score"] is not None:
            scores = f", score {choice['score']:g}, the other move {choice['other']:g}"
        lines.append(f"  {label}: {move_text(choice['move'])}{scores}")
    return "\n".join([*lines, *ends])


def _end(label: str, cards: int) -> str:
    return f"  {label} {'wins' if cards == 0 else f'ends with {cards} cards left'}"
