"""A strategy as the value of another strategy's parameter: where it is from, how it is set.

    {use: look-ahead, policy: {use: all-tips, pace: 0}}

Only strategies that score, and see no hidden cards, can be named: games are played on with them by
the thousand, and whoever names one sees what it sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sim.registry import Origin
from sim.strategy import Strategy

Number = float | int | bool


@dataclass(frozen=True)
class Named:
    """A strategy that is named in a parameter, with all of its own parameters."""

    use: str
    origin: Origin
    params: tuple[tuple[str, Number], ...]

    def strategy(self) -> Strategy:
        """Return the strategy itself."""
        return self.origin.load()(**dict(self.params))

    def written(self) -> dict[str, str | Number]:
        """Return it as plain values, as a config could have it."""
        return {"use": self.use, **dict(self.params)}

    def stamped(self) -> list[Any]:
        """Return what decides how it plays, for the stamp of who names it."""
        values = {name: repr(value) for name, value in self.params}
        return [self.origin.name, self.origin.closure(), values]


def written(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as plain values; of a strategy that one names, `use` and its own."""
    return {
        name: value.written() if isinstance(value, Named) else value
        for name, value in params.items()
    }


def source_of(origin: Origin, params: Mapping[str, Any]) -> str:
    """Return the hash of the text of a strategy, of those it names, and of all they import."""
    named = [value for value in params.values() if isinstance(value, Named)]
    closures = [origin.closure(), *(value.origin.closure() for value in named)]
    return closures[0] if len(closures) == 1 else sha256(" ".join(closures).encode()).hexdigest()
