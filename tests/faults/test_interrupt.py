"""Ctrl-C at the moments that are hard to catch: while Python imports, and while workers start."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

from sim.errors import Status
from sim.interrupts import INTERRUPTED, Interrupts, farewell
from tests.faults.harness import STOPS, Run, prepare

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


def interrupted(run: Run) -> float:
    """Press Ctrl-C; the run must end with one line, and not later than it should."""
    run.signal(signal.SIGINT)
    ended = run.finish(STOPS)
    assert run.status == 130 and ended is not None, (run.status, run.err)
    assert run.err.startswith("stopped") and run.err.count("\n") == 1, run.err
    return ended


@pytest.mark.parametrize(
    ("method", "after"), [("fork", 0.1), ("forkserver", 0.2), ("spawn", 0.1), ("spawn", 0.4)]
)
def test_ctrl_c_while_workers_start_prints_no_traceback(
    method: str, after: float, tmp_path: Path
) -> None:
    run = Run(prepare(tmp_path, 1_000_000), "--start-method", method)
    run.wait_for_store()  # opened right before the workers are started
    time.sleep(after)
    interrupted(run)


# Says when Python has started, whose own first moments are nobody's.
COMMAND = "import sim, sys; print(flush=True); from sim.cli import main; sys.exit(main())"


def test_ctrl_c_in_the_first_moments_prints_no_traceback(tmp_path: Path) -> None:
    dice, slowest = random.Random(1), 0.0
    for _ in range(10):
        run = Run(prepare(tmp_path, 1_000_000), command=[sys.executable, "-c", COMMAND])
        assert run.process.stdout and run.process.stdout.readline() == "\n"
        time.sleep(dice.uniform(0.005, 0.4))
        slowest = max(slowest, interrupted(run))
    print(f"the slowest ended {slowest:.2f} s after Ctrl-C")


# ---- in this process


def test_both_signals_are_raised_and_put_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    for number in (signal.SIGINT, signal.SIGTERM):
        with pytest.raises(KeyboardInterrupt), Interrupts([], last=False):
            signal.raise_signal(number)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_second_signal_within_a_second_is_the_first_again() -> None:
    with Interrupts([], last=False):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_inside_a_callback_is_raised_after_it() -> None:
    class Dying:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), Interrupts([], last=False):
        dying = [Dying()]
        dying.clear()
        time.sleep(5)


def test_what_is_ignored_stays_ignored() -> None:
    """As `nohup` wants it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts([], last=False):
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_farewell_says_how_to_go_on() -> None:
    assert farewell(["list", "games"]) == "stopped"
    assert farewell(["run", "my file.yaml"]).endswith("To go on: tipoff run 'my file.yaml'")
    assert INTERRUPTED == Status.INTERRUPTED  # written twice, so that it is there first
