"""`tipoff store`, and what is said of a damaged store wherever it is read."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.store import FILE_NAME
from tests.command import CONFIG, HEAD, Said, Tipoff, config, results, tipoff_in, without_charts
from tests.plugins import GREEDY, reading_anew, write

FOLDER = Path("reports/tiny")
STORE = FOLDER / FILE_NAME
MINE = HEAD + "plugins: [mine.py]\nstrategies: [greedy-most-cards, mine]\n"
AGAIN = "tipoff run reports/tiny/config.yaml --out reports/tiny"


@pytest.fixture
def tipoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> Tipoff:
    without_charts(monkeypatch)
    return reading_anew(tipoff_in(capsys))


def change(query: str, *values: object) -> int:
    """Change the store behind tipoff's back; return how many rows."""
    db = sqlite3.connect(STORE)
    with db:
        changed = db.execute(query, values).rowcount
    db.close()
    return changed


def cells(tipoff: Tipoff) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(tipoff("store", FOLDER, "--json").out)["cells"]
    return found


def refused(said: Said, status: int, *words: str) -> None:
    assert said.status == status and "Traceback" not in said.err, said
    assert said.err.startswith("tipoff: ") and all(word in said.err for word in words), said.err


# ---- what is there


def test_it_lists_the_cells(tipoff: Tipoff) -> None:
    tipoff("run", config(Path(), CONFIG + "rules: {jokers: [1, 2]}\n"))
    said = tipoff("store", FOLDER)
    assert (said.status, said.err) == (0, "")
    head, *rows, last = said.out.splitlines()
    assert " ".join(head.split()) == "label rules stamp deals blocks bytes games/s in config"
    assert [row.split("  ")[0] for row in rows] == ["greedy-most-cards"] * 2 + [
        "joker-first weight=1"
    ] * 2
    assert last == f"{STORE}: 4 cells, {STORE.stat().st_size:,} bytes"
    for row in rows:
        assert "1,000" in row.split() and row.endswith("yes"), row


def test_json_says_the_same_unrounded(tipoff: Tipoff, finished: Path) -> None:
    found = json.loads(tipoff("store", FOLDER, "--json").out)
    assert found["bytes"] == STORE.stat().st_size and found["game"] == "club_fight"
    for cell in found["cells"]:
        assert cell["deals"] == 1000 and cell["blocks"] >= 2 and cell["in_config"] is True
        assert 0 < cell["bytes"] < found["bytes"] and cell["speed"] > 0 and not cell["missing"]
        assert len(cell["stamp"]) == 64
    assert found["damaged"] == []


def test_a_cell_that_left_the_config(tipoff: Tipoff, finished: Path) -> None:
    tipoff("run", config(Path(), HEAD + "strategies: [greedy-most-cards]\n"))
    kept = {cell["label"]: cell["in_config"] for cell in cells(tipoff)}
    assert kept == {"greedy-most-cards": True, "joker-first weight=1": False}
    assert " no\n" in tipoff("store", FOLDER).out


def test_a_store_without_its_config(tipoff: Tipoff, finished: Path) -> None:
    (FOLDER / "config.yaml").unlink()
    said = tipoff("store", FOLDER)
    assert said.status == 0 and "config.yaml is missing" in said.out and " ?\n" in said.out
    assert {cell["in_config"] for cell in cells(tipoff)} == {None}
    refused(tipoff("store", FOLDER, "--prune", "--yes"), 2, "cannot be told: ")


@pytest.mark.parametrize("name", [".", "none", "x" * 5000, "a\0b"])
def test_a_folder_without_a_store(name: str, tipoff: Tipoff) -> None:
    refused(tipoff("store", name), 2, "is missing; `tipoff run` makes one")
    assert list(Path().iterdir()) == []


def test_cells_on_the_fresh_seed_are_in_the_config(tipoff: Tipoff) -> None:
    sweep = "strategies: [random, {use: joker-first, weight: [0, 1]}]\nfresh_seed: 8\n"
    tipoff("run", config(Path(), HEAD + sweep))
    found = cells(tipoff)
    assert len(found) == 5 and all(cell["in_config"] for cell in found)


# ---- dropping


def test_prune_drops_what_left_the_config(tipoff: Tipoff) -> None:
    tipoff("run", config(Path(), CONFIG), "--deals", 50_000)
    alone = config(Path(), HEAD + "strategies: [greedy-most-cards]\n")
    digest = tipoff("run", alone, "--deals", 50_000).digest
    before = STORE.stat().st_size
    said = tipoff("store", FOLDER, "--prune", "--yes")
    assert (said.status, said.err) == (0, "")
    assert "no longer in the config: 'joker-first weight=1' under 1 joker (easy) (" in said.out
    assert "dropped 1 cells and 0 damaged blocks" in said.out
    assert STORE.stat().st_size < 0.7 * before, "the file is smaller, too"
    assert [cell["label"] for cell in cells(tipoff)] == ["greedy-most-cards"]
    again = tipoff("run", alone, "--deals", 50_000)
    assert again.games == (0, 50_000) and again.digest == digest
    assert "nothing to drop" in tipoff("store", FOLDER, "--prune").out


def test_prune_drops_what_was_edited_since(tipoff: Tipoff) -> None:
    write(Path(), GREEDY)
    tipoff("run", config(Path(), MINE))
    write(Path(), GREEDY + "# edited\n")
    tipoff("run", config(Path(), MINE))
    assert tipoff("store", FOLDER).out.count(" older\n") == 1
    said = tipoff("store", FOLDER, "--prune", "--yes")
    assert "of an older version: 'mine' under 1 joker (easy) (" in said.out
    assert len(cells(tipoff)) == 2


def test_prune_asks_nobody_without_a_terminal(tipoff: Tipoff, finished: Path) -> None:
    tipoff("run", config(Path(), HEAD + "strategies: [greedy-most-cards]\n"))
    before = STORE.read_bytes()
    refused(tipoff("store", FOLDER, "--prune"), 2, "add --yes")
    assert STORE.read_bytes() == before


@pytest.mark.parametrize(("answer", "dropped"), [("y", True), ("n", False), ("", False)])
def test_prune_asks_on_a_terminal(
    answer: str, dropped: bool, tipoff: Tipoff, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tipoff("run", config(Path(), HEAD + "strategies: [greedy-most-cards]\n"))
    asked: list[str] = []
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    said = tipoff("store", FOLDER, "--prune")
    assert asked == ["drop 1 cells and 0 damaged blocks for ever? [y/N] "]
    assert said.status == (0 if dropped else 130)
    assert len(cells(tipoff)) == (1 if dropped else 2)


def test_json_and_prune_do_not_go_together(tipoff: Tipoff) -> None:
    assert tipoff("store", ".", "--json", "--prune").status == 2


# ---- damage: whoever reads the store says so, and what to run


def lose_a_block() -> None:
    assert change("delete from block where first = 200") == 2


def flip_a_byte() -> None:
    """In the middle of the outcomes of one block."""
    db = sqlite3.connect(STORE)
    query = "select stamp, outcomes from block where first = 200 order by stamp"
    stamp, outcomes = db.execute(query).fetchone()
    db.close()
    bad = bytearray(outcomes)
    bad[len(bad) // 2] ^= 0x10
    query = "update block set outcomes = ? where first = 200 and stamp = ?"
    assert change(query, bytes(bad), stamp) == 1


def cut_it_short() -> None:
    STORE.write_bytes(STORE.read_bytes()[: STORE.stat().st_size // 2])


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lose_a_block, "deal 200 is missing; run the same command again"),
        (flip_a_byte, "is damaged (block 200: "),
        (cut_it_short, "is damaged (database disk image is malformed)"),
    ],
)
def test_the_report_does_not_pretend(
    damage: Callable[[], None], words: str, tipoff: Tipoff
) -> None:
    """And what it says to run gives the same results again."""
    digest = tipoff("run", config(Path())).digest
    shown = (FOLDER / "results.json").read_text()
    damage()
    said = tipoff("report", FOLDER)
    refused(said, 3, words)
    assert said.out == "" and said.err.endswith(f"run the same command again: {AGAIN}\n")
    assert (FOLDER / "results.json").read_text() == shown
    if "move it away" in said.err:
        STORE.rename("away")
    again = tipoff(*AGAIN.split()[1:])
    assert again.status == 0 and again.digest == digest
    assert again.games[0] == (2 * 800 if damage is lose_a_block else 2000)
    assert tipoff("report", FOLDER).status == 0


def test_missing_blocks_are_listed(tipoff: Tipoff, finished: Path) -> None:
    change("update block set first = 300, count = 700 where first = 200")  # as if some were lost
    said = tipoff("store", FOLDER)
    assert "missing: deals 200 to 299 of 'greedy-most-cards' under 1 joker (easy) (" in said.out
    assert cells(tipoff)[0]["missing"] == [[200, 100]]


def test_damaged_blocks_are_listed_and_can_be_dropped(tipoff: Tipoff) -> None:
    digest = tipoff("run", config(Path())).digest
    flip_a_byte()
    said = tipoff("store", FOLDER)
    refused(said, 3, "1 blocks are damaged", "tipoff store reports/tiny --prune", AGAIN)
    assert "damaged: block 200 of '" in said.out and ": Error -3 while decompressing" in said.out
    found = json.loads(tipoff("store", FOLDER, "--json").out)
    assert [block["first"] for block in found["damaged"]] == [200]
    assert "dropped 0 cells and 1 damaged blocks" in tipoff("store", FOLDER, "--prune", "--yes").out
    again = tipoff(*AGAIN.split()[1:])
    assert again.games == (800, 1200) and again.digest == digest


BOMB = zlib.compress(bytes(10**8), 9)


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("update block set outcomes = ?", BOMB),
        ("update block set outcomes = ?", "text"),
        ("update block set counters = ?", BOMB),
        ("update block set count = 50000000, outcomes = ? where first = 200", BOMB),
        ("update block set count = ?", 2**62),
        ("update block set count = ?", "many"),
        ("update block set count = ?", -5),
        ("update block set first = ? where first = 0", "first"),
        ("update block set first = ? where first = 200", 199),
        ("update block set seconds = ?", "long"),
        ("update block set stamp = ? where stamp = (select min(stamp) from block)", b"\xff"),
        ("update cell set about = ?", "{"),
        ("update cell set about = ?", "7"),
        ("update cell set about = ?", "[" * 99_999),
        ("update cell set about = ?", '"' + "x" * 10**6 + '"'),
        ("update cell set about = ?", b"\xff\xfe"),
        ("update meta set value = ? where key = 'game'", "[" * 99_999),
    ],
)
@pytest.mark.parametrize("verb", ["store", "verify"])
def test_a_store_of_a_stranger(
    verb: str, query: str, value: object, tipoff: Tipoff, finished: Path
) -> None:
    assert change(query, value) > 0
    said = tipoff(verb, FOLDER)
    if said.status:
        refused(said, 3, str(STORE))
    else:
        assert verb == "verify", "it reads the notes only if something differs"


@pytest.mark.parametrize(
    "about",
    [
        {"label": "\x1b[2J\nlabel", "rules": {"jokers": 1}},
        {"label": ["a"] * 10_000, "rules": {"jokers": "\x1b"}},
        {"label": None, "rules": [1]},
        {"rules": {"jokers": [1]}},
        {},
    ],
)
def test_notes_are_only_shown(about: dict[str, Any], tipoff: Tipoff, finished: Path) -> None:
    change("update cell set about = ?", json.dumps(about))
    said = tipoff("store", FOLDER)
    assert (said.status, said.err) == (0, "") and "\x1b" not in said.out
    assert len(said.out.splitlines()) == 4 and max(map(len, said.out.splitlines())) < 300
    assert json.loads(tipoff("store", FOLDER, "--json").out)["cells"]
    assert tipoff("run", "tiny.yaml").games == (0, 2000)


def test_a_store_of_an_unknown_game(tipoff: Tipoff, finished: Path) -> None:
    change("update meta set value = ? where key = 'game'", '"club_fihgt"')
    refused(tipoff("store", FOLDER), 2, "unknown game 'club_fihgt'; did you mean 'club_fight'?")


def test_a_store_that_is_in_use_is_not_read(tipoff: Tipoff, finished: Path) -> None:
    user = sqlite3.connect(STORE, isolation_level=None)
    user.execute("begin exclusive")
    refused(tipoff("store", FOLDER), 2, "is in use by another run")
    said = tipoff("verify", FOLDER)
    user.close()
    assert said.status == 0 and "going on without the store" in said.err
    assert results(FOLDER)["digest"] in said.out
