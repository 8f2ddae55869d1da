"""The results of a run as plain values: what results.json holds and what every chart is drawn from.

Rates lie in [0, 1]; percent appears only in charts and tables. Intervals are 95 % and pointwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One line of the results: one strategy under one rules variant, over its deals."""

    label: str
    strategy: str
    params: Mapping[str, float | int | bool]
    swept: tuple[str, ...]  # the parameters that the experiment varies for this entry
    rules: Mapping[str, int | bool]
    variant: str  # the rules in words, such as "1 joker (easy)"
    lane: str  # "compiled" or "plain"
    clairvoyant: bool  # the strategy looks at hidden cards; every table and chart says so
    deals: int
    wins: int
    digest: str  # sha256 over the leaf digests
    leaves: tuple[str, ...]  # sha256 of the outcome bytes of each 50,000 deals from deal 0
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    leftover_mean: float  # cards
    leftover_low: float
    leftover_high: float
    leftover_histogram: tuple[int, ...]  # [c] = deals that ended with c cards left
    turns_mean: float


@dataclass(frozen=True)
class Results:
    """All entries of one experiment, in the order of its config, and where they come from."""

    experiment: str
    game: str
    seed: int
    ties: str
    tie_seed: int
    baseline: str  # label of the entry the others are compared with
    digest: str  # sha256 over the sorted entry digests
    versions: Mapping[str, str | int]
    entries: tuple[Entry, ...]

    def variants(self) -> list[str]:
        """Return the rules variants in words, in the order of the config."""
        return list(dict.fromkeys(entry.variant for entry in self.entries))

    def of_variant(self, variant: str) -> list[Entry]:
        """Return the entries played under one rules variant."""
        return [entry for entry in self.entries if entry.variant == variant]

    def to_json(self) -> str:
        """Return the text of results.json: floats unrounded, equal bytes for equal results."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Results:
        """Read the text of results.json back.

        Raises:
            KeyError, TypeError, ValueError: if the text is not that of a results.json.
        """
        data: dict[str, Any] = json.loads(text)
        entries = tuple(Entry(**{**entry, **_tuples(entry)}) for entry in data.pop("entries"))
        return cls(**data, entries=entries)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read a results.json file."""
        return cls.from_json(path.read_text(encoding="utf-8"))


def _tuples(entry: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {key: tuple(entry[key]) for key in ("swept", "leaves", "leftover_histogram")}
