"""Entries against each other on the same deals: from sums over pairs to comparisons.

The family over which Holm's method adjusts is all pairs of one rules variant, for the difference of
win rates; the differences of cards left are a family of their own. Changes of the rules form a
family per label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.cell import Cell
from sim.results import Additive, Change, Effect, Pair
from sim.stats.effects import additivity, factorial_effects, left_moments, win_moments
from sim.stats.family import holm_pairs, rank_range, separation
from sim.stats.gram import Gram, empty, gram_of
from sim.stats.paired import Pairs, compare
from sim.stats.sequence import Sequence as Bounds
from sim.stats.sequence import compare_always


class Group:
    """Cells that are compared with each other: their sums grow piece by piece."""

    def __init__(self, cells: Sequence[int]) -> None:
        self.cells = list(cells)  # numbers of the cells in the plan
        self._gram = empty(len(self.cells))

    def add(self, pieces: Sequence[NDArray[np.uint8] | None]) -> None:
        """Add the same range of deals of all cells of the plan; None = the cell has no more."""
        own = [pieces[cell] for cell in self.cells]
        played = np.array([0 if piece is None else piece.shape[1] for piece in own])
        left = np.zeros((len(own), int(played.max())), np.uint8)
        for row, piece in zip(left, own, strict=True):
            if piece is not None:
                row[: piece.shape[1]] = piece[0]
        self._gram += gram_of(left, played)

    def take(self, gram: Gram) -> None:
        """Add sums over all cells of the plan."""
        self._gram += gram.of(self.cells)

    @property
    def gram(self) -> Gram:
        """Return the sums so far."""
        return self._gram

    def compared(self, sequence: Bounds | None = None) -> Compared:
        """Return the comparison of all pairs; with a sequence, by bounds that hold at any look."""
        return Compared(self._gram, sequence)


class Compared:
    """All pairs of a group, with p-values adjusted over the group."""

    def __init__(self, gram: Gram, sequence: Bounds | None = None) -> None:
        self.pairs: Pairs = compare(gram) if sequence is None else compare_always(gram, sequence)
        self.deals = gram.common
        self.p_holm = holm_pairs(self.pairs.wins_p)
        self.left_p_holm = holm_pairs(self.pairs.left_p)

    def ranks(self) -> list[tuple[int, int]]:
        """Return the best and worst place each entry may have."""
        ranges = rank_range(separation(self.p_holm, self.pairs.wins.value))
        return [(best, worst) for best, worst in ranges.tolist()]

    def numbers(self, a: int, b: int) -> dict[str, Any]:
        """Return the numbers of one pair, named as in results.json."""
        pairs, table = self.pairs, self.pairs.table
        return {
            "deals": int(self.deals[a, b]),
            "both": int(np.asarray(table.both)[a, b]),
            "only_a": int(np.asarray(table.only_a)[a, b]),
            "only_b": int(np.asarray(table.only_b)[a, b]),
            "neither": int(np.asarray(table.neither)[a, b]),
            "difference": float(pairs.wins.value[a, b]),
            "low": float(pairs.wins.low[a, b]),
            "high": float(pairs.wins.high[a, b]),
            "p": float(pairs.wins_p[a, b]),
            "p_holm": float(self.p_holm[a, b]),
            "leftover_difference": float(pairs.left.value[a, b]),
            "leftover_low": float(pairs.left.low[a, b]),
            "leftover_high": float(pairs.left.high[a, b]),
            "leftover_p": float(pairs.left_p[a, b]),
            "leftover_p_holm": float(self.left_p_holm[a, b]),
            "unpaired_deals": float(pairs.unpaired[a, b]),
        }


def add_deals(
    groups: Sequence[Group], readers: Sequence[Iterator[NDArray[np.uint8]]]
) -> Iterator[tuple[NDArray[np.uint8] | None, ...]]:
    """Read all cells of a plan side by side, add each range of deals to the groups, and yield it.

    The pieces of all readers must begin at the same deals; one that ends early has no more.
    """
    for pieces in zip_longest(*readers):
        for group in groups:
            group.add(pieces)
        yield pieces


def by_variant(cells: Sequence[Cell]) -> list[Group]:
    """Return a group for each rules variant, in the order of the plan."""
    return [Group(numbers) for numbers in _together([cell.variant for cell in cells])]


def by_label(cells: Sequence[Cell]) -> list[Group]:
    """Return a group for each label that is played under several rules variants."""
    groups = [Group(numbers) for numbers in _together([cell.label for cell in cells])]
    return [group for group in groups if len(group.cells) > 1]


def pairs_of(group: Group, compared: Compared, cells: Sequence[Cell]) -> Iterator[Pair]:
    """Yield every pair of a rules variant."""
    for (a, one), (b, other) in combinations(enumerate(group.cells), 2):
        first, second = cells[one], cells[other]
        numbers = compared.numbers(a, b)
        yield Pair(first.label, second.label, **numbers, **_rules(group, cells))


def changes_of(group: Group, compared: Compared, cells: Sequence[Cell]) -> Iterator[Change]:
    """Yield every pair of rules variants of a label."""
    for (a, one), (b, other) in combinations(enumerate(group.cells), 2):
        first, second = cells[one], cells[other]
        numbers = compared.numbers(a, b)
        yield Change(first.variant, second.variant, **numbers, label=first.label)


def effects_of(group: Group, cells: Sequence[Cell], factors: Sequence[str]) -> Iterator[Effect]:
    """Yield main effects and interactions of a rules variant of a factorial design."""
    settings, rules = _settings(group, cells, factors), _rules(group, cells)
    wins = factorial_effects(win_moments(group.gram), settings)
    left = factorial_effects(left_moments(group.gram), settings)
    for i, which in enumerate(wins.factors):
        yield Effect(
            tips=tuple(factors[factor] for factor in which),
            effect=float(wins.effect.value[i]),
            low=float(wins.effect.low[i]),
            high=float(wins.effect.high[i]),
            p_holm=float(wins.p_holm[i]),
            leftover_effect=float(left.effect.value[i]),
            leftover_low=float(left.effect.low[i]),
            leftover_high=float(left.effect.high[i]),
            leftover_p_holm=float(left.p_holm[i]),
            **rules,
        )


def additive_of(group: Group, cells: Sequence[Cell], factors: Sequence[str]) -> Additive:
    """Return whether the factors of a rules variant add up."""
    check = additivity(win_moments(group.gram), _settings(group, cells, factors))
    return Additive(
        observed=check.observed,
        expected=check.expected,
        gap=float(check.gap.value[0]),
        low=float(check.gap.low[0]),
        high=float(check.gap.high[0]),
        p=check.p,
        **_rules(group, cells),
    )


def _settings(group: Group, cells: Sequence[Cell], factors: Sequence[str]) -> NDArray[np.bool_]:
    """Return (cells, factors): where a factor is on, that is, not at the first value played."""
    played = [[cells[cell].params[factor] for factor in factors] for cell in group.cells]
    return np.array(
        [[value != off for value, off in zip(row, played[0], strict=True)] for row in played]
    )


def _rules(group: Group, cells: Sequence[Cell]) -> dict[str, Any]:
    first = cells[group.cells[0]]
    return {"rules": dict(first.rules_dict), "variant": first.variant}


def _together(names: Sequence[str]) -> list[list[int]]:
    """Return the places of each name, in the order in which names first stand."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return list(places.values())
