"""Valid inputs of every target, and what is done to them: by bytes, by words, by structure."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.game import Block
from sim.games.club_fight import GAME
from sim.store import FILE_NAME, Packed, Store

ROOT = Path(__file__).parents[2]
STAMP = "a" * 64
DEALS = 300  # of the cell in the store

CONFIGS = [
    b"experiment: tiny\ngame: club_fight\ndeals: 300\nseed: 7\nstrategies: [random]\n",
    b"# why?\nexperiment: tip_1\ngame: club_fight\ndeals: 1e6\nseed: 1_000\n"
    b"rules: {jokers: [1, 2], all_clear: true}\nties: first\ntie_seed: 3\nworkers: 2\n"
    b"strategies:\n  - greedy-most-cards\n"
    b"  - {use: save-middle-clubs, weight: [0.4, 0.8], label: x, deals: 500}\n"
    b"baseline: greedy-most-cards\n",
    b'experiment: "f"\r\ngame: club_fight\r\ndeals: 10\r\nseed: 0\r\ndesign: factorial\r\n'
    b"strategies: [{use: 'all-tips', joker: [0, 1], pace: [0.0, 1.5]}]\r\nplugins: [no.py]\r\n",
]
POSITIONS = [
    b"6H 9S 2D / AD Jk TD / KD 4H 6S | 3C 6C QC KC",
    b"-- -- -- / -- jk 10d / -- -- -- | AC",
    b"6h 9s 2d ad jk jk kd 4h 6s | kc",
]
SETTINGS = [b"weight=1.5\njokers=2", b"weight=-1e3\njokers=1\nall_clear=true", b"weight=0x1F\n"]
PATHS = [b"mine.py", b"../mine.py", str(Path(__file__).parent / "inputs.py").encode()]
PLUGINS = [
    b"import math\nfrom sim.games.club_fight.view import Move, View\n"
    b"from sim.strategy import Strategy\n\n\nclass Mine(Strategy):\n    weight: float = 1.0\n\n"
    b"    def score(self, view: View, move: Move) -> float:\n        return move.cleared\n",
    b"import numpy as np\nx = np.random\nfrom . import y\n",
]

DEAL_SETS = [
    b"game: club_fight\nseed: 7\nstream: 1\ndeals: [4, 1, 1_000]\n",
    b"# why\ngame: club_fight\nseed: 7\nstream: 1\nabout: x\nchosen: {a: [b, 1], c: d}\n"
    b"deals:\n- 0\n- 5\n",
]
SEARCHES = [
    b"tune: small\ngame: club_fight\nrules: {jokers: [1, 2]}\nstrategy: {use: all-tips, pace: 0}\n"
    b"search:\n  joker: {from: -1, to: 4, start: 0.5}\n  middle: {from: 0, to: 2}\n"
    b"method: cma\nseed: 5\nfresh_seed: 6\ngenerations: 4\ncandidates: 5\ndeals: 300\n",
    b"tune: small\ngame: club_fight\nstrategy: short-advice\n"
    b"search: {joker: [0, 2], card: {from: 1, to: 3}}\nat_most: 2\nmethod: all\nseed: 5\n"
    b"fresh_seed: 6\nstages: [{deals: 200, keep: 4}, {deals: 1_000, keep: 2}]\n",
]
STATES = [
    b'{"search": {}, "rounds": {"stage 1: seed 5, deals 0 to 9, c2ed2b5e4dd6fe50": '
    b'{"wins": [1, 2], "left": [3, 4]}}}'
]

NUMBERS = [
    *(b"0", b"-1", b"1e400", b"-.inf", b".nan", b"9" * 5000, b"0x" + b"f" * 90, b"1e-400"),
    *(b"9223372036854775808", b"0o777", b"1_0", b"12:30", b"4e18", b"true", b"null", b"~"),
]
WORDS = [
    *(b"[", b"{", b"]", b"}", b"[" * 50, b"{a: " * 30, b"&a ", b"*a", b"!!python/name:os.system "),
    *(b"<<: ", b"? ", b"- ", b": ", b"|\n", b">-\n", b"...\n", b"---\n", b"%YAML 9.9\n", b"#"),
    *(b"'", b'"', b'"\\uD800"', b'"\\UFFFFFFFF"', b"/", b"|", b"--", b"Jk", b"import os\n"),
    *(b"\t", b"\r", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1b[2J"),
    *("\u2028".encode(), "\U0010ffff".encode(), "ß٣½".encode(), b"/dev/zero", b"/dev/stdin", b"."),
    *(b"jokers", b"weight", b"use", b"label", b"deals", b"plugins"),
    *(b"a" * 300, b"(" * 300, b"x" * 5000, b"-" * 2000),
    *NUMBERS,
]


def mutated(seeds: list[bytes], dice: random.Random) -> bytes:
    """Return a seed after one to five changes."""
    data = dice.choice(seeds)
    for _ in range(dice.randint(1, 5)):
        data = dice.choice(CHANGES)(data, dice, seeds)
    return data


def _cut(data: bytes, dice: random.Random) -> tuple[bytes, bytes, bytes]:
    i, j = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    j = min(j, i + dice.choice([1, 4, 30, len(data)]))
    return data[:i], data[i:j], data[j:]


def _flip(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    i = dice.randrange(len(data) + 1)
    return data[:i] + bytes([dice.randrange(256)]) + data[i + 1 :]


def _drop(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    head, _gone, tail = _cut(data, dice)
    return head + tail


def _repeat(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    head, part, tail = _cut(data, dice)
    return head + part * dice.choice([2, 2, 3, 40]) + tail if len(data) < 20_000 else data


def _insert(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    head, part, tail = _cut(data, dice)
    return head + dice.choice(WORDS) + dice.choice([part, b""]) + tail


def _splice(data: bytes, dice: random.Random, seeds: list[bytes]) -> bytes:
    return _cut(data, dice)[0] + _cut(dice.choice(seeds), dice)[2]


def _value(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    """Put a hostile number or word where a word stands."""
    words = data.split(b" ")
    words[dice.randrange(len(words))] = dice.choice(WORDS)
    return b" ".join(words)


def _lines(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    lines = data.split(b"\n")
    dice.shuffle(lines)
    return b"\n".join(lines)


def _encode(data: bytes, dice: random.Random, _: list[bytes]) -> bytes:
    """Write it in another encoding, now and then."""
    if dice.random() < 0.7:
        return data
    text = data.decode("utf-8", "replace")
    return text.encode(dice.choice(["utf-16", "utf-32", "utf-8-sig", "utf-7"]), "replace")


Change = Callable[[bytes, random.Random, list[bytes]], bytes]
CHANGES: list[Change] = [_flip, _drop, _repeat, _insert, _splice, _value, _lines, _encode]


_HEAD, _WHOLE = CONFIGS[0].rpartition(b"strategies")[0], CONFIGS[0]
BOMBS = [  # configs that are small, or not, and want much to be done
    _HEAD + b"rules: " + b"{jokers: " * 5000,
    _HEAD + b"strategies: " + b"[" * 100_000,
    _WHOLE + b"seed2: " + b"9" * 100_000,
    _HEAD + b"strategies: [{use: joker-first, weight: [" + b"1," * 60_000 + b"]}]",
    _HEAD + b"strategies: [{use: joker-first, weight: [" + b"1," * 9_000 + b"]}]",
    _HEAD + b"strategies: [" + b"random, " * 9_000 + b"]",
    _WHOLE + b"".join(b"k%d: 1\n" % number for number in range(9_000)),
    _WHOLE + b"\n" * 150_000 + b"x: [",
    _WHOLE + b"x: " + b"a " * 90_000,
    b"a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    b"x" * 150_000,
    b"#" * 300_000,
    _HEAD + b"strategies: ['" + b"x" * 150_000 + b"']",
    _WHOLE + b"'" + b"x" * 150_000 + b"': 1",
    _HEAD
    + b"rules: {jokers: [1, 2]}\nstrategies: [{use: all-tips, joker: ["
    + b",".join(b"%d" % number for number in range(4_000))
    + b"]}]",
]


# ---- what has a structure


HOSTILE: list[Any] = [None, True, False, 0, -1, 1.5, 2**63, 2**64, 10**400, 1e308, "", "x", "\0"]
HOSTILE += ["\ud800", "9" * 5000, "../..", [], {}, [[]], [None], {"": {}}, {"use": []}, ["x"] * 50]
DEEP = "[" * 5000 + "]" * 5000


def mutated_json(dice: random.Random) -> bytes:
    """Return a results.json with values of some keys replaced, dropped or moved."""
    data = json.loads(_results())
    for _ in range(dice.randint(1, 4)):
        _spoil(data, dice)
    text = json.dumps(data, ensure_ascii=dice.random() < 0.5, default=str)
    if dice.random() < 0.1:
        text = text.replace("[]", DEEP).replace("1", "NaN", 1)
    return text.encode("utf-8", "surrogatepass")


def _spoil(data: Any, dice: random.Random) -> None:
    while True:
        keys = list(data) if isinstance(data, dict) else range(len(data))
        if not keys:
            return
        key = dice.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and dice.random() < 0.8:
            data = data[key]
            continue
        if dice.random() < 0.2:
            del data[key]
        else:
            data[key] = deepcopy(dice.choice(HOSTILE))
        return


# Of the first config: whose results and store are read.
IDENTITY = {"experiment": "tiny", "game": "club_fight", "seed": 7, "ties": "hashed", "tie_seed": 7}


@cache
def _results() -> bytes:
    text = (ROOT / "reports" / "all_clear" / "results.json").read_text(encoding="utf-8")
    data = json.loads(text)
    data["entries"], data["pairs"] = data["entries"][:2], data["pairs"][:1]
    data["variants"], data["effects"] = data["variants"][:1], data.get("effects", [])[:1]
    data |= IDENTITY
    return json.dumps(data).encode()


@cache
def store() -> bytes:
    """A small store, as it is written."""
    dice = np.random.default_rng(1)
    path = Path(tempfile.mkdtemp()) / FILE_NAME
    with Store(path, GAME) as opened:
        opened.note({"command": "tipoff run x.yaml", "question": "why?"} | IDENTITY)
        for first in range(0, DEALS, 100):
            counters = {
                name: dice.integers(0, 9, counter.shape, np.int64)
                for name, counter in GAME.counters.items()
            }
            played = Block(dice.integers(0, 42, (2, 100), np.uint8), counters, 0.25)
            opened.add(STAMP, first, 100, Packed.of(played))
    return path.read_bytes()


BOMB = zlib.compress(bytes(3 * 10**7))
VALUES: list[Any] = [None, 0, -1, 1, 99, 100, 2**62, -(2**63), 1.5, 1e300, -1e300, 1e-320, "", "x"]
VALUES += [b"", b"x", BOMB, zlib.compress(b"x"), '{"a": 1}', "[" * 100_000, "9" * 5000, '"\\ud800"']
VALUES += ["\0", STAMP, float("inf")]
COLUMNS = {
    "meta": ["key", "value"],
    "cell": ["stamp", "about"],
    "block": ["stamp", "first", "count", "outcomes", "counters", "seconds"],
}
ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n)"
STATEMENTS = [
    "drop table block",
    "alter table block add column x",
    "create table other (x)",
    "create index i on block (count)",
    "create trigger t after insert on meta begin delete from block; end",
    "create trigger u before insert on meta begin insert into cell values (zeroblob(1e7), 1); end",
    f"drop table meta; create view meta as {ENDLESS} select i, i from n",
    f"drop table block; create view block as {ENDLESS} select '{STAMP}', i, 1, x'', x'', 1. from n",
    "create view v as select load_extension('x')",
    "pragma user_version = 2",
    "pragma application_id = 0",
    "pragma encoding = 'UTF-16'; vacuum",
    "pragma page_size = 512; vacuum",
    "pragma journal_mode = wal",
    "delete from block where first = 100",
    "pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'first', 'frist')",
    "pragma writable_schema = on; update sqlite_master set rootpage = rootpage % 3 + 1",
    "pragma writable_schema = on; delete from sqlite_master where name = 'cell'",
]


def mutated_store(dice: random.Random) -> bytes:
    """Return a store after changes in SQL, in its bytes, or in both."""
    data = bytearray(store())
    if dice.random() < 0.5:
        data = bytearray(_by_sql(dice))
    if dice.random() < 0.6:
        for _ in range(dice.randint(1, 20)):
            page = dice.choice([0, 100, 4096 * dice.randrange(1 + len(data) // 4096)])
            place = min(page + dice.randrange(120), len(data) - 1)
            data[place] = dice.choice([0, 1, 127, 128, 255, dice.randrange(256)])
    if dice.random() < 0.1:
        del data[dice.randrange(len(data)) :]
    return bytes(data)


def _by_sql(dice: random.Random) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.deserialize(store())
        for _ in range(dice.randint(1, 3)):
            try:
                if dice.random() < 0.3:
                    db.executescript(dice.choice(STATEMENTS))
                else:
                    table = dice.choice(list(COLUMNS))
                    column = dice.choice(COLUMNS[table])
                    where = dice.choice(["1", "0.5 > abs(random() / 9e18)"])
                    db.execute(
                        f"update or replace {table} set {column} = ? where {where}",
                        [dice.choice(VALUES)],
                    )
            except sqlite3.Error:
                continue  # what SQLite itself refuses
        return db.serialize()


SEEDS: dict[str, Callable[[random.Random], bytes]] = {
    "config": lambda dice: mutated(CONFIGS, dice),
    "set of deals": lambda dice: mutated(DEAL_SETS, dice),
    "search": lambda dice: mutated(SEARCHES, dice),
    "state of a search": lambda dice: mutated(STATES, dice),
    "position": lambda dice: mutated(POSITIONS, dice),
    "--set and --rules": lambda dice: mutated(SETTINGS, dice),
    "store": mutated_store,
    "results.json": lambda dice: (
        mutated([_results()], dice) if dice.random() < 0.4 else mutated_json(dice)
    ),
    "plug-in": lambda dice: mutated(PLUGINS, dice),
    "path of a plug-in": lambda dice: mutated(PATHS, dice),
}


def valid(name: str) -> bytes:
    """Return an input that its target takes."""
    others = {"store": store, "results.json": _results}
    plain = {
        "config": CONFIGS,
        "position": POSITIONS,
        "--set and --rules": SETTINGS,
        "plug-in": PLUGINS,
        "path of a plug-in": PATHS[2:],
        "set of deals": DEAL_SETS,
        "search": SEARCHES,
        "state of a search": STATES,
    }
    return others[name]() if name in others else plain[name][0]
