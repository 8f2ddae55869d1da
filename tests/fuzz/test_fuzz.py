"""Whatever bytes come: an answer or one message, soon, and without much memory."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.config import Entry, Experiment
from sim.errors import BadInput
from tests.fuzz.__main__ import SECONDS, feed, inputs
from tests.fuzz.inputs import CONFIGS, NUMBERS, SEEDS, WORDS, valid
from tests.fuzz.targets import TARGETS, read_config, tolerant

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits processor time by signals")

ROOT = Path(__file__).parents[2]
MANY = {  # inputs of each target in the slow suite
    "config": 80_000,
    "position": 550_000,
    "--set and --rules": 200_000,
    "store": 40_000,
    "results.json": 60_000,
    "plug-in": 60_000,
    "path of a plug-in": 60_000,
    "set of deals": 30_000,
    "search": 30_000,
    "state of a search": 30_000,
}
EXAMPLES = {"few": 40, "many": 4_000}  # that hypothesis makes, of each kind


@pytest.mark.parametrize("name", TARGETS)
def test_a_valid_input_is_taken(name: str) -> None:
    assert TARGETS[name](valid(name))


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_inputs(name: str) -> None:
    TARGETS[name](valid(name))  # what it needs is imported and compiled
    done = feed(name, inputs(name, 400, seed=2))
    print(done)
    assert done["slowest"] < SECONDS and done["inputs"] == 400


@pytest.mark.slow
def test_a_million_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    """Prints the table that stands in `docs/reliability.md`."""
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(in_a_process, MANY.items()))
    with capsys.disabled():
        print("\n| input | tried | taken | slowest | in all |\n|---|---|---|---|---|")
        for row in rows:
            print(
                "| {target} | {inputs:,} | {taken:,} | {slowest:.2f} s | {seconds:.0f} s |".format(
                    **row
                )
            )
    assert sum(MANY.values()) >= 1_000_000


def in_a_process(item: tuple[str, int]) -> dict[str, Any]:
    name, count = item
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", name, str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr[-5000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# ---- by structure, with hypothesis

NAMES = [*Experiment.model_fields, *Entry.model_fields, "weight", "jokers", "all_clear", "<<", ""]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["random", "joker-first", "first", "factorial", "tiny", "club_fight"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=12,
)


@st.composite
def configs(draw: st.DrawFn) -> bytes:
    """A valid config with some of its keys dropped, added or given other values."""
    data = yaml.safe_load(draw(st.sampled_from(CONFIGS)))
    for _ in range(draw(st.integers(1, 4))):
        key, holder = draw(st.sampled_from(NAMES)), data
        if draw(st.booleans()) and isinstance(data.get("strategies"), list):
            holder = draw(st.sampled_from([*filter(is_mapping, data["strategies"]), data]))
        if draw(st.integers(0, 4)):
            holder[key] = draw(VALUES)
        else:
            holder.pop(key, None)
    style, order = draw(st.sampled_from([None, True, False])), draw(st.booleans())
    text = yaml.safe_dump(data, default_flow_style=style, sort_keys=order, allow_unicode=True)
    encoding = draw(st.sampled_from(["utf-8"] * 8 + ["utf-8-sig", "utf-16", "latin-1"]))
    return text.encode(encoding, "replace")


def is_mapping(value: object) -> bool:
    return isinstance(value, dict)


CARD = st.sampled_from([*"A23456789TJQK", "10"]).flatmap(
    lambda rank: st.sampled_from([f"{rank}{suit}" for suit in "HSDChsdc"])
)
CELL = CARD | st.sampled_from(["--", "Jk", "jk", "/", "|", "1H", ""]) | st.text(max_size=3)
POSITION = st.tuples(st.lists(CELL, max_size=13), st.lists(CELL, max_size=6)).map(
    lambda parts: " | ".join(map(" ".join, parts)).encode("utf-8", "surrogatepass")
)
WORD = st.sampled_from(WORDS + NUMBERS) | st.binary(max_size=6)
SETTING = st.lists(
    st.tuples(st.sampled_from([b"weight", b"jokers", b""]) | WORD, WORD).map(b"=".join),
    max_size=4,
).map(b"\n".join)
MUTATED = st.tuples(st.sampled_from(sorted(SEEDS)), st.integers(0, 2**64)).map(
    lambda drawn: (drawn[0], SEEDS[drawn[0]](random.Random(drawn[1])))
)
KINDS: dict[str, st.SearchStrategy[tuple[str, bytes]]] = {
    "bytes": st.tuples(st.sampled_from(sorted(TARGETS)), st.binary(max_size=300)),
    "text": st.tuples(
        st.sampled_from(sorted(TARGETS)),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    ),
    "configs by their keys": st.tuples(st.just("config"), configs()),
    "positions by their cells": st.tuples(st.just("position"), POSITION),
    "settings by their words": st.tuples(st.just("--set and --rules"), SETTING),
    "any, mutated": MUTATED,
}


def check(kind: str, examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(KINDS[kind])
    def run(drawn: tuple[str, bytes]) -> None:
        name, data = drawn
        TARGETS[name](data)

    run()


@pytest.mark.parametrize("kind", KINDS)
def test_by_structure(kind: str) -> None:
    check(kind, EXAMPLES["few"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_by_structure_many(kind: str) -> None:
    check(kind, EXAMPLES["many"])


# ---- led by what is reached in the code, with atheris


@pytest.mark.slow
@pytest.mark.parametrize("name", ["config", "--set and --rules", "plug-in"])
def test_led_by_coverage(name: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="part of the extra `slow`, where there are wheels of it")
    (tmp_path / "seed").write_bytes(valid(name))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.fuzz.led", name, str(tmp_path)),
            *("-runs=20000", "-timeout=10", "-rss_limit_mb=1000", "-max_len=2000", "-seed=1"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    print(done.stderr[-500:])
    assert done.returncode == 0 and "Done 20000 runs" in done.stderr, done.stderr[-5000:]


# ---- the fuzzer itself


def test_what_is_no_error_of_ours_is_found() -> None:
    def faulty(data: bytes) -> None:
        if b"7" in data:
            raise KeyError(data)
        raise BadInput("no")

    assert tolerant(faulty)(b"x") is False
    with pytest.raises(KeyError):
        tolerant(faulty)(b"7")


def test_what_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: bytes) -> bool:
        while True:
            pass

    patch: Callable[..., None] = monkeypatch.setattr
    patch("tests.fuzz.__main__.SECONDS", 0.05)
    monkeypatch.setitem(TARGETS, "config", endless)
    with pytest.raises(BaseException, match="more than"):
        feed("config", [b""])


def test_read_config_is_not_too_kind() -> None:
    with pytest.raises(BadInput):
        read_config(b"seed: [")
