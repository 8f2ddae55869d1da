"""A parameter that names another strategy: read as a name, or a name with parameters.

    policy: all-tips
    policy: {use: all-tips, pace: 0}

What cannot be named is refused: a strategy that does not exist, one that chooses its moves itself
(two look-ahead players would imagine each other for ever), one that sees hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sim.errors import BadInput
from sim.fields import Naming
from sim.policy import Named
from sim.registry import Listing
from sim.strategy import contract, parameters
from sim.yaml_lines import Loc, Problem, shown

Complete = Callable[[Listing, Mapping[str, Any], Loc, list[Problem]], dict[str, Any]]


def policies(
    listing: Listing, setting: Any, loc: Loc, problems: list[Problem], complete: Complete
) -> Iterator[Named]:
    """Yield the strategies that a parameter names: one, or several to sweep.

    What is wrong is added to `problems`, below `loc`.

    Args:
        listing: the strategy whose parameter it is.
        setting: what a config or a results file gives.
        loc: where it stands.
        problems: what was found wrong so far.
        complete: returns all parameters of a strategy, some of them set.
    """
    several = isinstance(setting, list | tuple)
    found: set[Named] = set()
    for index, given in enumerate(setting if several else (setting,)):
        place = (*loc, index) if several else loc
        named = _named(listing, given, place, problems, complete)
        if named in found:
            problems.append(Problem(place, f"{loc[-1]}: '{named.use}' stands twice in the list"))
        elif named:
            found.add(named)
            yield named


def _named(
    listing: Listing, given: Any, loc: Loc, problems: list[Problem], complete: Complete
) -> Named | None:
    """Return the strategy that is meant, or note why there is none."""
    what, before = next(part for part in reversed(loc) if isinstance(part, str)), len(problems)
    try:
        use, settings = named_in(given)
        other = _partner(listing, use)
        params = complete(other, settings, loc, problems)
    except BadInput as error:
        problems.append(Problem(loc, f"{what}: {error}"))
        return None
    if len(problems) > before:
        return None
    return Named(other.name, other.origin, tuple(params.items()))


def named_in(given: Any) -> tuple[str, Mapping[str, Any]]:
    """Return the name of a strategy, and what is set of its parameters."""
    match given:
        case Naming():
            return given.use, given.model_extra or {}
        case Named():
            return given.use, dict(given.params)
        case str():
            return given, {}
        case Mapping() if isinstance(given.get("use"), str):
            return given["use"], {name: one for name, one in given.items() if name != "use"}
    raise BadInput(f"expected the name of a strategy or a mapping with 'use', got {shown(given)}")


def _partner(listing: Listing, use: str) -> Listing:
    """Return the strategy of the same game that is called `use`, if it can play for another."""
    if listing.among is None:
        raise BadInput(f"'{listing.name}' is not listed, so it can name no other strategy")
    other = listing.among.strategy(listing.game, use)
    if other.cls.clairvoyant:
        raise BadInput(f"'{use}' sees hidden cards; expected a strategy that does not")
    if contract(other.cls) == "choose":
        raise BadInput(f"'{use}' chooses its moves itself; expected a strategy that scores them")
    return other


def label(value: Named, text: Callable[[Any], str]) -> str:
    """Return a named strategy as labels show it: with what is set otherwise than by default."""
    unset = {name: one.default for name, one in parameters(value.origin.load()).items()}
    changed = [f"{name}={text(own)}" for name, own in value.params if own != unset[name]]
    return f"{value.use}({', '.join(changed)})" if changed else value.use
