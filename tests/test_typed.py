"""Strategies that no file holds: they reach every worker, and their stamp is that of their code."""

from __future__ import annotations

import importlib
import linecache
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.errors import BadInput
from sim.games.club_fight import GAME
from sim.lanes import Player
from sim.registry import Listing, discover
from sim.strategy import Strategy, parameters
from sim.typed import Typed, _unpack, add_class
from sim.work import Spec
from sim.workers import START_METHODS, Processes
from tests.plugins import in_plain_python, outcomes

TYPED = """
import math
import numpy as np
from sim.games.club_fight.view import Move, View, popcount
from sim.strategy import Strategy

LIMIT = 3
TABLE = np.array([1.0, 2.0])
WORDS = ["a", {"b": (1, 2)}, {3, 4}]

def tip(view, times=2):
    return times * popcount(view.hearts)

def scaled(factor):
    def scale(value):
        return factor * value
    return scale

twice = scaled(2.0)

class Base(Strategy):
    weight: float = 1.0

    def bonus(self, view):
        return self.weight * LIMIT

class Mine(Base):
    \"\"\"Do as you like.\"\"\"
    name = "typed-in"
    power: int = 2
    BONUS = 0.25

    def score(self, view: View, move: Move) -> float:
        near = tip(view) + self.bonus(view) + twice(self.BONUS) + TABLE[1]
        return near * move.cleared ** self.power + math.floor(2.5) + len(WORDS)
"""


def typed_in(text: str, file: str = "<stdin>") -> type[Strategy]:
    """The last class of a text that was typed into an interpreter."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, file, "exec", dont_inherit=True), names)
    return [v for v in names.values() if isinstance(v, type) and issubclass(v, Strategy)][-1]


def added(cls: type[Strategy]) -> Listing:
    return add_class(discover(), cls, "club_fight")


def origin(cls: type[Strategy]) -> Typed:
    found = added(cls).origin
    assert isinstance(found, Typed)
    return found


def player(cls: type[Strategy], **params: Any) -> Player:
    return Spec(origin(cls), params, None).player(GAME)


# ---- what is sent is what was typed


def test_what_is_unpacked_plays_the_same() -> None:
    cls = typed_in(TYPED)
    sent = _unpack(origin(cls).packed)
    assert sent is not cls and sent.__name__ == "Mine" and sent.name == "typed-in"
    assert parameters(sent) == parameters(cls) and list(parameters(sent)) == ["weight", "power"]
    assert sent.__doc__ == cls.__doc__ and sent() == sent(weight=1.0, power=2)
    assert origin(sent).hashed == origin(cls).hashed
    one, other = player(cls), player(sent)
    assert outcomes(in_plain_python(one)) == outcomes(in_plain_python(other))


def test_the_class_itself_is_used_where_it_was_defined() -> None:
    cls = typed_in(TYPED)
    assert added(cls).origin.load() is cls


SPEAKS_OF_ITSELF = """
from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
class Base(Strategy):
    SIGN = -1.0
    def tip(self, move):
        return move.cleared * Mine.SIGN
class Mine(Base):
    SIGN = 1.0
    def __post_init__(self):
        assert Mine.SIGN == 1.0
    def tip(self, move):
        return super().tip(move)
    def score(self, view: View, move: Move) -> float:
        return self.tip(move)
"""


def test_a_class_may_speak_of_itself() -> None:
    cls = typed_in(SPEAKS_OF_ITSELF)
    sent = _unpack(origin(cls).packed)
    assert sent.__post_init__.__globals__["Mine"] is sent  # type: ignore[attr-defined]
    one, other = (in_plain_python(player(one)) for one in (cls, sent))
    assert outcomes(one, 5) == outcomes(other, 5)


def test_a_class_of_a_module_is_imported_as_ever() -> None:
    cls = discover().strategy("club_fight", "joker-first").cls
    assert not isinstance(added(cls).origin, Typed)


# ---- what may not be sent


@pytest.mark.parametrize(
    ("more", "score", "name"),
    [
        ("import random", "random.random()", "random"),
        ("from random import random as dice", "dice()", "random"),
        ("from time import time", "time()", "time"),
        ("", "np.random.random()", "numpy.random"),
        ("import random\ndef helper():\n    return random.random()", "helper()", "random"),
    ],
)
def test_dice_and_clocks_are_refused(more: str, score: str, name: str) -> None:
    text = TYPED.replace("class Base", f"{more}\nclass Base").replace("len(WORDS)", score)
    with pytest.raises(BadInput, match=rf"Mine: uses '{name}[\w.]*'; .*no dice, clock"):
        added(typed_in(text))


def test_an_import_in_a_method_is_found() -> None:
    text = TYPED.replace("near = ", "import os.path\n        near = ")
    with pytest.raises(BadInput, match=r"Mine: uses 'os.path'"):
        added(typed_in(text))


def test_a_class_of_a_file_may_not_use_them_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    for number, used in enumerate(("len(WORDS)", "random.random()")):
        name = f"tipoff_test_tips_{number}"
        text = f"import os, random\n{TYPED.replace('len(WORDS)', used)}"
        (tmp_path / f"{name}.py").write_text(text)
        cls = importlib.import_module(name).Mine
        if number:
            with pytest.raises(BadInput, match=r"Mine: uses 'random"):
                added(cls)
        else:
            assert not isinstance(added(cls).origin, Typed)


def test_what_is_imported_but_not_used_does_no_harm() -> None:
    """A notebook has much in its first cell; and a field of the view may be called as a module."""
    text = "import random, os, time as discards\n" + TYPED.replace("LIMIT\n", "view.discards\n")
    assert isinstance(added(typed_in(text)).origin, Typed)


def test_what_cannot_travel_is_refused() -> None:
    cls = typed_in(TYPED)
    cls.score.__globals__["LIMIT"] = (n for n in "a generator")  # type: ignore[attr-defined]
    with pytest.raises(BadInput, match=r"Mine: cannot be sent to a worker .* put it into a file"):
        added(cls)


# ---- stamps

EDITS = {
    "a number": ("LIMIT = 3", "LIMIT = 4"),
    "its type": ("LIMIT = 3", "LIMIT = 3.0"),
    "an array": ("[1.0, 2.0]", "[1.0, 2.5]"),
    "a list": ('["a"', '["b"'),
    "a set": ("{3, 4}", "{3, 5}"),
    "a helper": ("times * popcount", "times + popcount"),
    "a name a helper uses": ("popcount(view.hearts)", "popcount(view.clubs)"),
    "a default": ("times=2", "times=3"),
    "a closure": ("scaled(2.0)", "scaled(3.0)"),
    "a base class": ("self.weight * LIMIT", "self.weight + LIMIT"),
    "a constant of the class": ("BONUS = 0.25", "BONUS = 0.5"),
    "a parameter": ("power: int", "power: float"),
    "its default": ("power: int = 2", "power: int = 3"),
    "the score": ("near * move", "near + move"),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_gives_a_new_stamp(what: str) -> None:
    old, new = EDITS[what]
    assert old in TYPED
    before = origin(typed_in(TYPED)).hashed
    assert origin(typed_in(TYPED.replace(old, new))).hashed != before
    assert origin(typed_in(TYPED)).hashed == before


@pytest.mark.parametrize("added", ["# a comment\n", "LIMIT = 4\nLIMIT = 3\n", "unused = 3\n"])
def test_what_changes_nothing_gives_the_same_stamp(added: str) -> None:
    before = origin(typed_in(TYPED)).hashed
    text = TYPED.replace("class Base", f"{added}class Base")
    assert origin(typed_in(text)).hashed == before


def test_a_module_of_the_users_own_counts_by_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    text = "import tipoff_test_helper as helper\n" + TYPED.replace("len(WORDS)", "helper.one")
    hashes = set()
    for number in (1, 1, 2):
        (tmp_path / "tipoff_test_helper.py").write_text(f"one = {number}\n")
        monkeypatch.delitem(sys.modules, "tipoff_test_helper", raising=False)
        hashes.add(origin(typed_in(text)).hashed)
    assert len(hashes) == 2


HASH = """
from sim.registry import discover
from sim.typed import add_class
print(add_class(discover(), Mine, "club_fight").origin.hashed)
"""


def hashes_in_new_processes(text: str) -> set[str]:
    found = set()
    for seed in ("1", "2"):
        env = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-"]
        done = subprocess.run(
            command, input=text + HASH, env=env, capture_output=True, text=True, check=True
        )
        found.add(done.stdout)
    return found


def test_the_stamp_is_the_same_in_every_process() -> None:
    assert len(hashes_in_new_processes(TYPED)) == 1


def test_what_nobody_can_tell_is_never_the_same_again() -> None:
    """An object of some class: its deals are not taken for those of another run."""
    text = TYPED.replace("LIMIT = 3", "class Some:\n    pass\nLIMIT = Some()")
    assert len(hashes_in_new_processes(text)) == 2


# ---- real runs, from where classes are typed

SCRIPT = """
import sim
from sim.games.club_fight.view import Move, View, popcount

SIGN = 1.0

def tip(move):
    return SIGN * move.cleared

class Mine(sim.Strategy):
    weight: float = 2.0

    def score(self, view: View, move: Move) -> float:
        return self.weight * tip(move)

given = {"experiment": "typed", "game": "club_fight", "deals": 600, "seed": 7}
entries = ["greedy-most-cards", {"use": Mine, "weight": [1, 3]}]
for method in %r:
    run = sim.load(given | {"strategies": entries}).run(workers=2, start_method=method)
    print(method, *{(entry.digest, entry.lane) for entry in run.entries})
"""
METHODS = [method for method in START_METHODS if method == "spawn" or sys.platform != "win32"]


def typed(folder: Path, how: str, text: str) -> str:
    """Return what a text prints that is typed into Python or saved as a script."""
    path = folder / "script.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-" if how == "stdin" else str(path)],
        input=text,
        cwd=folder,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("how", ["stdin", "script"])
def test_a_class_of_main_reaches_the_workers(how: str, tmp_path: Path) -> None:
    """However they start, with warnings as errors, and without `if __name__ == "__main__"`."""
    lines = typed(tmp_path, how, SCRIPT % METHODS).splitlines()
    assert [line.split()[0] for line in lines] == METHODS
    assert len({line.split(" ", 1)[1] for line in lines}) == 1
    assert lines[0].count("compiled") == 1, "all entries play the same games"


CELL = """
from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy

class Mine(Strategy):
    SIGN = 1.0

    def tip(self, move):
        return self.SIGN * move.cleared

    def score(self, view: View, move: Move) -> float:
        return self.tip(move)
"""


def lanes(origin: Typed) -> Any:
    """What a worker does that only builds the player."""
    return lambda job: Spec(origin, {}, None).player(GAME).lane


@pytest.mark.parametrize("method", METHODS)
def test_methods_and_constants_are_compiled_in_workers_too(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are compiled from their text, which a worker has no file of: it is sent along."""
    name, lines = "<cell 1>", CELL.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, name, (len(CELL), None, lines, name))
    with Processes(partial(lanes, origin(typed_in(CELL, name))), 1, method) as processes:
        assert list(processes.map_unordered([0])) == [(0, "compiled")]
