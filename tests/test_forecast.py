"""`tipoff plan`: what a run will cost and buy, against what it then does."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sim import config, plan
from sim.cast import Cast, cast_of
from sim.cli import main
from sim.forecast import Forecast, forecast, text
from sim.registry import discover
from sim.results import Results
from sim.store import FILE_NAME

CONFIG = """\
experiment: small
game: club_fight
deals: 20_000
seed: 3
strategies: [greedy-most-cards, all-tips, {use: random, deals: 5_000}]
"""


@pytest.fixture
def cast(empty_folder: Path) -> Cast:
    Path("small.yaml").write_text(CONFIG)
    return cast_of(plan.make(config.load(Path("small.yaml")), discover()), require_compiled=True)


def test_games_and_size_are_those_of_the_run(
    cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    found = forecast(cast, 2)
    assert found.games == 45_000
    assert main(["run", "small.yaml", "--workers", "1"]) == 0
    capsys.readouterr()
    with closing(sqlite3.connect(Path("reports/small", FILE_NAME))) as store:
        ((size,),) = store.execute("select sum(length(outcomes)) from block")
    assert found.size == pytest.approx(size, rel=0.2)


def test_the_precision_promised_is_the_precision_got(
    cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    found = forecast(cast, 2)
    assert main(["run", "small.yaml"]) == 0
    capsys.readouterr()
    results = Results.read(Path("reports/small/results.json"))
    for row, entry in zip(found.rows, results.entries, strict=True):
        half = (entry.win_rate_high - entry.win_rate_low) / 2
        assert row.rate == pytest.approx(half, rel=0.1, abs=2e-4)
    pair = next(pair for pair in results.pairs if pair.b == "all-tips")
    assert found.rows[1].difference == pytest.approx((pair.high - pair.low) / 2, rel=0.15)
    assert found.rows[0].difference is None


def test_twice_the_workers_take_half_the_time(cast: Cast) -> None:
    found = forecast(cast, 1)
    speeds = [row.deals / row.speed for row in found.rows]
    assert found.seconds == pytest.approx(sum(speeds))


def test_the_text_names_every_entry(cast: Cast) -> None:
    found: Forecast = forecast(cast, 2)
    lines = list(text(found, 2))
    assert lines[0].startswith("45,000 games, about ")
    for row in found.rows:
        assert any(row.cell.label in line for line in lines)


def test_the_command_plays_and_writes_nothing(
    empty_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.yaml").write_text(CONFIG)
    assert main(["plan", "small.yaml", "--deals", "1e6", "--workers", "4"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2,005,000 games, about ")
    assert "on 4 workers" in out
    assert [path.name for path in empty_folder.iterdir()] == ["small.yaml"]
    assert main(["plan", "smal.yaml"]) == 2
