"""The results of a run as plain values: what results.json holds and what every chart is drawn from.

Rates lie in [0, 1]; percent appears only in charts and tables. Intervals are 95 % and pointwise,
unless the deals were played until something was known: then they are bounds for every look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.results_text import text_in, text_of

if TYPE_CHECKING:
    from pydantic import TypeAdapter

RARE = {"ladder", "counts", "deal_set"}  # parts: results without them say nothing of them
SEPARATED = 0.05  # adjusted p-values below this separate two cells

# Integers, or tuples of them, to any of three depths; inner ones end with their last non-zero.
Counts = tuple[Any, ...]
if not TYPE_CHECKING:
    Counts = tuple[int | tuple[int | tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class Meaning:
    """What a counter of the game counts, in words; entries hold the counts under its name."""

    name: str
    places: tuple[str, ...]  # what each place counts
    per: str  # "turns" or "deals", of which a place is a share, or another counter to divide by
    note: str


@dataclass(frozen=True)
class Counted:
    """The counters of an entry, summed over its first deals: integers without interval."""

    deals: int = 0  # fewer than the entry's if a block of the store reaches beyond these
    turns: int = 0  # made in these deals
    counts: Mapping[str, Counts] = field(default_factory=dict)


NOT_COUNTED = Counted()


@dataclass(frozen=True)
class Entry:
    """One line of the results: one strategy under one rules variant, over its deals."""

    label: str
    strategy: str
    params: Mapping[str, float | int | bool | Mapping[str, str | float | int | bool]]
    swept: tuple[str, ...]  # the parameters that the experiment varies for this entry
    rules: Mapping[str, int | bool]
    variant: str  # the rules in words, such as "1 joker (easy)"
    lane: str  # "compiled" or "plain"
    clairvoyant: bool  # the strategy looks at hidden cards; every table and chart says so
    deals: int
    wins: int
    digest: str  # sha256 over the leaf digests; of a run that kept counts, of histogram and turns
    leaves: tuple[str, ...]  # sha256 of the outcome bytes of each 50,000 deals from deal 0, if kept
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    leftover_mean: float  # cards
    leftover_low: float
    leftover_high: float
    leftover_histogram: tuple[int, ...]  # [c] = deals that ended with c cards left
    turns_mean: float
    rank: tuple[int, int]  # best and worst place among the entries of its variant; 1 = best
    counted: Counted = NOT_COUNTED
    source: str = ""  # hash of the strategy's text and all it imports; "" in older files

    def identity(self) -> tuple[Any, ...]:
        """Return what it is, whatever its label."""
        return self.strategy, self.params, self.rules


@dataclass(frozen=True)
class Comparison:
    """Two cells on the deals both played: a minus b, with 95 % paired intervals."""

    a: str
    b: str
    deals: int
    both: int  # deals that both won
    only_a: int
    only_b: int
    neither: int
    difference: float  # of the win rates
    low: float
    high: float
    p: float  # McNemar
    p_holm: float  # adjusted over the family that the report states
    leftover_difference: float  # cards; fewer are better
    leftover_low: float
    leftover_high: float
    leftover_p: float
    leftover_p_holm: float
    unpaired_deals: float  # deals each would need for the same interval, were they not the same

    @property
    def separated(self) -> bool:
        """Return whether the win rates differ beyond doubt: adjusted p below 5 %."""
        return self.p_holm < SEPARATED


@dataclass(frozen=True)
class Pair(Comparison):
    """Two entries (a, b are their labels) under the same rules."""

    rules: Mapping[str, int | bool]
    variant: str


@dataclass(frozen=True)
class Change(Comparison):
    """The same entry under two rules variants (a, b are the rules in words)."""

    label: str


@dataclass(frozen=True)
class Effect:
    """What a factor of a factorial design does, or two of them beyond what each does."""

    tips: tuple[str, ...]  # one factor: mean of on minus off; two: their interaction
    effect: float  # on the win rate, over all settings of the other factors
    low: float
    high: float
    p_holm: float  # adjusted over all effects of the variant
    leftover_effect: float  # cards
    leftover_low: float
    leftover_high: float
    leftover_p_holm: float
    rules: Mapping[str, int | bool]
    variant: str


@dataclass(frozen=True)
class Additive:
    """Whether factors add up: all on, against all off plus the effect of each alone."""

    observed: float  # win rate with all on
    expected: float
    gap: float  # observed minus expected
    low: float
    high: float
    p: float
    rules: Mapping[str, int | bool]
    variant: str


@dataclass(frozen=True)
class Rung:
    """How far an entry gets on the way from the bottom of a ladder to its top, in win rate."""

    label: str
    share: float  # 0 is the bottom, 1 the top; it may lie outside
    low: float
    high: float
    rules: Mapping[str, int | bool]
    variant: str


@dataclass(frozen=True)
class Ladder:
    """Two entries as the ends of a scale, and where the others stand between them."""

    bottom: str  # label
    top: str
    rungs: tuple[Rung, ...]  # none where bottom and top may be the same


@dataclass(frozen=True)
class Stop:
    """Where the entries of a rules variant stopped that were played until something was known."""

    deals: int  # of those that played longest
    reached: bool  # whether the target was met
    open: int  # comparisons that would need more deals
    early: tuple[str, ...]  # labels of the clearly worse, which stopped before
    rules: Mapping[str, int | bool]
    variant: str


@dataclass(frozen=True)
class Until:
    """A target that was played for. All bounds of such results hold at every look at once."""

    target: str  # "half_width" or "ranked"
    size: float  # half width or margin, of a win rate
    words: str  # the target in words
    at_most: int  # deals
    round: int  # deals between two looks
    comparisons: int  # that the target is about, in all rules variants
    alpha: float  # chance that the bounds of one comparison ever miss: 5 % divided by these
    tuned_for: float  # deals at which the bounds are narrowest
    stops: tuple[Stop, ...]  # of each rules variant


@dataclass(frozen=True)
class Ranges:
    """What proves the results of a run that kept counts, in place of the leaves of its entries."""

    deals: int  # of a range, the last one may have fewer
    leaves: tuple[str, ...]  # sha256 of the sums over each range, of all entries and pairs


@dataclass(frozen=True)
class Deals:
    """A set of deals of the seed that was played in place of deals 0, 1, 2 ...: in this order."""

    numbers: tuple[int, ...]
    about: str  # what they were chosen for, in words
    digest: str


@dataclass(frozen=True)
class Results:
    """All entries of one experiment, in the order of its config, and where they come from."""

    experiment: str
    game: str
    seed: int
    ties: str
    tie_seed: int
    baseline: str  # label of the entry the others are compared with
    digest: str  # sha256 over the sorted entry digests, or with counts over the leaves
    versions: Mapping[str, str | int]
    entries: tuple[Entry, ...]
    pairs: tuple[Pair, ...]  # of each rules variant, every two entries
    variants: tuple[Change, ...]  # of each label, every two rules variants
    effects: tuple[Effect, ...] = ()  # of a factorial design
    additive: tuple[Additive, ...] = ()
    counters: tuple[Meaning, ...] = ()  # what the counts of the entries mean
    pace: str = ""  # the counter of the deals by [won][turns made][cards left], if there is one
    until: Until | None = None  # None: a fixed number of deals
    ladder: Ladder | None = None
    fresh: Results | None = None  # the best of each sweep again, on deals of another seed
    counts: Ranges | None = None  # None: the outcome of every deal was kept
    deal_set: Deals | None = None  # None: deals from 0 on

    def variant_names(self) -> list[str]:
        """Return the rules variants in words, in the order of the config."""
        return list(dict.fromkeys(entry.variant for entry in self.entries))

    def of_variant(self, variant: str) -> list[Entry]:
        """Return the entries of one rules variant."""
        return [entry for entry in self.entries if entry.variant == variant]

    def plain(self) -> dict[str, Any]:
        """Return dicts and tuples; what only some results have is left out of the others."""
        found = asdict(self) | {"fresh": self.fresh.plain() if self.fresh else None}
        return {name: part for name, part in found.items() if part is not None or name not in RARE}

    def to_json(self) -> str:
        """Return the text of results.json: floats unrounded, equal bytes for equal results."""
        return text_of(self.plain())

    @classmethod
    def from_json(cls, text: str) -> Results:
        """Read the text of results.json back.

        Raises:
            ValueError: if the text is not that of a results.json.
        """
        return _reader().validate_json(text, strict=True)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read a results.json file.

        Raises:
            OSError: if it cannot be read.
            ValueError: if it is not a results.json, or larger than `MAX_BYTES`.
        """
        return cls.from_json(text_in(path))


@cache
def _reader() -> TypeAdapter[Results]:
    """Return what checks every key and type: the file may come from a stranger."""
    from pydantic import TypeAdapter  # only for who reads

    return TypeAdapter(Results)
