"""The strategy under examination: its players in both lanes, and how much of it there is time for.

Whoever is slow is asked to play fewer deals, never to be let off: what a check takes is measured on
the first deals. A class may say by itself that it is expensive: its attribute `check` sets
parameters for the checks alone, and a limit on the deals of each.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from sim import jit
from sim.choosing import player_of
from sim.errors import BadInput, did_you_mean
from sim.game import Block, Dice, Game
from sim.lanes import Player, compiled_player, score_place
from sim.registry import Listing, Registry
from sim.settings import params_of
from sim.source import closure_hash
from sim.work import Spec

DICE = Dice(20_26, 20_27)
FEWEST = 2  # deals of a check, however slow the strategy is
MOST_TIMED = 1_000  # deals that tell the speed, if they are over
NO_TIME = 0.02  # seconds


@dataclass(frozen=True)
class Effort:
    """What a strategy declares for its checks."""

    params: Mapping[str, Any]
    deals: int | None = None  # at most, of each check and rules variant


@dataclass(frozen=True)
class Amount:
    """So many deals of each of so many rules variants; fewer than wanted if there is no time."""

    deals: int
    wanted: int
    variants: int
    why: str  # there are fewer

    def __str__(self) -> str:
        few = f" instead of {self.wanted:,} ({self.why})" if self.deals < self.wanted else ""
        of = f" of each of {self.variants} rules variants" if self.variants > 1 else ""
        return f"{self.deals:,} deals{few}{of}"


class Subject:
    """One strategy, with all that a check may ask of it; what is built is built once."""

    def __init__(self, registry: Registry, listing: Listing, effort: Effort | None = None) -> None:
        """Examine a strategy, with the effort it declares or another one."""
        self.registry, self.listing, self._effort = registry, listing, effort
        self.game: Game = registry.game(listing.game)
        self.variants = list(variants(self.game))
        self._seconds: dict[bool, float] = {}

    @property
    def file(self) -> str:
        """The file it was written in, or "" if it has none."""
        found = getattr(sys.modules.get(self.listing.cls.__module__), "__file__", None)
        return str(Path(found)) if found else ""

    @property
    def place(self) -> str:
        """Return file:line of the method by which it plays."""
        return score_place(self.listing.cls)

    @cached_property
    def effort(self) -> Effort:
        """Return what it declares for its checks.

        Raises:
            BadInput: if it declares what cannot be.
        """
        return self._effort or effort_of(self.listing)

    @cached_property
    def params(self) -> dict[str, Any]:
        """Return all parameters for the checks."""
        return params_of(self.listing, self.effort.params)

    @cached_property
    def player(self) -> Player:
        """Return its player as a run would build it: compiled if it can be."""
        return self.player_of(self.listing, self.params)

    def player_of(self, listing: Listing, params: Mapping[str, Any]) -> Player:
        """Return the player of any strategy of the game."""
        return Spec(listing.origin, params, self.variants[0]).player(self.game)

    @cached_property
    def plain(self) -> Player:
        """Return its player in plain Python."""
        return self.player.in_plain_python()

    @cached_property
    def bounded(self) -> Player:
        """Return its player with array bounds checked; plain Python always checks them."""
        if not self.player.is_compiled:
            return self.player
        play, strategy = self.game.part("play"), self.player.strategy
        with jit.bounds_checked():
            closure = f"{closure_hash(type(strategy))} bounds"  # compiled and cached apart
            if self.player.chooses:
                picks = self.game.part("picks")
                return player_of(strategy, play, picks, closure, self.player.policy)
            return compiled_player(strategy, play.VIEW, play.MOVE, closure)

    @property
    def lanes(self) -> list[Player]:
        """Return its players, the usual one first."""
        return [self.player] if not self.player.is_compiled else [self.player, self.plain]

    def play(self, player: Player, rules: Any, first: int, deals: int) -> NDArray[np.uint8]:
        """Return the outcomes of some deals, (columns, deals)."""
        return self.block(player, rules, first, deals).outcomes

    def block(self, player: Player, rules: Any, first: int, deals: int) -> Block:
        """Play some deals."""
        block: Block = self.game.part("play").play_block(rules, DICE, first, deals, player)
        return block

    def amount(self, wanted: int, player: Player, seconds: float) -> Amount:
        """Return how many of the deals wanted of each variant there is time for."""
        affordable = int(seconds / len(self.variants) / self.seconds_a_deal(player))
        deals, why = min(wanted, max(FEWEST, affordable)), "it is slow"
        if self.effort.deals and self.effort.deals <= deals:
            deals, why = self.effort.deals, "as it declares"
        return Amount(deals, wanted, len(self.variants), why)

    def seconds_a_deal(self, player: Player) -> float:
        """Return how long a deal takes in the lane of a player."""
        compiled = player.is_compiled
        if compiled not in self._seconds:
            self._seconds[compiled] = self._measured(player)
        return self._seconds[compiled]

    def _measured(self, player: Player) -> float:
        deals = 1
        self._time(player, deals)  # what is done but once a process is not counted
        while (taken := self._time(player, deals)) < NO_TIME and deals < MOST_TIMED:
            deals *= 4
        return taken / deals

    def _time(self, player: Player, deals: int) -> float:
        started = time.perf_counter()
        self.play(player, self.variants[0], 0, deals)
        return time.perf_counter() - started


def variants(game: Game) -> Iterator[Any]:
    """Yield the rules of every variant of a game, the default first.

    An option that is a number or a text has no list of values: it keeps its default.
    """
    hints, default = get_type_hints(game.rules), game.rules()
    seen = [default]
    yield default
    names = [option.name for option in fields(game.rules)]
    choices = [
        (False, True) if hints[name] is bool else get_args(hints[name]) or (getattr(default, name),)
        for name in names
    ]
    for values in product(*choices):
        try:
            rules = game.rules(**dict(zip(names, values, strict=True)))
        except ValueError:  # options that do not go together
            continue
        if rules not in seen:
            seen.append(rules)
            yield rules


def effort_of(listing: Listing) -> Effort:
    """Return what a class declares for its checks: `check = {"params": ..., "deals": ...}`.

    Raises:
        BadInput: if it is no such mapping, or a parameter is unknown or of the wrong type.
    """
    declared = getattr(listing.cls, "check", {})
    if not isinstance(declared, Mapping):
        raise BadInput(f"check: expected a mapping with 'params' and 'deals', got {declared!r}")
    for key in declared:
        if key not in ("params", "deals"):
            raise BadInput(
                f"check: unknown key {key!r}{did_you_mean(str(key), ('params', 'deals'))}"
            )
    params, deals = declared.get("params", {}), declared.get("deals")
    if not isinstance(params, Mapping):
        raise BadInput(f"check: params: expected a mapping of parameters, got {params!r}")
    whole = isinstance(deals, int) and not isinstance(deals, bool) and deals > 0
    if deals is not None and not whole:
        raise BadInput(f"check: deals: expected a whole number from 1 up, got {deals!r}")
    params_of(listing, params)
    return Effort(params, deals)
