"""Games that a strategy imagines: dealt from what is unseen, and played to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.game import Dice
from sim.games.club_fight import Rules, turns
from sim.games.club_fight.imagined import empty
from sim.games.club_fight.play import play_block
from sim.games.club_fight.position import lay_out, moves_of
from sim.games.club_fight.rules import CLUBS_NEXT, GRID_NEXT, GRID_SIZE, HAND
from sim.games.club_fight.sampled import deal_unseen, new_game, play_out, rate, sure_win
from sim.games.club_fight.steps import Room, keys, new_counters, new_room
from sim.games.club_fight.view import (
    Moves,
    Noise,
    View,
    unseen_cards,
    unseen_clubs,
    unseen_jokers,
)
from sim.lanes import Player
from sim.registry import discover

DICE = Dice(41, 42)
GREEDY: Any = discover().strategy("club_fight", "greedy-most-cards").cls()
FIRST_GAMES = "475688eb8d56"  # of look-ahead


def reached(number: int, turn: int, jokers: int) -> tuple[Room, View, Moves]:
    """Play some turns of a deal, always the last move; return table, view and moves."""
    room, rules = new_room(), Rules(jokers)
    turns.open_deal(room, keys(DICE), number, jokers)
    count = turns.open_turn(room, 0)
    for _ in range(turn):
        turns.close_turn(room, new_counters(), count - 1)
        count = turns.open_turn(room, 0) or count
    fields: Any = room.moves[:, :count].tolist()
    return room, turns.current_view(room, rules), Moves._make([*fields, count])


@given(st.integers(0, 300), st.integers(0, 9), st.integers(1, 2), st.integers(-(2**63), 2**63 - 1))
@settings(max_examples=150, deadline=None)
def test_a_sample_holds_the_unseen_cards(number: int, turn: int, jokers: int, key: int) -> None:
    """What is unseen is all cards minus those seen: worked out here with counters of names."""
    room, view, _ = reached(number, turn, jokers)
    game = new_game(view)
    deal_unseen(game, Noise(key), 3)
    whole = Counter([*range(39), *[52] * jokers])
    seen = Counter(card for card in view.grid if card >= 0)
    seen += Counter(card for card in range(39) if view.discards >> card & 1)
    seen += Counter({52: view.jokers_discarded})
    dealt = game.start.grid_deck[: game.start.now[GRID_SIZE]].tolist()
    assert Counter(dealt) == whole - seen
    spent = {card - 38 for card in range(39, 52) if view.discards >> card & 1}
    hand = {value for value in range(1, 14) if view.hand >> value & 1}
    clubs = game.start.clubs_deck[game.start.now[CLUBS_NEXT] :].tolist()
    assert sorted(clubs) == sorted(set(range(1, 14)) - spent - hand)
    hidden = room.table.grid_deck[room.table.now[GRID_NEXT] : room.table.now[GRID_SIZE]]
    assert Counter(dealt) == Counter(hidden.tolist())
    assert unseen_cards(view).bit_count() + unseen_jokers(view) == view.grid_deck
    assert unseen_clubs(view).bit_count() == view.clubs_deck


def test_every_order_is_equally_likely() -> None:
    """The place of each card over many samples (chi-square, 5 standard deviations)."""
    _, view, _ = reached(1, 6, 1)
    game, counts = new_game(view), Counter[tuple[int, int]]()
    for number in range(4000):
        deal_unseen(game, Noise(99), number)
        counts.update(enumerate(game.start.grid_deck[: view.grid_deck].tolist()))
    expected = 4000 / view.grid_deck
    chi = sum((found - expected) ** 2 / expected for found in counts.values())
    freedom = (view.grid_deck - 1) ** 2
    assert len(counts) == view.grid_deck**2 and abs(chi - freedom) < 5 * (2 * freedom) ** 0.5


def test_a_sample_depends_on_noise_and_number_alone() -> None:
    _, view, _ = reached(2, 3, 2)

    def decks(key: int, number: int, before: int) -> list[int]:
        game = new_game(view)
        deal_unseen(game, Noise(5), before)
        deal_unseen(game, Noise(key), number)
        found: list[int] = game.start.grid_deck.tolist() + game.start.clubs_deck.tolist()
        return found

    assert decks(1, 7, 0) == decks(1, 7, 9)
    assert decks(1, 7, 0) != decks(1, 8, 0) != decks(2, 8, 0)


def test_playing_out_leaves_the_game_where_it_stands() -> None:
    _, view, moves = reached(3, 4, 2)
    game = new_game(view)
    deal_unseen(game, Noise(5), 0)
    once = [play_out(game, moves, m, GREEDY) for m in range(moves.size)]
    assert once == [play_out(game, moves, m, GREEDY) for m in range(moves.size)]
    assert all(0 <= cards < 41 for cards in once) and len(set(once)) > 1
    assert rate(game, view, moves, GREEDY) == list(moves.cleared)


ENDS = [
    ("6H 9S 2D / -- -- -- / -- -- --", "3C 6C"),
    ("AH 2H 3H / -- 5S -- / KD -- --", "3C 6C KC"),
    ("KD QD -- / -- -- -- / -- -- --", "2C"),
    ("Jk 4H -- / 9D -- Jk / -- 2S --", "2C 4C 9C"),
    ("TD JD QD / KD -- 2S / 3S 4S --", "5C 7C 9C AC"),
]


@pytest.mark.parametrize(("grid", "hand"), ENDS)
def test_a_sure_win_is_what_trying_everything_finds(grid: str, hand: str) -> None:
    """By brute force over all lines, with the engine's moves of typed positions."""
    room = lay_out(grid, hand)
    room.table.now[CLUBS_NEXT] = 13
    view, options = turns.current_view(room, Rules(1)), moves_of(room, Rules(1))
    moves = Moves(*(list(field) for field in zip(*options, strict=True)), len(options))  # type: ignore[arg-type, call-arg]
    found = sure_win(new_game(view), moves)
    winners = [m for m, move in enumerate(options) if wins(room, move.clubs, move.cells)]
    assert (found in winners) if winners else found == -1


def wins(room: Room, clubs: int, cells: int) -> bool:
    """Return whether a line that begins with a move clears everything."""
    after = empty().room
    for one, other in zip(after.table, room.table, strict=True):
        one[:] = other
    after.table.now[HAND] = int(room.table.now[HAND])
    after.moves[:2, 0] = clubs, cells
    turns.close_turn(after, new_counters(), 0)
    if not any(after.table.by_suit.tolist()):
        return True
    count = turns.open_turn(after, 0)
    return any(wins(after, *after.moves[:2, m].tolist()) for m in range(count))


def test_the_first_games_of_look_ahead_are_frozen(player: Callable[..., Player]) -> None:
    """Whoever changes them must raise `sampled.VERSION`, for the stamps, and this digest."""
    played = play_block(Rules(2), Dice(1, 2), 0, 12, player("look-ahead", rollouts=64))
    assert sha256(played.outcomes.tobytes()).hexdigest()[:12] == FIRST_GAMES
