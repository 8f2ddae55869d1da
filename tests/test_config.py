"""The keys of an experiment: what is accepted, and how each mistake is reported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.config import Config, Entry, Experiment, check, json_schema, load
from sim.errors import BadInput, Status
from sim.spelling import dump
from sim.yaml_lines import parse

ROOT = Path(__file__).parents[1]
SHIPPED = sorted((ROOT / "configs").glob("*/*.yaml"))

GOOD = """\
experiment: beginner_tips
game: club_fight
deals: 1_000_000
seed: 2024
rules: {jokers: [1, 2]}
strategies:
  - greedy-most-cards
  - {use: save-middle-clubs, weight: [0.4, 0.8, 1.6]}
  - {use: joker-first, weight: 1, label: "jokers, gently", deals: 100_000}
baseline: greedy-most-cards
ties: first
tie_seed: 7
plugins: [my_tips.py]
workers: 2
"""


def config(text: str) -> Config:
    return check(parse(text.encode(), Path("some.yaml")))


def refusal(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        config(text)
    assert caught.value.status == Status.BAD_INPUT
    return str(caught.value)


def with_(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def test_a_whole_config_is_read() -> None:
    found = config(GOOD).experiment
    assert (found.experiment, found.game) == ("beginner_tips", "club_fight")
    assert found.seed == 2024
    assert found.deals in ((20_000, 30_000, 50_000) if found.is_tournament else (1_000_000,))
    assert found.rules == {"jokers": (1, 2)}
    assert [(entry.use, entry.settings) for entry in found.strategies] == [
        ("greedy-most-cards", {}),
        ("save-middle-clubs", {"weight": (0.4, 0.8, 1.6)}),
        ("joker-first", {"weight": 1}),
    ]
    assert (found.strategies[2].label, found.strategies[2].deals) == ("jokers, gently", 100_000)
    assert (found.ties, found.tie_seed, found.workers) == ("first", 7, 2)
    assert (found.baseline, found.plugins) == ("greedy-most-cards", ("my_tips.py",))


def test_optional_keys_have_defaults() -> None:
    found = config("experiment: e\ngame: g\ndeals: 1\nseed: 0\nstrategies: [x]").experiment
    assert (found.rules, found.baseline, found.ties, found.tie_seed) == ({}, None, "hashed", None)
    assert (found.plugins, found.workers) == ((), None)


@pytest.mark.parametrize("deals", ["1000000", "1_000_000", "1e6", "1.0e6", "0xF4240"])
def test_ways_to_write_a_million(deals: str) -> None:
    assert config(with_("1_000_000", deals)).experiment.deals == 1_000_000


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_the_ends_of_the_range_of_seeds(seed: int) -> None:
    assert config(with_("2024", str(seed))).experiment.seed == seed


def test_a_config_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        config(GOOD).experiment.deals = 5  # type: ignore[misc]


# What stands in the good config | what is written instead | the error; ⏎ is a new line.
REFUSED = r"""
workers: 2 | workrs: 2 | 14:1: unknown key 'workrs'; did you mean 'workers'?
workers: 2 | zzz: 2 | 14:1: unknown key 'zzz'; known: baseline, deals,
deals: 1_0 | Deals: 1_0 | 3:1: unknown key 'Deals'; did you mean 'deals'?
deals: 1_000_000⏎ | | 1:1: missing key 'deals'
seed: 2024⏎ | | 1:1: missing key 'seed'
game: club_fight⏎ | | 1:1: missing key 'game'
experiment: beginner_tips⏎ | | 1:1: missing key 'experiment'
1_000_000 | ten | 3:8: deals: expected a whole number, got 'ten'
1_000_000 | 10.5 | 3:8: deals: expected a whole number, got 10.5
1_000_000 | 3.0 | 3:8: deals: expected a whole number, got 3.0
1_000_000 | true | 3:8: deals: expected a whole number, got true
1_000_000 | '10' | 3:8: deals: expected a whole number, got '10'
1_000_000 | | 3:7: deals: expected a whole number, got nothing
1_000_000 | [1] | 3:8: deals: expected a whole number, got a list
1_000_000 | .nan | 3:8: deals: expected a whole number, got nan
1_000_000 | 0 | 3:8: deals: expected at least 1, got 0
1_000_000 | -5 | 3:8: deals: expected at least 1, got -5
1_000_000 | 1e11 | 3:8: deals: expected at most 10_000_000_000, got 100000000000
2024 | -1 | 4:7: seed: expected at least 0, got -1
2024 | 9223372036854775808 | 4:7: seed: expected at most 9_223_372_036_854_775_807, got 9223
2024 | 1e18446744073709551616 | 4:7: seed: expected a whole number, got inf
tie_seed: 7 | tie_seed: -7 | 12:11: tie_seed: expected at least 0, got -7
ties: first | ties: frist | 11:7: ties: expected 'hashed' or 'first', got 'frist'
workers: 2 | workers: 0 | 14:10: workers: expected at least 1, got 0
workers: 2 | workers: 1e6 | 14:10: workers: expected at most 4_096, got 1000000
workers: 2 | workers: | 14:9: workers: expected a value; remove the key if none is meant
baseline: greedy-most-cards | baseline: | 10:10: baseline: expected a value; remove the key
beginner_tips | ../x | 1:13: experiment: expected up to 64 letters, digits, _ and -, got '../x'
beginner_tips | '..' | 1:13: experiment: expected up to 64 letters
beginner_tips | '-rf' | 1:13: experiment: expected up to 64 letters
beginner_tips | "a\n" | 1:13: experiment: expected up to 64 letters
beginner_tips | '' | 1:13: experiment: expected up to 64 letters
beginner_tips | für | 1:13: experiment: expected up to 64 letters
beginner_tips | 1999 | 1:13: experiment: expected text, got 1999; put it in quotes
game: club_fight | game: [a] | 2:7: game: expected text, got a list
strategies: | strategies: []⏎workrs: | 6:13: strategies: the list is empty, nothing to play
strategies: | strategies: greedy⏎workrs: | 6:13: strategies: expected a list, got 'greedy'
- greedy-most-cards | - 5 | 7:5: strategies: expected the name of a strategy or a mapping with 'use'
- greedy-most-cards | - | 7:4: strategies: expected the name of a strategy
{use: joker-first, | { | 9:5: missing key 'use'
"jokers, gently" | '' | 9:42: label: expected text, got ''
"jokers, gently" | '  ' | 9:42: label: expected one printable line without blanks around it
"jokers, gently" | "a\nb" | 9:42: label: expected one printable line
"jokers, gently" | "a\eb" | 9:42: label: expected one printable line
"jokers, gently" | 5 | 9:42: label: expected text, got 5; put it in quotes
100_000 | 0 | 9:67: deals: expected at least 1, got 0
[0.4, 0.8, 1.6] | [] | 8:38: weight: the list is empty, nothing to sweep
[1, 2] | [] | 5:17: jokers: the list is empty, nothing to sweep
[0.4, 0.8, 1.6] | [1, [1]] | 8:42: weight: expected a number, true, false or text, got a list
[0.4, 0.8, 1.6] | [1, ~] | 8:42: weight: expected a number, true, false or text, got nothing
[0.4, 0.8, 1.6] | {a: 1} | 8:38: weight: expected a number, true, false or text, got a mapping
[0.4, 0.8, 1.6] | | 8:37: weight: expected a number, true, false or text, got nothing
[1, 2] | {a: 1} | 5:17: jokers: expected a number, true, false or text, got a mapping
{jokers: [1, 2]} | [jokers] | 5:8: rules: expected a mapping, got a list
{jokers: [1, 2]} | | 5:7: rules: expected a mapping, got nothing
[my_tips.py] | my_tips.py | 13:10: plugins: expected a list, got 'my_tips.py'
[my_tips.py] | [x, 5] | 13:14: plugins: expected text, got 5
[my_tips.py] | [""] | 13:11: plugins: expected text, got ''
seed: 2024 | deals: 5 | 4:1: key 'deals' is given twice; first on line 3
2024 | !!python/object/apply:os.getpid [] | 4:7: tags (!!python/object/apply:os.getpid)
"""


@pytest.mark.parametrize("case", REFUSED.strip().split("\n"))
def test_refused_with_position_and_plain_words(case: str) -> None:
    old, new, message = (part.strip().replace("⏎", "\n") for part in case.split("|"))
    assert f"some.yaml:{message}" in refusal(with_(old, new))


def test_too_long_names() -> None:
    assert "experiment: expected up to 64" in refusal(with_("beginner_tips", "x" * 65))
    assert "label: expected at most 80" in refusal(with_('"jokers, gently"', "x" * 81))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "some.yaml:1:1: the file is empty"),
        ("---\n", "some.yaml:2:1: expected keys such as 'experiment' and 'game', got nothing"),
        ("hello world", "some.yaml:1:1: expected keys such as 'experiment' and 'game', got 'hello"),
        ("[1]", "some.yaml:1:1: expected keys such as 'experiment' and 'game', got a list"),
    ],
)
def test_a_file_that_is_no_mapping(text: str, shown: str) -> None:
    assert refusal(text).startswith(shown)


def test_all_mistakes_are_listed_at_once() -> None:
    text = with_("1_000_000", "ten").replace("ties: first", "ties: x").replace("workers", "workrs")
    assert refusal(text) == (
        "some.yaml:3:8: deals: expected a whole number, got 'ten'\n"
        "deals: ten\n"
        "       ^\n"
        "some.yaml:11:7: ties: expected 'hashed' or 'first', got 'x'\n"
        "ties: x\n"
        "      ^\n"
        "some.yaml:14:1: unknown key 'workrs'; did you mean 'workers'?\n"
        "workrs: 2\n"
        "^"
    )


def test_a_key_that_is_no_word_is_shown_safely() -> None:
    assert r"1:1: unknown key 'a\x1b\n'" in refusal('"a\\e\\n": 1\n' + GOOD)
    assert len(refusal(f"? {'k' * 5000}\n: 1\n" + GOOD)) < 500


def test_load_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tips.yaml"
    path.write_text(with_("2024", "x"), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:4:7: seed: expected a whole number, got 'x'\n")
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        load(tmp_path / "none.yaml")


def test_dump_loads_back_equal() -> None:
    found = config(GOOD).experiment
    assert config(dump(found)).experiment == found
    assert "- greedy-most-cards\n" in dump(found)


ODD = ["yes", "1e6", "010", "1_000", "null", "~", ".inf", "0x1F", "true", "<<", "=", "- x", "a: b"]
ODD += ["# x", "'", '"', "!x", "&x", "*x", "@", "%", "{", "12:30:00", "2024-01-01", "\N{SNOWMAN}"]
LINES = st.sampled_from(ODD) | st.text(min_size=1, max_size=20).filter(
    lambda text: text.isprintable() and text == text.strip()
)
SCALARS = st.booleans() | st.integers(-(10**90), 10**90) | st.floats(allow_nan=False) | LINES
SETTINGS = st.dictionaries(
    LINES.filter(lambda key: key not in {"use", "label", "deals", "<<"}),
    SCALARS | st.lists(SCALARS, min_size=1, max_size=3),
    max_size=3,
)
ENTRIES = st.builds(
    lambda use, label, deals, more: {"use": use, **label, **deals, **more},
    LINES,
    st.just({}) | st.fixed_dictionaries({"label": LINES}),
    st.just({}) | st.fixed_dictionaries({"deals": st.integers(1, 10**10)}),
    SETTINGS,
)
EXPERIMENTS = st.fixed_dictionaries(
    {
        "experiment": st.sampled_from(["x", "1e6", "010", "null", "y", "1_0"]),
        "game": LINES,
        "deals": st.integers(1, 10**10),
        "seed": st.integers(0, 2**63 - 1),
        "rules": SETTINGS,
        "strategies": st.lists(LINES | ENTRIES, min_size=1, max_size=3),
    },
    optional={"baseline": LINES, "plugins": st.lists(LINES, max_size=2)},
)


@given(EXPERIMENTS)
@settings(max_examples=100, deadline=None, database=None)
def test_any_experiment_dumps_and_loads_back_equal(data: dict[str, Any]) -> None:
    experiment = Experiment.model_validate(data)
    assert config(dump(experiment)).experiment == experiment


def test_the_committed_schema_is_fresh() -> None:
    committed = (ROOT / "configs" / "experiment.schema.json").read_text(encoding="utf-8")
    assert committed == json_schema(), "run: python -m sim.config > configs/experiment.schema.json"


def test_the_module_prints_the_schema() -> None:
    command = [sys.executable, "-m", "sim.config"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert printed.stdout == json_schema() and printed.stdout.endswith("}\n")


def test_every_key_of_the_schema_is_described() -> None:
    schema = json.loads(json_schema())
    for model in (schema, schema["$defs"]["Entry"]):
        assert all(key["description"] for key in model["properties"].values())
    assert set(schema["properties"]) == set(Experiment.model_fields)
    assert set(schema["$defs"]["Entry"]["properties"]) == set(Entry.model_fields)
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_experiments_are_valid_and_named_like_their_files(path: Path) -> None:
    found = load(path).experiment
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "# yaml-language-server: $schema=../experiment.schema.json"
    assert all(line.startswith("# ") for line in lines[1:3])
    assert (found.experiment, found.game) == (path.stem, path.parent.name)
    assert found.seed == 2024
    assert found.deals in ((20_000, 30_000, 50_000) if found.is_tournament else (1_000_000,))


@given(st.data())
@settings(max_examples=300, deadline=None, database=None)
def test_a_mutated_config_is_refused_or_read(data: st.DataObject) -> None:
    text = GOOD
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        piece = data.draw(st.sampled_from(ODD) | st.text(max_size=4))
        text = text[:start] + piece + text[end:]
    try:
        check(parse(text.encode("utf-8", "surrogatepass"), Path("some.yaml")))
    except BadInput as error:
        assert str(error).startswith("some.yaml:")
