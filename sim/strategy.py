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

This module imports nothing of the project: its text is part of every strategy's stamp.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, dataclass_transform, get_type_hints

PARAMETER_TYPES = (float, int, bool)
RESERVED = ("use", "label", "deals")  # keys of an entry in a config


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
    """One tunable number of a strategy: its name, its type (float, int or bool) and its default."""

    name: str
    type: type
    default: Any


def parameters(strategy: type[Strategy]) -> dict[str, Parameter]:
    """Return the parameters of a strategy class, in the order they are written.

    Raises:
        TypeError: if a field is of another type than float, int or bool, has no default, or has a
            name that configs use for themselves.
    """
    hints = get_type_hints(strategy)
    found = {}
    for field in fields(strategy):  # type: ignore[arg-type]  # __init_subclass__ made it a dataclass
        if field.name in RESERVED:
            raise TypeError(f"parameter '{field.name}' has a name that configs use for themselves")
        if hints[field.name] not in PARAMETER_TYPES:
            raise TypeError(f"parameter '{field.name}' must be annotated float, int or bool")
        if field.default is MISSING:
            raise TypeError(f"parameter '{field.name}' needs a default value")
        found[field.name] = Parameter(field.name, hints[field.name], field.default)
    return found


def advice(strategy: type[Strategy]) -> str:
    """Return the first sentence of a strategy's docstring: the advice in plain words."""
    text = " ".join((strategy.__doc__ or "").split("\n\n")[0].split())
    sentence = re.match(r".*?[.!?](?=\s|$)", text)
    return sentence.group(0) if sentence else text


def kebab(name: str) -> str:
    """Return a class name as it is written in configs: `JokerFirst` becomes `joker-first`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
