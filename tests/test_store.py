"""The store: what goes in comes out, and whatever happens to the file, the user is told."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import BadInput, Status, StoreDamaged
from sim.game import Block
from sim.games.club_fight import GAME
from sim.holder import holder
from sim.store import FILE_NAME, Packed, Store

STAMP = "a" * 64


def block(count: int, seed: int = 0) -> Block:
    """A block as if it had been played."""
    dice = np.random.default_rng(seed)
    counters = {
        name: dice.integers(0, 10**12, counter.shape, np.int64)
        for name, counter in GAME.counters.items()
    }
    return Block(dice.integers(0, 42, (2, count), np.uint8), counters, 0.25)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with suppress(StoreDamaged), Store(path, GAME) as opened:  # some tests spoil it
        yield opened


def fill(store: Store, *firsts: int, size: int = 100) -> list[Block]:
    blocks = [block(size, first) for first in firsts]
    for first, played in zip(firsts, blocks, strict=True):
        store.add(STAMP, first, size, Packed.of(played))
    return blocks


def outcomes(store: Store, deals: int) -> np.ndarray:
    return np.hstack(list(store.outcomes(STAMP, deals)))


def test_what_goes_in_comes_out(path: Path) -> None:
    with Store(path, GAME) as store:
        blocks = fill(store, 0, 200, 100)  # in any order
    with Store(path, GAME) as store:
        whole = np.hstack([blocks[0].outcomes, blocks[2].outcomes, blocks[1].outcomes])
        assert np.array_equal(outcomes(store, 300), whole)
        assert np.array_equal(outcomes(store, 150), whole[:, :150])
        assert store.coverage(STAMP) == [(0, 100), (100, 100), (200, 100)]
        assert store.coverage("b" * 64) == []
        assert store.speed(STAMP) == 400.0 and store.speed("b" * 64) == 0.0
    assert [path.name for path in path.parent.iterdir()] == [FILE_NAME]  # no journal is left


def test_counters_are_summed(store: Store) -> None:
    blocks = fill(store, 0, 100, 200)
    for deals, whole in ((300, 3), (299, 2), (200, 2), (199, 1), (99, 0), (10**6, 3)):
        covered, totals = store.counters(STAMP, deals)
        assert covered == 100 * whole  # a block that reaches beyond the deals is left out
        assert totals.keys() == GAME.counters.keys()
        for name, total in totals.items():
            expected = sum(played.counters[name] for played in blocks[:whole])
            assert np.array_equal(total, expected * np.ones_like(total)), name
    covered, totals = store.counters("b" * 64, 300)
    assert covered == 0
    assert not any(total.any() for total in totals.values())


def test_a_packed_block_is_unpacked() -> None:
    played = block(50)
    assert Packed.of(played).unpacked() == played.outcomes.tobytes()


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=10))
@settings(max_examples=25, deadline=None, database=None)
def test_overlaps_are_refused_and_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, tried: list[tuple[int, int]]
) -> None:
    held: set[int] = set()
    with Store(tmp_path_factory.mktemp("run") / FILE_NAME, GAME) as store:
        for first, count in tried:
            deals = set(range(first, first + count))
            if deals & held:
                with pytest.raises(ValueError, match="already stored"):
                    store.add(STAMP, first, count, Packed.of(block(count)))
            else:
                store.add(STAMP, first, count, Packed.of(block(count)))
                held |= deals
            covered = [d for f, c in store.coverage(STAMP) for d in range(f, f + c)]
            assert covered == sorted(held)


def test_cells_do_not_mix(store: Store) -> None:
    fill(store, 0)
    other = block(70, 9)
    store.add("b" * 64, 0, 70, Packed.of(other))
    assert np.array_equal(np.hstack(list(store.outcomes("b" * 64, 70))), other.outcomes)
    assert store.coverage(STAMP) == [(0, 100)]


def test_facts_are_kept(path: Path) -> None:
    facts = {"seed": 2**63 - 1, "experiment": "für", "ties": "hashed"}
    with Store(path, GAME) as store:
        assert store.meta() == {}
        store.note(facts)
        store.note({"seed": 5})
        store.note_cells({STAMP: {"label": "x"}, "b" * 64: {"label": "z"}})
        store.note_cells({STAMP: {"label": "y"}})  # an entry got another label
    with Store(path, GAME) as store:
        assert store.meta() == facts | {"seed": 5}


@pytest.mark.parametrize(
    ("noted", "told"), [("why?", "why?"), ("\ud800", "?"), (7, ""), ({}, ""), (None, "")]
)
def test_what_is_told_is_text_that_can_be_written(store: Store, noted: object, told: str) -> None:
    store.note({"question": noted})
    assert store.told("question") == told and store.told("command") == ""


@pytest.mark.parametrize(("firsts", "deals", "missing"), [((100,), 50, 0), ((0, 200), 300, 100)])
def test_missing_deals_are_named(
    store: Store, firsts: tuple[int, ...], deals: int, missing: int
) -> None:
    fill(store, *firsts)
    with pytest.raises(StoreDamaged, match=f"deal {missing} is missing; run the same command"):
        outcomes(store, deals)


# ---- what can happen to the file


def filled(path: Path) -> bytes:
    with Store(path, GAME) as store:
        store.note({"seed": 1})
        fill(store, *range(0, 2000, 100))
    return path.read_bytes()


def read_all(path: Path) -> np.ndarray:
    with Store(path, GAME) as store:
        store.meta()
        store.coverage(STAMP)
        store.counters(STAMP, 2000)
        store.speed(STAMP)
        return outcomes(store, 2000)


def refusal(path: Path) -> str:
    with pytest.raises(StoreDamaged) as caught:
        read_all(path)
    assert caught.value.status == Status.STORE_DAMAGED == 3
    assert str(caught.value).startswith(f"{path} ") and "move it away" in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_text("my diary, volume 3\n" * 100)
    assert "file is not a database" in refusal(path)
    assert path.read_text().startswith("my diary")


def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("create table meta (id integer, owner text)")
    other.close()
    before = path.read_bytes()
    assert "is no store of this version of tipoff" in refusal(path)
    assert path.read_bytes() == before


def test_a_store_of_another_version_is_left_alone(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as later:
        later.execute("pragma user_version = 99")
    later.close()
    assert "is no store of this version of tipoff" in refusal(path)


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_a_file_that_was_cut_short(path: Path, part: float) -> None:
    whole = filled(path)
    path.write_bytes(whole[: int(len(whole) * part)])
    assert "is damaged" in refusal(path)


def change(path: Path, query: str, *values: object) -> None:
    filled(path)
    with sqlite3.connect(path) as db:
        db.execute(query, values)
    db.close()


@pytest.mark.parametrize(
    "statement",
    [
        "create table other (x)",
        "create trigger t after insert on meta begin delete from block; end",
        "drop table cell; create view cell as select 1",
        "alter table meta add column x",
        "drop table cell",
    ],
)
def test_a_file_with_other_tables_is_left_alone(path: Path, statement: str) -> None:
    """Views and triggers are programs of whoever made the file."""
    filled(path)
    with sqlite3.connect(path) as db:
        db.executescript(statement)
    db.close()
    before = path.read_bytes()
    assert "is no store of this version of tipoff" in refusal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("update block set outcomes = ? where first = 300", b"junk"),
        ("update block set outcomes = ? where first = 300", zlib.compress(b"short")),
        ("update block set outcomes = ? where first = 300", zlib.compress(bytes(10**7))),  # a bomb
        ("update block set outcomes = ? where first = 300", zlib.compress(bytes(200))[:-1]),
        ("update block set outcomes = ? where first = 300", "text"),
        ("update block set counters = ? where first = 300", zlib.compress(b"odd")),
        ("update block set count = ? where first = 300", 101),
        ("update block set first = ? where first = 300", 299),
        ("update block set count = ? where first = 300", -1),
        ("update block set count = ? where first = 300", "x"),
        ("update block set count = ? where first = 300", 2**40),
        ("update block set first = ? where first = 0", -1),
        ("update block set seconds = ?", 1e-320),
        ("update meta set value = ?", "{"),
        ("update meta set value = ?", "[" * 100_000),
        ("update meta set value = ?", "9" * 5000),
    ],
)
def test_changed_values_are_noticed(path: Path, query: str, value: object) -> None:
    change(path, query, value)
    assert "is damaged" in refusal(path)


def test_flipped_bytes_are_noticed_or_harm_nothing(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    whole, dice = bytearray(filled(path)), np.random.default_rng(1)
    right = read_all(path)
    for place in dice.integers(100, len(whole), 300).tolist():
        bad = whole.copy()
        bad[place] ^= int(dice.integers(1, 256))
        path.write_bytes(bad)
        try:
            assert np.array_equal(read_all(path), right), f"byte {place}"
        except StoreDamaged as error:
            assert str(path) in str(error)


def test_a_file_deleted_under_the_run(store: Store, path: Path) -> None:
    fill(store, 0)
    path.unlink()
    with pytest.raises(StoreDamaged, match="was deleted during the run; run the same command"):
        fill(store, 100)


def test_a_file_replaced_under_the_run(store: Store, path: Path) -> None:
    fill(store, 0)
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.replace(other, path)
    with pytest.raises(StoreDamaged, match="was replaced by another file during the run"):
        fill(store, 100)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved")
@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: os.truncate(path, 5000)])
def test_a_file_spoiled_after_its_last_use(path: Path, spoil: Callable[[Path], None]) -> None:
    with pytest.raises(StoreDamaged, match="during the run"), Store(path, GAME) as store:
        fill(store, *range(0, 2000, 100))
        spoil(path)
    assert not path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved")
@pytest.mark.parametrize("part", [0, 0.3, 0.99])
@pytest.mark.parametrize("then", ["write", "read"])
def test_a_file_cut_short_under_the_run(store: Store, path: Path, part: float, then: str) -> None:
    """It is put aside, so that the same command finds room for another."""
    fill(store, *range(0, 2000, 100))
    os.truncate(path, int(path.stat().st_size * part))
    with pytest.raises(StoreDamaged, match="was cut short, and is now "):
        fill(store, 2000) if then == "write" else outcomes(store, 2000)
    assert not path.exists() and path.with_name(f"{FILE_NAME}.damaged").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on the sizes of files")
def test_a_full_disk_loses_nothing(store: Store, path: Path) -> None:
    import resource

    fill(store, 0)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, before[1]))
    try:
        with pytest.raises(StoreDamaged) as caught:
            fill(store, *range(100, 5000, 100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "what is in it stays" in str(caught.value) and "damaged" not in str(caught.value)
    stored = store.coverage(STAMP)
    fill(store, stored[-1][0] + 100)
    assert len(outcomes(store, 100 * len(stored) + 100).T) == 100 * len(stored) + 100


@pytest.mark.parametrize("name", ["missing/results.sqlite", "."])
def test_a_path_that_cannot_be_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be"):
        Store(tmp_path / name, GAME)


OPEN = """
import sys
from pathlib import Path
from sim.errors import TipoffError
from sim.games.club_fight import GAME
from sim.holder import holder
from sim.store import Store
try:
    with Store(Path(sys.argv[1]), GAME):
        print("open", flush=True)
        sys.stdin.read()
except TipoffError as error:
    print(error, flush=True)
    sys.exit(error.status)
"""


def other_process(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OPEN, str(path)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe)


def test_a_second_process_is_refused(path: Path) -> None:
    filled(path)
    with Store(path, GAME) as store:
        assert store.coverage(STAMP)
        with other_process(path) as second:
            said, _ = second.communicate(timeout=60)
        assert second.returncode == Status.BAD_INPUT and "is in use by another run" in said
        if sys.platform.startswith("linux"):
            assert f"another run: process {os.getpid()} (" in said
    with other_process(path) as second:  # the file is free again
        assert second.communicate(timeout=60)[0] == "open\n" and second.returncode == 0


def test_a_killed_process_leaves_a_store_that_opens(path: Path) -> None:
    filled(path)
    with other_process(path) as first:
        assert first.stdout and first.stdout.readline() == "open\n"
        with pytest.raises(BadInput, match="is in use by another run") as caught:
            Store(path, GAME)
        if sys.platform.startswith("linux"):
            assert f": process {first.pid} ({sys.executable} -c" in str(caught.value)
        first.kill()
    assert holder(path) == "", "the dead hold nothing"
    assert len(read_all(path).T) == 2000
