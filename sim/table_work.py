"""What a worker does for several players at once: build those who sit at a table, and play.

The counterpart of `sim.work.Spec` for a line-up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.deals import STREAM_VERSION
from sim.game import Block, Dice, Game
from sim.lanes import Player, compiled_player
from sim.registry import Origin
from sim.seating import Member, play_deals
from sim.source import stamp

MemberSpec = tuple[tuple[Origin, Mapping[str, float | int | bool]], ...]  # of each decision


@dataclass(frozen=True)
class Seated:
    """Those who sit at a table, ready to play."""

    members: tuple[Member, ...]

    @property
    def lane(self) -> str:
        """Return "compiled", or "plain" if any of them has to be asked in plain Python."""
        lanes = {player.lane for player in self._players}
        return "plain" if "plain" in lanes else "compiled"

    @property
    def reasons(self) -> dict[str, str]:
        """Return why strategies could not be compiled, by their names."""
        return {one.strategy.name: one.reason for one in self._players if one.reason}

    @property
    def _players(self) -> list[Player]:
        return [player for member in self.members for player in member]


@dataclass(frozen=True)
class TableSpec:
    """A line-up as it is told to a worker."""

    members: tuple[MemberSpec, ...]
    rules: Any  # the game's Rules

    @property
    def name(self) -> str:
        """Return the names of all strategies in it."""
        return ", ".join(dict.fromkeys(origin.load().name for origin in self.origins()))

    @property
    def classes(self) -> str:
        """Return the names of their classes."""
        return ", ".join(dict.fromkeys(origin.name for origin in self.origins()))

    def player(self, game: Game) -> Seated:
        """Build the players, compiled if they can be."""
        return Seated(tuple(_member(game, member) for member in self.members))

    def origins(self) -> list[Origin]:
        """Return where the strategies come from."""
        return [origin for member in self.members for origin, _ in member]

    def moved(self, places: Mapping[str, Path], move: Any) -> TableSpec:
        """Return the same with plug-ins in other places; `move` is applied to each origin."""
        members = tuple(
            tuple((move(origin, places), params) for origin, params in member)
            for member in self.members
        )
        return replace(self, members=members)

    def stamp(self, game: Game, dice: Dice) -> str:
        """Return the hash of everything that decides the outcomes of this cell."""
        return stamp(
            seed=dice.seed,
            ties=[dice.ties, dice.tie_seed],
            stream=STREAM_VERSION,
            game=game.name,
            rules_version=game.rules_version,
            rules=vars(self.rules),
            members=[[_stamped(*part) for part in member] for member in self.members],
        )

    def play(self, game: Game, dice: Dice, first: int, count: int, player: Seated) -> Block:
        """Play all rotations of deals `first` .. `first + count - 1` of the seed."""
        return play_deals(game, self.rules, dice, first, count, player.members)


def _member(game: Game, spec: MemberSpec) -> Member:
    """Build a member: a player for each decision."""
    several = len(game.decisions) > 1
    kinds = game.part("play").DECISIONS
    players = []
    for name, (origin, params) in zip(game.decisions, spec, strict=True):
        (view, move), strategy = kinds[name], origin.load()(**params)
        method = name if several else ""
        players.append(compiled_player(strategy, view, move, origin.closure(), method))
    return tuple(players)


def _stamped(origin: Origin, params: Mapping[str, float | int | bool]) -> list[Any]:
    values = {name: repr(value) for name, value in params.items()}
    return [origin.name, origin.closure(), values]
