"""From a config to what is searched: the parameters, their room, and who meets on which deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from sim.errors import BadInput
from sim.game import Game
from sim.named import add_plugins, game_of
from sim.registry import Listing, Registry
from sim.settings import defaults, parameter_axes, rules_variants, settle
from sim.strategy import Parameter, parameters
from sim.tuning.config import Range, TuneConfig, Tuning
from sim.yaml_lines import Loc, Problem

MOST_COMBINATIONS = 100_000  # that `all` plays
BY_GENERATIONS = ("generations", "candidates", "deals", "leftover_first")

Candidate = tuple[Any, ...]  # the values of the parameters searched, in their order


@dataclass(frozen=True)
class Dimension:
    """A parameter that is searched: a range of numbers, or choices."""

    name: str
    kind: type  # float, int or bool
    start: Any  # where `cma` begins
    least: Any = None  # of a range, both ends included
    most: Any = None
    choices: tuple[Any, ...] = ()

    @property
    def values(self) -> tuple[Any, ...]:
        """Return all values of choices or of a range of whole numbers."""
        return self.choices or tuple(range(self.least, self.most + 1))


@dataclass(frozen=True)
class Search:
    """Everything a search needs to know."""

    wanted: Tuning
    game: Game
    variants: tuple[Any, ...]  # the Rules under which every candidate plays
    listing: Listing
    fixed: Mapping[str, Any]  # all parameters; what is searched at its default
    dimensions: tuple[Dimension, ...]

    def params(self, candidate: Candidate) -> dict[str, Any]:
        """Return all parameters of a candidate."""
        searched = (dimension.name for dimension in self.dimensions)
        return {**self.fixed, **dict(zip(searched, candidate, strict=True))}

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Return all parameters of the strategy."""
        return parameters(self.listing.cls)

    @property
    def unchanged(self) -> Candidate:
        """Return the candidate that leaves everything at its default."""
        return tuple(self.fixed[dimension.name] for dimension in self.dimensions)

    @property
    def of_search(self) -> int:
        """Return how many deals, from deal 0 on, the generations play."""
        return 0 if self.wanted.method == "all" else self.wanted.generations * self.wanted.deals


def make(config: TuneConfig, registry: Registry) -> Search:
    """Return what a config asks for; its plug-ins are added to the registry.

    Raises:
        BadInput: naming file, line and column of what is wrong in it.
    """
    wanted, document = config.wanted, config.document
    game = game_of(wanted.game, document, registry)
    game.alone("tune")
    add_plugins(wanted.plugins, wanted.game, document, registry)
    problems: list[Problem] = []
    variants = rules_variants(game, wanted.rules, problems)
    try:
        listing = registry.strategy(wanted.game, wanted.strategy.use)
        unset = defaults(listing)
    except BadInput as error:
        loc: Loc = ("strategy", "use")
        raise document.errors([*problems, Problem(loc, str(error))]) from None
    given = parameter_axes(listing, wanted.strategy.settings, ("strategy",), problems)
    if not problems:
        unset |= {name: values[0] for name, values in given.items()}
    dimensions = tuple(_dimensions(wanted, listing, unset, problems))
    problems += [*_against(wanted), *_against_method(wanted, dimensions)]
    if problems:
        raise document.errors(problems)
    return Search(wanted, game, tuple(variants), listing, unset, dimensions)


def _dimensions(
    wanted: Tuning, listing: Listing, unset: Mapping[str, Any], problems: list[Problem]
) -> Iterator[Dimension]:
    kinds = {name: parameter.type for name, parameter in parameters(listing.cls).items()}
    for name, room in wanted.search.items():
        loc: Loc = ("search", name)
        if name in wanted.strategy.settings:
            message = f"{name}: is searched, and given under `strategy` too; keep one of them"
            problems.append(Problem(loc, message, at_key=True))
        elif name in kinds and isinstance(room, Range):
            yield from _range(name, kinds[name], room, unset[name], problems)
        else:
            given = () if isinstance(room, Range) else room
            axes = parameter_axes(listing, {name: given}, ("search",), problems)
            if axes.get(name):
                yield Dimension(name, kinds[name], unset[name], choices=axes[name])


def _range(
    name: str, kind: type, room: Range, default: Any, problems: list[Problem]
) -> Iterator[Dimension]:
    """Check a range; yield it if it can be searched."""
    ends: list[Any] = []
    for key, given in (("from", room.least), ("to", room.most), ("start", room.start)):
        try:
            ends.append(None if given is None else settle(kind, given))
        except ValueError as error:
            problems.append(Problem(("search", name, key), f"{key} of {name}: {error}"))
    if len(ends) < 3:
        return
    least, most, start = ends
    if not least < most:
        message = f"{name}: expected `from` to be less than `to`"
        problems.append(Problem(("search", name, "to"), message))
    elif start is not None and not least <= start <= most:
        message = f"{name}: expected a start from {least} to {most}, got {start}"
        problems.append(Problem(("search", name, "start"), message))
    else:
        start = min(max(default, least), most) if start is None else start
        yield Dimension(name, kind, start, least, most)


def _against(wanted: Tuning) -> Iterator[Problem]:
    """Find what cannot be, whatever the strategy."""
    if wanted.fresh_seed == wanted.seed:
        yield Problem(("fresh_seed",), "fresh_seed: must not be the seed itself")
    if not wanted.stages:
        yield Problem(("stages",), "stages: the list is empty, nothing to compare the best on")
    for index, (stage, after) in enumerate(zip(wanted.stages, wanted.stages[1:], strict=False)):
        if after.keep > stage.keep:
            loc = ("stages", index + 1, "keep")
            yield Problem(loc, f"keep: expected at most the {stage.keep} of the stage before")


def _against_method(wanted: Tuning, dimensions: tuple[Dimension, ...]) -> Iterator[Problem]:
    """Find what the method cannot do."""
    for key in sorted(_unused(wanted) & wanted.model_fields_set):
        yield Problem((key,), f"{key}: means nothing to method '{wanted.method}'", at_key=True)
    for found in dimensions:
        loc: Loc = ("search", found.name)
        if wanted.method == "cma" and (found.kind is not float or found.choices):
            message = "`cma` searches ranges of real numbers only; take method 'optuna'"
            yield Problem(loc, f"{found.name}: {message}")
        if wanted.method == "all" and found.kind is float and not found.choices:
            message = "`all` cannot play every real number; give a list, or take method 'cma'"
            yield Problem(loc, f"{found.name}: {message}")
            return
    if wanted.method == "cma" and len(dimensions) < 2:
        yield Problem(("search",), "`cma` wants two parameters or more; take method 'optuna'")
    if wanted.method == "all":
        combinations = prod(
            len(found.choices) or found.most - found.least + 1 for found in dimensions
        )
        if combinations > MOST_COMBINATIONS:
            message = f"search: {combinations:_} combinations; at most {MOST_COMBINATIONS:_}"
            yield Problem(("search",), message, at_key=True)


def _unused(wanted: Tuning) -> set[str]:
    if wanted.method == "all":
        return set(BY_GENERATIONS)
    return {"at_most"} | ({"leftover_first"} if wanted.method == "optuna" else set())
