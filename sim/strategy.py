"""What a strategy is: a short class that scores one option, its advice in the docstring.

    from sim.games.club_fight.view import Move, View
    from sim.strategy import Strategy

    class JokerFirst(Strategy):
        '''Clear jokers before anything else.'''

        weight: float = 100.0

        def score(self, view: View, move: Move) -> float:
            return move.cleared + self.weight * jokers_cleared(view, move)

The annotated fields are the parameters: a config may set or sweep them, a tuner may search them,
and none is baked into compiled code. The engine lists the options of a turn and takes the one of
highest score. Strategies are stateless; what a careful player could remember is a field of the
view.

A strategy that weighs its moves against each other has `choose` in place of `score`:

    def choose(self, view: View, moves: Moves, noise: Noise) -> int:
        ...  # the number of the move to make, 0 .. moves.size - 1

It is asked once a turn. `moves` holds all candidates side by side, in an order of their own;
`noise` is where sampling gets its chance from (`sim.noise`): it tells neither seed nor deal, and
its stream is no deck's. Such a strategy may name another one, that scores, as the value of a
parameter, `policy: Policy = Policy("all-tips", pace=0.0)`, and play on with it in games that it
imagines (a module of the game, such as `sim.games.club_fight.sampled`, says how).

One that declares `clairvoyant = True` gets the hidden cards as one more argument,
`choose(self, view, moves, noise, hidden)`. No other strategy can get at them.

This module imports nothing of the project: its text is part of every strategy's stamp.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

RESERVED = ("use", "label", "deals")  # keys of an entry in a config


@dataclass(frozen=True)
class AtLeast:
    """Says of a parameter, `Annotated[int, AtLeast(2)]`, that no smaller value makes sense."""

    least: int


Count = Annotated[int, AtLeast(1)]
"""The type of a parameter that is a whole number from 1 up."""


class Policy:
    """The value of a parameter that names another strategy, with what is set of its parameters.

    While it plays, a strategy finds in such a parameter the other strategy itself.
    """

    def __init__(self, use: str, **settings: float | int | bool) -> None:
        self.use, self.settings = use, settings

    def __repr__(self) -> str:
        parts = [repr(self.use), *(f"{name}={value!r}" for name, value in self.settings.items())]
        return f"Policy({', '.join(parts)})"


PARAMETER_TYPES = (float, int, bool, Policy)


@dataclass_transform(frozen_default=True)
class Strategy:
    """Base of all strategies: makes the subclass a frozen dataclass of its parameters."""

    name: ClassVar[str] = ""
    """Name in configs and tables; by default the class name in kebab case."""
    game: ClassVar[str] = ""
    """Name of the game; by default that of the module its `View` annotation comes from."""
    clairvoyant: ClassVar[bool] = False
    """True if the strategy looks at hidden cards; every table then marks it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = kebab(cls.__name__)
        dataclass(frozen=True)(cls)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a strategy: a tunable number, or the name of another strategy."""

    name: str
    type: type  # float, int, bool or Policy
    default: Any
    least: int | None = None  # smallest value that is allowed


def parameters(strategy: type[Strategy]) -> dict[str, Parameter]:
    """Return the parameters of a strategy class, in the order they are written.

    Raises:
        TypeError: if a field is of another type than float, int, bool or Policy, has no default,
            or has a name that configs use for themselves; or if two of them are policies.
    """
    hints = get_type_hints(strategy, include_extras=True)
    found = {}
    for field in fields(strategy):  # type: ignore[arg-type]  # __init_subclass__ made it a dataclass
        if field.name in RESERVED:
            raise TypeError(f"parameter '{field.name}' has a name that configs use for themselves")
        kind, least = _kind(hints[field.name])
        if kind not in PARAMETER_TYPES:
            raise TypeError(f"parameter '{field.name}' must be annotated float, int or bool")
        if field.default is MISSING:
            raise TypeError(f"parameter '{field.name}' needs a default value")
        found[field.name] = Parameter(field.name, kind, field.default, least)
    if sum(parameter.type is Policy for parameter in found.values()) > 1:
        raise TypeError("a strategy can name one other strategy, not two")
    return found


def _kind(hint: Any) -> tuple[Any, int | None]:
    """Return the type of a parameter, and the least that it may be."""
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, *notes = get_args(hint)
    return kind, next((note.least for note in notes if isinstance(note, AtLeast)), None)


def contract(strategy: type[Strategy]) -> Literal["score", "choose"]:
    """Return the method by which a strategy plays.

    Raises:
        TypeError: if it has neither `score` nor `choose`, or both.
    """
    found = [name for name in ("score", "choose") if callable(getattr(strategy, name, None))]
    match found:
        case ["score"]:
            return "score"
        case ["choose"]:
            return "choose"
        case []:
            raise TypeError(
                f"{strategy.__name__} has no method score(self, view, move), "
                "nor choose(self, view, moves, noise)"
            )
    raise TypeError(f"{strategy.__name__} has both score and choose; one of them must decide")


def advice(strategy: type[Strategy]) -> str:
    """Return the first sentence of a strategy's docstring: the advice in plain words."""
    text = " ".join((strategy.__doc__ or "").split("\n\n")[0].split())
    sentence = re.match(r".*?[.!?](?=\s|$)", text)
    return sentence.group(0) if sentence else text


def kebab(name: str) -> str:
    """Return a class name as it is written in configs: `JokerFirst` becomes `joker-first`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
