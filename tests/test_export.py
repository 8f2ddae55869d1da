"""`tipoff export`: every deal once, whole files or none, whatever the size."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim import export
from sim.game import Block
from sim.store import FILE_NAME, Packed
from tests.command import HEAD, Tipoff, config

TWO = HEAD + (
    "rules: {jokers: [1, 2], all_clear: true}\n"
    "strategies:\n"
    "  - greedy-most-cards\n"
    "  - {use: joker-first, label: 'jokers, 100 % of \"them\"', deals: 300}\n"
)
COLUMNS = ["rules.jokers", "rules.all_clear", "label", "deal", "leftover", "turns"]


@pytest.fixture
def run(empty_folder: Path, tipoff: Tipoff) -> sim.Run:
    """A run in the folder `out`, in the working folder."""
    return sim.load(config(empty_folder, TWO)).run(out="out")


def rows_of(run: sim.Run) -> list[list[Any]]:
    """What the table should hold, by another way."""
    return [
        [entry.rules["jokers"], entry.rules["all_clear"], entry.label, *deal]
        for entry in run.entries
        for array in run.outcomes(entry.label, entry.variant)
        for deal in array.tolist()
    ]


def read_csv(text: str) -> tuple[list[str], list[list[Any]]]:
    head, *rows = csv.reader(io.StringIO(text))
    words = {"true": True, "false": False}
    return head, [
        [int(jokers), words[clear], label, *map(int, numbers)]
        for jokers, clear, label, *numbers in rows
    ]


@pytest.mark.parametrize("piece", [200_000, 7])
def test_csv_has_every_deal(
    run: sim.Run, tipoff: Tipoff, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "ROWS", piece)
    said = tipoff("export", "out", "--csv")
    assert (said.status, said.err, said.out) == (0, "", "out/outcomes.csv\n")
    head, rows = read_csv(Path("out/outcomes.csv").read_text(encoding="utf-8"))
    assert head == COLUMNS and rows == rows_of(run) and len(rows) == 2600


def test_csv_may_be_printed(run: sim.Run, tipoff: Tipoff) -> None:
    tipoff("export", "out", "--csv", "--out", "file.csv")
    said = tipoff("export", "out", "--csv", "--out", "-")
    assert (said.status, said.err) == (0, "")
    assert said.out == Path("file.csv").read_text(encoding="utf-8")
    assert not Path("out/outcomes.csv").exists()


def test_a_reader_that_has_enough_ends_it(run: sim.Run) -> None:
    command = f"{sys.executable} -m sim export out --csv --out - | head -3"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == "" and done.stdout.splitlines()[0] == ",".join(COLUMNS)


@pytest.mark.parametrize("piece", [200_000, 77])
def test_parquet_has_the_same(
    run: sim.Run, tipoff: Tipoff, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    monkeypatch.setattr(export, "ROWS", piece)
    said = tipoff("export", "out", "--parquet")
    assert (said.status, said.err, said.out) == (0, "", "out/outcomes.parquet\n")
    table = parquet.read_table("out/outcomes.parquet")
    assert set(table.column_names) == set(COLUMNS)
    rows = [[row[name] for name in COLUMNS] for row in table.to_pylist()]
    assert rows == rows_of(run)
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["deal"], kinds["leftover"]) == ("int64", "uint8")


def test_without_pyarrow_it_says_what_to_install(
    run: sim.Run, tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = tipoff("export", "out", "--parquet")
    assert said.status == 2 and "pip install 'tipoff[parquet]'" in said.err
    assert "--csv" in said.err and not list(Path("out").glob("*.parquet"))


# ---- what it refuses


def delete_a_block() -> None:
    with sqlite3.connect(f"out/{FILE_NAME}") as db:
        db.execute("delete from block where first > 0 and stamp = (select min(stamp) from block)")
        assert db.total_changes
    db.close()


@pytest.mark.parametrize("out", ["file.csv", "-"])
def test_a_run_that_is_not_finished_is_status_3(run: sim.Run, tipoff: Tipoff, out: str) -> None:
    """Nothing is written then, and what an earlier export wrote stays."""
    Path("file.csv").write_text("before")
    delete_a_block()
    said = tipoff("export", "out", "--csv", "--out", out)
    assert said.status == 3 and said.out == ""
    assert "is missing" in said.err and "run the same command again" in said.err
    assert Path("file.csv").read_text() == "before"
    assert [path.name for path in Path().iterdir() if path.name[0] == "."] == []


def test_a_damaged_block_leaves_no_file(run: sim.Run, tipoff: Tipoff) -> None:
    with sqlite3.connect(f"out/{FILE_NAME}") as db:
        db.execute("update block set outcomes = zeroblob(50)")
    db.close()
    said = tipoff("export", "out", "--csv")
    assert said.status == 3 and "is damaged" in said.err
    assert not list(Path("out").glob("*outcomes*"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none", "--csv"], "none is no run folder"),
        (["out"], "expected --csv or --parquet"),
        (["out", "--csv", "--parquet"], "not allowed with argument --csv"),
        (["out", "--csv", "--out", ""], "--out: expected a file, got nothing"),
        (["out", "--csv", "--out", "none/x.csv"], "none/x.csv cannot be written: No such file"),
        (["out", "--csv", "--out", "out"], "out is a folder; expected a file"),
        (["out", "--parquet", "--out", "-"], "only CSV can be printed"),
        (["out", "--cvs"], "did you mean '--csv'"),
    ],
)
def test_what_is_refused(run: sim.Run, tipoff: Tipoff, words: list[str], message: str) -> None:
    before = sorted(Path().rglob("*"))
    said = tipoff("export", *words)
    assert said.status == 2 and message in said.err and said.out == ""
    assert sorted(Path().rglob("*")) == before


# ---- how much it takes

MEASURE = """
import resource, sys
from sim.cli import main
assert main(["export", "out", sys.argv[1], "--out", "table"]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def make_large(deals: int) -> None:
    """Make a finished run of many deals: the first block of each entry again and again."""
    sim.load(config(Path(), TWO)).run(out="out", deals=1000)
    text = Path("out/config.yaml").read_text().replace("deals: 1000", f"deals: {deals}")
    Path("out/config.yaml").write_text(text)
    rng = np.random.default_rng(1)
    with sqlite3.connect(f"out/{FILE_NAME}") as db:
        for stamp, count in db.execute("select stamp, sum(count) from block group by 1").fetchall():
            if count < 1000:
                continue  # the entry that is content with fewer deals
            played = rng.integers(0, 20, (2, 100_000), np.uint8)
            packed = Packed.of(Block(played, {}, 1.0))
            db.execute("delete from block where stamp = ?", (stamp,))
            for first in range(0, deals, 100_000):
                row = (stamp, first, 100_000, packed.outcomes, packed.counters, 1.0)
                db.execute("insert into block values (?, ?, ?, ?, ?, ?)", row)
    db.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="asks for the memory as Unix does")
@pytest.mark.parametrize("kind", ["--csv", "--parquet"])
def test_memory_does_not_grow_with_the_deals(kind: str, empty_folder: Path) -> None:
    """A million deals of two entries, and ten million."""
    if kind == "--parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    megabytes = []
    for deals in (1_000_000, 10_000_000):
        make_large(deals)
        command = [sys.executable, "-c", MEASURE, kind]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        megabytes.append(int(done.stdout.split()[-1]))
        print(
            f"{kind}, {deals:,} deals: {megabytes[-1]} MB, {Path('table').stat().st_size:,} bytes"
        )
        shutil.rmtree("out")
    assert megabytes[1] < 1.25 * megabytes[0]
