"""What `tipoff watch` shows of Stiche ansagen: one game with a member at each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sim.cards import card_text
from sim.game import Dice
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.room import Room, new_room
from sim.games.stiche_ansagen.rules import (
    CARDS,
    DEALER,
    PACK,
    PLACE,
    ROUND,
    TRUMPS,
    printed_card,
    score,
)
from sim.games.stiche_ansagen.turns import Decision, Member, decisions
from sim.games.stiche_ansagen.view import Play
from sim.jit import door

Record = dict[str, Any]


@door
def card_of(suit: Any, rank: Any, trumps: Any) -> Any:
    """Return the printed card."""
    return printed_card(suit, rank, trumps)


@door
def points_of(bid: Any, won: Any, per_trick: Any) -> Any:
    """Return the points of a round."""
    return score(bid, won, per_trick)


def game_record(rules: Rules, dice: Dice, deal: int, seated: Sequence[Member]) -> Record:
    """Return one whole game, as `tipoff watch --json` prints it; lists are by seat."""
    rounds = list(_rounds(rules, dice, deal, seated))
    points = zip(*(one["points"] for one in rounds), strict=True)
    return {"rounds": rounds, "totals": [sum(own) for own in points]}


def game_text(
    rules: Rules, dice: Dice, deal: int, seated: Sequence[Member], names: Sequence[str]
) -> Iterator[str]:
    """Yield one game round by round for reading; `names` are those of the seats."""
    totals = [0] * len(seated)
    for one in _rounds(rules, dice, deal, seated):
        totals = [sum(pair) for pair in zip(totals, one["points"], strict=True)]
        yield _round_text(one, names, totals)
    best = max(totals)
    winners = [name for name, total in zip(names, totals, strict=True) if total == best]
    yield f"First with {best} points: {', '.join(winners)}"


def _rounds(rules: Rules, dice: Dice, deal: int, seated: Sequence[Member]) -> Iterator[Record]:
    """Play a game and yield the record of each round when it is over."""
    room, record, open_round = new_room(), Record(), 0
    per_trick = int(rules.wrong_zero == "per_trick")
    for decision in decisions(rules, dice, deal, seated, room):
        now = room.table.now
        if now[ROUND] != open_round:
            if record:
                yield _closed(record, per_trick)
            record, open_round = _opened(room, len(seated)), int(now[ROUND])
        _note(record, decision, room)
    yield _closed(record, per_trick)


def _opened(room: Room, seats: int) -> Record:
    """Return the record of a round that was just dealt."""
    now, deck = room.table.now, room.table.deck
    dealt, first = seats * int(now[CARDS]), int(now[DEALER]) + 1
    cards = [int(card) % PACK for card in deck[: dealt + 1]]
    hands = [cards[(seat - first) % seats : dealt : seats] for seat in range(seats)]
    return {
        "round": int(now[ROUND]),
        "dealer": int(now[DEALER]),
        "trump_card": card_text(cards[dealt]),
        "hands": [[card_text(card) for card in in_order(hand)] for hand in hands],
        "bids": [None] * seats,
        "tricks": [],
        "won": [0] * seats,
        "points": [0] * seats,
    }


def _note(record: Record, decision: Decision, room: Room) -> None:
    """Add a decision that is about to be carried out."""
    move = decision.moves[decision.chosen]
    if not isinstance(move, Play):
        record["bids"][decision.seat] = move.tricks
        return
    if room.table.now[PLACE] == 0:
        record["tricks"].append({"leader": decision.seat, "cards": [], "winner": decision.seat})
    trick = record["tricks"][-1]
    trick["cards"].append(card_text(int(card_of(move.suit, move.rank, room.table.now[TRUMPS]))))
    if move.wins:
        trick["winner"] = decision.seat


def _closed(record: Record, per_trick: int) -> Record:
    """Return the record of a round with what it brought."""
    for trick in record["tricks"]:
        record["won"][trick["winner"]] += 1
    pairs = zip(record["bids"], record["won"], strict=True)
    record["points"] = [int(points_of(bid, won, per_trick)) for bid, won in pairs]
    return record


def _round_text(record: Record, names: Sequence[str], totals: Sequence[int]) -> str:
    width = max(map(len, names))
    lines = [f"Round {record['round']}: {record['trump_card']} is turned up"]
    for seat, name in enumerate(names):
        role = "deals" if seat == record["dealer"] else ""
        hand, bid = " ".join(record["hands"][seat]), record["bids"][seat]
        lines.append(f"  {seat} {name:{width}}  bids {bid:2}  {hand}  {role}".rstrip())
    for trick in record["tricks"]:
        cards = " ".join(trick["cards"])
        lines.append(f"    {trick['leader']} leads  {cards}  {names[trick['winner']]} takes it")
    for seat, name in enumerate(names):
        bid, won, points = (record[key][seat] for key in ("bids", "won", "points"))
        made = f"bid {bid:2}, won {won:2}: {points:+4d}, now {totals[seat]:+5d}"
        lines.append(f"  {seat} {name:{width}}  {made}")
    return "\n".join([*lines, ""])


def in_order(cards: Sequence[int]) -> list[int]:
    """Return printed cards, 0..51, by suit, and from the ace down."""
    return sorted(cards, key=lambda card: (card // 13, -((card % 13 - 1) % 13)))
