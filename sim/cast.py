"""The cast of a plan: every cell's player, built in the parent before any worker is forked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sim.errors import StrategyFailed
from sim.game import Block, Dice
from sim.lanes import Player
from sim.plan import Plan
from sim.say import say
from sim.work import Spec


@dataclass(frozen=True)
class Cast:
    """A plan with all that its cells need to be played; one of each a cell."""

    plan: Plan
    dice: Dice
    specs: Sequence[Spec]
    stamps: Sequence[str]
    players: Sequence[Player]

    @property
    def lanes(self) -> list[str]:
        """Return the lane each cell plays in."""
        return [player.lane for player in self.players]

    def play(self, cell: int, deals: int) -> Block:
        """Play the first deals of a cell in this process."""
        play_block = self.plan.game.part("play").play_block
        block: Block = play_block(self.specs[cell].rules, self.dice, 0, deals, self.players[cell])
        return block


def cast_of(wanted: Plan, require_compiled: bool) -> Cast:
    """Build the players of a plan."""
    specs = [Spec(cell.listing.origin, cell.params, cell.rules) for cell in wanted.cells]
    dice = Dice(wanted.seed, wanted.tie_seed, wanted.ties)
    stamps = [spec.stamp(wanted.game, dice) for spec in specs]
    return Cast(wanted, dice, specs, stamps, _players(wanted, specs, require_compiled))


def _players(wanted: Plan, specs: Sequence[Spec], require_compiled: bool) -> list[Player]:
    """Build all players here, before any worker is forked; warn of each that stays plain Python."""
    from sim import jit

    if jit.is_cold():
        say("compiling the engine and the strategies (only the first time) ...")
    with jit.interruptible():
        players = [spec.player(wanted.game) for spec in specs]
    plain = {player.strategy.name: player.reason for player in players if player.reason}
    for name, reason in plain.items():
        text = f"strategy '{name}' cannot be compiled: {reason}"
        if require_compiled:
            raise StrategyFailed(text)
        say(f"warning: {text}; it plays in plain Python, about a hundred times slower")
    return players
