"""The cast of a plan: every cell's player, built in the parent before any worker is forked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sim.errors import StrategyFailed
from sim.game import Block, Dice, Game
from sim.plan import Plan
from sim.say import say
from sim.work import AnySpec

Tell = Callable[[str], None]
WARNING = "warning: "  # begins what one should not miss


@dataclass(frozen=True)
class Cast:
    """A plan with all that its cells need to be played; one of each a cell."""

    plan: Plan
    dice: Dice
    specs: Sequence[AnySpec]
    stamps: Sequence[str]
    players: Sequence[Any]  # each a Player, or those Seated at a table

    @property
    def lanes(self) -> list[str]:
        """Return the lane each cell plays in."""
        return [player.lane for player in self.players]

    def play(self, cell: int, deals: int) -> Block:
        """Play the first deals of a cell in this process."""
        return self.specs[cell].play(self.plan.game, self.dice, 0, deals, self.players[cell])


def cast_of(wanted: Plan, require_compiled: bool, tell: Tell | None = None) -> Cast:
    """Build the players of a plan; what there is to say beside goes to `tell`, or to `say`."""
    specs, dice = specs_of(wanted), Dice(wanted.seed, wanted.tie_seed, wanted.ties)
    players = players_of(wanted.game, specs, require_compiled, tell)
    return Cast(wanted, dice, specs, stamps_of(wanted), players)


def specs_of(wanted: Plan) -> list[AnySpec]:
    """Return each cell as a worker is told of it."""
    numbers = wanted.deal_set.numbers if wanted.deal_set else ()
    return [cell.spec(numbers) for cell in wanted.cells]


def stamps_of(wanted: Plan) -> list[str]:
    """Return what each cell is stored under."""
    dice = Dice(wanted.seed, wanted.tie_seed, wanted.ties)
    return [spec.stamp(wanted.game, dice) for spec in specs_of(wanted)]


def players_of(
    game: Game, specs: Sequence[AnySpec], require_compiled: bool, tell: Tell | None = None
) -> list[Any]:
    """Build all players here, before any worker is forked; warn of each that stays plain Python."""
    from sim import jit

    tell = tell or say

    if jit.is_cold():
        tell("compiling the engine and the strategies (only the first time) ...")
    with jit.interruptible():
        players = [spec.player(game) for spec in specs]
    plain = dict(reason for player in players for reason in player.reasons.items())
    for name, reason in plain.items():
        text = f"strategy '{name}' cannot be compiled: {reason}"
        if require_compiled:
            raise StrategyFailed(text)
        tell(f"{WARNING}{text}; it plays in plain Python, about a hundred times slower")
    return players
