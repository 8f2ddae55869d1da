"""What a worker does: build the players it is told of, and play blocks.

Jobs carry specs (names, parameters, paths), never compiled functions: every process builds its own
players, from the same sources, and finds them compiled on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from sim.choosing import player_of
from sim.count_store import pack
from sim.counts import EVERY, Layout, count
from sim.deals import STREAM_VERSION
from sim.errors import StrategyFailed
from sim.game import Block, Dice, Game
from sim.lanes import Player, compiled_player
from sim.policy import Named
from sim.registry import Origin
from sim.schedule import Job
from sim.source import stamp
from sim.store import Packed
from sim.strategy import contract
from sim.table_work import TableSpec


@dataclass(frozen=True)
class Spec:
    """A cell as it is told to a worker: a strategy with its parameters under one set of rules."""

    origin: Origin
    params: Mapping[str, float | int | bool | Named]
    rules: Any  # the game's Rules
    numbers: tuple[int, ...] = ()  # of a set of deals; none: deals are played as they are counted

    @property
    def name(self) -> str:
        """Return the name of the strategy."""
        return self.origin.load().name

    @property
    def classes(self) -> str:
        """Return the name of its class."""
        return self.origin.name

    def player(self, game: Game) -> Player:
        """Build the player, compiled if it can be."""
        policies = {name: value.strategy() for name, value in _named(self.params).items()}
        strategy = self.origin.load()(**{**self.params, **policies})
        play, closure = game.part("play"), self.origin.closure()
        if contract(type(strategy)) == "score":
            return compiled_player(strategy, play.VIEW, play.MOVE, closure)
        named = next(iter(_named(self.params).values()), None)
        other = Spec(named.origin, dict(named.params), self.rules) if named else None
        policy = other.player(game) if other else None
        return player_of(strategy, play, game.part("picks"), closure, policy)

    def origins(self) -> list[Origin]:
        """Return where the strategy comes from, and those that it names."""
        return [self.origin, *(named.origin for named in _named(self.params).values())]

    def stamp(self, game: Game, dice: Dice) -> str:
        """Return the hash of everything that decides the outcomes of this cell."""
        return stamp(
            seed=dice.seed,
            ties=[dice.ties, dice.tie_seed],
            stream=STREAM_VERSION,
            game=game.name,
            rules_version=game.rules_version,
            rules=vars(self.rules),
            params={
                name: value.stamped() if isinstance(value, Named) else repr(value)
                for name, value in self.params.items()
            },
            strategy=[self.origin.name, self.origin.closure()],
            **({"numbers": self.numbers} if self.numbers else {}),
        )

    def play(self, game: Game, dice: Dice, first: int, count: int, player: Player) -> Block:
        """Play deals `first` .. `first + count - 1` of the seed or, if there is one, of the set."""
        play_block = game.part("play").play_block
        if not self.numbers:
            block: Block = play_block(self.rules, dice, first, count, player)
            return block
        numbers = self.numbers[first : first + count]
        return joined([play_block(self.rules, dice, number, 1, player) for number in numbers])


def _named(params: Mapping[str, Any]) -> dict[str, Named]:
    """Return the strategies that parameters name."""
    return {name: value for name, value in params.items() if isinstance(value, Named)}


AnySpec = Spec | TableSpec
Parts = tuple[Game, Dice, Sequence[AnySpec], Sequence[str]]  # specs and stamps: one of each a cell
Work = Callable[[Job], Packed]


def player_of_blocks(
    game: Game, dice: Dice, specs: Sequence[AnySpec], stamps: Sequence[str]
) -> Work:
    """Return the function that plays a job; players are built when first needed.

    Raises:
        StrategyFailed: (the function) if this process finds other sources than `stamps` stand for.
    """
    layout = Layout.of(game, len(specs))

    @cache
    def player(cell: int) -> Any:
        spec = specs[cell]
        if spec.stamp(game, dice) != stamps[cell]:
            raise StrategyFailed(
                f"strategy '{spec.name}' was edited while it was being played; "
                "run the same command again"
            )
        return spec.player(game)

    def play(cell: int, first: int, deals: int) -> Block:
        return specs[cell].play(game, dice, first, deals, player(cell))

    def work(job: Job) -> Packed:
        if job.cell == EVERY:
            return pack(*count(layout, play, job.first, job.count))
        return Packed.of(play(job.cell, job.first, job.count))

    return work


def joined(blocks: Sequence[Block]) -> Block:
    """Return blocks that were played one after the other as one."""
    counters = {
        name: sum((block.counters[name] for block in blocks[1:]), start=first)
        for name, first in blocks[0].counters.items()
    }
    outcomes = np.concatenate([block.outcomes for block in blocks], axis=1)
    return Block(outcomes, counters, sum(block.seconds for block in blocks))
