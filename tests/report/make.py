"""Results made from plain numbers, for tests of charts and tables."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from sim.results import Change, Comparison, Entry, Pair, Results
from sim.stats.family import holm, rank_range

CARDS = 40
Z = 1.959963984540054  # two-sided 95 %

EASY: tuple[str, dict[str, int | bool]] = ("1 joker (easy)", {"jokers": 1, "all_clear": False})
HARD: tuple[str, dict[str, int | bool]] = ("2 jokers (hard)", {"jokers": 2, "all_clear": False})

# The head of a PNG file of 300 x 150 pixels, which is all that a page reads of it.
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (300).to_bytes(4, "big") + (150).to_bytes(4, "big")


def wilson(wins: int, deals: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval."""
    rate, spread = wins / deals, Z * Z / deals
    middle = rate + spread / 2
    half = Z * math.sqrt(rate * (1 - rate) / deals + spread / (4 * deals))
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


def histogram(rate: float, deals: int, chance: float = 0.25) -> tuple[int, ...]:
    """Return counts of cards left: the wins at 0, the losses binomial around 40 x chance."""
    wins = round(rate * deals)
    shares = [math.comb(CARDS, c) * chance**c * (1 - chance) ** (CARDS - c) for c in range(41)]
    counts = [round((deals - wins) * share / (1 - shares[0])) for share in shares]
    counts[0] = wins
    counts[round(CARDS * chance)] += deals - sum(counts)
    return tuple(counts)


def make_entry(
    label: str,
    rate: float,
    variant: tuple[str, Mapping[str, int | bool]] = EASY,
    deals: int = 1_000_000,
    strategy: str = "greedy",
    params: Mapping[str, float | int | bool] | None = None,
    swept: tuple[str, ...] = (),
) -> Entry:
    """Return an entry that won about `rate` of its deals; better ones leave fewer cards."""
    counts = histogram(rate, deals, chance=max(0.35 - 0.5 * rate, 0.05))
    mean = sum(c * n for c, n in enumerate(counts)) / deals
    variance = sum((c - mean) ** 2 * n for c, n in enumerate(counts)) / deals
    half = Z * math.sqrt(variance / deals)
    low, high = wilson(counts[0], deals)
    digest = hashlib.sha256(f"{label}{variant[0]}{counts}".encode()).hexdigest()
    return Entry(
        label=label,
        strategy=strategy,
        params=params or {},
        swept=swept,
        rules=variant[1],
        variant=variant[0],
        lane="compiled",
        clairvoyant=False,
        deals=deals,
        wins=counts[0],
        digest=digest,
        leaves=(digest,),
        win_rate=counts[0] / deals,
        win_rate_low=low,
        win_rate_high=high,
        leftover_mean=mean,
        leftover_low=mean - half,
        leftover_high=mean + half,
        leftover_histogram=counts,
        turns_mean=11.5,
        rank=(1, 1),
    )


def make_results(entries: Sequence[Entry], baseline: str | None = None) -> Results:
    """Return the results of an experiment with these entries, all pairs and the ranks they give."""
    groups = [_compared(group, pair_of) for group in _grouped(entries, "variant")]
    ranks = {id(entry): rank for _, found in groups for entry, rank in found}
    changes = [_compared(group, change_of)[0] for group in _grouped(entries, "label")]
    return Results(
        experiment="beginner_tips",
        game="club_fight",
        seed=20240701,
        ties="hashed",
        tie_seed=20240701,
        baseline=entries[0].label if baseline is None else baseline,
        digest=hashlib.sha256("".join(e.digest for e in entries).encode()).hexdigest(),
        versions={"tipoff": "0.1.0", "rules": 1, "stream": 1, "numba": "0.68.1"},
        entries=tuple(replace(entry, rank=ranks[id(entry)]) for entry in entries),
        pairs=tuple(pair for pairs, _ in groups for pair in pairs),
        variants=tuple(change for found in changes for change in found),
    )


def without_pairs(results: Results) -> Results:
    """Return results in which nothing was compared."""
    return replace(results, pairs=(), variants=())


def _grouped(entries: Sequence[Entry], name: str) -> list[list[Entry]]:
    keys = dict.fromkeys(getattr(entry, name) for entry in entries)
    return [[entry for entry in entries if getattr(entry, name) == key] for key in keys]


C = TypeVar("C", bound=Comparison)
Ranks = list[tuple[Entry, tuple[int, int]]]


def _compared(group: list[Entry], make: Callable[[Entry, Entry], C]) -> tuple[list[C], Ranks]:
    """Return every pair of a family, adjusted, and the rank of each entry."""
    places = list(combinations(range(len(group)), 2))
    found = [make(group[a], group[b]) for a, b in places]
    p_holm = holm(np.array([pair.p for pair in found])).tolist()
    left_p = holm(np.array([pair.leftover_p for pair in found])).tolist()
    found = [
        replace(pair, p_holm=p, leftover_p_holm=left)
        for pair, p, left in zip(found, p_holm, left_p, strict=True)
    ]
    apart = np.zeros((len(group), len(group)), np.int64)
    for (a, b), pair in zip(places, found, strict=True):
        sign = int(math.copysign(pair.separated, pair.difference))
        apart[a, b], apart[b, a] = sign, -sign
    ranks = [(best, worst) for best, worst in rank_range(apart).tolist()]
    return found, list(zip(group, ranks, strict=True))


def pair_of(a: Entry, b: Entry) -> Pair:
    """Return the comparison of two entries, not adjusted."""
    return Pair(a.label, b.label, **_numbers(a, b), rules=a.rules, variant=a.variant)


def change_of(a: Entry, b: Entry) -> Change:
    """Return the comparison of one entry under two variants, not adjusted."""
    return Change(a.variant, b.variant, **_numbers(a, b), label=a.label)


def _numbers(a: Entry, b: Entry) -> dict[str, Any]:
    """Seven in ten deals of the weaker are also won by the other; the rest are discordant."""
    deals = min(a.deals, b.deals)
    wins = [round(entry.win_rate * deals) for entry in (a, b)]
    both = max(round(0.7 * min(wins)), sum(wins) - deals)
    only_a, only_b = wins[0] - both, wins[1] - both
    left = a.leftover_mean - b.leftover_mean
    half = 0.8 * math.hypot(*(e.leftover_high - e.leftover_mean for e in (a, b)))
    difference = (only_a - only_b) / deals
    scatter = max(max(only_a + only_b, 1) / deals - difference**2, 1 / deals)
    error = math.sqrt(scatter / deals)
    spread = wins[0] / deals * (1 - wins[0] / deals) + wins[1] / deals * (1 - wins[1] / deals)
    return {
        "deals": deals,
        "both": both,
        "only_a": only_a,
        "only_b": only_b,
        "neither": deals - both - only_a - only_b,
        "difference": difference,
        "low": difference - Z * error,
        "high": difference + Z * error,
        "p": math.erfc(abs(difference) / error / math.sqrt(2)),
        "p_holm": 1.0,
        "leftover_difference": left,
        "leftover_low": left - half,
        "leftover_high": left + half,
        "leftover_p": math.erfc(abs(left) / max(half, 1e-9) * Z / math.sqrt(2)),
        "leftover_p_holm": 1.0,
        "unpaired_deals": spread / error**2,
    }


NAMES = (
    "Random move",
    "Clear most cards",
    "High clubs first",
    "Save the queen for Up/Down",
    "Jokers early",
    "Break diamond blocks",
    "Keep a varied hand",
    "Low clubs first",
    "Run before Match",
    "Look one turn ahead",
    "Never use Any before turn 5",
    "All tips together",
)


def field(count: int, two: bool = True, deals: int = 1_000_000, spread: float = 0.33) -> Results:
    """Return `count` entries under one or two rules variants, out of order, baseline second.

    Their win rates are spread evenly; a small `spread` leaves neighbours not separated.
    """
    labels = [NAMES[i] if i < len(NAMES) else f"All tips, weight {i}" for i in range(count)]
    rates = [
        0.36 - spread + spread * ((7 * i + 2) % max(count, 2)) / max(count, 2) for i in range(count)
    ]
    entries = [
        make_entry(label, rate * scale, variant, deals)
        for variant, scale in ((EASY, 1.0), (HARD, 0.7))[: 2 if two else 1]
        for label, rate in zip(labels, rates, strict=True)
    ]
    return make_results(entries, baseline=labels[min(1, count - 1)])


def sweep(
    values: Sequence[float | int | bool],
    others: Sequence[float | int | bool] = (),
    two: bool = True,
    deals: int = 100_000,
) -> Results:
    """Return a sweep of `weight`, or of `weight` x `other`, of one strategy."""
    entries = []
    for variant, scale in ((EASY, 1.0), (HARD, 0.7))[: 2 if two else 1]:
        for j, other in enumerate(others or [None]):
            for i, value in enumerate(values):
                params: dict[str, float | int | bool] = {"weight": value}
                if other is not None:
                    params["other"] = other
                off = (i - 0.6 * len(values)) / len(values)
                rate = scale * (0.34 - 0.06 * off * off - 0.004 * j)
                text = " ".join(f"{name}={number}" for name, number in params.items())
                entry = make_entry(
                    f"tips {text}", rate, variant, deals, "tips", params, tuple(params)
                )
                entries.append(entry)
    return make_results(entries)


LONG = (
    "Save the queen for Up/Down and never spend an ace before the deck is empty",
    "weight_of_the_queen_for_Up_Down=0.25 weight_of_an_ace_while_cards_are_left=0.75",
)


WORDY = ("1 joker (easy), all clear switched on, and other rules that take long to say", EASY[1])


def wordy() -> Results:
    """Entries with very long labels among short ones, one with fewer deals, one long variant."""
    labels = [*LONG, "Short", "Shorter"]
    entries = [
        make_entry(label, 0.1 + 0.05 * i, variant, deals=900 if i == 2 else 10_000)
        for variant in (WORDY, HARD)
        for i, label in enumerate(labels)
    ]
    return make_results(entries, baseline=LONG[0])
