"""Results against themselves: a number that was edited by hand is found and named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim import published
from sim.audit import faults, standings
from sim.results import Results
from sim.standings import Standings
from tests.command import HEAD, Tipoff, config

GALLERIES = sorted((Path(__file__).parents[1] / "reports").glob("*/results.json"))

UNEQUAL = HEAD + (
    "rules: {jokers: [1, 2]}\n"
    "strategies:\n"
    "  - greedy-most-cards\n"
    "  - {use: save-middle-clubs, weight: [0.4, 0.8], deals: 500}\n"
)
FACTORIAL = HEAD + (
    "rules: {jokers: [1, 2]}\ndesign: factorial\n"
    "strategies: [{use: all-tips, joker: [0, 1], middle: [0, 0.8]}]\n"
)
FRESH = HEAD + (
    "fresh_seed: 8\nstrategies: [greedy-most-cards, {use: save-middle-clubs, weight: [0, 0.8]}]\n"
)
NAMES = "[greedy-most-cards, save-middle-clubs, joker-first, random]"
UNTIL = (
    HEAD.replace("1000", "{{until: {}, at_most: 20_000, round: 2_000}}") + f"strategies: {NAMES}\n"
)
WIDTH = UNTIL.format("{half_width: 0.02, of: difference}") + "rules: {jokers: [1, 2]}\n"
RANKED = UNTIL.format("{ranked: true, margin: 0.02}")
LADDER = UNEQUAL + "  - {use: random}\nladder: [random, greedy-most-cards]\n"
TEXTS = {
    "ladder": LADDER,
    "unequal deals": UNEQUAL,
    "factorial": FACTORIAL,
    "fresh seed": FRESH,
    "until known": WIDTH,
    "until ranked": RANKED,
}
# What no other number in the file tells; leaves, rules and names are checked by playing.
FREE = {"experiment", "game", "seed", "ties", "tie_seed", "strategy", "lane", "clairvoyant"}
FREE |= {"source", "params", "swept", "versions"}
FREE |= {"counted", "counters", "pace"}  # how entries played lies outside every digest


@pytest.mark.parametrize("path", GALLERIES, ids=lambda path: path.parent.name)
def test_the_galleries_agree_with_themselves(path: Path) -> None:
    found = published.read(path)
    wrong = standings.faults(found) if isinstance(found, Standings) else faults(found)
    assert wrong == []


def values(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values in nested mappings, and in the first and last of each list."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from values(value, (*path, key))
    elif isinstance(data, list):
        for place in sorted({0, len(data) - 1} & set(range(len(data)))):
            yield from values(data[place], (*path, place))
    elif data is not None:
        yield path


def edited(text: str, path: tuple[Any, ...]) -> Results:
    """Return results in which one value is another."""
    data = json.loads(text)
    place = data
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    if isinstance(old, str):
        place[path[-1]] = old[:-1] + ("0" if old[-1:] != "0" else "1")
    elif isinstance(old, float):
        place[path[-1]] = old * 1.0123457 + 0.000123
    else:
        place[path[-1]] = not old if isinstance(old, bool) else old + 1
    return Results.from_json(json.dumps(data))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_any_edited_number_is_found(text: str, tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, text))
    written = Path("reports/tiny/results.json").read_text()
    assert faults(Results.from_json(written)) == []
    paths = [path for path in values(json.loads(written)) if not FREE & set(path)]
    entry_rules = [path for path in paths if "entries" in path and "rules" in path]
    missed = [path for path in paths if not faults(edited(written, path))]
    assert set(missed) <= set(entry_rules)
    assert len(paths) > 90 and len(entry_rules) <= 16


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("wins", "'greedy-most-cards' under 1 joker (easy): wins is "),
        ("deals", "'greedy-most-cards' under 1 joker (easy): deals is 1001, but 1000 follows"),
        ("digest", "'greedy-most-cards' under 1 joker (easy): digest is "),
        ("win_rate", "'greedy-most-cards' under 1 joker (easy): win_rate is "),
        ("turns_mean", "'greedy-most-cards' under 1 joker (easy): turns_mean is "),
    ],
)
def test_it_is_named(field: str, said: str, tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder))
    written = Path("reports/tiny/results.json").read_text()
    found = faults(edited(written, ("entries", 0, field)))
    assert found[0].startswith(said)
    assert all("the run" in other for other in found[1:]), "and nothing else is blamed"


def without(text: str, key: str, number: int) -> Results:
    data = json.loads(text)
    del data[key][number]
    return Results.from_json(json.dumps(data))


def test_what_was_taken_out_is_missed(tipoff: Tipoff, empty_folder: Path) -> None:
    tipoff("run", config(empty_folder, FACTORIAL))
    written = Path("reports/tiny/results.json").read_text()
    for key in ("entries", "pairs", "variants", "effects", "additive"):
        for number in range(len(json.loads(written)[key])):
            assert faults(without(written, key, number)), (key, number)
    doubled = json.loads(written)
    doubled["entries"].append(doubled["entries"][0])
    assert "stands there twice" in faults(Results.from_json(json.dumps(doubled)))[0]


def test_a_single_deal_and_equal_deals_are_no_fault(tipoff: Tipoff, empty_folder: Path) -> None:
    """Intervals without any spread follow other formulas."""
    same = "[{use: joker-first, weight: 0}, greedy-most-cards, random]"
    for deals in (1, 2, 7):
        text = HEAD.replace("1000", str(deals)) + f"strategies: {same}\n"
        out = empty_folder / str(deals)
        tipoff("run", config(empty_folder, text), "--out", out)
        assert faults(Results.read(out / "results.json")) == [], deals
