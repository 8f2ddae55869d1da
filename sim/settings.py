"""Values of rule options and strategy parameters: checked, typed, multiplied out, put into words.

A value is what a config, `--set` or `--rules` gives; its type is that of the field it sets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from sim import naming
from sim.config import words
from sim.errors import BadInput, did_you_mean
from sim.fields import Naming, Setting
from sim.game import Game
from sim.policy import Named
from sim.registry import Listing
from sim.strategy import Parameter, Policy, parameters
from sim.yaml_lines import Loc, Problem, shown

MAX_CELLS = 10_000  # of one experiment; more is a slip in a product of sweeps
MAX_INT = 2**53  # magnitude of a whole number: exact as a float too

Value = bool | int | float | str | Named
Given = Value | Naming | Mapping[str, Any]  # as a config or a results file has it
Axes = dict[str, tuple[Any, ...]]  # the values each option or parameter takes


def rules_of(game: Game, given: Mapping[str, Setting]) -> Any:
    """Return the game's rules with some options set.

    Raises:
        BadInput: if an option is unknown or its value is not allowed.
    """
    problems: list[Problem] = []
    variants = rules_variants(game, given, problems)
    _stop_at(problems)
    return variants[0]


def params_of(listing: Listing, given: Mapping[str, Given]) -> dict[str, Any]:
    """Return all parameters of a strategy, some of them set, typed as they are annotated.

    Raises:
        BadInput: if a parameter is unknown or its value is of the wrong type or not finite.
    """
    problems: list[Problem] = []
    params = defaults(listing)
    axes = parameter_axes(listing, given, (), problems)
    _stop_at(problems)
    return params | {name: values[0] for name, values in axes.items()}


def rules_variants(game: Game, given: Mapping[str, Setting], problems: list[Problem]) -> list[Any]:
    """Return the rules of every combination of options, the first option outermost.

    What is wrong is added to `problems`; the variants then mean nothing.
    """
    hints = get_type_hints(game.rules)
    known = {option.name: hints[option.name] for option in fields(game.rules)}

    def unknown(name: str) -> str:
        return f"{game.title} has no rule {shown(name)}{did_you_mean(name, known)}"

    axes = _axes(known, given, ("rules",), unknown, problems)
    if count(axes) > MAX_CELLS:
        problems.append(Problem(("rules",), f"rules: more than {MAX_CELLS:_} combinations"))
        return []
    try:
        return [game.rules(**values) for values in combinations(axes)]
    except ValueError as error:  # options that do not go together
        problems.append(Problem(("rules",), f"rules: {error}"))
        return []


def parameter_axes(
    listing: Listing, given: Mapping[str, Any], loc: Loc, problems: list[Problem]
) -> Axes:
    """Return the values that are given to a strategy's parameters.

    What is wrong is added to `problems`, below `loc`; the axes then mean nothing.
    """
    known = {name: _kind(parameter) for name, parameter in _parameters(listing).items()}

    def unknown(name: str) -> str:
        takes = f"parameters: {', '.join(known)}" if known else "it takes no parameters"
        hint = did_you_mean(name, [*known, "label", "deals"]).partition("; known")[0]
        return f"{listing.name} has no parameter {shown(name)}{hint} ({takes})"

    policies = [name for name in given if known.get(name) is Policy]
    numbers = {name: setting for name, setting in given.items() if name not in policies}
    axes = _axes(known, numbers, loc, unknown, problems)
    for name in policies:
        axes[name] = tuple(naming.policies(listing, given[name], (*loc, name), problems, _complete))
    return {name: axes[name] for name in given if name in axes}


def defaults(listing: Listing) -> dict[str, Any]:
    """Return the defaults of all parameters of a strategy, typed as they are annotated.

    Raises:
        BadInput: if a default is not of its own type, or not finite.
    """
    try:
        known = _parameters(listing).values()
        return {parameter.name: _default(listing, parameter) for parameter in known}
    except (TypeError, ValueError) as error:
        raise BadInput(f"{listing.name}: a parameter is not usable: {error}") from error


@cache
def _parameters(listing: Listing) -> dict[str, Parameter]:
    """Return the parameters, looked up once: a config may name a strategy thousands of times."""
    return parameters(listing.cls)


def count(axes: Axes) -> int:
    """Return the number of combinations of the values."""
    return math.prod(map(len, axes.values()))


def combinations(axes: Axes) -> Iterator[dict[str, Any]]:
    """Yield every combination of the values, the first name outermost."""
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def settle(kind: Any, value: object) -> Any:
    """Return `value` as the annotation `kind` wants it; an int is a float too, a bool never is.

    Raises:
        ValueError: saying in plain words what was expected.
    """
    if get_origin(kind) is Literal:
        return _choose(get_args(kind), value)
    try:
        found = _adapter(kind).validate_python(value)
    except ValidationError as error:
        raise ValueError(words(error.errors()[0])) from None
    if found != value:
        raise ValueError(f"expected a number that a float holds exactly, got {shown(value)}")
    return found + 0.0 if isinstance(found, float) else found  # -0.0 and 0.0 are one value


def text(value: Value) -> str:
    """Return a value as labels show it: floats as short as they can be without loss, 1.0 as 1.

    Of a strategy that is named, the name and what is set otherwise than it is by default.
    """
    if isinstance(value, Named):
        return naming.label(value, text)
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _axes(
    kinds: Mapping[str, Any],
    given: Mapping[str, Setting],
    loc: Loc,
    unknown: Callable[[str], str],
    problems: list[Problem],
) -> Axes:
    """Return the values of every known name that is given, noting what is wrong with them."""
    axes: Axes = {}
    for name, setting in given.items():
        if name in kinds:
            axes[name] = tuple(_values(kinds[name], setting, (*loc, name), problems))
        else:
            problems.append(Problem((*loc, name), unknown(name), at_key=True))
    return axes


def _values(kind: Any, setting: Setting, loc: Loc, problems: list[Problem]) -> list[Any]:
    values: dict[Any, None] = {}
    for index, given in enumerate(setting if isinstance(setting, tuple) else (setting,)):
        try:
            value = settle(kind, given)
            if value in values:
                raise ValueError(f"{text(value)} stands twice in the list")
            values[value] = None
        except ValueError as error:
            problems.append(Problem((*loc, index), f"{loc[-1]}: {error}"))
    return list(values)


def _choose(choices: tuple[Any, ...], value: object) -> Any:
    """Return the choice that is the value; pydantic would take True and 1.0 for 1."""
    for choice in choices:
        if type(choice) is type(value) and choice == value:
            return choice
    raise ValueError(f"expected {' or '.join(map(shown, choices))}, got {shown(value)}")


def _kind(parameter: Parameter) -> Any:
    """Return the annotation by which the values of a parameter are checked."""
    if parameter.least is None:
        return parameter.type
    return Annotated[parameter.type, Field(ge=parameter.least, le=MAX_INT)]


def _default(listing: Listing, parameter: Parameter) -> Any:
    if parameter.type is not Policy:
        return settle(_kind(parameter), parameter.default)
    problems: list[Problem] = []
    given = {"use": parameter.default.use, **parameter.default.settings}
    found = list(naming.policies(listing, given, (parameter.name,), problems, _complete))
    if problems:
        raise ValueError("; ".join(problem.message for problem in problems))
    return found[0]


def _complete(
    listing: Listing, given: Mapping[str, Any], loc: Loc, problems: list[Problem]
) -> dict[str, Any]:
    """Return all parameters of a strategy, some of them set."""
    axes = parameter_axes(listing, given, loc, problems)
    return defaults(listing) | {name: values[0] for name, values in axes.items() if values}


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    bounds = {
        int: Annotated[int, Field(ge=-MAX_INT, le=MAX_INT)],
        float: Annotated[float, Field(allow_inf_nan=False)],
    }
    return TypeAdapter(bounds.get(kind, kind), config=ConfigDict(strict=True))


def _stop_at(problems: list[Problem]) -> None:
    if problems:
        raise BadInput("; ".join(problem.message for problem in problems))
