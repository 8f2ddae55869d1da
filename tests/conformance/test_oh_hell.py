"""Without bowers the game is an Oh Hell: the engine against OpenSpiel's, which nobody here wrote.

Hands, trump and dealer are given to OpenSpiel round by round; then it is told every decision of the
engine's game, and must say before each whose turn it is and what may be said or played. So it also
says who wins a trick: the next leader. It knows 3 to 7 players and always has the hook.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from sim.cards import card_text
from sim.game import Dice
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.room import Room, new_room
from sim.games.stiche_ansagen.rules import TRUMPS
from sim.games.stiche_ansagen.turns import decisions
from sim.games.stiche_ansagen.view import Bid, Play
from sim.games.stiche_ansagen.watch import card_of, game_record
from tests.conformance.stiche_ansagen import Member, at_table, in_plain_python, made_members

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("pyspiel") is None,
        reason="OpenSpiel is not installed (PyPI: open_spiel, of the extra 'slow')",
    ),
]

RULES = Rules(bowers=False, hook=True)
RANKS, SUITS = "23456789TJQKA", "CDSH"  # in the order of OpenSpiel's actions
CARDS = 52
DEALS = 40


def action_of(card: str) -> int:
    """The action by which OpenSpiel deals or plays a card: "rank * num_suits + suit"."""
    return RANKS.index(card[0]) * len(SUITS) + SUITS.index(card[1])


def dealt(game: Any, one: dict[str, Any]) -> Any:
    """OpenSpiel's round with these hands: it deals from player 0 on, whoever the dealer is."""
    state, hands = game.new_initial_state(), one["hands"]
    state.apply_action(len(hands[0]))
    state.apply_action(one["dealer"])
    in_turn = [card for cards in zip(*hands, strict=True) for card in cards]
    for card in [*in_turn, one["trump_card"]]:
        assert state.is_chance_node()
        assert action_of(card) in [action for action, _ in state.chance_outcomes()]
        state.apply_action(action_of(card))
    assert not state.is_chance_node()
    return state


def actions_of(one: dict[str, Any]) -> list[int]:
    """The decisions of a round in turn, as OpenSpiel numbers them."""
    seats = len(one["hands"])
    bids = [one["bids"][(one["dealer"] + 1 + turn) % seats] for turn in range(seats)]
    played = [card for trick in one["tricks"] for card in trick["cards"]]
    return [CARDS + bid for bid in bids] + [action_of(card) for card in played]


def action_of_move(move: Bid | Play, room: Room) -> int:
    """The action by which OpenSpiel knows a candidate of the engine; bids lie behind the cards."""
    if isinstance(move, Bid):
        return CARDS + move.tricks
    return action_of(card_text(int(card_of(move.suit, move.rank, room.table.now[TRUMPS]))))


def options_of_game(deal: int, seated: list[Member]) -> list[tuple[int, list[int]]]:
    """Seat and legal actions of each decision of the engine's game."""
    found, room = [], new_room()
    for decision in decisions(RULES, Dice(41, 42), deal, seated, room):
        actions = [action_of_move(move, room) for move in decision.moves]
        found.append((decision.seat, sorted(actions)))
    return found


def returns_of(one: dict[str, Any]) -> list[int]:
    """OpenSpiel's points for these tricks: 1 a trick, and 10 for a bid just made."""
    pairs = zip(one["bids"], one["won"], strict=True)
    return [won + 10 * (bid == won) for bid, won in pairs]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_legal_actions_and_winners_are_those_of_openspiel(seats: int) -> None:
    import pyspiel

    game = pyspiel.load_game("oh_hell", {"players": seats})
    members = in_plain_python(made_members())
    for deal in range(DEALS):
        seated = at_table(members, seats, deal)
        options = iter(options_of_game(deal, seated))
        record = game_record(RULES, Dice(41, 42), deal, seated)
        for one in record["rounds"]:
            state = dealt(game, one)
            for action in actions_of(one):
                assert next(options) == (state.current_player(), sorted(state.legal_actions()))
                state.apply_action(action)
            assert state.is_terminal()
            assert state.returns() == returns_of(one)
        assert next(options, None) is None
