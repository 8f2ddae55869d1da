"""How candidates are thought of: an evolution strategy, a Bayesian search, or simply all of them.

A method is asked for the candidates of a generation and told their losses. It uses no dice but its
own, so that from the same losses come the same candidates: a search is resumed by telling it again
what was measured, and nothing of a library's insides is ever stored.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import product
from typing import Any, Protocol

import numpy as np

from sim.errors import BadInput
from sim.tuning.plan import Candidate, Dimension, Search

FIRST_STEP = 0.1  # standard deviation of the first generation of `cma`, in widths of the ranges
CENTRES = 10  # the last so many centres of `cma` are contenders, and their mean
BEST = 20  # so many of the best trials of `optuna` are contenders
MOST_CONTENDERS = 1 + max(1 + CENTRES, BEST)  # of these methods, the defaults included
ALL = "all"  # the method that needs no library


class Method(Protocol):
    """A way to search."""

    def ask(self) -> list[Candidate]:
        """Return the candidates of the next generation."""
        ...

    def tell(self, losses: Sequence[float]) -> None:
        """Learn how the candidates of the generation did; less is better."""
        ...

    def contenders(self) -> list[Candidate]:
        """Return the candidates that the stages shall compare, all different."""
        ...


def method_of(search: Search) -> Method:
    """Return the method a search asks for.

    Raises:
        BadInput: if its library is not installed.
    """
    name = search.wanted.method
    if name == ALL:
        return Everything(search)
    if find_spec(name) is None:
        raise BadInput(
            f"method '{name}' needs the package {name}; install it with "
            f"`pip install 'tipoff[tune]'` or `pip install {name}`"
        )
    return Evolution(search) if name == "cma" else Bayes(search)


class Everything:
    """Every combination of the choices, but for those with too many that are not 0."""

    def __init__(self, search: Search) -> None:
        """Write them down."""
        most = search.wanted.at_most or len(search.dimensions)
        values = (dimension.values for dimension in search.dimensions)
        self._all = [one for one in product(*values) if sum(map(bool, one)) <= most]

    def ask(self) -> list[Candidate]:
        """Return nothing: the stages compare them all."""
        return []

    def tell(self, losses: Sequence[float]) -> None:
        """Learn nothing."""

    def contenders(self) -> list[Candidate]:
        """Return them all."""
        return self._all


class Evolution:
    """CMA-ES: a normal distribution that moves to where its better candidates lie.

    Source: N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, by the author's
    own library. Its centre is a better answer than any candidate: it is the mean of many, and owes
    nothing to luck on a few deals.
    """

    def __init__(self, search: Search) -> None:
        """Start at the start values."""
        import cma

        self._dimensions, self._digits = search.dimensions, search.wanted.digits
        self._centres: list[Any] = []
        options = {
            "popsize": search.wanted.candidates,
            "bounds": [0, 1],
            "randn": np.random.RandomState(search.wanted.seed % 2**32).randn,
            "seed": np.nan,  # the library's own dice are not used
            "verbose": -10,  # quiet, and no file of signals is looked for
            "maxiter": np.inf,
        }
        start = [_share(dimension, dimension.start) for dimension in self._dimensions]
        with _quiet():
            self._strategy = cma.CMAEvolutionStrategy(start, FIRST_STEP, options)

    def ask(self) -> list[Candidate]:
        """Draw a generation."""
        with _quiet():
            self._drawn = self._strategy.ask()
        return [self._candidate(point) for point in self._drawn]

    def tell(self, losses: Sequence[float]) -> None:
        """Move."""
        with _quiet():
            self._strategy.tell(self._drawn, list(losses))
            self._centres.append(self._strategy.result.xfavorite)

    def contenders(self) -> list[Candidate]:
        """Return the last centres and the mean of them, rounded."""
        last = self._centres[-CENTRES:]
        found = [self._candidate(point) for point in (np.mean(last, axis=0), *reversed(last))]
        rounded = [tuple(round(value, self._digits) for value in one) for one in found]
        return list(dict.fromkeys(rounded))

    def _candidate(self, point: Any) -> Candidate:
        pairs = zip(self._dimensions, point, strict=True)
        return tuple(one.least + float(share) * (one.most - one.least) for one, share in pairs)


class Bayes:
    """A tree-structured Parzen estimator: real numbers, whole ones and choices alike.

    Source: J. Bergstra and others, "Algorithms for hyper-parameter optimization", NIPS 2011, by
    the library optuna.
    """

    def __init__(self, search: Search) -> None:
        """Begin without knowing anything."""
        import optuna

        optuna.logging.set_verbosity(logging.WARNING)
        self._rooms = {one.name: _distribution(one) for one in search.dimensions}
        self._count, self._digits = search.wanted.candidates, search.wanted.digits
        sampler = optuna.samplers.TPESampler(seed=search.wanted.seed % 2**32)
        self._study = optuna.create_study(sampler=sampler)
        self._seen: list[tuple[float, Candidate]] = []

    def ask(self) -> list[Candidate]:
        """Draw a generation."""
        self._trials = [self._study.ask(self._rooms) for _ in range(self._count)]
        return [self._candidate(trial.params) for trial in self._trials]

    def tell(self, losses: Sequence[float]) -> None:
        """Take the trials to heart."""
        for trial, loss in zip(self._trials, losses, strict=True):
            self._study.tell(trial, loss)
            self._seen.append((loss, self._candidate(trial.params)))

    def contenders(self) -> list[Candidate]:
        """Return the best trials."""
        ranked = sorted(self._seen, key=lambda seen: seen[0])
        return list(dict.fromkeys(candidate for _, candidate in ranked))[:BEST]

    def _candidate(self, values: dict[str, Any]) -> Candidate:
        found = (values[name] for name in self._rooms)
        return tuple(round(one, self._digits) if isinstance(one, float) else one for one in found)


def _share(dimension: Dimension, value: float) -> float:
    """Return where in its range a value lies, 0 to 1."""
    return float((value - dimension.least) / (dimension.most - dimension.least))


def _distribution(dimension: Dimension) -> Any:
    from optuna.distributions import (
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )

    if dimension.choices:
        return CategoricalDistribution(dimension.choices)
    if dimension.kind is int:
        return IntDistribution(dimension.least, dimension.most)
    return FloatDistribution(dimension.least, dimension.most)


def _quiet() -> warnings.catch_warnings[None]:
    """Keep a library's advice to its callers from the user."""
    found = warnings.catch_warnings()
    warnings.simplefilter("ignore")
    return found
