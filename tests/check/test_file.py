"""A file examined in fresh processes: what hangs, dies or is no strategy at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sim.check import Finding, check_file
from sim.check.fresh import Ended
from sim.check.model import Began, Mark
from sim.registry import NoStrategy
from tests.check.plants import MODULES, PLAIN, scoring
from tests.command import Tipoff
from tests.plugins import HEAD_LINES, write

LIMIT = 10.0  # seconds


def marks(findings: list[Finding], strategy: str) -> dict[str, Mark]:
    return {one.check: one.verdict.mark for one in findings if one.strategy == strategy}


def named(name: str, *lines: str, head: str = "") -> str:
    return scoring(*lines, head=head).replace("Mine", name)


def test_what_hangs_or_dies_is_cut_off_and_the_next_is_examined(tmp_path: Path) -> None:
    body = (
        named("Loops", "x = 1.0", "while view.turn == 5 and x > 0.0:", "    x += 1.0", "return x")
        + named("PlainLoops", PLAIN, "while view.turn == 5:", "    cards += 0.0", "return cards")
        + named("Dies", PLAIN, f"if view.turn == 5: {MODULES}['os']._exit(3)", "return cards")
        + named("Fine", PLAIN, "return cards")
    )
    path = write(tmp_path, "import statistics\n" + body)
    began: list[Began] = []
    findings = list(check_file(path, limit=LIMIT, told=began.append))
    assert marks(findings, "") == dict.fromkeys(("reads", "habits", "imports"), Mark.OK)
    for name in ("loops", "plain-loops", "dies"):
        found = marks(findings, name)
        assert [check for check, mark in found.items() if mark is Mark.FAILED] == ["finishes"]
        assert found["speed"] is Mark.SKIPPED
    assert not {Mark.FAILED} & set(marks(findings, "fine").values())
    wrong = {one.strategy: one.verdict for one in findings if one.failed}
    assert wrong["loops"].seen == wrong["plain-loops"].seen == f"not done after {LIMIT:g} seconds"
    lines = path.read_text().splitlines()
    file, _, line = wrong["plain-loops"].place.rpartition(":")
    assert file == str(path) and lines[int(line) - 1].strip().startswith(("cards += 0.0", "while"))
    assert wrong["dies"].seen == "it ended its process (exit code 3)"
    assert {one.strategy for one in began} == {"", "loops", "plain-loops", "dies", "fine"}


def test_an_import_that_hangs_is_cut_off(tmp_path: Path) -> None:
    path = write(tmp_path, "class Mine(Strategy): pass\nwhile True:\n    pass\n")
    (wrong,) = (one for one in check_file(path, limit=LIMIT) if one.failed)
    assert (wrong.strategy, wrong.check) == ("", "imports")
    assert wrong.verdict.seen == f"not done after {LIMIT:g} seconds"
    assert wrong.verdict.place in {f"{path}:{HEAD_LINES + line}" for line in (2, 3)}


def test_a_process_that_is_killed_is_told_by_its_signal() -> None:
    verdict = Ended(-11, "", 9.0).verdict(Began("mine", "twice", "mine.py:3"), Path())
    assert "SIGSEGV" in verdict.seen and verdict.place == "mine.py:3"


@pytest.mark.parametrize(
    ("text", "check", "complaint", "line"),
    [
        ("class Mine(Strategy:\n", "reads", "SyntaxError: ", 1),
        ("class Mine(Strategy): x = '\0'\n", "reads", "null bytes", None),
        ("import random\nclass Mine(Strategy): pass\n", "habits", "it imports 'random'", 1),
        ("class Mine(Strategy): pass\nx = 1 / 0\n", "imports", "ZeroDivisionError: ", 2),
        ("class Mine(Strategy):\n    game = 'x'\n", "imports", "Mine has no method score", None),
        ("class Mine(Strategy):\n    score = 3\n", "imports", "Mine has no method score", None),
        ("raise SystemExit(3)\n", "imports", "SystemExit: 3", 1),
    ],
)
def test_what_is_wrong_with_the_file(
    text: str, check: str, complaint: str, line: int | None, tmp_path: Path
) -> None:
    path = write(tmp_path, text)
    (wrong,) = (one for one in check_file(path) if one.failed)
    assert (wrong.strategy, wrong.check) == ("", check)
    assert complaint in wrong.verdict.seen and str(path) not in wrong.verdict.seen
    assert wrong.verdict.place.startswith(str(path))
    assert line is None or wrong.verdict.place == f"{path}:{HEAD_LINES + line}"


def test_every_bad_habit_is_listed(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "import os\n" + scoring("SEEN.append(open('x'))", "return 0.0", head="SEEN = []\n"),
    )
    wrong = [one for one in check_file(path) if one.failed]
    assert [one.verdict.place.rpartition(":")[2] for one in wrong] == [
        str(HEAD_LINES + line) for line in (1, 8)
    ]
    assert all(one.verdict.advice for one in wrong)


def test_a_script_need_not_be_guarded(tmp_path: Path) -> None:
    """Where multiprocessing would import it again."""
    path = write(tmp_path, "x = 1 / 0  # Strategy\n")
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\nfrom sim.check import check_file\n"
        f"print(*check_file(Path({str(path)!r})), sep='\\n')\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == (
        f"imports: ZeroDivisionError: division by zero: {path}:{HEAD_LINES + 1}"
    )


# ---- the command


def test_the_command_prints_a_checklist(tipoff: Tipoff) -> None:
    write(Path(), scoring("return move.cleared * self.weight"))
    said = tipoff("check", "mine.py")
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "mine.py" and lines[4] == "mine" and lines[-1] == "all checks passed"
    assert all(line.startswith("  ok  ") for line in lines[1:-1] if line != "mine")
    assert "beside" in said.out and "of greedy-most-cards (compiled, compiled): " in said.out


def test_a_failure_is_status_1_with_place_and_advice(tipoff: Tipoff) -> None:
    write(Path(), scoring("return math.nan"))
    said = tipoff("check", "mine.py")
    assert said.status == 1 and said.out.endswith("1 check failed\n")
    assert "  FAILED  scores       deal 0, turn 1: returned the score nan" in said.out
    assert f"where        {Path('mine.py').resolve()}:{HEAD_LINES + 5}" in said.out
    assert "expected     a finite number for every move" in said.out
    skipped = [line for line in said.out.splitlines() if line.startswith("  skipped ")]
    assert skipped[-1] == (
        "  skipped bounds, both lanes, outside, twice, any order, workers, speed: "
        "'scores' comes first"
    )


def test_the_same_as_json(tipoff: Tipoff) -> None:
    write(Path(), "import random\nclass Mine(Strategy): pass\n")
    said = tipoff("check", "mine.py", "--json")
    found = json.loads(said.out)
    assert said.status == 1 and found["fit"] is False and found["file"] == "mine.py"
    assert found["findings"][0] == {
        "strategy": "",
        "check": "reads",
        "mark": "ok",
        "seen": "Python",
        "expected": "",
        "place": "",
        "advice": "",
    }
    assert found["findings"][1]["mark"] == "FAILED"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.py"], "nothing.py: there is no such file"),
        (["tip.txt"], "tip.txt: expected a Python file, *.py"),
        (["test_tip.py"], "test_tip.py: holds no strategy; expected a class derived from Strategy"),
        (["talk.py"], "talk.py: holds no strategy; expected a class derived from Strategy"),
        (["talk.py", "--game", "cub_fight"], "unknown game 'cub_fight'; did you mean"),
        (["talk.py", "--limit", "0"], "expected seconds, above 0 and up to a day, got 0"),
        (["talk.py", "--limit", "nan"], "expected seconds, above 0 and up to a day, got nan"),
    ],
)
def test_what_is_no_strategy_is_status_2(words: list[str], message: str, tipoff: Tipoff) -> None:
    for name in ("tip.txt", "test_tip.py"):
        Path(name).write_text("x = 1\n")
    Path("talk.py").write_text('"""Of a Strategy is only talked here."""\n')
    said = tipoff("check", *words)
    assert said.status == 2 and message in said.err and "Traceback" not in said.err


def test_the_base_of_a_strategy_may_stand_in_another_file(tmp_path: Path) -> None:
    write(tmp_path, scoring("return self.weight * move.cleared"), "base_of_mine.py")
    path = tmp_path / "heir.py"
    path.write_text("from base_of_mine import Mine\n\n\nclass Heir(Mine):\n    'Take the most.'\n")
    found = marks(list(check_file(path)), "heir")
    assert "finishes" in found and not {Mark.FAILED, Mark.SKIPPED} & set(found.values())


def test_a_class_that_is_none_is_told_by_who_imports_it(tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_text("class Other(Exception):\n    pass\n")
    with pytest.raises(NoStrategy, match="holds no strategy; expected a class derived from"):
        list(check_file(path))
