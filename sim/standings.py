"""The results of a tournament as plain values: what results.json holds where several play at once.

An entry is a player: a strategy, or a part for each decision, with its numbers over all line-ups it
sat in. A line-up plays every deal once from each rotation of its seats; the games of one deal are
one observation, so all intervals are over deals. They are 95 % and pointwise. Points, ranks and
shares are per game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.results_text import text_in, text_of

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SEPARATED = 0.05  # adjusted p-values below this separate two players

Rules = Mapping[str, int | bool | str]


@dataclass(frozen=True)
class Standing:
    """One line of the results: a player under one rules variant with so many seats."""

    label: str
    parts: Mapping[str, Mapping[str, str | float | int | bool]]  # by decision: `use`, parameters
    rules: Rules
    variant: str  # seats and rules in words, such as "4 players, house rules"
    seats: int
    lane: str  # "compiled" or "plain"
    clairvoyant: bool  # a part looks at hidden cards; every table and chart says so
    deals: int
    games: int  # it played: deals x line-ups it sat in x rotations
    points_mean: float  # 0 throughout where only ranks count
    points_low: float
    points_high: float
    first_share: float  # of the first places; those who share one have an equal part of it
    first_low: float
    first_high: float
    rank_mean: float  # 1 = best; who tie share the mean of their ranks
    rank_low: float
    rank_high: float
    seat_means: tuple[float, ...]  # mean points at each seat
    seat_lows: tuple[float, ...]
    seat_highs: tuple[float, ...]
    place: tuple[int, int]  # best and worst place among the entries of its variant; 1 = best
    source: str  # hash of the texts of its parts and all they import

    def identity(self) -> tuple[Any, ...]:
        """Return what it is, whatever its label."""
        return self.parts, self.rules


@dataclass(frozen=True)
class Meeting:
    """Two players of a variant, on the same deals: a minus b, with 95 % paired intervals.

    Where they sat together, the games they met in; against a field, the same deals in two line-ups.
    """

    a: str
    b: str
    deals: int
    games: int  # in which they are compared
    difference: float  # of the points, per game; where only ranks count, of the ranks, b minus a
    low: float
    high: float
    p: float
    p_holm: float  # adjusted over all pairs of the variant
    ahead: float  # share of the games they met in that a ended ahead of b, a tie is half
    met: int  # games they met in; 0 if they never sat together, and `ahead` means nothing
    rules: Rules
    variant: str
    seats: int

    @property
    def separated(self) -> bool:
        """Return whether they differ beyond doubt: adjusted p below 5 %."""
        return self.p_holm < SEPARATED


@dataclass(frozen=True)
class Rating:
    """The strength of a player, by one fit over all games of a variant."""

    label: str
    rating: float  # 400 points are odds of ten to one; the mean of all is 0
    low: float  # by bootstrap over deals
    high: float
    variant: str
    seats: int


@dataclass(frozen=True)
class Circle:
    """Players of whom each is separated above the next, and the last above the first."""

    labels: tuple[str, ...]
    variant: str
    seats: int


@dataclass(frozen=True)
class LineUp:
    """Who sat together, and what proves their games."""

    members: tuple[str, ...]  # labels, in the order of the outcomes
    rules: Rules
    variant: str
    seats: int
    deals: int
    digest: str  # sha256 over the leaf digests
    leaves: tuple[str, ...]  # sha256 of the outcome bytes of each 50,000 deals from deal 0


@dataclass(frozen=True)
class Standings:
    """All entries of one tournament, and where they come from."""

    experiment: str
    game: str
    kind: str  # "score" or "rank"
    tournament: str  # "round_robin", "against_field" or "lineups"
    field: tuple[str, ...]  # labels of the field, if there is one; one label: copies of it
    seed: int
    ties: str
    tie_seed: int
    baseline: str  # label of the entry the others are compared with
    digest: str  # sha256 over the sorted digests of the line-ups
    versions: Mapping[str, str | int]
    entries: tuple[Standing, ...]
    pairs: tuple[Meeting, ...]  # of each variant, every two players that can be compared
    ratings: tuple[Rating, ...]
    circles: tuple[Circle, ...]  # where the pair table is intransitive; ratings then mislead
    lineups: tuple[LineUp, ...]
    prior: float  # games that each player is taken to have drawn with an average one, for ratings
    resamples: int  # of the bootstrap

    def variant_names(self) -> list[str]:
        """Return the variants in words, in the order of the config."""
        return list(dict.fromkeys(entry.variant for entry in self.entries))

    def of_variant(self, variant: str) -> list[Standing]:
        """Return the entries of one variant."""
        return [entry for entry in self.entries if entry.variant == variant]

    def plain(self) -> dict[str, Any]:
        """Return dicts and tuples."""
        return asdict(self)

    def to_json(self) -> str:
        """Return the text of results.json: floats unrounded, equal bytes for equal results."""
        return text_of(self.plain())

    @classmethod
    def from_json(cls, text: str) -> Standings:
        """Read the text of results.json back.

        Raises:
            ValueError: if the text is not that of a tournament's results.json.
        """
        return _reader().validate_json(text, strict=True)

    @classmethod
    def read(cls, path: Path) -> Standings:
        """Read a results.json file. Errors as for `text_in`, and ValueError for another text."""
        return cls.from_json(text_in(path))


@cache
def _reader() -> TypeAdapter[Standings]:
    """Return what checks every key and type: the file may come from a stranger."""
    from pydantic import TypeAdapter  # only for who reads

    return TypeAdapter(Standings)
