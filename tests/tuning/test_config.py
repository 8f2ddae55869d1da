"""The config of a search: what is wrong with it is told with file, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.errors import BadInput
from sim.experiments import find_search, shipped_searches
from sim.registry import Registry
from sim.tuning import plan
from sim.tuning.config import Tuning, load
from tests.test_layers import ROOT

GOOD = """\
tune: small
game: club_fight
rules: {jokers: 1}
strategy: {use: all-tips, pace: 0}
search:
  joker: {from: -1, to: 4, start: 0.5}
  middle: {from: 0, to: 2}
method: cma
seed: 5
fresh_seed: 6
"""


def made(folder: Path, text: str, registry: Registry) -> plan.Search:
    path = folder / "small.yaml"
    path.write_text(text, encoding="utf-8")
    return plan.make(load(path), registry)


def test_a_good_one(tmp_path: Path, registry: Registry) -> None:
    search = made(tmp_path, GOOD, registry)
    joker, middle = search.dimensions
    assert (joker.least, joker.most, joker.start) == (-1.0, 4.0, 0.5)
    assert (middle.least, middle.most, middle.start) == (0.0, 2.0, 0.8)  # the default
    assert search.params((3.0, 1.0)) == {
        "joker": 3.0,
        "block": 0.5,
        "middle": 1.0,
        "weak": 0.8,
        "pace": 0.0,
    }
    assert search.unchanged == (1.0, 0.8)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("method: cma", "method: cmaa", "8:9", "method: expected 'cma', 'optuna' or 'all'"),
        ("method:", "methods:", "8:1", "unknown key 'methods'; did you mean 'method'?"),
        ("seed: 5\n", "", "1:1", "missing key 'seed'"),
        ("fresh_seed: 6", "fresh_seed: 5", "10:13", "must not be the seed itself"),
        ("to: 4, ", "too: 4, ", "6:21", "unknown key 'too'; did you mean 'to'?"),
        ("to: 4, ", "to: four, ", "6:25", "to: expected a number"),
        ("to: 4, ", "to: true, ", "6:25", "to: expected a number"),
        ("to: 4, ", "to: -2, ", "6:25", "joker: expected `from` to be less than `to`"),
        ("to: 4, ", "to: .inf, ", "6:25", "to of joker: expected a finite number"),
        ("start: 0.5", "start: 5", "6:35", "joker: expected a start from -1.0 to 4.0, got 5.0"),
        ("  joker", "  jokr", "6:3", "no parameter 'jokr'; did you mean 'joker'?"),
        ("  joker", "  pace", "6:3", "is searched, and given under `strategy` too"),
        ("pace: 0", "pac: 0", "4:27", "no parameter 'pac'; did you mean 'pace'?"),
        ("pace: 0", "pace: [0, 1]", "4:33", "pace: expected a number, true, false or text"),
        ("all-tips", "all-tip", "4:17", "unknown strategy 'all-tip'; did you mean 'all-tips'?"),
        ("jokers: 1", "jokers: 3", "3:17", "jokers: expected 1 or 2, got 3"),
        ("club_fight", "clubfight", "2:7", "unknown game 'clubfight'"),
        ("{from: 0, to: 2}", "[0, 1]", "7:11", "`cma` searches ranges of real numbers only"),
        ("{from: 0, to: 2}", "[]", "7:11", "middle: the list is empty"),
        ("method: cma", "method: all", "6:10", "`all` cannot play every real number"),
        ("seed: 5", "seed: 5\nat_most: 2", "10:1", "at_most: means nothing to method 'cma'"),
        ("seed: 5", "seed: 5\nstages: []", "10:9", "stages: the list is empty"),
        ("seed: 5", "seed: 5\nstages: [{deals: 5}]", "10:10", "missing key 'keep'"),
        (
            "seed: 5",
            "seed: 5\nstages: [{deals: 5, keep: 1}, {deals: 5, keep: 2}]",
            "10:48",
            "keep: expected at most the 1 of the stage before",
        ),
        ("  middle: {from: 0, to: 2}\n", "", "6:3", "`cma` wants two parameters or more"),
    ],
)
def test_what_is_wrong(
    old: str, new: str, place: str, message: str, tmp_path: Path, registry: Registry
) -> None:
    assert old in GOOD
    with pytest.raises(BadInput) as refused:
        made(tmp_path, GOOD.replace(old, new), registry)
    found = [line for line in str(refused.value).splitlines() if f"small.yaml:{place}: " in line]
    assert any(message in line for line in found), refused.value


def test_too_many_combinations(tmp_path: Path, registry: Registry) -> None:
    lists = "{strategy: 1}".replace("{strategy: 1}", str(list(range(20))))
    names = ("joker", "block", "middle", "weak")
    text = GOOD.partition("search:")[0] + "search:\n"
    text += "".join(f"  {name}: {lists}\n" for name in names)
    with pytest.raises(BadInput, match=r":5:1: search: 160_000 combinations; at most 100_000"):
        made(tmp_path, text + "method: all\nseed: 1\nfresh_seed: 2\n", registry)


def test_not_a_mapping(tmp_path: Path, registry: Registry) -> None:
    with pytest.raises(BadInput, match="expected keys such as 'tune'"):
        made(tmp_path, "- 1\n", registry)


def test_every_shipped_search_can_be_made(registry: Registry) -> None:
    found = dict(shipped_searches())
    assert {"club_fight/tuned_easy", "club_fight/tuned_hard"} <= set(found)
    for name in found:
        path = find_search(name)
        assert plan.make(load(path), registry).wanted.tune == path.stem


def test_a_search_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="no shipped search 'club_fight/tuned_esy'; did you mean"):
        find_search("club_fight/tuned_esy")


def test_the_example_of_the_documents(tmp_path: Path, registry: Registry) -> None:
    text = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
    example = text.partition("```yaml\n")[2].partition("```")[0]
    wanted = made(tmp_path, example, registry).wanted
    assert (wanted.tune, wanted.method) == ("my_search", "cma")
    defaults = Tuning.model_fields
    for key in ("generations", "candidates", "deals", "leftover_first", "fresh_deals", "digits"):
        assert f"{defaults[key].default:,}" in text
