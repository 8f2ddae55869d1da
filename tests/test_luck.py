"""`tipoff luck`: second games with other ties, the parts of the variance, and deals that tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import deal_set
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.luck import measured
from sim.stats.luck import parts, sums_of
from tests.command import Tipoff, config
from tests.conftest import MakePlayer

DEALS = 400
NAMES = ("random", "greedy-most-cards", "all-tips")
TEXT = (
    f"experiment: luck\ngame: club_fight\ndeals: {DEALS}\nseed: 7\nrules: {{jokers: [1, 2]}}\n"
    f"strategies: [{', '.join(NAMES)}]\n"
)
FOLDER = Path("reports/luck")


@pytest.fixture
def run(empty_folder: Path, tipoff: Tipoff) -> Path:
    """A finished run, in the working folder."""
    assert tipoff("run", config(empty_folder, TEXT, "luck.yaml"), "--workers", 1).status == 0
    return FOLDER


def left(player: MakePlayer, jokers: int, tie_seed: int, numbers: range = range(DEALS)) -> Any:
    """(strategies, deals) cards left."""
    dice, deals = Dice(7, tie_seed), (numbers.start, len(numbers))
    games = [play_block(Rules(jokers), dice, *deals, player(name)) for name in NAMES]
    return np.array([game.outcomes[0] for game in games])


def test_parts_are_those_of_the_games(run: Path, player: MakePlayer) -> None:
    with measured(run, workers=1, progress=False) as table:
        assert table.tie_seeds == (7, 8)
        for variant, jokers in zip(table.variants, (1, 2), strict=True):
            found = table.luck(variant)
            one, other = (left(player, jokers, ties) == 0 for ties in (7, 8))
            groups = [sums_of(one[:, k : k + 4], other[:, k : k + 4]) for k in range(0, DEALS, 4)]
            assert found.parts == parts(groups)
            assert found.win_rate == pytest.approx((one.mean() + other.mean()) / 2)
            assert (found.deals, found.labels) == (DEALS, NAMES)


def test_second_games_are_played_once(run: Path, tipoff: Tipoff, monkeypatch: Any) -> None:
    first = tipoff("luck", run, "--workers", 1)
    assert first.status == 0, first.err
    assert "1 joker (easy): 3 strategies, 400 deals, tie seeds 7 and 8" in first.out
    assert first.out.count("due to") == 2
    monkeypatch.setattr("sim.playing.Playing._start", None)  # nothing is left to play
    assert tipoff("luck", run).out == first.out
    assert tipoff("run", "luck.yaml").games == (0, 6 * DEALS)


def test_a_table_for_a_page(run: Path, tipoff: Tipoff) -> None:
    said = tipoff("luck", run, "--deals", 200, "--tie-seed", 99, "--markdown")
    assert said.status == 0
    assert "200 deals, tie seeds 7 and 99" in said.out
    assert "| due to | share | 95 % interval | variance | which is |" in said.out


def test_the_hardest_deals(run: Path, tipoff: Tipoff, player: MakePlayer) -> None:
    said = tipoff("luck", run, "--export", "hard.yaml", "--which", "hardest", "--count", 25)
    assert said.status == 0 and said.out.endswith("hard.yaml\n")
    found, _ = deal_set.read(Path("hard.yaml"))
    games = np.concatenate([left(player, jokers, ties) for jokers in (1, 2) for ties in (7, 8)])
    ranked = sorted(
        range(DEALS), key=lambda k: (-int((games[:, k] > 0).sum()), -int(games[:, k].sum()), k)
    )
    assert found.numbers == tuple(sorted(ranked[:25]))
    assert found.about == "the 25 hardest of 400 deals, 1 joker (easy) and 2 jokers (hard)"
    assert found.chosen == {
        "experiment": "luck",
        "strategies": NAMES,
        "tie_seeds": (7, 8),
        "tipoff": found.chosen["tipoff"] if found.chosen else "",
    }


def test_the_most_telling_deals_separate_the_strategies(
    run: Path, tipoff: Tipoff, player: MakePlayer
) -> None:
    words = ("--export", "tell.yaml", "--count", 40, "--rules", "jokers=1")
    assert tipoff("luck", run, *words).status == 0
    found, _ = deal_set.read(Path("tell.yaml"))
    assert found.about.endswith("of 400 deals, 1 joker (easy)")
    won = np.array([left(player, 1, ties) == 0 for ties in (7, 8)])  # (2, strategies, deals)
    strength = won.mean(axis=(0, 2)) - won.mean()
    tells = np.einsum("i,kij->j", strength, won)
    assert tells[list(found.numbers)].min() >= np.sort(tells)[-40] - 1e-12
    chosen, all_deals = won[:, :, list(found.numbers)].mean(axis=(0, 2)), won.mean(axis=(0, 2))
    assert chosen[2] - chosen[0] > all_deals[2] - all_deals[0] + 0.2
    # An experiment plays them.
    text = TEXT.replace(f"deals: {DEALS}", "deals: {file: tell.yaml}").replace(": luck", ": tell")
    assert tipoff("run", config(Path(), text, "tell.yml")).games == (6 * 40, 0)


def test_sets_are_cut_out_of_sets(run: Path, tipoff: Tipoff) -> None:
    assert tipoff("luck", run, "--export", "some.yaml", "--count", 250).status == 0
    text = TEXT.replace(f"deals: {DEALS}", "deals: {file: some.yaml}").replace(": luck", ": some")
    assert tipoff("run", config(Path(), text, "some.yml")).status == 0
    assert tipoff("luck", "reports/some", "--export", "few.yaml", "--count", 10).status == 0
    outer, inner = (deal_set.read(Path(name))[0].numbers for name in ("some.yaml", "few.yaml"))
    assert set(inner) < set(outer) and len(inner) == 10


# ---- what is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tie-seed", "7"], "--tie-seed: expected another than that of the run, 7"),
        (["--deals", "100"], "100 deals of each entry; expected 200 or more"),
        (["--export", ""], "--export: expected a file, got nothing"),
        (["--export", "x.yaml", "--count", "401"], "--count: only 400 deals were looked at"),
        (["--export", "x.yaml", "--count", "9001"], "--count: a set holds at most 9,000 deals"),
        (["--export", "x.yaml", "--rules", "joker=1"], "no rule 'joker'; did you mean 'jokers'?"),
        (["--export", "x.yaml", "--rules", "jokers=3"], "the run has no such variant; it has 1 j"),
        (["--which", "hard"], "unknown 'hard'; did you mean 'hardest'?"),
    ],
)
def test_refused(words: list[str], message: str, run: Path, tipoff: Tipoff) -> None:
    said = tipoff("luck", run, *words)
    assert said.status == 2 and message in said.err, said.err
    assert not Path("x.yaml").exists()


def test_a_run_that_is_not_finished(run: Path, tipoff: Tipoff) -> None:
    path = run / "config.yaml"
    path.write_text(path.read_text().replace("deals: 400", "deals: 500"))
    said = tipoff("luck", run)
    assert said.status == 3 and "deal 400 of 'random' is missing" in said.err


def test_ties_that_are_not_drawn_hold_no_luck(empty_folder: Path, tipoff: Tipoff) -> None:
    assert tipoff("run", config(empty_folder, TEXT + "ties: first\n", "luck.yaml")).status == 0
    said = tipoff("luck", FOLDER)
    assert said.status == 2 and "its ties are not drawn (ties: first)" in said.err


def test_no_run_folder(tipoff: Tipoff) -> None:
    assert "is no run folder" in tipoff("luck", "nowhere").err
