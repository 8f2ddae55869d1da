"""Runs with strategies of one's own: warned of, replayed when edited, stopped when they fail."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import HEAD, Said, Tipoff, config, results, tipoff_in, without_charts
from tests.plugins import GREEDY, HEAD_LINES, UNCOMPILED, reading_anew, write

BOTH = HEAD + "plugins: [mine.py]\nstrategies: [greedy-most-cards, mine]\n"
STORE = Path("reports/tiny/results.sqlite")


@pytest.fixture
def tipoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> Tipoff:
    without_charts(monkeypatch)
    return reading_anew(tipoff_in(capsys))


def run_with(tipoff: Tipoff, body: str, *words: object, text: str = BOTH, **helpers: str) -> Said:
    """Play the plug-in; a config that names it makes the run say so, which is left out here."""
    write(Path(), body, **helpers)
    said = tipoff("run", config(Path(), text), *words)
    if "plugins" in text:
        first, _, rest = said.err.partition("\n")
        files = [Path("mine.py"), *(Path(f"{name}.py") for name in helpers if name in body)]
        wanted = ", ".join(str(path.resolve()) for path in files)
        assert first == f"loading strategies from {wanted}"
        return replace(said, err=rest)
    return said


def entries() -> list[tuple[str, str, int]]:
    """Digest, lane and wins of both entries."""
    found = results(Path("reports/tiny"))["entries"]
    return [(entry["digest"], entry["lane"], entry["wins"]) for entry in found]


def stored() -> dict[str, int]:
    """Deals in the store, by label."""
    with sqlite3.connect(STORE) as db:
        query = "select about ->> 'label', sum(count) from block join cell using (stamp) group by 1"
        found = dict(db.execute(query))
    db.close()
    return found


# ---- lanes


def test_a_plugin_plays_compiled_and_without_a_word(tipoff: Tipoff) -> None:
    said = run_with(tipoff, GREEDY)
    assert (said.status, said.err, said.games) == (0, "", (2000, 0))
    greedy, mine = entries()
    assert mine == greedy and mine[1] == "compiled"


def test_what_cannot_be_compiled_is_played_after_one_warning(tipoff: Tipoff) -> None:
    text = BOTH.replace("mine]", "{use: mine, weight: [1, 2]}]") + "rules: {jokers: [1, 2]}\n"
    said = run_with(tipoff, UNCOMPILED, "--workers", 2, "--deals", 150, text=text)
    place = f"{Path('mine.py').resolve()}:{HEAD_LINES + 5}"
    assert said.status == 0 and said.err == (
        "warning: strategy 'mine' cannot be compiled: UnsupportedError: The use of yield in a "
        f"closure is unsupported. ({place}); it plays in plain Python, about a hundred times "
        "slower\n"
    )
    for greedy, one, two in (entries()[:3], entries()[3:]):
        assert [lane for _, lane, _ in (greedy, one, two)] == ["compiled", "plain", "plain"]
        assert greedy[0] == one[0] == two[0], "the same games, whoever plays them"


def test_require_compiled_refuses_it(tipoff: Tipoff) -> None:
    said = run_with(tipoff, UNCOMPILED, "--require-compiled")
    assert said.status == 1 and said.out == ""
    assert said.err.startswith("tipoff: strategy 'mine' cannot be compiled: UnsupportedError: ")
    assert not STORE.exists(), "nothing was played"
    assert run_with(tipoff, GREEDY, "--require-compiled").status == 0


# ---- edits


def test_an_edited_plugin_is_replayed_and_nothing_else(tipoff: Tipoff) -> None:
    run_with(tipoff, GREEDY)
    greedy, before = entries()
    assert run_with(tipoff, GREEDY).games == (0, 2000)
    edited = run_with(tipoff, GREEDY.replace("move.cleared", "-move.cleared"))
    assert edited.games == (1000, 1000)
    assert entries()[0] == greedy and entries()[1][2] < before[2]
    assert run_with(tipoff, GREEDY).games == (0, 2000), "what it was before is still stored"
    assert entries() == [greedy, before]


def test_an_edited_helper_counts_too(tipoff: Tipoff) -> None:
    body = """
        import _mine
        class Mine(Strategy):
            def score(self, view: View, move: Move) -> float:
                return move.cleared * _mine.SIGN
        """
    assert run_with(tipoff, body, _mine="SIGN = 1.0\n").games == (2000, 0)
    assert entries()[0] == entries()[1]
    assert run_with(tipoff, body, _mine="SIGN = -1.0\n").games == (1000, 1000)
    assert entries()[0] != entries()[1]


# ---- faults


@pytest.mark.parametrize("base", [GREEDY, UNCOMPILED], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    ("fault", "message", "line"),
    [
        ("raise ValueError('I give up')", "ValueError: I give up", 6),
        ("return math.inf", "returned the score inf, which is not a finite number", 4),
    ],
)
def test_a_fault_is_status_1_and_what_was_finished_stays(
    base: str, fault: str, message: str, line: int, tipoff: Tipoff
) -> None:
    guard = f"if view.discards % 1000 == 7:\n                {fault}\n            return"
    said = run_with(tipoff, base.replace("return", guard), "--workers", 1)
    assert said.status == 1 and said.out == ""
    error = said.err.splitlines()[-1]
    assert error.startswith("tipoff: strategy 'mine', deal ") and f": {message} (" in error
    assert f"({Path('mine.py').resolve()}:{HEAD_LINES + line})" in error
    assert stored() == {"greedy-most-cards": 200}
    again = run_with(tipoff, GREEDY)
    assert again.status == 0 and again.games == (1800, 200)


def test_a_strategy_that_ends_its_process_is_named(tipoff: Tipoff) -> None:
    """As an index far out of range may do in compiled code."""
    said = run_with(tipoff, UNCOMPILED.replace("return", "exit(7)\n            return"))
    assert said.status == 1 and said.err.splitlines()[-1] == (
        "tipoff: a worker died 3 times on deals 0 to 199 of 'mine', the last time with exit code 7"
    )


# ---- where plug-ins come from


def test_plugins_lie_relative_to_their_config(tipoff: Tipoff) -> None:
    Path("far/away").mkdir(parents=True)
    write(Path("far/away"), GREEDY)
    path = config(Path("far"), BOTH.replace("mine.py", "away/mine.py"))
    assert tipoff("run", path).status == 0
    assert tipoff("run", "reports/tiny/config.yaml").games == (0, 2000)  # from anywhere


def test_a_plugin_on_the_command_line(tipoff: Tipoff) -> None:
    text = HEAD + "strategies: [greedy-most-cards, mine]\n"
    said = run_with(tipoff, GREEDY, text=text)
    assert said.status == 2 and "unknown strategy 'mine'" in said.err
    assert run_with(tipoff, GREEDY, "--plugin", "mine.py", text=text).status == 0
    said = tipoff("watch", "club_fight", "mine", "--plugin", "mine.py", "--set", "weight=2")
    assert said.status == 0 and said.out.startswith("Turn 1")


BROKEN = {
    "import random\n": ("mine.py:5: imports 'random'", "no dice, clock, files or network"),
    "from time import time\n": ("mine.py:5: imports 'time.time'", "no dice"),
    "def f():\n    import os\n": ("mine.py:6: imports 'os'", "no dice"),
    "import numpy as np\nx = np.random\n": ("mine.py:6: imports 'numpy.random'", "no dice"),
    "import _helper\n": ("_helper.py:2: imports 'secrets'", "no dice"),
    "x = 1 / 0\n": ("mine.py:5: ZeroDivisionError: division by zero",),
    "class Mine(Strategy:\n": ("mine.py:5: SyntaxError: ",),
    "class GreedyMostCards(Strategy):\n    def score(self, view: View, move: Move): return 1.0\n": (
        "strategy 'greedy-most-cards' of ",
        "is refused: a built-in strategy already has that name",
    ),
    "class Mine(Strategy):\n    game = 'club_fight'\n": ("Mine has no method score",),
}


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
@pytest.mark.parametrize("how", ["config", "option"])
def test_broken_plugins_are_status_2(body: str, how: str, tipoff: Tipoff) -> None:
    text = BOTH if how == "config" else HEAD + "strategies: [random]\n"
    words = [] if how == "config" else ["--plugin", "mine.py"]
    said = run_with(tipoff, body, *words, text=text, _helper="\nimport secrets\n")
    assert said.status == 2 and said.out == "" and "Traceback" not in said.err
    for part in BROKEN[body]:
        assert part in said.err
    if how == "config":
        assert said.err.startswith("tipoff: tiny.yaml:5:11: plug-in mine.py: ")
    assert not Path("reports").exists()


def test_a_plugin_that_is_no_python_file(tipoff: Tipoff) -> None:
    said = tipoff("run", config(Path()), "--plugin", "tiny.yaml")
    assert said.status == 2 and "tiny.yaml: ImportError: expected a Python file, *.py" in said.err


def test_two_plugins_of_one_name(tipoff: Tipoff) -> None:
    write(Path(), GREEDY, name="other.py")
    said = run_with(tipoff, GREEDY, "--plugin", "other.py")
    assert said.status == 2 and "strategy 'mine' of " in said.err
    assert "is refused: " in said.err and "already has that name" in said.err
