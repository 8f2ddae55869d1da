"""The second contract, `choose`: a strategy that picks its move itself, in both lanes.

    choose(self, view, moves, noise) -> int

Compiled, it is reached as a score is: once a turn, through a function pointer to a generated loop.
Beside weights, view and moves the pointer gets the noise of the turn, the hidden cards, and the
compiled scoring loop of the strategy that a parameter names, with its weights. The hidden cards go
no further than the generated loop, unless the class declares that it sees them. Such a strategy may
allocate: it is asked once a turn, and thinks for long.

`noise` is a number of the turn: from the tie seed (for it is the player's luck, not the deal's), by
its own purpose, folded so that it cannot be traced back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

import numba
import numpy as np
from numba import types
from numba.extending import overload

from sim.choose import turn_key
from sim.deals import deal_key, mix
from sim.jit import TWO_FORMS, engine
from sim.lanes import (
    Loop,
    Player,
    compile_reason,
    compiled_once,
    plain_player,
    score_all_signature,
    strategy_globals,
    tuple_type,
    weights_text,
)
from sim.noise import Noise, draw
from sim.strategy import Strategy, contract

STEP = np.uint64(0x9E3779B97F4A7C15)
UPPER = np.uint64(32)


class Scorer(NamedTuple):
    """A strategy that scores, as compiled code of another one finds it in its parameter."""

    score_all: Any  # its compiled loop over moves
    weights: Any  # float64, the values of its parameters


@engine
def noise_of(root: Any, deal: Any, turn: Any) -> Any:
    """Return the noise (int64) of a turn: of the player's stream, which begins at `root`."""
    key = turn_key(deal_key(root, deal), turn)
    return np.int64(mix(key + STEP) ^ key)  # folded: no inverse


@engine
def draw_compiled(key: Any, number: Any, bound: Any) -> Any:
    """Return what `sim.noise.draw` returns."""
    bits = mix(np.uint64(key) + np.uint64(number + 1) * STEP) >> UPPER
    return np.int64(bits * np.uint64(bound) >> UPPER)


TWO_FORMS.add(draw)


@overload(draw)
def _draw(noise: Any, number: Any, bound: Any) -> Any:
    def drawn(noise: Any, number: Any, bound: Any) -> Any:
        return draw_compiled(noise.key, number, bound)

    return drawn


def choose_signature(view: Any, hidden: Any) -> Any:
    """Return the type of a compiled choice.

    (weights, view, moves, count, noise, hidden, policy, its weights) -> number of the move. `moves`
    is (fields of Move, room); the first `count` columns are used.
    """
    return types.int64(
        types.float64[::1],
        tuple_type(view),
        types.int64[:, ::1],
        types.int64,
        types.int64,
        tuple_type(hidden),
        types.FunctionType(score_all_signature(view)),
        types.float64[::1],
    )


def player_of(
    strategy: Strategy, play: Any, picks: Any, closure: str, policy: Player | None
) -> Player:
    """Return the player of a strategy that chooses, compiled if it and its policy can be.

    Args:
        strategy: the strategy with its parameters.
        play: the module `play` of its game.
        picks: the module `picks` of its game, which plays strategies that choose.
        closure: hash of all sources the strategy depends on.
        policy: the player of the strategy that it names.
    """
    plain = plain_player(strategy)
    if policy and not policy.is_compiled:
        reason = f"the strategy it names, '{policy.strategy.name}', cannot be: {policy.reason}"
        return Player(strategy, plain.weights, None, reason, None, policy)
    try:
        about = type(strategy), play.VIEW, play.MOVE, closure
        choice = compiled_once(Choice(*about, counts=True, picks=picks))
    except Exception as error:  # numba's compile errors have no common class
        reason = compile_reason(error, type(strategy))
        return Player(strategy, plain.weights, None, reason, None, policy)
    return Player(strategy, plain.weights, None, "", choice, policy)


@dataclass(frozen=True)
class Choice(Loop):
    """The generated function that asks a strategy class for its choice."""

    picks: Any = None  # the module of that name of its game

    def text_with(self, tag: str) -> str:
        """Return the source of the generated module."""
        fields = ", ".join(f"moves[{i}]" for i in range(len(self.move._fields)))
        hidden = ", hidden" if self.cls.clairvoyant else ""
        seen = ", ".join(_as_seen(name, hint) for name, hint in get_type_hints(self.view).items())
        return f'''"""Choice of {self.cls.__module__}.{self.cls.__qualname__} (generated)."""


def choose_{tag}(weights, view, moves, count, noise, hidden, score_all, its_weights):
    policy = Scorer(score_all, its_weights)
    me = Weights({weights_text(self.cls)})
    view = View({seen})
    return int(choose(me, view, Moves({fields}, count), Noise(noise){hidden}))


score_all = choose_{tag}
'''

    def names(self) -> dict[str, Any]:
        """Return the globals of the generated module."""
        own = {"View": self.view, "Moves": self.picks.MOVES, "Noise": Noise, "Scorer": Scorer}
        return own | strategy_globals(self.cls, "choose", self.counts)

    def signature(self) -> Any:
        """Return the type of the function."""
        return choose_signature(self.view, self.picks.HIDDEN)


def _as_seen(name: str, hint: Any) -> str:
    """A copy of each array: no strategy moves cards. What it imagines may be written to."""
    return f"view.{name}" if hint is int else f"view.{name}.copy()"


def pointers(player: Player, nobody: Any) -> tuple[Any, Any, Any, Any]:
    """Return what the engine hands on: choice, weights, the policy's loop, and its weights.

    `nobody` is a scoring loop that stands there if no strategy is named.
    """
    choice = player.choose_move, player.weights
    if player.policy is None:
        return *choice, nobody, np.zeros(1)
    return *choice, player.policy.score_all, player.policy.weights


def nobody(view: Any) -> Any:
    """Return a compiled scoring loop of a game that scores nothing."""
    signature = score_all_signature(view)

    def score_nothing(weights: Any, view: Any, moves: Any, count: Any, scores: Any) -> Any:
        return 0

    return numba.njit(signature, _nrt=False)(score_nothing)


def ask(player: Player, view: Any, moves: Any, noise: int, hidden: Any) -> Any:
    """Ask a strategy in plain Python for its choice; only who declares it gets `hidden`."""
    assert contract(type(player.strategy)) == "choose"
    choose: Any = player.strategy.choose  # type: ignore[attr-defined]  # as its contract says
    if type(player.strategy).clairvoyant:
        return choose(view, moves, Noise(noise), hidden)
    return choose(view, moves, Noise(noise))
