"""`tipoff new`: what it writes is clean, and passes its own test and every check."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.check import check_file
from sim.template import LONGEST
from tests.command import Tipoff

ROOT = Path(__file__).parents[1]
LONG = "-".join(["verylong"] * 3) + "-n"


def python(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_what_is_written_passes_unchanged(tipoff: Tipoff) -> None:
    said = tipoff("new", "my-tip")
    assert (said.status, said.err) == (0, "")
    assert said.out == (
        "my_tip.py\ntest_my_tip.py\nNow edit it, and then: tipoff check my_tip.py\n"
    )
    tested = python("-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", ".")
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout


def test_its_own_test_can_fail(tipoff: Tipoff) -> None:
    tipoff("new", "my-tip")
    path = Path("my_tip.py")
    path.write_text(path.read_text().replace("cards - self.saved", "cards + self.saved"))
    tested = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "seven", ".")
    assert tested.returncode == 1 and "1 failed" in tested.stdout, tested.stdout


@pytest.mark.parametrize("name", ["my-tip", LONG])
def test_what_is_written_is_clean_by_the_projects_own_settings(name: str, tipoff: Tipoff) -> None:
    assert len(LONG) <= LONGEST
    assert tipoff("new", name, "--game", "club_fight").status == 0
    settings = ("--config", ROOT / "pyproject.toml", "--no-cache", ".")
    for words in (["check"], ["format", "--check"]):
        done = python("-m", "ruff", *words, *settings)
        assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_is_overwritten(tipoff: Tipoff) -> None:
    Path("test_my_tip.py").write_text("mine")
    said = tipoff("new", "my-tip")
    assert said.status == 2 and "test_my_tip.py is there already; give another name" in said.err
    assert Path("test_my_tip.py").read_text() == "mine" and not Path("my_tip.py").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' is no name for a strategy: expected small letters and digits in words joined"),
        ("MyTip", "such as 'save-aces'; did you mean 'my-tip'?"),
        ("my_tip", "did you mean 'my-tip'?"),
        ("Save Aces!", "did you mean 'save-aces'?"),
        ("../up", "did you mean 'up'?"),
        ("3-first", "'3-first' is no name for a strategy"),
        ("a" * (LONGEST + 1), f"at most {LONGEST} characters"),
        ("a-b", "'a-b' would be listed as 'ab'; choose longer words"),
        ("class", "'class': no strategy can stand in class.py; choose another name"),
        ("test-tip", "'test-tip': no strategy can stand in test_tip.py; choose another name"),
        ("json", "'json': there is a Python module json already, which it would hide"),
        ("joker-first", "'joker-first': Club Fight has a built-in strategy of that name"),
        ("view", "'view': its class would be called View, as one of sim.games.club_fight.view is"),
    ],
)
def test_bad_names_are_refused(name: str, message: str, tipoff: Tipoff) -> None:
    said = tipoff("new", name)
    assert said.status == 2 and message in said.err and list(Path().iterdir()) == []


def test_other_ways_to_go_wrong(tipoff: Tipoff) -> None:
    said = tipoff("new", "my-tip", "--dir", "nowhere")
    assert said.status == 2 and "nowhere: there is no such folder" in said.err
    said = tipoff("new", "my-tip", "--game", "clubfight")
    assert said.status == 2 and "unknown game 'clubfight'; did you mean 'club_fight'?" in said.err
    Path("other").mkdir()
    assert tipoff("new", "my-tip", "--dir", "other").status == 0
    assert sorted(path.name for path in Path("other").iterdir()) == ["my_tip.py", "test_my_tip.py"]


def test_a_tip_made_worse_is_told_what_is_wrong(tipoff: Tipoff) -> None:
    """As a newcomer may: the dice of Python, where no dice are allowed."""
    tipoff("new", "my-tip")
    path = Path("my_tip.py")
    path.write_text(path.read_text().replace("from sim.str", "import random\nfrom sim.str"))
    (wrong,) = (one for one in check_file(path) if one.failed)
    assert "it imports 'random'" in str(wrong)
