"""The bar: what it says, and that it is silent where nobody watches."""

from __future__ import annotations

import io
import sys
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tqdm import TMonitor

from sim.progress import Progress
from sim.tally import Tally

CELLS: Any = [
    SimpleNamespace(label=label, rules=rules) for rules in ("easy", "hard") for label in ("a", "b")
]


class Terminal(io.StringIO):
    """Standard error that a person looks at."""

    def isatty(self) -> bool:
        return True


def played(wins: int, deals: int) -> Tally:
    return Tally(np.array([wins, deals - wins]), 13 * deals)


def fill(progress: Progress) -> None:
    progress.add(0, played(30, 100))
    progress.add(1, played(20, 100))
    progress.add(3, played(100, 100))  # the best of all, but under other rules


def test_the_leader_has_the_best_rate_under_the_first_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with Progress(CELLS, 1000) as progress:
        assert progress.leader() == ""
        fill(progress)
        assert progress.leader() == "leader: a 30.0 %"
        progress.add(1, played(80, 100))
        assert progress.leader() == "leader: b 50.0 %"  # 100 of its 200


def test_what_stands_on_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "100")
    with Progress(CELLS, 300) as progress:
        fill(progress)
        progress.clear()
        assert terminal.getvalue().endswith("\r"), "the line is free for something else"
    last = terminal.getvalue().rstrip("\n").rpartition("\r")[2]
    assert last.startswith("100 %") and "300/300 games, " in last and " games/s, " in last
    assert last.rstrip().endswith("left, leader: a 30.0 %") and len(last) <= 100
    assert terminal.getvalue().endswith("\n"), "what is printed next begins a line"


@pytest.mark.parametrize("terminal", [io.StringIO, Terminal])
def test_a_bar_where_it_is_asked_for(
    terminal: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    for shown in (True, False):
        monkeypatch.setattr(sys, "stderr", err := terminal())
        with Progress(CELLS, 300, shown) as progress:
            fill(progress)
        assert ("300/300 games, " in err.getvalue()) is shown


def test_no_thread_watches_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that died is replaced while the bar is shown: forked, where that is safe."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    with Progress(CELLS, 300) as progress:
        fill(progress)
        assert not any(isinstance(thread, TMonitor) for thread in threading.enumerate())


def test_no_bar_on_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(CELLS, 300) as progress:
        fill(progress)
        progress.clear()
    assert capsys.readouterr() == ("", "")
