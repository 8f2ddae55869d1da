"""`tipoff tune`: the same values for any number of workers, resumed or not, and an honest check."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.registry import Registry
from sim.stats.intervals import wilson
from sim.tuning import plan
from sim.tuning.config import load
from sim.tuning.methods import method_of
from sim.tuning.state import State
from sim.tuning.trials import Scores, Trials
from tests.command import Tipoff
from tests.conftest import MakePlayer

CMA = """\
tune: small
game: club_fight
rules: {jokers: [1, 2]}
strategy: {use: all-tips, pace: 0}
search:
  joker: {from: -1, to: 4}
  middle: {from: -2, to: 2}
method: cma
seed: 5
fresh_seed: 6
generations: 4
candidates: 5
deals: 300
leftover_first: 2
stages: [{deals: 500, keep: 3}]
fresh_deals: 2_500
workers: 1
"""
OPTUNA = CMA.replace("method: cma", "method: optuna").replace("leftover_first: 2\n", "")
ALL = """\
tune: small
game: club_fight
strategy: {use: all-tips, pace: 0}
search: {joker: [0, 2], block: [0, 1], middle: [0, 1], weak: [0, 1]}
at_most: 2
method: all
seed: 5
fresh_seed: 6
stages: [{deals: 200, keep: 4}, {deals: 1_000, keep: 2}]
fresh_deals: 2_000
workers: 1
"""
needs_cma = pytest.mark.skipif(find_spec("cma") is None, reason="needs the package cma")
needs_optuna = pytest.mark.skipif(find_spec("optuna") is None, reason="needs the package optuna")
METHODS = [
    pytest.param(CMA, marks=needs_cma, id="cma"),
    pytest.param(OPTUNA, marks=needs_optuna, id="optuna"),
    pytest.param(ALL, id="all"),
]


def write(text: str) -> Path:
    path = Path("small.yaml")
    path.write_text(text, encoding="utf-8")
    return path


def tuned(folder: str = "reports/small") -> Any:
    return yaml.safe_load(Path(folder, "tuned.yaml").read_text(encoding="utf-8"))


def of_search(folder: str) -> Any:
    """Everything but the command, which names the folder."""
    found = tuned(folder)
    del found["search"]["command"]
    return found


@pytest.mark.parametrize("text", METHODS)
def test_the_same_for_any_number_of_workers_and_when_resumed(text: str, tipoff: Tipoff) -> None:
    said = tipoff("tune", write(text), "--workers", 1, "--out", "one")
    assert said.status == 0, said.err
    assert said.out.endswith("one/tuned.yaml\n")
    assert tipoff("tune", "small.yaml", "--workers", 2, "--out", "two").status == 0
    assert of_search("two") == of_search("one")
    state = Path("one/state.json")
    whole = json.loads(state.read_text())
    rounds = list(whole["rounds"].items())
    whole["rounds"] = dict(rounds[: len(rounds) // 2])  # as if it had been stopped half way
    state.write_text(json.dumps(whole))
    assert tipoff("tune", "small.yaml", "--out", "one").status == 0
    assert of_search("one") == of_search("two")
    assert json.loads(state.read_text())["rounds"] == dict(rounds)


@needs_cma
def test_nothing_is_played_twice(tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tipoff("tune", write(CMA)).status == 0
    monkeypatch.setattr("sim.tuning.trials.Trials.play", None)
    before = tuned()
    assert tipoff("tune", "small.yaml").status == 0
    assert tuned() == before


@needs_cma
def test_the_check_is_on_the_fresh_deals_alone(tipoff: Tipoff, player: MakePlayer) -> None:
    assert tipoff("tune", write(CMA)).status == 0
    found = tuned()
    assert found["entry"]["use"] == "all-tips" and found["entry"]["label"] == "small"
    params = {name: value for name, value in found["entry"].items() if name not in ("use", "label")}
    assert params["pace"] == 0 and set(params) <= {"joker", "middle", "pace"}
    assert all(value == round(value, 3) for value in params.values())
    for given, part in ((params, "checked"), ({"pace": 0.0}, "defaults")):
        wins = left = 0
        for rules in (Rules(1), Rules(2)):
            cards = play_block(rules, Dice(6, 6), 0, 2_500, player("all-tips", **given)).outcomes[0]
            wins, left = wins + int((cards == 0).sum()), left + int(cards.sum())
        expected = found[part]
        assert (expected["seed"], expected["deals"], expected["games"]) == (6, 2500, 5000)
        assert expected["wins"] == wins
        assert expected["leftover_mean"] == round(left / 5000, 4)
        assert expected["interval"] == [round(end, 6) for end in wilson(wins, 5000)]


def test_all_plays_every_short_list_and_the_best_go_on(tipoff: Tipoff, player: MakePlayer) -> None:
    assert tipoff("tune", write(ALL)).status == 0
    found = tuned()
    assert found["search"]["contenders"] == 1 + 4 + 6
    rounds = json.loads(Path("reports/small/state.json").read_text())["rounds"]
    sizes = {key.partition(",")[0]: len(one["wins"]) for key, one in rounds.items()}
    assert sizes == {
        "stage 1: seed 5": 11,
        "stage 2: seed 5": 4,
        "check: seed 6": 2,
    }
    assert len(found["last_stage"]) == 2
    rates = [one["wins"] for one in found["last_stage"]]
    assert rates == sorted(rates, reverse=True)
    best = {name: value for name, value in found["entry"].items() if name not in ("use", "label")}
    for other in ({"middle": 0.0, "joker": 0.0}, {"middle": 0.0, "weak": 0.0}):
        worse = {"joker": 0.0, "block": 0.0, "pace": 0.0, **other}
        deals = (Rules(1), Dice(5, 5), 200, 1_000)
        wins = [
            int((play_block(*deals, player("all-tips", **one)).outcomes[0] == 0).sum())
            for one in (best, worse)
        ]
        assert wins[0] >= wins[1]


@needs_cma
def test_common_deals_within_a_generation_and_others_in_the_next(
    tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def play(self: Any, candidates: Any, seed: int, first: int, deals: int) -> Scores:
        played.append((len(candidates), seed, first, deals))
        return Scores(2 * deals, *np.ones((2, len(candidates)), np.int64))

    monkeypatch.setattr("sim.tuning.trials.Trials.play", play)
    assert tipoff("tune", write(CMA)).status == 0
    assert played == [
        *[(5, 5, first, 300) for first in (0, 300, 600, 900)],
        (6, 5, 1200, 500),  # four centres, their mean, the defaults
        (2, 6, 0, 2500),
    ]


@needs_cma
def test_cma_moves_to_where_the_losses_are_least(tmp_path: Path, registry: Registry) -> None:
    path = tmp_path / "bowl.yaml"
    path.write_text(CMA.replace("candidates: 5", "candidates: 12"), encoding="utf-8")
    method = method_of(plan.make(load(path), registry))
    for _ in range(30):
        method.tell([(joker - 3) ** 2 + (middle + 1) ** 2 for joker, middle in method.ask()])
    assert method.contenders()[0] == pytest.approx((3, -1), abs=0.05)


@needs_optuna
def test_optuna_searches_mixed_types(tmp_path: Path, registry: Registry) -> None:
    path = tmp_path / "bowl.yaml"
    text = OPTUNA.replace("all-tips, pace: 0", "short-advice").replace(
        "rules: {jokers: [1, 2]}", ""
    )
    text = text.replace("joker: {from: -1, to: 4}", "joker: [0, 7, 20]")
    path.write_text(text, encoding="utf-8")
    method = method_of(plan.make(load(path), registry))
    for _ in range(10):
        asked = method.ask()
        assert all(type(joker) is int and type(middle) is int for joker, middle in asked)
        method.tell([(joker - 7) ** 2 + abs(middle - 2) for joker, middle in asked])
    assert method.contenders()[0] == (7, 2)


@needs_cma
def test_what_was_played_survives_ctrl_c(tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch) -> None:
    play, played = Trials.play, []

    def stopped(self: Trials, *what: Any) -> Scores:
        played.append(what)
        if len(played) == 4:
            raise KeyboardInterrupt
        return play(self, *what)

    monkeypatch.setattr("sim.tuning.trials.Trials.play", stopped)
    said = tipoff("tune", write(CMA))
    assert said.status == 130
    assert "what was finished is stored. To go on: tipoff tune small.yaml" in said.err
    assert len(json.loads(Path("reports/small/state.json").read_text())["rounds"]) == 3
    assert tipoff("tune", "small.yaml").status == 0
    assert len(played) == 4 + 1 + 2  # the fourth generation again, the stage, the check


def test_a_round_is_known_by_its_candidates_to_the_last_bit(tmp_path: Path) -> None:
    one, other = [(0.1 + 0.2, True)], [(0.3, True)]
    scores = Scores(10, np.array([3]), np.array([20]))
    with State(tmp_path, {}) as state:
        state.put("stage 1", one, scores)
    again = State(tmp_path, {})
    assert again.get("stage 1", other, 10) is None
    assert again.get("stage 2", one, 10) is None
    assert again.get("stage 1", one, 10) == Scores(10, np.array([3]), np.array([20]))


# ---- what is refused


def test_another_search_is_not_mixed_in(tipoff: Tipoff) -> None:
    assert tipoff("tune", write(ALL)).status == 0
    said = tipoff("tune", write(ALL.replace("seed: 5", "seed: 7")))
    assert said.status == 2 and "holds a search with another seed; give another folder" in said.err
    assert (
        tipoff("tune", write(ALL.replace("fresh_deals: 2_000", "fresh_deals: 3_000"))).status == 0
    )
    assert tuned()["checked"]["deals"] == 3_000


def test_a_published_result_is_not_overwritten(tipoff: Tipoff) -> None:
    assert tipoff("tune", write(ALL)).status == 0
    Path("reports/small/state.json").unlink()
    said = tipoff("tune", "small.yaml")
    assert said.status == 2 and "tuned.yaml would be overwritten" in said.err


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        "[" * 100_000,
        '{"search": {}, "rounds": {"a": 1}}',
        '{"search": 1, "rounds": {}}',
    ],
)
def test_a_damaged_state_is_told(text: str, tipoff: Tipoff) -> None:
    Path("reports/small").mkdir(parents=True)
    Path("reports/small/state.json").write_text(text)
    said = tipoff("tune", write(ALL))
    assert said.status == 3 and "state.json is damaged" in said.err and "Traceback" not in said.err


@pytest.mark.parametrize("wins", [[1.5] * 11, [1], [-1] * 11, [10**6] * 11, [True] * 11, "x", None])
def test_numbers_that_cannot_be_are_told(wins: Any, tipoff: Tipoff) -> None:
    assert tipoff("tune", write(ALL)).status == 0
    path = Path("reports/small/state.json")
    state = json.loads(path.read_text())
    next(iter(state["rounds"].values()))["wins"] = wins
    path.write_text(json.dumps(state))
    said = tipoff("tune", "small.yaml")
    assert said.status == 3 and "state.json is damaged" in said.err


def test_a_library_that_is_missing(tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    monkeypatch.setattr("sim.tuning.methods.find_spec", lambda _: None)
    said = tipoff("tune", write(CMA))
    assert said.status == 2 and "pip install 'tipoff[tune]'" in said.err


def test_a_strategy_that_fails_is_named(tipoff: Tipoff) -> None:
    Path("mine.py").write_text(
        "from sim.games.club_fight.view import Move, View\n"
        "from sim.strategy import Strategy\n\n\n"
        "class Mine(Strategy):\n"
        "    weight: int = 1\n\n"
        "    def score(self, view: View, move: Move) -> float:\n"
        "        return 1.0 / self.weight\n",
        encoding="utf-8",
    )
    text = ALL.partition("strategy")[0] + "strategy: mine\nsearch: {weight: [0, 1]}\n"
    text += ALL.partition("at_most: 2\n")[2] + "plugins: [mine.py]\n"
    said = tipoff("tune", write(text))
    assert said.status == 1 and "strategy 'mine', deal " in said.err and "Traceback" not in said.err
