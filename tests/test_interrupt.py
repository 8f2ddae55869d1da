"""Real processes, stopped in the middle as users, schedulers and accidents do it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.play import play_block
from sim.registry import Registry
from sim.store import FILE_NAME
from sim.tally import run_digest, tally
from sim.work import Spec
from tests.command import HEAD, config, results, tipoff_in, without_charts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")

DEALS = 150_000
ENOUGH = 40_000  # bytes: so much is stored that stopping is in the middle
CONFIG = HEAD.replace("1000", str(DEALS)) + "strategies: [greedy-most-cards, random]\n"
COMMAND = [sys.executable, "-m", "sim", "run", "tiny.yaml", "--workers", "2"]


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a run in a process group of its own, as a shell does."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *words], cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def wait_for(condition: Callable[[], bool], running: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def stored(folder: Path) -> int:
    path = folder / "reports" / "tiny" / FILE_NAME
    return path.stat().st_size if path.exists() else 0


def group_is_empty(group: int) -> bool:
    """Whether no process of a group is left; zombies do not count."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of) == group and state not in "ZX":
            return False
    return True


@pytest.fixture(scope="module")
def undisturbed(registry: Registry) -> str:
    """The digest of the run if nobody stops it, worked out here."""
    entries = []
    for name in ("greedy-most-cards", "random"):
        player = Spec(registry.strategy("club_fight", name).origin, {}, None).player(GAME)
        entries.append(tally([play_block(Rules(), Dice(7, 7), 0, DEALS, player).outcomes]).digest)
    return run_digest(entries)


GoOn = Callable[[], None]


@pytest.fixture
def go_on(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    undisturbed: str,
    empty_folder: Path,
) -> GoOn:
    """Run again: only what is missing is played, and nobody could tell."""

    def again() -> None:
        without_charts(monkeypatch)
        said = tipoff_in(capsys)("run", "tiny.yaml")
        assert said.status == 0 and said.err == ""
        played, reused = said.games
        assert played + reused == 2 * DEALS and min(played, reused) > 0
        assert said.digest == undisturbed

    return again


@pytest.mark.parametrize(
    ("number", "send"), [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)]
)
def test_a_stopped_run_says_how_to_go_on(
    number: signal.Signals, send: Callable[[int, int], None], tmp_path: Path, go_on: GoOn
) -> None:
    """Ctrl-C reaches all processes of a terminal; `kill` only one."""
    config(tmp_path, CONFIG)
    with start(tmp_path) as run:
        wait_for(lambda: stored(tmp_path) > ENOUGH, run)
        stopped = time.monotonic()
        send(run.pid, number)
        out, err = run.communicate(timeout=60)
        assert time.monotonic() - stopped < 5
    assert run.returncode == 130 and out == ""
    command = "tipoff run tiny.yaml --workers 2"
    assert err == f"stopped; what was finished is stored. To go on: {command}\n"
    assert not (tmp_path / "reports" / "tiny" / "results.json").exists()
    if sys.platform.startswith("linux"):
        assert group_is_empty(run.pid)
    go_on()


@pytest.mark.parametrize(
    ("method", "after"), [("fork", 0.1), ("forkserver", 0.2), ("spawn", 0.1), ("spawn", 0.4)]
)
def test_ctrl_c_while_workers_start_prints_no_traceback(
    method: str, after: float, tmp_path: Path
) -> None:
    config(tmp_path, CONFIG.replace(str(DEALS), "10_000_000"))
    with start(tmp_path, "--start-method", method) as run:
        wait_for(lambda: stored(tmp_path) > 0, run)  # opened right before the workers are started
        time.sleep(after)
        os.killpg(run.pid, signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err.startswith("stopped; ") and err.count("\n") == 1, err


def test_a_killed_run_goes_on(tmp_path: Path, go_on: GoOn) -> None:
    config(tmp_path, CONFIG)
    with start(tmp_path) as run:
        wait_for(lambda: stored(tmp_path) > ENOUGH, run)
        run.kill()
        run.communicate(timeout=60)
    if sys.platform.startswith("linux"):
        end = time.monotonic() + 10
        while not group_is_empty(run.pid):
            assert time.monotonic() < end
            time.sleep(0.02)
    go_on()


def test_a_killed_worker_is_not_noticed(tmp_path: Path, undisturbed: str) -> None:
    config(tmp_path, CONFIG)
    with start(tmp_path) as run:
        wait_for(lambda: stored(tmp_path) > ENOUGH, run)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        if children.exists():
            os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
        _, err = run.communicate(timeout=120)
    assert (run.returncode, err) == (0, ""), err
    assert results(tmp_path / "reports" / "tiny")["digest"] == undisturbed


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    config(tmp_path, CONFIG.replace(str(DEALS), "10_000_000"))
    with start(tmp_path) as first:
        wait_for(lambda: stored(tmp_path) > 0, first)
        with start(tmp_path) as second:
            _, err = second.communicate(timeout=60)
        assert second.returncode == 2 and "is in use by another run; wait for it" in err
        assert first.poll() is None
        first.kill()
        first.communicate(timeout=60)
