"""What a strategy may not do, read off its text: dice, clock, files, and memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import strategies
from sim.hygiene import FORBIDDEN, faults
from sim.memory import FORBIDDEN_ATTRIBUTES, FORBIDDEN_BUILTINS

ROOT = Path(__file__).parents[1]


def found(text: str, folder: Path) -> list[tuple[int, str]]:
    """Line and complaint of all that is wrong with a text."""
    path = folder / "some.py"
    path.write_text(text, encoding="utf-8")
    seen = list(faults(path))
    assert all(fault.file == path and fault.why for fault in seen)
    return [(fault.line, fault.what) for fault in seen]


def method(*lines: str, head: str = "") -> str:
    """A strategy whose score has these lines, the first of them line 3 after the head."""
    body = "\n".join(f"        {line}" for line in (*lines, "return 0.0"))
    return f"{head}class Mine(Strategy):\n    def score(self, view, move):\n{body}\n"


# ---- imports


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import random", (1, "random")),
        ("import math\nimport math, random", (2, "random")),
        ("import random as dice", (1, "random")),
        ("from random import random", (1, "random.random")),
        ("from random import *", (1, "random.*")),
        ("import numpy.random", (1, "numpy.random")),
        ("from numpy import random", (1, "numpy.random")),
        ("from numpy import array, random as dice", (1, "numpy.random")),
        ("from numpy.random import default_rng", (1, "numpy.random.default_rng")),
        ("import os.path", (1, "os.path")),
        ("from time import perf_counter", (1, "time.perf_counter")),
        ("def f():\n    import secrets\n", (2, "secrets")),
        ("import numpy as np\nx = np.random.default_rng()", (2, "numpy.random")),
        ("import numpy\nx = numpy.random.default_rng()", (2, "numpy.random")),
        ("import numpy as other\nx = other.random.default_rng()", (2, "numpy.random")),
        ("import statistics\nx = statistics.random.random()", (2, "statistics.random")),
        ("from statistics import random", (1, "statistics.random")),
        ("class A:\n\n    from datetime import date", (3, "datetime.date")),
        ("if True:\n    pass\nelse:\n    import socket", (4, "socket")),
        ("try:\n    import urllib.request\nexcept ImportError:\n    pass", (2, "urllib.request")),
    ],
)
def test_forbidden_imports_are_found(text: str, wanted: tuple[int, str], tmp_path: Path) -> None:
    line, name = wanted
    assert found(text, tmp_path) == [(line, f"imports '{name}'")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "import math\nimport numpy\nfrom numpy import int64",
        "from sim.games.club_fight.view import View",
        "import randomness_of_mine\nfrom my.random import x\nfrom .random import x",
        "random = 4  # chosen by fair dice roll\nx.random = 5",
        "this is not Python",
        "\0",
    ],
)
def test_other_imports_pass(text: str, tmp_path: Path) -> None:
    assert found(text, tmp_path) == []


def test_every_forbidden_name_is_refused(tmp_path: Path) -> None:
    assert {"random", "secrets", "time", "datetime", "os", "socket"} <= FORBIDDEN
    for name in FORBIDDEN:
        path = tmp_path / f"{name}.py"
        path.write_text(f"import math\n\nimport {name}\n")
        (fault,) = faults(path)
        assert str(fault).startswith(f"{path}:3: imports '{name}'; a strategy must play the same")


def test_a_helper_beside_a_plugin_is_looked_at_too(tmp_path: Path) -> None:
    plugin, helper = tmp_path / "some.py", tmp_path / "dice_of_mine.py"
    plugin.write_text("import math\nfrom dice_of_mine import roll\n")
    helper.write_text("import some\n\nfrom random import randint as roll\n")
    (fault,) = faults(plugin)
    assert (fault.place, fault.what) == (f"{helper}:3", "imports 'random.randint'")


# ---- functions of Python that look outside


@pytest.mark.parametrize("name", sorted(FORBIDDEN_BUILTINS))
def test_functions_that_look_outside_are_refused(name: str, tmp_path: Path) -> None:
    assert found(method(f"x = {name}('x')"), tmp_path) == [(3, f"uses '{name}'")]
    assert found(f"f = {name}\n", tmp_path) == [(1, f"uses '{name}'")]


@pytest.mark.parametrize("name", sorted(FORBIDDEN_ATTRIBUTES))
def test_ways_around_are_refused(name: str, tmp_path: Path) -> None:
    assert (3, f"uses '{name}'") in found(method(f"x = f.{name}"), tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "def hash(mask):\n    return mask * 31\n" + method("x = hash(view.hand)"),
        method("id = 3", "x = id + 1"),
        method("for input in (1, 2):", "    x = input"),
        "def f(open):\n    return open + 1\n",
        "def f(*, open=1, **eval):\n    return open + len(eval)\n",
        "compile = [hash for hash in (1, 2)]\n",
        "class Mine:\n    id: int = 3\n",
        method("x = view.open + view.hash"),
        method("try:", "    pass", "except ValueError as id:", "    x = id"),
        method("match move:", "    case [id, *open]:", "        x = id, open"),
        method("if (id := move.clubs) > 3:", "    return id"),
    ],
)
def test_the_authors_own_names_are_honest(text: str, tmp_path: Path) -> None:
    compile(text, "some.py", "exec")
    assert found(text, tmp_path) == []


# ---- memory

SEEN = "SEEN = {}\n"


@pytest.mark.parametrize(
    ("head", "line", "complaint"),
    [
        (SEEN, "SEEN[1] = 2", "writes to 'SEEN', which"),
        (SEEN, "SEEN[1] += 2", "writes to 'SEEN', which"),
        (SEEN, "SEEN[1][2] = 2", "writes to 'SEEN[1]', which"),
        (SEEN, "del SEEN[1]", "writes to 'SEEN', which"),
        (SEEN, "SEEN.x = 1", "writes to 'SEEN', which"),
        (SEEN, "SEEN.update(a=1)", "writes to 'SEEN', which"),
        (SEEN, "SEEN[1].append(1)", "writes to 'SEEN[1]', which"),
        (SEEN, "SEEN.setdefault(1, []).append(2)", "writes to 'SEEN', which"),
        (SEEN, "for SEEN[1] in (1, 2): pass", "writes to 'SEEN', which"),
        (SEEN, "x = (lambda: SEEN.pop(1))()", "writes to 'SEEN', which"),
        (SEEN, "global SEEN", "declares 'SEEN' global"),
        ("from numpy import *\n", "SEEN.append(1)", "writes to 'SEEN', which"),
        ("import numpy as np\n", "np.seen = 1", "writes to 'np', which"),
        ("COUNT = iter((1, 2))\n", "x = next(COUNT)", "writes to 'COUNT', which"),
        ("COUNT = (x for x in (1, 2))\n", "x = COUNT.send(1)", "writes to 'COUNT', which"),
        ("def tip(): pass\n", "tip.count = 1", "writes to 'tip', which"),
        ("", "Mine.seen.append(1)", "writes to 'Mine.seen', which"),
        ("", "Mine.count += 1", "writes to 'Mine', which"),
        ("", "self.seen.append(1)", "writes to 'self.seen', which"),
        ("", "self.seen[1] = 1", "writes to 'self.seen', which"),
        ("", "type(self).count += 1", "writes to 'type(self)', which"),
        ("", "vars(self)['count'] = 1", "writes to 'vars(self)', which"),
        ("", "view.grid[0] = 1", "changes 'view.grid'"),
        ("", "view.grid.sort()", "changes 'view.grid'"),
        ("", "move.clubs[0] = 1", "changes 'move.clubs'"),
    ],
)
def test_memory_is_found(head: str, line: str, complaint: str, tmp_path: Path) -> None:
    ((number, what),) = found(method("x = 1", line, head=head), tmp_path)
    assert number == 4 + head.count("\n") and what.startswith(complaint)


def test_memory_in_a_default_value_is_found(tmp_path: Path) -> None:
    text = "def tip(view, *, seen=[], fine=()):\n    seen.append(1)\n    return len(seen)\n"
    assert [line for line, _ in found(text, tmp_path)] == [2]
    text = "def tip(seen=dict()):\n    seen[1] = 2\n"
    assert [line for line, _ in found(text, tmp_path)] == [2]


def test_a_view_is_known_by_its_annotation(tmp_path: Path) -> None:
    text = "def tip(here: View, there: 'view.View'):\n    here.grid[0] = 1\n"
    assert found(text, tmp_path) == [(2, "changes 'here.grid'")]


def test_memory_in_a_module_beside_is_found(tmp_path: Path) -> None:
    (tmp_path / "_mine.py").write_text("SEEN = []\n")
    text = method(
        "_mine.SEEN.append(1)", "SEEN.append(1)", head="import _mine\nfrom _mine import SEEN\n"
    )
    assert [line for line, _ in found(text, tmp_path)] == [5, 6]


@pytest.mark.parametrize(
    "text",
    [
        "TABLE = {}\nfor i in range(13):\n    TABLE[i] = i * i\n" + method("x = TABLE[1]"),
        "NAMES = ('a', 'b')\nWORTH = {'a': 1}\n" + method("x = WORTH.get(NAMES[0])"),
        method("best = []", "best.append(1)", "best[0] = 2", "best.sort()"),
        method("seen = {}", "seen[1] = 2", "seen.update(a=1)", "x = next(iter(seen))"),
        "def fill(out, n):\n    out[n] = 1\n    return out\n" + method("x = fill([0] * 3, 1)"),
        method("self.update(view)", "x = self.add(1)"),
        "import numpy as np\n" + method("x = np.sort(np.append([1], 2))", "y = np.ma.sort(x)"),
        "class Search:\n    def go(self):\n        self.best = 1\n        self.moves.append(1)\n",
        "class Search:\n    def __init__(self):\n        self.best = []\n",
        "class Mine(Strategy):\n    def __post_init__(self):\n"
        "        object.__setattr__(self, 'table', (1, 2))\n",
        "class Mine(Strategy):\n    @staticmethod\n    def fill(out):\n        out[0] = 1\n",
        method("def inner():", "    nonlocal x", "    x = 2", "x = 1", "inner()"),
        "class Table:\n    @classmethod\n    def update(cls, x):\n        return x\n"
        + method("x = Table.update(1)"),
        "def tip(view, weight=1.0, names=('a',)):\n    return weight\n",
        method("x = [y for y in (1, 2)]", "x[0] = 3", "{z: 1 for z in x}.pop(3)"),
        "async def f(a):\n    a.b = 1\n",
    ],
)
def test_honest_code_passes(text: str, tmp_path: Path) -> None:
    compile(text, "some.py", "exec")
    assert found(text, tmp_path) == []


def test_one_complaint_a_line_and_lines_in_order(tmp_path: Path) -> None:
    text = method("SEEN[1] = SEEN[2] = open('x')", "global SEEN") + "import os\n"
    assert [line for line, _ in found(text, tmp_path)] == [3, 4, 6]


def test_a_text_too_deep_to_be_read_is_refused(tmp_path: Path) -> None:
    ((line, what),) = found("x = " + "+".join(["1"] * 2_000), tmp_path)
    assert (line, what) == (1, "is nested too deeply to be read")


def test_nothing_that_is_shipped_is_refused() -> None:
    files = [path for folder in strategies.__path__ for path in Path(folder).rglob("*.py")]
    templates = list((ROOT / "sim" / "games").glob("*/template/tip.py.txt"))
    assert len(files) > 5 and templates
    assert [str(fault) for path in [*files, *templates] for fault in faults(path)] == []
