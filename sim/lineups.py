"""Who plays in a tournament, and who sits together.

A *contestant* is a strategy, or a part of one for each decision of the game. A *table* is a cell of
the plan: a line-up of contestants, one a seat, under one rules variant. Its members stand in an
order that depends on nothing but what they are, for the outcomes of a line-up are the same however
a config lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sim.policy import source_of, written
from sim.registry import Listing
from sim.table_work import MemberSpec, TableSpec


@dataclass(frozen=True)
class Part:
    """What decides one thing for a contestant."""

    listing: Listing
    params: Mapping[str, Any]  # all of them, typed as the strategy annotates them


@dataclass(frozen=True)
class Contestant:
    """One entry of a tournament."""

    label: str
    parts: Mapping[str, Part]  # by decision, in the order of the game's card

    @property
    def key(self) -> tuple[Any, ...]:
        """Return what it is, whatever its label: contestants are put in order by it."""
        return tuple(
            (decision, part.listing.name, *map(repr, part.params.items()))
            for decision, part in self.parts.items()
        )

    @property
    def clairvoyant(self) -> bool:
        """Return whether a part of it looks at hidden cards."""
        return any(part.listing.cls.clairvoyant for part in self.parts.values())

    def plain(self) -> dict[str, dict[str, Any]]:
        """Return its parts by decision, as a config could have them."""
        return {
            decision: {"use": part.listing.name, **written(part.params)}
            for decision, part in self.parts.items()
        }

    def source(self) -> str:
        """Return the hash of the texts of its parts, and of all they import."""
        texts = [source_of(part.listing.origin, part.params) for part in self.parts.values()]
        return sha256(" ".join(texts).encode()).hexdigest()

    def spec(self) -> MemberSpec:
        """Return it as a worker is told of it."""
        return tuple((part.listing.origin, dict(part.params)) for part in self.parts.values())


@dataclass(frozen=True)
class Tournament:
    """Who plays, and how line-ups are made."""

    kind: str  # "round_robin", "against_field" or "lineups"
    contestants: tuple[Contestant, ...]  # in the order of the config
    field: tuple[int, ...] = ()  # of `against_field`: one, of whom there are copies, or all others


@dataclass(frozen=True)
class Table:
    """A cell of a tournament: who sits together, under one rules variant."""

    members: tuple[int, ...]  # numbers of the contestants, in the order of the outcomes
    entrant: int | None  # against a field: the first member, who is measured; else None
    contestants: tuple[Contestant, ...]  # those members
    rules: Any
    rules_dict: Mapping[str, Any]
    variant: str  # seats and rules in words, "4 players, house rules"
    deals: int  # from deal 0 on

    @property
    def seats(self) -> int:
        """Return how many play."""
        return len(self.members)

    @property
    def games(self) -> int:
        """Return the games of a deal: one for each rotation."""
        return len(self.members)

    @property
    def label(self) -> str:
        """Return the labels of the members as one."""
        return ", ".join(contestant.label for contestant in self.contestants)

    @property
    def chooses(self) -> bool:
        """Return whether a member may take long for a game."""
        return False

    def files(self) -> list[str | None]:
        """Return the plug-in files that the members stand in."""
        parts = [part for one in self.contestants for part in one.parts.values()]
        return [part.listing.origin.file for part in parts]

    def about(self) -> dict[str, Any]:
        """Return what is noted of it beside its stamp."""
        return {
            "strategy": [one.plain() for one in self.contestants],
            "params": {},
            "rules": dict(self.rules_dict),
            "source": [one.source() for one in self.contestants],
        }

    def spec(self, numbers: tuple[int, ...]) -> TableSpec:
        """Return it as a worker is told of it; sets of deals are not played by several."""
        assert not numbers
        return TableSpec(tuple(one.spec() for one in self.contestants), self.rules)
