"""Playing Stiche ansagen decision by decision in Python: the plain lane, and what `watch` shows.

The rules are those of the compiled loop, reached through a few doors; only the scores are asked in
plain Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sim.deals import deal_key
from sim.errors import StrategyFailed
from sim.game import Dice
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.room import DealKeys, Room, keys, options_of
from sim.games.stiche_ansagen.rules import BIDDING, DECISIONS, PHASE, PLAYING, SEAT, Options
from sim.games.stiche_ansagen.seen import look_to_bid, look_to_play
from sim.games.stiche_ansagen.steps import list_options, make, pick, set_up
from sim.games.stiche_ansagen.view import Bid, BidView, Play, PlayView
from sim.jit import door
from sim.lanes import Player, strategy_fault

Member = tuple[Player, ...]  # who bids, and who plays


class Decision(NamedTuple):
    """One decision as the seat found it, and what was chosen."""

    seat: int
    view: BidView | PlayView
    moves: list[Bid] | list[Play]  # all candidates
    scores: list[float]
    chosen: int  # index of the one taken


@door
def open_game(room: Any, options: Any, root: Any, deal: Any) -> None:
    """Begin the game of a deal."""
    set_up(room.table, options, deal_key(root, deal))


@door
def open_decision(room: Any, options: Any) -> Any:
    """List the candidates; return how many there are, 0 if the game is over."""
    return list_options(room, options)


@door
def fill_to_bid(room: Any, options: Any) -> Any:
    """Fill the eyes of the seat that bids; return the numbers of its view."""
    view = look_to_bid(room.table, room.eyes, options)
    return view[2:6] + view[8:]


@door
def fill_to_play(room: Any, options: Any) -> Any:
    """Fill the eyes of the seat that plays a card; return the numbers of its view."""
    return look_to_play(room.table, room.eyes, options)[10:]


@door
def pick_option(room: Any, keys: Any, deal: Any, count: Any) -> Any:
    """Return the index of the option to take, -1 if a score is not finite."""
    return pick(room, keys, deal, count)


@door
def close_decision(room: Any, options: Any, chosen: Any, root: Any, deal: Any) -> None:
    """Do what was chosen."""
    make(room, options, chosen, deal_key(root, deal))


def decisions(
    rules: Rules, dice: Dice, deal: int, seated: Sequence[Member], room: Room
) -> Iterator[Decision]:
    """Play one deal, yielding each decision before it is carried out.

    Args:
        rules: the options.
        dice: what chance decides.
        deal: its number.
        seated: the member at each seat.
        room: the arrays to play in; its table is at the end that of the finished game.

    Raises:
        StrategyFailed: if a strategy raises, or a score is not a finite number.
    """
    roots, options = keys(dice), options_of(rules, len(seated))
    open_game(room, options, roots.deck, deal)
    while count := open_decision(room, options):
        seat, bids = int(room.table.now[SEAT]), room.table.now[PHASE] == BIDDING
        view = bid_view(room, options) if bids else play_view(room, options)
        kind, width = (Bid, 1) if bids else (Play, 3)
        moves: Any = [kind(*column) for column in room.moves[:width, :count].T.tolist()]
        player = seated[seat][0 if bids else 1]
        scores = _scores(player, view, moves, seated, room, deal)
        chosen = _best(scores, seated, room, roots, deal)
        yield Decision(seat, view, moves, scores, chosen)
        close_decision(room, options, chosen, roots.deck, deal)


def play_out(
    rules: Rules, dice: Dice, deal: int, seated: Sequence[Member], room: Room
) -> list[int]:
    """Play one deal in the plain lane and return the points of each seat."""
    for _ in decisions(rules, dice, deal, seated, room):
        pass
    return [int(points) for points in room.table.points[: len(seated)]]


def bid_view(room: Room, options: Options) -> BidView:
    """Return what the bidder sees as plain ints and lists: ten times faster outside numba."""
    numbers: Any = fill_to_bid(room, options)
    eyes: Any = room.eyes
    own = eyes.hand.tolist(), eyes.twins.tolist()
    said: Any = eyes.bids.tolist(), eyes.points.tolist()
    fields: Any = (*own, *numbers[:4], *said, *numbers[4:])
    return BidView(*fields)


def play_view(room: Room, options: Options) -> PlayView:
    """Return what the seat sees that plays a card, as plain ints and lists."""
    numbers = fill_to_play(room, options)
    eyes: Any = [part.tolist() for part in room.eyes]
    trick: Any = room.table.trick_suits.tolist(), room.table.trick_ranks.tolist()
    return PlayView(*eyes, *trick, *numbers)


def fault_at(
    room: Room, seated: Sequence[Member], deal: int, fault: Exception | str
) -> StrategyFailed:
    """Say what the strategy did wrong whose turn it is: its name, deal, decision, its own line."""
    now = room.table.now
    player = seated[int(now[SEAT])][int(now[PHASE] == PLAYING)]
    return strategy_fault(player, deal, int(now[DECISIONS]), fault)


def _scores(
    player: Player, view: Any, moves: Sequence[Any], seated: Any, room: Room, deal: int
) -> list[float]:
    try:
        score = getattr(player.strategy, player.method)
        return [float(score(view, move)) for move in moves]
    except Exception as error:  # whatever a strategy's author left in it
        raise fault_at(room, seated, deal, error) from error


def _best(scores: list[float], seated: Any, room: Room, roots: DealKeys, deal: int) -> int:
    """Return the number of the option to take by its score."""
    room.scores[: len(scores)] = scores
    chosen = int(pick_option(room, roots, deal, len(scores)))
    if chosen < 0:
        bad = next(score for score in scores if not np.isfinite(score))
        what = f"returned the score {bad}, which is not a finite number"
        raise fault_at(room, seated, deal, what)
    return chosen
