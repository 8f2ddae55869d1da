"""The entries of a tournament's config as contestants: whole strategies, or a part a decision.

- aces-and-trumps
- {use: aces-and-trumps, label: simple}
- {bid: risk-aware, play: {use: void-maker, ...}}
- {bid: [sum-of-chances, risk-aware], play: void-maker}     # a list is a sweep
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from sim.config import Entry, Experiment
from sim.decisions import decided, lacking
from sim.errors import BadInput, did_you_mean
from sim.fields import MAX_LABEL
from sim.game import Game
from sim.lineups import Contestant, Part
from sim.naming import named_in
from sim.registry import Listing, Registry
from sim.settings import combinations, defaults, parameter_axes, text
from sim.yaml_lines import Loc, Problem, shown


class Entrants:
    """Reads the entries of a config; what is wrong is added to `problems`."""

    def __init__(self, game: Game, registry: Registry, problems: list[Problem]) -> None:
        self.game, self.registry, self.problems = game, registry, problems

    def all(self, wanted: Experiment) -> list[Contestant]:
        """Return all contestants, in the order of the config."""
        found: list[Contestant] = []
        for index, entry in enumerate(wanted.strategies):
            loc: Loc = ("strategies", index)
            for contestant in self._of(entry, loc):
                self._clash(contestant, found, loc)
                found.append(contestant)
        return found

    def _of(self, entry: Entry, loc: Loc) -> Iterator[Contestant]:
        if entry.deals:
            message = "deals: an entry of a tournament cannot have its own"
            self.problems.append(Problem((*loc, "deals"), message))
        if entry.use is not None:
            yield from self._whole(entry, entry.use, loc)
        else:
            yield from self._of_parts(entry, loc)

    def _whole(self, entry: Entry, use: str, loc: Loc) -> Iterator[Contestant]:
        """Yield a strategy that decides everything, once for each combination of its sweeps."""
        listing = self._listing(use, (*loc, "use"))
        if listing is None:
            return
        if missing := lacking(listing.cls, self.game):
            message = f"'{use}' is a part: it has no {' nor '.join(missing)}; {self._ask()}"
            self.problems.append(Problem((*loc, "use"), message))
            return
        axes = parameter_axes(listing, entry.settings, loc, self.problems)
        swept = [name for name in axes if isinstance(entry.settings[name], tuple)]
        for values in combinations(axes):
            named = [name for name in values if not entry.label or name in swept]
            words = [f"{name}={text(values[name])}" for name in named]
            part = Part(listing, defaults(listing) | values)
            label = " ".join([entry.label or listing.name, *words])
            yield Contestant(label, dict.fromkeys(self.game.decisions, part))

    def _of_parts(self, entry: Entry, loc: Loc) -> Iterator[Contestant]:
        """Yield a player made of parts, once for each combination of those that are listed."""
        known = self.game.decisions
        for name in entry.settings:
            if name not in known:
                message = f"{self.game.title} has no decision {shown(name)}"
                hint = did_you_mean(name, [*known, "use", "label"])
                self.problems.append(Problem((*loc, name), message + hint, at_key=True))
        for name in known:
            if name not in entry.settings:
                self.problems.append(Problem(loc, f"missing '{name}': {self._ask()}"))
                return
        choices = [list(self._parts(name, entry.settings[name], (*loc, name))) for name in known]
        several = [len(options) > 1 for options in choices]
        for combined in product(*choices):
            parts = dict(zip(known, combined, strict=True))
            told = [words(part) for part, many in zip(combined, several, strict=True) if many]
            label = " ".join([entry.label, *told]) if entry.label else _joined(combined)
            yield Contestant(label, parts)

    def _parts(self, decision: str, setting: Any, loc: Loc) -> Iterator[Part]:
        many = isinstance(setting, tuple)
        for index, given in enumerate(setting if many else (setting,)):
            part = self._part(decision, given, (*loc, index) if many else loc)
            if part is not None:
                yield part

    def _part(self, decision: str, given: Any, loc: Loc) -> Part | None:
        try:
            use, settings = named_in(given)
        except BadInput as error:
            self.problems.append(Problem(loc, f"{decision}: {error}"))
            return None
        listing = self._listing(use, loc)
        if listing is None:
            return None
        if decision not in decided(listing.cls, self.game):
            able = [
                name
                for name, one in self.registry.strategies(self.game.name).items()
                if decision in decided(one.cls, self.game)
            ]
            message = f"{decision}: '{use}' has no {decision}; expected one of {', '.join(able)}"
            self.problems.append(Problem(loc, message))
            return None
        axes = parameter_axes(listing, settings, loc, self.problems)
        return Part(
            listing, defaults(listing) | {name: one[0] for name, one in axes.items() if one}
        )

    def _listing(self, use: str, loc: Loc) -> Listing | None:
        try:
            listing = self.registry.strategy(self.game.name, use)
            defaults(listing)  # refuses parameters that cannot be used
        except BadInput as error:
            self.problems.append(Problem(loc, str(error)))
            return None
        return listing

    def _ask(self) -> str:
        """Say how a player is made of parts."""
        parts = ", ".join(f"{name}: ..." for name in self.game.decisions)
        return f"name a strategy for each decision, {{{parts}}}"

    def _clash(self, one: Contestant, before: list[Contestant], loc: Loc) -> None:
        if len(one.label) > MAX_LABEL:
            message = f"label {shown(one.label)} is longer than {MAX_LABEL} characters"
            self.problems.append(Problem(loc, message))
        for other in before:
            if one.label == other.label or one.key == other.key:
                same = "the same player" if one.key == other.key else f"label '{one.label}'"
                self.problems.append(Problem(loc, f"{same} is entered twice"))
                return


def words(part: Part) -> str:
    """Return a part as labels show it: its name, and what is set otherwise than by default."""
    unset = defaults(part.listing)
    changed = [f"{name}={text(own)}" for name, own in part.params.items() if own != unset[name]]
    return f"{part.listing.name}({', '.join(changed)})" if changed else part.listing.name


def _joined(parts: tuple[Part, ...]) -> str:
    return " + ".join(dict.fromkeys(map(words, parts)))
