"""Speed of games for several, beside OpenSpiel's random play of as many tricks."""

from __future__ import annotations

import importlib.util
import random
import time
from statistics import median
from typing import Any

from sim.game import Dice, Game
from sim.registry import Registry
from sim.seating import Member, play_deals
from sim.settings import params_of
from sim.table_work import MemberSpec, TableSpec

NAME, SEATS, DEALS, RUNS = "stiche_ansagen", 4, 500, 5
TRICKS = 110  # of a game
HAND, ROUNDS = 10, 11  # of OpenSpiel's game that make as many
LINE_UPS = {
    "aces-and-trumps": ("aces-and-trumps", "aces-and-trumps"),
    "sum-of-chances, cheapest-winner-highest-loser": (
        "sum-of-chances",
        "cheapest-winner-highest-loser",
    ),
    "risk-aware, void-maker": ("risk-aware", "void-maker"),
}


def members(registry: Registry, game: Game, parts: tuple[str, ...]) -> tuple[Member, ...]:
    """Return four players made of the same parts."""
    listings = [registry.strategy(game.name, part) for part in parts]
    one: MemberSpec = tuple((listing.origin, params_of(listing, {})) for listing in listings)
    return TableSpec((one,) * SEATS, game.rules()).player(game).members


def speed(game: Game, seated: tuple[Member, ...], deals: int = DEALS) -> float:
    """Return games a second of processor, of a table of four."""
    started = time.process_time()
    play_deals(game, game.rules(), Dice(7, 7), 0, deals, seated)
    return deals * SEATS / (time.process_time() - started)


def speeds(registry: Registry) -> dict[str, float]:
    """Return the median speed of each line-up."""
    game = registry.game(NAME)
    found = {}
    for label, parts in LINE_UPS.items():
        seated = members(registry, game, parts)
        speed(game, seated, 5)
        found[label] = median(speed(game, seated) for _ in range(RUNS))
    return found


def open_spiel(games: int = 20) -> float:
    """Return games a second of OpenSpiel's random play, of as many tricks; 0 if it is not there."""
    if importlib.util.find_spec("pyspiel") is None:
        return 0.0
    import pyspiel

    game: Any = pyspiel.load_game(f"oh_hell(players={SEATS},num_tricks_fixed={HAND})")
    dice, started = random.Random(7), time.process_time()
    for _ in range(games * ROUNDS):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
    return games / (time.process_time() - started)
