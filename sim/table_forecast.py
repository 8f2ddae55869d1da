"""What a tournament will cost, from a trial of a few deals at every table."""

from __future__ import annotations

from collections.abc import Iterator

from sim.cast import Cast

TRIAL = 5  # deals


def told(cast: Cast, workers: int) -> Iterator[str]:
    """Yield a line for each variant, and one for all: line-ups, games and time."""
    seconds: dict[str, float] = {}
    games: dict[str, int] = {}
    tables: dict[str, int] = {}
    for number, table in enumerate(cast.plan.cells):
        cost = cast.play(number, TRIAL).seconds / TRIAL * table.deals
        seconds[table.variant] = seconds.get(table.variant, 0.0) + cost
        games[table.variant] = games.get(table.variant, 0) + table.deals * table.games
        tables[table.variant] = tables.get(table.variant, 0) + 1
    for variant, count in tables.items():
        yield f"{variant}: {count} line-ups, {games[variant]:,} games"
    time = sum(seconds.values()) / workers
    yield (
        f"{sum(games.values()):,} games, about {time / 60:.1f} minutes on {workers} workers "
        f"(from {TRIAL} deals at each table, once all is compiled)"
    )
