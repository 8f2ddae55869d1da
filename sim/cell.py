"""A cell of a plan: what is played and stored by itself; and the lines of the results.

A tournament's cells are tables (`sim.lineups`), which answer to the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.policy import source_of, written
from sim.registry import Listing
from sim.strategy import contract
from sim.work import Spec


class Line(NamedTuple):
    """An entry as the results will have it."""

    label: str
    variant: str
    deals: int
    what: Any  # it is, whatever its label


@dataclass(frozen=True)
class Cell:
    """One line of the results: a strategy with its parameters, under one rules variant."""

    label: str
    listing: Listing
    params: Mapping[str, float | int | bool]  # all of them, typed as the strategy annotates them
    swept: tuple[str, ...]  # the parameters that the config gives as a list
    rules: Any  # the frozen Rules of the game
    rules_dict: Mapping[str, Any]
    variant: str  # the rules in words
    deals: int  # from deal 0 on

    @property
    def games(self) -> int:
        """Return the games of a deal."""
        return 1

    @property
    def chooses(self) -> bool:
        """Return whether the strategy may take long for a game."""
        return contract(self.listing.cls) == "choose"

    def files(self) -> list[str | None]:
        """Return the plug-in file that the strategy stands in, None if it is none."""
        return [self.listing.origin.file]

    def about(self) -> dict[str, Any]:
        """Return what is noted of it beside its stamp."""
        return {
            "strategy": self.listing.name,
            "params": written(self.params),
            "rules": dict(self.rules_dict),
            "source": source_of(self.listing.origin, self.params),
        }

    def identity(self) -> tuple[Any, ...]:
        """Return what it is, whatever its label."""
        return self.listing.name, written(self.params), dict(self.rules_dict)

    def spec(self, numbers: tuple[int, ...]) -> Spec:
        """Return it as a worker is told of it; `numbers` are of a set of deals, none if all."""
        return Spec(self.listing.origin, self.params, self.rules, numbers)
