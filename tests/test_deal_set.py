"""`deals: {file: ...}`: exactly the deals of a set, and whoever counts deals from 0 on knows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim import deal_set, spelling
from sim.deal_set import DealSet
from sim.errors import BadInput
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.play import play_block
from sim.tally import tally
from sim.work import Spec
from tests.command import Tipoff, config, results
from tests.conftest import MakePlayer

NUMBERS = (400, 7, 123_456_789, 8, 9, 31)
SET = f"game: club_fight\nseed: 7\nstream: 1\ndeals: {list(NUMBERS)}\n"
CONFIG = (
    "experiment: chosen\ngame: club_fight\ndeals: {file: set.yaml}\nseed: 7\n"
    "strategies: [greedy-most-cards, {use: joker-first, deals: 4}]\n"
)


@pytest.fixture
def chosen(empty_folder: Path) -> Path:
    """The config of an experiment, its set beside it."""
    Path("set.yaml").write_text(SET, encoding="utf-8")
    return config(empty_folder, CONFIG, "chosen.yaml")


def outcomes(played: Any, numbers: tuple[int, ...] = NUMBERS) -> Any:
    """What these deals give one by one."""
    blocks = [play_block(Rules(1), Dice(7, 7), k, 1, played) for k in numbers]
    return np.concatenate([block.outcomes for block in blocks], axis=1)


def test_exactly_these_deals_are_played(chosen: Path, tipoff: Tipoff, player: MakePlayer) -> None:
    said = tipoff("run", chosen, "--workers", 2)
    assert said.status == 0 and said.games == (10, 0)
    found = results(Path("reports/chosen"))
    for entry, deals in zip(found["entries"], (6, 4), strict=True):
        whole = outcomes(player(entry["strategy"]), NUMBERS[:deals])
        assert (entry["deals"], entry["wins"]) == (deals, int((whole[0] == 0).sum()))
        assert entry["leaves"] == list(tally([whole]).leaves)  # counted in the set
    assert found["deal_set"]["numbers"] == list(NUMBERS)
    assert tipoff("run", chosen).games == (0, 10)


def test_the_counters_of_single_deals_add_up(player: MakePlayer) -> None:
    origin = sim.registry.discover().strategy("club_fight", "all-tips").origin
    numbers = tuple(range(20, 60))
    whole = Spec(origin, {}, Rules(1)).play(GAME, Dice(7, 7), 20, 40, player("all-tips"))
    parts = Spec(origin, {}, Rules(1), numbers).play(GAME, Dice(7, 7), 0, 40, player("all-tips"))
    np.testing.assert_array_equal(parts.outcomes, whole.outcomes)
    for name, values in whole.counters.items():
        np.testing.assert_array_equal(parts.counters[name], values)


def test_a_stamp_knows_the_deals_of_a_set_and_their_order() -> None:
    origin = sim.registry.discover().strategy("club_fight", "random").origin
    sets = ((), (1, 2), (2, 1), (1, 3))
    dice, rules = Dice(7, 7), Rules(1)
    assert len({Spec(origin, {}, rules, one).stamp(GAME, dice) for one in sets}) == len(sets)


def test_the_folder_holds_its_set(chosen: Path, tipoff: Tipoff) -> None:
    assert tipoff("run", chosen).status == 0
    chosen.unlink()
    Path("set.yaml").unlink()
    assert tipoff("run", "reports/chosen/config.yaml", "--out", "reports/chosen").games == (0, 10)
    assert tipoff("report", "reports/chosen").status == 0


def test_another_set_is_another_experiment(chosen: Path, tipoff: Tipoff) -> None:
    assert tipoff("run", chosen).status == 0
    Path("set.yaml").write_text(SET.replace("31", "32"), encoding="utf-8")
    said = tipoff("run", chosen)
    assert said.status == 2 and "reports/chosen holds deal set" in said.err
    config(Path(), CONFIG.replace("{file: set.yaml}", "6"), "chosen.yaml")
    assert tipoff("run", chosen).status == 2
    assert tipoff("run", chosen, "--out", "other").games == (10, 0)


def test_shards_of_a_set_are_merged(chosen: Path, tipoff: Tipoff) -> None:
    whole = tipoff("run", chosen)
    for number in (1, 2):
        assert tipoff("run", chosen, "--shard", f"{number}/2", "--out", f"s{number}").status == 0
    assert tipoff("merge", "s1", "s2", "--out", "merged").digest == whole.digest


def test_it_is_verified_from_results_json_alone(chosen: Path, tipoff: Tipoff) -> None:
    assert tipoff("run", chosen).status == 0
    path = Path("reports/chosen/results.json")
    said = tipoff("verify", path)
    assert said.status == 0 and "2 of 2 leaves match" in said.out, said.out
    found = json.loads(path.read_text())
    for wrong in ([400, 7, 123_456_789, 8, 9, 30], [1], [-1] * 6, [10**12] * 6):
        changed = found | {"deal_set": found["deal_set"] | {"numbers": wrong}}
        path.write_text(json.dumps(changed))
        said = tipoff("verify", path)
        assert said.status == 2 and "has a wrong set of deals" in said.err
    # With a hash that fits, other deals give other leaves.
    digest = DealSet("club_fight", 7, (1, 2, 3, 4, 5, 6)).digest
    lie = {"numbers": [1, 2, 3, 4, 5, 6], "digest": digest, "about": ""}
    path.write_text(json.dumps(found | {"deal_set": lie}))
    assert tipoff("verify", path).status == 1


def test_exports_name_the_deals_of_the_seed(chosen: Path, tipoff: Tipoff) -> None:
    assert tipoff("run", chosen).status == 0
    rows = tipoff("export", "reports/chosen", "--csv", "--out", "-").out.splitlines()[1:]
    assert [int(row.split(",")[3]) for row in rows] == [*NUMBERS, *NUMBERS[:4]]
    run = sim.load(chosen).run()
    (deals,) = run.outcomes("greedy-most-cards")
    assert deals["deal"].tolist() == list(NUMBERS)


def test_the_page_says_that_they_were_chosen(
    chosen: Path, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sim.report.method import method
    from sim.results import Results

    sim.load(chosen).run(out="out")
    said = " ".join(str(line) for line in method(Results.read(Path("out/results.json"))))
    assert "of a set of seed 7" in said and "rates and intervals are about them alone" in said


def test_plan_plays_its_pilot_on_them(chosen: Path, tipoff: Tipoff) -> None:
    said = tipoff("plan", chosen)
    assert said.status == 0 and "greedy-most-cards" in said.out


# ---- what is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "chosen.yaml", "--deals", "5"], "plays the deals of set.yaml, not a number"),
        (
            ["run", "chosen.yaml", "--seed", "8"],
            "chosen.yaml:3:15: file: set.yaml:2: these are deals of seed 7; the experiment has 8",
        ),
        (
            ["duel", "club_fight", "joker-first", "greedy-most-cards", "--config", "chosen.yaml"],
            "chosen.yaml plays a set of deals; a duel plays them from 0 on",
        ),
    ],
)
def test_refused_by_name(words: list[str], message: str, chosen: Path, tipoff: Tipoff) -> None:
    said = tipoff(*words)
    assert said.status == 2 and message in said.err, said.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("set.yaml", "sets.yaml", "3:15: file: there is no set of deals sets.yaml"),
        ("seed: 7", "seed: 8", "3:15: file: set.yaml:2: these are deals of seed 7; the experim"),
        ("seed: 7", "seed: 7\nfresh_seed: 8", "5:13: fresh_seed: the deals of set.yaml belong to"),
        ("file:", "fil:", "unknown key 'fil'; did you mean 'file'?"),
        ("deals: 4", "deals: 7", "deals: 7 is more than the experiment's 6"),
    ],
)
def test_refused_with_line(old: str, new: str, message: str, chosen: Path, tipoff: Tipoff) -> None:
    config(Path(), CONFIG.replace(old, new), "chosen.yaml")
    said = tipoff("run", "chosen.yaml")
    assert said.status == 2 and message in said.err, said.err
    assert not Path("reports").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("31]", "7]", "set.yaml:4:34: deal 7 is given twice; first on line 4"),
        ("31]", "-1]", "set.yaml:4:34: deals: expected at least 0, got -1"),
        ("31]", "1.5]", "set.yaml:4:34: deals: expected a whole number, got 1.5"),
        ("31]", "10000000000]", "set.yaml:4:34: deals: expected less than 1e+10"),
        ("stream: 1", "stream: 2", "set.yaml:3:9: stream: these are deals of stream 2; this is 1"),
        ("stream: 1\n", "", "set.yaml:1:1: missing key 'stream'"),
        ("seed: 7", "sed: 7", "set.yaml:2:1: unknown key 'sed'; did you mean 'seed'?"),
        ("game: club_fight", "game: golf", "these are deals of game golf; the experiment has club"),
        (SET, "[]", "expected keys such as 'seed' and 'deals', got a list"),
    ],
)
def test_a_set_that_is_wrong(
    old: str, new: str, message: str, chosen: Path, tipoff: Tipoff
) -> None:
    assert old in SET
    Path("set.yaml").write_text(SET.replace(old, new), encoding="utf-8")
    said = tipoff("run", chosen)
    assert said.status == 2 and message in said.err, said.err


def test_a_set_reads_back_equal(tmp_path: Path) -> None:
    told = DealSet("club_fight", 7, NUMBERS, 'why: "so"', {"strategies": ("a", "b"), "n": 3})
    path = tmp_path / "set.yaml"
    path.write_text(spelling.dump_deals(told), encoding="utf-8")
    assert deal_set.read(path)[0] == told


def test_the_largest_set_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    most = DealSet("club_fight", 7, tuple(range(10**9, 10**9 + deal_set.MOST)))
    path.write_text(spelling.dump_deals(most), encoding="utf-8")
    assert deal_set.read(path)[0].numbers == most.numbers
    more = DealSet("club_fight", 7, tuple(range(deal_set.MOST + 1)))
    path.write_text(spelling.dump_deals(more), encoding="utf-8")
    with pytest.raises(BadInput, match="deals"):
        deal_set.read(path)
