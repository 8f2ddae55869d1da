"""From config to cells: sweeps, axes, labels, parameters and plug-ins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.config import check
from sim.errors import BadInput
from sim.games.club_fight import GAME
from sim.plan import Plan, make
from sim.registry import Listing, Origin, Registry, discover
from sim.spelling import resolved
from sim.strategy import Strategy
from sim.yaml_lines import parse

SHIPPED = sorted((Path(__file__).parents[1] / "configs").glob("*/*.yaml"))


class Greedy(Strategy):
    """Take the most."""


class Saver(Strategy):
    """Save the middle."""

    weight: float = 0.8


class Mixed(Strategy):
    """Have a parameter of every type."""

    share: float = 1  # an int by mistake: settled as the float it is annotated to be
    count: int = 3
    brave: bool = False


class Seer(Strategy):
    """Look at hidden cards."""

    clairvoyant = True


class Broken(Strategy):
    """Have a parameter that is no number."""

    name_: str = "x"


def registry() -> Registry:
    found = Registry({"club_fight": GAME})
    for cls in (Greedy, Saver, Mixed, Seer, Broken):
        found.add(Listing("club_fight", cls, Origin(__name__, cls.__name__), "built-in"))
    return found


HEAD = "experiment: toy\ngame: club_fight\ndeals: 1000\nseed: 5\n"


def plan(body: str, known: Registry | None = None, folder: str = "", **overrides: Any) -> Plan:
    data = body if body.startswith("experiment") else HEAD + body
    document = parse(data.encode(), Path(folder) / "some.yaml")
    return make(check(document), known or registry(), **overrides)


def refusal(body: str, **more: Any) -> str:
    with pytest.raises(BadInput) as caught:
        plan(body, **more)
    return str(caught.value)


def test_a_single_name_is_a_legal_experiment() -> None:
    found = plan("strategies: [greedy]")
    assert (found.experiment, found.game, found.deals, found.seed) == ("toy", GAME, 1000, 5)
    assert (found.ties, found.tie_seed, found.workers) == ("hashed", 5, None)
    assert found.baseline == "greedy"
    (cell,) = found.cells
    assert (cell.label, cell.listing.cls, cell.params, cell.swept) == ("greedy", Greedy, {}, ())
    assert (cell.rules, cell.rules_dict) == (GAME.rules(), {"jokers": 1, "all_clear": False})
    assert (cell.variant, cell.deals) == ("1 joker (easy)", 1000)


def test_variants_are_the_outer_loop_and_entries_the_inner() -> None:
    found = plan("rules: {jokers: [2, 1], all_clear: [false, true]}\nstrategies: [greedy, saver]")
    assert [(*cell.rules_dict.values(), cell.label) for cell in found.cells] == [
        (jokers, all_clear, label)
        for jokers in (2, 1)
        for all_clear in (False, True)
        for label in ("greedy", "saver")
    ]


def test_two_lists_are_their_product() -> None:
    found = plan("strategies: [{use: mixed, count: [1, 2], share: [0.5, 1e0], brave: true}]")
    pairs = ["count=1 share=0.5", "count=1 share=1", "count=2 share=0.5", "count=2 share=1"]
    assert [cell.label for cell in found.cells] == [f"mixed {pair} brave=true" for pair in pairs]
    assert found.cells[1].params == {"share": 1.0, "count": 1, "brave": True}
    assert {cell.swept for cell in found.cells} == {("count", "share")}


def test_labels() -> None:
    found = plan(
        "strategies: [saver, {use: saver, weight: 1}, {use: saver, weight: 2, label: two},"
        "{use: saver, weight: [3.0, -0.25], label: more}, {use: saver, weight: [1e-7]}]"
    )
    names = "saver|saver weight=1|two|more weight=3|more weight=-0.25|saver weight=1e-07"
    assert [cell.label for cell in found.cells] == names.split("|")


@pytest.mark.parametrize(
    ("deals", "expected"),
    [(None, [1000, 10]), (5, [5, 5]), (100, [100, 10]), (5000, [5000, 10]), ("1e6", [10**6, 10])],
)
def test_an_entry_plays_its_prefix_of_the_deals(
    deals: int | str | None, expected: list[int]
) -> None:
    found = plan("strategies: [greedy, {use: saver, deals: 10}]", deals=deals)
    assert [cell.deals for cell in found.cells] == expected and found.deals == expected[0]


def test_seed_override_also_moves_the_default_tie_seed() -> None:
    found = plan("strategies: [greedy]", seed=9)
    assert (found.seed, found.tie_seed) == (9, 9)
    found = plan("tie_seed: 0\nties: first\nstrategies: [greedy]", seed=9)
    assert (found.seed, found.tie_seed, found.ties) == (9, 0, "first")


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"deals": 0}, "--deals: expected at least 1, got 0"),
        ({"deals": 10**11}, "--deals: expected at most 10_000_000_000, got 100000000000"),
        ({"deals": "many"}, "--deals: expected a whole number, got 'many'"),
        ({"deals": "1.5"}, "--deals: expected a whole number, got 1.5"),
        ({"deals": True}, "--deals: expected a whole number, got true"),
        ({"deals": "9" * 999}, "--deals: a number of more than 100 characters"),
        ({"seed": -1}, "--seed: expected at least 0, got -1"),
        ({"seed": 2**63}, "--seed: expected at most 9_223_372_036_854_775_807"),
    ],
)
def test_overrides_out_of_range(override: dict[str, Any], message: str) -> None:
    assert refusal("strategies: [greedy]", **override).startswith(message)


# What follows the head of the config (lines 1 to 4) | the error; ⏎ is a new line.
REFUSED = r"""
strategies: [gredy] | 5:14: unknown strategy 'gredy'; did you mean 'greedy'?
strategies:⏎  - {label: x, use: zzz} | 6:21: unknown strategy 'zzz'; known: broken, greedy, mixed
strategies: [{use: saver, wieght: 1}] | 5:27: saver has no parameter 'wieght'; did you mean 'we
strategies: [{use: saver, weight: .nan}] | 5:35: weight: expected a finite number, got nan
strategies: [{use: saver, weight: [1, x]}] | 5:39: weight: expected a number, got 'x'
strategies: [{use: saver, weight: [1, 2, 1.0]}] | 5:42: weight: 1 stands twice in the list
strategies: [broken] | 5:14: broken: a parameter is not usable: parameter 'name_' must be
strategies: [{use: saver, deals: 1001}] | 5:34: deals: 1_001 is more than the experiment's 1_000
strategies:⏎  - saver⏎  - saver | 7:5: the same strategy with the same parameters is on line 6
strategies:⏎  - saver⏎  - {use: saver, weight: 0.8} | 7:5: the same strategy with the same par
strategies:⏎  - {use: mixed, count: 1, share: 2}⏎  - {use: mixed, share: 2, count: 1} | 7:5: the s
strategies:⏎  - saver⏎  - {use: saver, weight: [2, 0.8]} | 7:5: the same strategy with the same
strategies:⏎  - saver⏎  - {use: greedy, label: saver} | 7:5: label 'saver' is already that of the
strategies:⏎  - {use: saver, weight: 1}⏎  - {use: greedy, label: saver weight=1} | 7:5: label 's
strategies: [saver]⏎baseline: savre | 6:11: baseline: no entry has the label 'savre'; did you mean
strategies: [{use: saver, weight: [1, 2]}]⏎baseline: saver | 6:11: baseline: no entry has the label
strategies: [saver, greedy]⏎ladder: [saver, gredy] | 6:17: ladder: no entry has the label 'gredy'; d
strategies: [saver, greedy]⏎ladder: [saver, saver] | 6:17: ladder: its ends must be two entries
strategies: [saver, seer]⏎ladder: [saver, seer] | 6:17: ladder: 'seer' sees hidden cards, so no hone
strategies: [greedy]⏎rules: {joker: 1} | 6:9: Club Fight has no rule 'joker'; did you mean 'jokers'?
strategies: [greedy]⏎rules: {jokers: 3} | 6:17: jokers: expected 1 or 2, got 3
strategies: [greedy]⏎rules: {jokers: [1, true]} | 6:21: jokers: expected 1 or 2, got true
strategies: [greedy]⏎rules: {jokers: [1, 2, 1]} | 6:24: jokers: 1 stands twice in the list
strategies: [greedy]⏎rules: {all_clear: on} | 6:20: all_clear: expected true or false, got 'on'
strategies: [greedy]⏎plugins: [none.py] | 6:11: plug-in none.py: /cfg/none.py: there is no such
"""


@pytest.mark.parametrize("case", REFUSED.strip().split("\n"))
def test_refused_with_position_and_plain_words(case: str) -> None:
    body, message = (part.strip().replace("⏎", "\n") for part in case.split("|"))
    assert refusal(body, folder="/cfg").startswith(f"/cfg/some.yaml:{message}")


def test_all_mistakes_of_rules_and_strategies_are_listed_at_once() -> None:
    error = refusal("rules: {jokers: 3}\nstrategies: [gredy, {use: saver, weight: x, a: 1}]")
    assert error.count("some.yaml:") == 4


def test_an_unknown_game() -> None:
    error = refusal("experiment: e\ngame: clubfight\ndeals: 1\nseed: 1\nstrategies: [a]")
    assert error.startswith("some.yaml:2:7: unknown game 'clubfight'; did you mean 'club_fight'?")


def test_a_ladder_wants_to_know_its_deals() -> None:
    until = "{until: {ranked: true, margin: 0.1}, at_most: 100_000}"
    error = refusal(
        f"{HEAD.replace('1000', until)}strategies: [saver, greedy]\nladder: [saver, greedy]"
    )
    assert error.startswith("some.yaml:6:9: ladder: wants a fixed number of deals, not `until`")


def test_a_label_that_grows_too_long() -> None:
    label = "x" * 75
    assert plan(f"strategies: [{{use: saver, weight: 1, label: {label}}}]").baseline == label
    error = refusal(f"strategies: [{{use: saver, weight: [1], label: {label}}}]")
    assert "is longer than 80 characters" in error and ":5:14: label 'xxx" in error


def test_a_product_that_explodes() -> None:
    values = list(range(200))
    entry = f"{{use: mixed, share: {values}, count: {values}}}"
    error = refusal(f"strategies: [{entry}]\nrules: {{jokers: [1, 2]}}")
    assert error.startswith("some.yaml:5:1: the sweeps and axes multiply to 80_000 cells; at most")


PLUGIN = '''\
from sim.strategy import Strategy

class MyTip(Strategy):
    """Do as I say."""
    weight: float = 2.0

    def score(self, view, move):
        return 0.0
'''


def test_plugins_are_relative_to_the_config(tmp_path: Path) -> None:
    (tmp_path / "tips").mkdir()
    (tmp_path / "tips" / "mine.py").write_text(PLUGIN, encoding="utf-8")
    found = plan("plugins: [tips/mine.py]\nstrategies: [my-tip, greedy]", folder=str(tmp_path))
    assert found.cells[0].params == {"weight": 2.0}
    assert found.cells[0].listing.source == str(tmp_path / "tips" / "mine.py")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = 1\ny = 1 / 0\n", "bad.py:2: ZeroDivisionError: division by zero"),
        ("def (:\n", "bad.py:1: SyntaxError: invalid syntax"),
        ("x = 1\n", "holds no strategy"),
        (PLUGIN.replace("MyTip", "Greedy"), "strategy 'greedy' of "),
        ("raise SystemExit(0)\n", "bad.py:1: SystemExit: 0"),
        ("import nowhere_to_be_found\n", "bad.py:1: ModuleNotFoundError"),
    ],
)
def test_broken_plugins_name_config_and_reason(tmp_path: Path, source: str, reason: str) -> None:
    (tmp_path / "bad.py").write_text(source, encoding="utf-8")
    error = refusal("strategies: [greedy]\nplugins:\n  - bad.py", folder=str(tmp_path))
    assert error.startswith(f"{tmp_path}/some.yaml:7:5: plug-in bad.py: ") and reason in error


@pytest.mark.parametrize("name", ["n" * 300, ".", "a/" * 40 + "x.py"])
def test_plugin_names_that_are_no_file(tmp_path: Path, name: str) -> None:
    error = refusal(f"strategies: [greedy]\nplugins: [{name}]", folder=str(tmp_path))
    assert ":6:11: plug-in " in error


WHOLE = """\
rules: {jokers: [1, 2]}
plugins: [mine.py]
strategies:
  - {use: saver, weight: [0, 1.5], label: savers, deals: 500}
  - my-tip
  - {use: mixed, brave: true, count: 7}
baseline: my-tip
workers: 3
"""


@pytest.mark.parametrize("overrides", [{}, {"deals": 100}, {"deals": 9999, "seed": 2**63 - 1}])
def test_the_resolved_config_makes_an_equal_plan(tmp_path: Path, overrides: dict[str, int]) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN, encoding="utf-8")
    known = registry()
    first = plan(WHOLE, known, str(tmp_path), **overrides)
    again = plan(resolved(first), known, str(tmp_path / "elsewhere"))
    assert again == first and resolved(again) == resolved(first)


def test_a_resolved_config_spells_out_what_was_left_open() -> None:
    lines = resolved(plan("strategies: [greedy]", deals=7)).split("\n")
    assert {"deals: 7", "seed: 5", "tie_seed: 5", "ties: hashed", "baseline: greedy"} <= set(lines)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_experiments_make_a_plan(path: Path) -> None:
    found = make(check(parse(path.read_bytes(), path)), discover())
    labels = [line.label for line in found.lines()]
    assert found.baseline in ("greedy-most-cards", labels[0], "best short advice", "sum-of-chances")
    assert found.deals in ((20_000, 30_000, 50_000) if found.tournament else (1_000_000,))


def test_tip_strength_sweeps_every_weight_from_zero() -> None:
    path = next(path for path in SHIPPED if path.stem == "tip_strength")
    entries = check(parse(path.read_bytes(), path)).experiment.strategies
    sweeps = [entry.settings["weight"] for entry in entries if entry.settings]
    assert len(sweeps) == 5
    assert all(isinstance(values, tuple) and len(values) >= 8 for values in sweeps)
    assert all(values[0] == 0 for values in sweeps if isinstance(values, tuple))


VALUES = st.sampled_from(["0", "1", "-1", ".nan", "1e9", "x", "[0, 1]", "[]", "true", "~", "0.5"])
USES = st.sampled_from(["greedy", "saver", "mixed", "broken", "savre"])
KEYS = st.sampled_from(["weight", "share", "count", "brave", "label", "deals"])
ENTRY = st.tuples(USES, st.dictionaries(KEYS, VALUES, max_size=3))


@given(st.lists(ENTRY, min_size=1, max_size=4), VALUES)
@settings(max_examples=200, deadline=None, database=None)
def test_any_entries_give_a_plan_or_bad_input(
    entries: list[tuple[str, dict[str, str]]], jokers: str
) -> None:
    body = f"rules: {{jokers: {jokers}}}\nstrategies:\n"
    for use, params in entries:
        body += "".join([f"  - use: {use}\n", *(f"    {k}: {v}\n" for k, v in params.items())])
    try:
        found = plan(body)
    except BadInput as error:
        assert str(error).startswith("some.yaml:")
    else:
        assert plan(resolved(found)) == found


FACTORIAL = "design: factorial\nstrategies:\n  - {use: mixed, share: [0, 1], count: [0, 2]}\n"


def test_the_factors_of_a_factorial_design_are_its_sweeps() -> None:
    assert plan(FACTORIAL).factors == ("share", "count")
    assert len(plan(FACTORIAL).cells) == 4
    assert plan("strategies: [greedy]").factors == ()


@pytest.mark.parametrize(
    "strategies",
    ["[greedy]", "[{use: mixed, share: [0, 1, 2]}]", "[greedy, {use: mixed, share: [0, 1]}]"],
)
def test_a_factorial_design_wants_one_entry_with_sweeps_of_two(strategies: str) -> None:
    error = refusal(f"design: factorial\nstrategies: {strategies}")
    assert error.startswith("some.yaml:5:9: design: factorial wants one entry")
