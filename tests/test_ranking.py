"""Standings of made-up tournaments, from a real store, against plain loops over every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim import table_sums
from sim.errors import StoreDamaged
from sim.game import Block, Game, Outcome
from sim.lineups import Table, Tournament
from sim.ranking import standings
from sim.seat_bytes import Layout, pair_places
from sim.seating import by_seat, seating, summed
from sim.standings import Meeting, Standing, Standings
from sim.store import Packed, Store
from sim.tally import run_digest, tally

DEALS = 60
Z = NormalDist().inv_cdf(0.975)
GAME = Game("made_up", "Made Up", (2, 4), ("play",), Outcome.SCORE, dict, 1, ())

Rows = list[dict[int, int]]  # points by the place of the member, a game each


@dataclass(frozen=True)
class Player:
    """As much of a contestant as standings need."""

    label: str
    strength: int = 0
    clairvoyant: bool = False

    def plain(self) -> dict[str, dict[str, Any]]:
        return {"play": {"use": self.label}}

    def source(self) -> str:
        return f"source of {self.label}"


class Made:
    """A tournament whose games are dice, in a store."""

    def __init__(
        self,
        path: Path,
        kind: str,
        line_ups: Sequence[tuple[int, ...]],
        field: tuple[int, ...] = (),
        outcome: Outcome = Outcome.SCORE,
        players: Sequence[Player] = (),
        deals: int = DEALS,
    ) -> None:
        self.players = players or [Player(name, 3 * i) for i, name in enumerate("abcde")]
        self.game = replace(GAME, outcome=outcome, counters={})
        self.tables = [self._table(members, kind, deals) for members in line_ups]
        self.kind, self.field, self.deals = kind, field, deals
        self.points: list[np.ndarray] = []
        self.seated: list[np.ndarray] = []
        self.stamps = [f"stamp {i}" for i in range(len(line_ups))]
        self.store = Store(path, self.game)
        for number, table in enumerate(self.tables):
            self._play(number, table)

    def _table(self, members: tuple[int, ...], kind: str, deals: int) -> Table:
        return Table(
            members,
            members[0] if kind == "against_field" else None,
            tuple(self.players[i] for i in members),  # type: ignore[misc]
            None,
            {"open": True},
            f"{len(members)} players, open",
            deals,
        )

    def _play(self, number: int, table: Table) -> None:
        """Write some blocks; a game depends on who sits at the table, not on their numbers."""
        n = table.seats
        names = [player.label for player in table.contestants]
        dice = np.random.Generator(np.random.PCG64([ord(name) for name in sorted(names)]))
        seated = seating(7, 0, self.deals, n)
        luck = {
            name: dice.integers(-6, 7, len(seated) * n).reshape(-1, n)
            for name in sorted(set(names))
        }
        own = np.stack(
            [luck[name][:, place] + self.strength(name) for place, name in enumerate(names)], 1
        )
        points = np.take_along_axis(own, seated, axis=1)
        self.points.append(own)
        self.seated.append(seated)
        layout = Layout(4)
        for first, count in ((0, 7), (7, self.deals - 7)):
            cut = slice(first * n, (first + count) * n)
            outcomes = layout.packed(summed(layout, seated[cut], points[cut], n))
            counted = by_seat(self.game, seated[cut], points[cut], n)
            self.store.add(
                self.stamps[number], first, count, Packed.of(Block(outcomes, counted, 1.0))
            )

    def strength(self, name: str) -> int:
        return next(player.strength for player in self.players if player.label == name)

    def plan(self) -> Any:
        return SimpleNamespace(
            experiment="made up",
            game=self.game,
            seed=7,
            ties="hashed",
            tie_seed=7,
            baseline=self.players[0].label,
            cells=tuple(self.tables),
            tournament=Tournament(self.kind, tuple(self.players), self.field),  # type: ignore[arg-type]
        )

    def standings(self) -> Standings:
        lanes = ["compiled"] * len(self.tables)
        return standings(self.plan(), self.store, self.stamps, lanes)

    # --- The same by plain loops ---

    def sittings(self, player: int, table: int) -> list[int]:
        members = self.tables[table].members
        measured = members[:1] if self.kind == "against_field" else members
        return [place for place, member in enumerate(measured) if member == player]

    def games(self, table: int, deal: int) -> Iterator[list[int]]:
        n = self.tables[table].seats
        yield from self.points[table][deal * n : (deal + 1) * n].tolist()

    def of_deals(self, player: int, what: Any) -> list[float]:
        """Return the sum of what a player got in each deal, over all games it is measured in."""
        return [
            sum(
                what(game, place)
                for table in range(len(self.tables))
                for place in self.sittings(player, table)
                for game in self.games(table, deal)
            )
            for deal in range(self.deals)
        ]


def points(game: list[int], place: int) -> float:
    return game[place]


def first(game: list[int], place: int) -> float:
    return (game[place] == max(game)) / game.count(max(game))


def rank(game: list[int], place: int) -> float:
    return 1 + sum(other > game[place] for other in game) + (game.count(game[place]) - 1) / 2


KINDS: dict[str, tuple[str, list[tuple[int, ...]], tuple[int, ...]]] = {
    "round robin": ("round_robin", list(combinations(range(5), 3)), ()),
    "against copies": ("against_field", [(i, 0, 0) for i in range(5)], (0,)),
    "against a field": ("against_field", [(i, 1, 3) for i in range(5)], (1, 3)),
    "line-ups": ("lineups", [(0, 1, 1, 2), (2, 1, 0, 3), (3, 3, 0, 1)], ()),
}


@pytest.fixture(params=KINDS)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Made]:
    made = Made(tmp_path / "store", *KINDS[request.param])
    with made.store:
        yield made


def interval(values: Sequence[float], per: float) -> tuple[float, float, float]:
    mean, half = fmean(values) / per, Z * stdev(values) / len(values) ** 0.5 / per
    return mean, mean - half, mean + half


def test_entries(made: Made) -> None:
    found = made.standings()
    rotations = made.tables[0].seats
    for entry in found.entries:
        player = "abcde".index(entry.label)
        sat = sum(len(made.sittings(player, table)) for table in range(len(made.tables)))
        per = rotations * sat
        assert (entry.deals, entry.games) == (DEALS, DEALS * per)
        got = interval(made.of_deals(player, points), per)
        assert got == pytest.approx((entry.points_mean, entry.points_low, entry.points_high))
        got = interval(made.of_deals(player, first), per)
        share = (entry.first_share, entry.first_low, entry.first_high)
        assert np.clip(got, 0, 1) == pytest.approx(share)
        got = interval(made.of_deals(player, rank), per)
        ranks = (entry.rank_mean, entry.rank_low, entry.rank_high)
        assert np.clip(got, 1, rotations) == pytest.approx(ranks)
        assert entry.parts == {"play": {"use": entry.label}} and entry.lane == "compiled"
    assert Standings.from_json(found.to_json()) == found


def test_seats(made: Made) -> None:
    n = made.tables[0].seats
    for entry in made.standings().entries:
        player, means, halves = "abcde".index(entry.label), [], []
        for table in range(len(made.tables)):
            for place in made.sittings(player, table):
                seats = np.argmax(made.seated[table] == place, axis=1)
                own = made.points[table][:, place]
                each = [interval(own[seats == seat].tolist(), 1) for seat in range(n)]
                means.append([mean for mean, _, _ in each])
                halves.append([high - mean for mean, _, high in each])
        mean, half = np.mean(means, axis=0), np.mean(halves, axis=0)
        assert entry.seat_means == pytest.approx(mean)
        assert entry.seat_lows == pytest.approx(mean - half)
        assert entry.seat_highs == pytest.approx(mean + half)
        assert fmean(entry.seat_means) == pytest.approx(entry.points_mean)


def apart(made: Made, a: int, b: int, measure: Any) -> tuple[list[float], int]:
    """Return what two players are apart in each deal, and over how many games."""
    if made.kind == "against_field":
        one, other = made.of_deals(a, measure), made.of_deals(b, measure)
        return [x - y for x, y in zip(one, other, strict=True)], made.tables[0].seats
    values, games = [0.0] * made.deals, 0
    for table in range(len(made.tables)):
        for i in made.sittings(a, table):
            for j in made.sittings(b, table):
                games += made.tables[table].seats
                for deal in range(made.deals):
                    own = list(made.games(table, deal))
                    values[deal] += sum(measure(game, i) - measure(game, j) for game in own)
    return values, games


def meetings(made: Made, a: int, b: int) -> list[float]:
    """Return 1 for each game in which a ended ahead of b, 0.5 for a tie, 0 else."""
    found = []
    for number, table in enumerate(made.tables):
        for i in range(table.seats):
            for j in range(table.seats):
                if (table.members[i], table.members[j]) == (a, b):
                    own = made.points[number]
                    found += ((np.sign(own[:, i] - own[:, j]) + 1) / 2).tolist()
    return found


def check_pairs(made: Made, pairs: Sequence[Meeting], measure: Any) -> None:
    assert pairs
    for pair in pairs:
        a, b = "abcde".index(pair.a), "abcde".index(pair.b)
        values, games = apart(made, a, b, measure)
        assert pair.games == DEALS * games
        assert (pair.difference, pair.low, pair.high) == pytest.approx(interval(values, games))
        z = fmean(values) / (stdev(values) / DEALS**0.5)
        assert pair.p == pytest.approx(2 * NormalDist().cdf(-abs(z)), abs=1e-12)
        met = meetings(made, a, b)
        assert pair.met == len(met)
        assert pair.ahead == pytest.approx(fmean(met) if met else 0)


def test_pairs(made: Made) -> None:
    found = made.standings()
    check_pairs(made, found.pairs, points)
    labels = [(pair.a, pair.b) for pair in found.pairs]
    if made.kind == "lineups":
        assert labels == list(combinations("abcd", 2))
    else:
        assert labels == list(combinations("abcde", 2))
    smallest = min(pair.p for pair in found.pairs)
    assert min(pair.p_holm for pair in found.pairs) == min(1, len(labels) * smallest)


def test_places_follow_from_the_pairs(made: Made) -> None:
    found = made.standings()
    for entry in found.entries:
        signs = [
            np.sign(pair.difference) * (1 if pair.a == entry.label else -1)
            for pair in found.pairs
            if pair.separated and entry.label in (pair.a, pair.b)
        ]
        assert entry.place == (1 + signs.count(-1), len(found.entries) - signs.count(1))
    assert any(entry.place[0] > 1 for entry in found.entries)


def test_digests(made: Made) -> None:
    found = made.standings()
    for lineup, stamp in zip(found.lineups, made.stamps, strict=True):
        counted = tally(made.store.outcomes(stamp, DEALS))
        assert (lineup.leaves, lineup.digest) == (counted.leaves, counted.digest)
    assert found.digest == run_digest(lineup.digest for lineup in found.lineups)


def test_pieces_do_not_matter(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = made.standings()
    monkeypatch.setattr(table_sums, "LEAF", 11)
    assert made.standings() == whole


def test_only_ranks(tmp_path: Path) -> None:
    kind, line_ups, field = KINDS["round robin"]
    made = Made(tmp_path / "store", kind, line_ups, field, Outcome.RANK)
    with made.store:
        found = made.standings()
    check_pairs(made, found.pairs, lambda game, place: -rank(game, place))
    assert all(entry.points_mean == entry.points_high == 0 for entry in found.entries)
    assert found.kind == "rank" and found.entries[0].seat_means == (0, 0, 0)


def test_who_never_met_is_not_compared(tmp_path: Path) -> None:
    made = Made(tmp_path / "store", "lineups", [(0, 1), (1, 2), (3, 4)])
    with made.store:
        found = made.standings()
    assert [(pair.a, pair.b) for pair in found.pairs] == [("a", "b"), ("b", "c"), ("d", "e")]
    assert len(found.ratings) == 5


def test_variants_by_seats(tmp_path: Path) -> None:
    made = Made(tmp_path / "store", "lineups", [(0, 1), (0, 2), (0, 1, 3)])
    with made.store:
        found = made.standings()
    assert found.variant_names() == ["2 players, open", "3 players, open"]
    assert [len(found.of_variant(name)) for name in found.variant_names()] == [3, 3]


def test_missing_deals(tmp_path: Path) -> None:
    made = Made(tmp_path / "store", "lineups", [(0, 1)])
    made.tables[0] = replace(made.tables[0], deals=DEALS + 1)
    with made.store, pytest.raises(StoreDamaged):
        made.standings()


def test_fewer_deals_than_a_block(tmp_path: Path) -> None:
    """Counters cannot be cut: means at the seats are over the blocks that lie within."""
    made = Made(tmp_path / "store", "lineups", [(0, 1)])
    with made.store:
        for deals, known in ((10, 2), (5, 0)):
            made.tables[0] = replace(made.tables[0], deals=deals)
            (a, _) = made.standings().entries
            assert a.deals == deals and len(a.seat_means) == known


def test_the_order_of_entries_does_not_matter(tmp_path: Path) -> None:
    players = [Player(name, 3 * i) for i, name in enumerate("abcde")]
    line_ups = list(combinations(range(5), 3))
    order = [3, 0, 4, 1, 2]
    turned = [tuple(order.index(member) for member in members) for members in line_ups]
    one = Made(tmp_path / "one", "round_robin", line_ups, players=players)
    other = Made(
        tmp_path / "other", "round_robin", turned[::-1], players=[players[i] for i in order]
    )
    with one.store, other.store:
        a, b = one.standings(), other.standings()
    assert a.digest == b.digest

    def by_label(found: Standings) -> list[Standing]:
        return sorted(
            (replace(entry, seat_means=(), seat_lows=(), seat_highs=()) for entry in found.entries),
            key=lambda entry: entry.label,
        )

    assert by_label(a) == by_label(b)
    ratings = {rating.label: rating for rating in b.ratings}
    for rating in a.ratings:
        same = ratings[rating.label]
        assert (rating.rating, rating.low, rating.high) == pytest.approx(
            (same.rating, same.low, same.high), abs=1e-5
        )


def test_ratings_lie_as_the_strengths_do(made: Made) -> None:
    found = made.standings().ratings
    values = [rating.rating for rating in found]
    assert values == sorted(values) and sum(values) == pytest.approx(0, abs=1e-4)
    assert all(rating.low <= rating.rating <= rating.high for rating in found)


@pytest.mark.parametrize("members", [2, 3, 4])
def test_doubled_ranks(members: int) -> None:
    dice = np.random.Generator(np.random.PCG64(members))
    own = dice.integers(0, 4, (50 * members, members))
    seated = np.tile(np.arange(members), (50 * members, 1))
    sums = summed(Layout(4), seated, own, members)
    ranks = [[2 * rank(game, place) for place in range(members)] for game in own.tolist()]
    expected = np.reshape(ranks, (50, members, members)).sum(axis=1)
    np.testing.assert_array_equal(table_sums.doubled_ranks(sums, members), expected)
    assert len(pair_places(members)) == sums.ahead.shape[1]
