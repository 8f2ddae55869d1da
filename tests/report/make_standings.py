"""Standings made from plain numbers, for tests of the reports of tournaments."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from sim.standings import Circle, LineUp, Meeting, Rating, Standing, Standings
from sim.stats.family import holm, rank_range
from tests.report.make import Z

BIDDERS = ("risk-aware", "count-sure-tricks", "average", "bold", "always-zero")


@dataclass(frozen=True)
class Room:
    """A variant: how many play, under which options."""

    seats: int
    hook: bool = True

    @property
    def words(self) -> str:
        """The variant in words."""
        return f"{self.seats} players, {'with' if self.hook else 'without'} the hook"

    @property
    def rules(self) -> dict[str, int | bool | str]:
        """Its options."""
        return {"hook": self.hook, "wrong_zero": "minus"}


FOUR = Room(4)


def make_standing(
    label: str,
    mean: float,
    room: Room = FOUR,
    deals: int = 50_000,
    spread: float = 40.0,
    slope: float = 0.8,
    **changes: Any,
) -> Standing:
    """Return an entry with these mean points; each seat scores `slope` more than the one before."""
    half = Z * spread / math.sqrt(deals)
    seats = tuple(mean + slope * (seat - (room.seats - 1) / 2) for seat in range(room.seats))
    share = min(max(1 / room.seats + mean / 400, 0.0), 1.0)
    rank = (room.seats + 1) / 2 - mean / 60
    made = Standing(
        label=label,
        parts={"bid": {"use": label, "risk": 0.5}, "play": {"use": "void-maker"}},
        rules=room.rules,
        variant=room.words,
        seats=room.seats,
        lane="compiled",
        clairvoyant=False,
        deals=deals,
        games=deals * room.seats * 4,
        points_mean=mean,
        points_low=mean - half,
        points_high=mean + half,
        first_share=share,
        first_low=max(share - half / 200, 0.0),
        first_high=min(share + half / 200, 1.0),
        rank_mean=rank,
        rank_low=rank - half / 50,
        rank_high=rank + half / 50,
        seat_means=seats,
        seat_lows=tuple(one - 2 * half for one in seats),
        seat_highs=tuple(one + 2 * half for one in seats),
        place=(1, 1),
        source="0" * 64,
    )
    return replace(made, **changes)


def compare(a: Standing, b: Standing, difference: float | None = None) -> Meeting:
    """Return what two entries of a variant differ by; by their means unless it is given."""
    value = a.points_mean - b.points_mean if difference is None else difference
    half = (a.points_high - a.points_low) / 3
    return Meeting(
        a=a.label,
        b=b.label,
        deals=a.deals,
        games=a.deals * a.seats,
        difference=value,
        low=value - half,
        high=value + half,
        p=math.erfc(abs(value) / half * Z / math.sqrt(2)),
        p_holm=1.0,
        ahead=min(max(0.5 + value / 100, 0.0), 1.0),
        met=a.deals * a.seats,
        rules=a.rules,
        variant=a.variant,
        seats=a.seats,
    )


Against = Mapping[tuple[str, str], float | None]  # (a, b) -> a minus b; None: never compared


def make_standings(
    entries: Sequence[Standing],
    baseline: str | None = None,
    against: Against | None = None,
    **changes: Any,
) -> Standings:
    """Return the standings of a tournament with these entries; `against` bends their pairs."""
    groups = [_judged(group, against or {}) for group in _by_variant(entries)]
    placed = {id(entry): place for group in groups for entry, place in group.placed}
    made = Standings(
        experiment="bidding_styles",
        game="a_game",
        kind="score",
        tournament="round_robin",
        field=(),
        seed=20240701,
        ties="hashed",
        tie_seed=20240701,
        baseline=entries[0].label if baseline is None else baseline,
        digest=hashlib.sha256("".join(e.label for e in entries).encode()).hexdigest(),
        versions={"tipoff": "0.1.0", "rules": 1, "stream": 1, "numba": "0.68.1"},
        entries=tuple(replace(entry, place=placed[id(entry)]) for entry in entries),
        pairs=tuple(pair for group in groups for pair in group.pairs),
        ratings=tuple(rating for group in groups for rating in group.ratings),
        circles=(),
        lineups=tuple(_lineup(group.placed) for group in groups),
        prior=1.0,
        resamples=400,
    )
    return replace(made, **changes)


@dataclass(frozen=True)
class _Group:
    pairs: list[Meeting]
    placed: list[tuple[Standing, tuple[int, int]]]
    ratings: list[Rating]


def _by_variant(entries: Sequence[Standing]) -> list[list[Standing]]:
    names = dict.fromkeys(entry.variant for entry in entries)
    return [[entry for entry in entries if entry.variant == name] for name in names]


def _judged(entries: list[Standing], against: Against) -> _Group:
    pairs = []
    for a, b in combinations(entries, 2):
        bent = against.get((a.label, b.label), a.points_mean - b.points_mean)
        if bent is not None:
            pairs.append(compare(a, b, bent))
    adjusted = holm(np.array([pair.p for pair in pairs])) if pairs else []
    pairs = [replace(pair, p_holm=float(p)) for pair, p in zip(pairs, adjusted, strict=True)]
    return _Group(pairs, _placed(entries, pairs), [_rating(entry) for entry in entries])


def _placed(
    entries: list[Standing], pairs: list[Meeting]
) -> list[tuple[Standing, tuple[int, int]]]:
    above = np.zeros((len(entries),) * 2, np.int64)
    names = [entry.label for entry in entries]
    for pair in pairs:
        if pair.separated:
            sign = 1 if pair.difference > 0 else -1
            a, b = names.index(pair.a), names.index(pair.b)
            above[a, b], above[b, a] = sign, -sign
    places = [(best, worst) for best, worst in rank_range(above).tolist()]
    return list(zip(entries, places, strict=True))


def _rating(entry: Standing) -> Rating:
    rating = 4 * entry.points_mean
    half = 2 * (entry.points_high - entry.points_low)
    return Rating(entry.label, rating, rating - half, rating + half, entry.variant, entry.seats)


def _lineup(placed: Sequence[tuple[Standing, tuple[int, int]]]) -> LineUp:
    one = placed[0][0]
    members = tuple(entry.label for entry, _ in placed)[: one.seats]
    return LineUp(members, one.rules, one.variant, one.seats, one.deals, "0" * 64, ("0" * 64,))


# --- Whole tournaments ---


def several(count: int = 5, rooms: Sequence[Room] = (Room(3), FOUR, Room(5))) -> Standings:
    """Return a round robin of so many entries: some are close to the next, some are not."""
    names = [*BIDDERS, *(f"tip-{i}" for i in range(count))][:count]
    return make_standings(
        [
            make_standing(name, _mean(place, count) - 2 * room.seats, room)
            for room in rooms
            for place, name in enumerate(names)
        ],
        baseline=names[min(2, count - 1)],
    )


def _mean(place: int, count: int) -> float:
    return 40 - 37 * (place - place % 3 / 1.05) / count


def by_rank(standings: Standings) -> Standings:
    """Return the same tournament with nothing but places: no points, and pairs in ranks."""
    none: dict[str, Any] = {"points_mean": 0.0, "points_low": 0.0, "points_high": 0.0}
    none |= {"seat_means": (), "seat_lows": (), "seat_highs": ()}
    entries = tuple(replace(entry, **none) for entry in standings.entries)
    pairs = tuple(
        replace(pair, difference=pair.difference / 60, low=pair.low / 60, high=pair.high / 60)
        for pair in standings.pairs
    )
    return replace(standings, kind="rank", entries=entries, pairs=pairs)


def with_circle() -> Standings:
    """Return three of whom each beats the next, and the last the first, above a fourth."""
    entries = [
        make_standing(label, mean) for label, mean in zip("abcd", (3, 2, 1, -6), strict=True)
    ]
    made = make_standings(entries, against={("a", "c"): -2.0})
    return replace(made, circles=(Circle(("a", "b", "c"), FOUR.words, 4),))
