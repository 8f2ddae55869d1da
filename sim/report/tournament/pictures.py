"""The charts of a tournament: their files, what draws them, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sim.report.document import Image
from sim.report.pictures import Picture
from sim.report.tournament import pairs, players, points, ratings, seats
from sim.report.tournament.meetings import unit
from sim.report.tournament.words import (
    by_rank,
    has_points,
    in_order,
    number,
    ratings_of,
)
from sim.report.versus import SAME
from sim.report.wording import deals_text
from sim.standings import Standings

CHARTS = ("points.png", "places.png", "pairs.png", "ratings.png", "seats.png", "players.png")


def pictures(standings: Standings) -> list[Picture]:
    """Return the charts that there is something to draw in, the most telling first."""
    return list(_pictures(standings)) if standings.entries else []


def _pictures(standings: Standings) -> Iterator[Picture]:
    scored = has_points(standings)
    if scored:
        yield Picture(_points(standings), partial(points.draw_points, standings))
    yield Picture(_places(standings), partial(points.draw_places, standings))
    if standings.pairs:
        yield Picture(_pairs(standings), partial(pairs.draw, standings))
    if standings.ratings:
        yield Picture(_ratings(standings), partial(ratings.draw, standings))
    if scored and all(entry.seat_means for entry in standings.entries):
        yield Picture(_seats(standings), partial(seats.draw, standings))
    if players.groups(standings):
        yield Picture(_players(standings), partial(players.draw, standings))


def _gists(standings: Standings, gist: Callable[[str], Sequence[str]]) -> str:
    """Say of each variant the first and the last of a chart, for who cannot see it."""
    told = {variant: gist(variant) for variant in standings.variant_names()}
    return "; ".join(
        f"{variant}: {' to '.join(dict.fromkeys((texts[0], texts[-1])))}"
        for variant, texts in told.items()
        if texts
    )


def _points(standings: Standings) -> Image:
    def gist(variant: str) -> list[str]:
        entries = in_order(standings, variant)
        return [f"{entry.label} {number(entry.points_mean, 1)}" for entry in entries]

    return Image(
        "points.png",
        f"Mean points per game of every entry on {deals_text(standings.entries)}, with 95 % "
        "intervals, and its share of the first places.",
        f"Dot plot of the mean points per game. {_gists(standings, gist)}.",
    )


def _places(standings: Standings) -> Image:
    def gist(variant: str) -> list[str]:
        entries = by_rank(standings, variant)
        return [f"{entry.label} {entry.rank_mean:.2f}" for entry in entries]

    return Image(
        "places.png",
        "Mean rank at the end of a game, 1 being first, and share of the first places, with 95 % "
        "intervals.",
        f"Dot plot of the mean ranks. {_gists(standings, gist)}.",
    )


def _pairs(standings: Standings) -> Image:
    gists = []
    for variant in pairs.compared(standings):
        own = [pair for pair in standings.pairs if pair.variant == variant]
        apart = sum(pair.separated for pair in own)
        gists.append(f"{variant}: {apart} of {len(own)} pairs are separated")
    if not pairs.is_square(standings):
        return Image(
            "pairs.png",
            "The places that the evidence leaves to every entry, and its lead over the next.",
            f"Ranges of places, best entry on top. {'; '.join(gists)}.",
        )
    return Image(
        "pairs.png",
        f"Every entry against every other: {unit(standings)} per game by which the row is better "
        f"than the column. “{SAME}”: not separated.",
        f"Heat map of all pairs, best entry on top. {'; '.join(gists)}.",
    )


def _ratings(standings: Standings) -> Image:
    def gist(variant: str) -> list[str]:
        found = ratings_of(standings, variant)
        return [f"{rating.label} {number(rating.rating, 0)}" for rating in found]

    warned = " A variant whose pairs go in a circle says so." if standings.circles else ""
    return Image(
        "ratings.png",
        "Rating of every entry, with 95 % intervals; 400 points more are odds of ten to one, 0 is "
        f"the mean of all.{warned}",
        f"Dot plot of the ratings. {_gists(standings, gist)}.",
    )


def _seats(standings: Standings) -> Image:
    def gist(variant: str) -> list[str]:
        best = in_order(standings, variant)[0]
        told = [f"seat {seat} {number(mean, 1)}" for seat, mean in enumerate(best.seat_means)]
        return [f"{best.label} {', '.join(told)}"]

    return Image(
        "seats.png",
        "Mean points per game of every entry at each seat, with 95 % intervals.",
        f"Dot plot of the mean points at each seat. {_gists(standings, gist)}.",
    )


def _players(standings: Standings) -> Image:
    gists = []
    for group in players.groups(standings):
        label, line = next(iter(group.lines.items()))
        told = [f"{entry.seats} players {number(entry.points_mean, 1)}" for entry in line]
        gists.append(f"{label}: {', '.join(told)}")
    return Image(
        "players.png",
        "Mean points per game against the number of players, with 95 % intervals.",
        f"Lines of the mean points against the number of players. {'; '.join(gists)}.",
    )
