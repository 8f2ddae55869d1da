"""Real worker processes: nothing is lost when they die, and none outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.errors import BadInput, StrategyFailed, WorkerFailed
from sim.workers import MOST_TRIES, START_METHODS, Processes, default_start_method

METHODS = [method for method in START_METHODS if method == "spawn" or sys.platform != "win32"]
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

Work = Callable[[Any], Any]


# ---- what workers are told to do; module-level, so that every start method can send them


def squares() -> Work:
    return lambda job: job * job


def slow_squares() -> Work:
    def work(job: int) -> int:
        time.sleep(0.05)
        return job * job

    return work


def dying_once(folder: Path, way: Callable[[], None]) -> Work:
    """Squares, but the first try of every third job ends its worker."""

    def work(job: int) -> int:
        mark = folder / str(job)
        if job % 3 == 0 and not mark.exists():
            mark.touch()
            way()
        return job * job

    return work


def deadly(bad: int, way: Callable[[], None]) -> Work:
    def work(job: int) -> int:
        if job == bad:
            way()
        return job

    return work


def raising(error: Exception) -> Work:
    def work(job: int) -> int:
        if job == 3:
            raise error
        return job

    return work


def broken_setup() -> Work:
    raise BadInput("no such strategy")


def sleeping() -> Work:
    return lambda job: time.sleep(600)


def dozing() -> Work:
    return time.sleep


def big() -> Work:
    return lambda job: bytes(len(job))


def kill_me() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave() -> None:
    os._exit(7)


def results(processes: Processes, jobs: Any) -> dict[Any, Any]:
    """All results by job; fails if a job is answered twice."""
    found: dict[Any, Any] = {}
    for job, result in processes.map_unordered(jobs):
        assert job not in found
        found[job] = result
    return found


# ---- tests


@pytest.mark.parametrize("method", METHODS)
def test_every_job_is_answered_once(method: str) -> None:
    with Processes(squares, 2, method) as processes:
        assert len(set(processes.pids())) == 2
        assert results(processes, range(40)) == {n: n * n for n in range(40)}
        assert results(processes, range(7)) == {n: n * n for n in range(7)}  # a second round
        assert results(processes, []) == {}


def test_more_workers_than_jobs() -> None:
    with Processes(squares, 4) as processes:
        assert results(processes, [5]) == {5: 25}


@pytest.mark.parametrize("method", METHODS)
def test_a_killed_workers_job_is_done_again(method: str, tmp_path: Path) -> None:
    with Processes(partial(dying_once, tmp_path, kill_me), 2, method) as processes:
        before = set(processes.pids())
        assert results(processes, range(7)) == {n: n * n for n in range(7)}
        assert len(set(processes.pids())) == 2 and not before & set(processes.pids())
    assert {path.name for path in tmp_path.iterdir()} == {"0", "3", "6"}


@pytest.mark.parametrize("method", METHODS)
def test_workers_killed_from_outside(method: str) -> None:
    with Processes(slow_squares, 2, method) as processes:
        found = {}
        for job, result in processes.map_unordered(range(20)):
            found[job] = result
            if job in (3, 9):
                os.kill(processes.pids()[job % 2], signal.SIGKILL)
        assert found == {n: n * n for n in range(20)}


@pytest.mark.parametrize("method", METHODS)
def test_workers_that_die_while_idle(method: str) -> None:
    with Processes(squares, 2, method) as processes:
        results(processes, range(4))
        for pid in processes.pids():
            os.kill(pid, signal.SIGKILL)
        assert results(processes, range(9)) == {n: n * n for n in range(9)}


@pytest.mark.parametrize(("way", "code"), [(kill_me, -9), (leave, 7)])
@pytest.mark.parametrize("method", METHODS)
def test_a_job_that_always_kills_its_worker(
    method: str, way: Callable[[], None], code: int
) -> None:
    found = []
    with (
        Processes(partial(deadly, 4, way), 2, method) as processes,
        pytest.raises(WorkerFailed) as caught,
    ):
        for job, _ in processes.map_unordered(range(9)):
            found.append(job)  # before the error
    assert MOST_TRIES == 3 and str(caught.value) == (
        f"a worker died 3 times on block 4, the last time with exit code {code}"
    )
    assert set(found) >= {0, 1, 2, 3} and 4 not in found


def test_the_caller_says_how_a_job_is_called() -> None:
    def name(job: int) -> str:
        return f"deals {job}00 to {job}99 of 'greedy'"

    def jobs_of(setup: Callable[[], Work]) -> str:
        with Processes(setup, 1, name=name) as processes, pytest.raises(WorkerFailed) as caught:
            results(processes, [3])
        return str(caught.value)

    assert "died 3 times on deals 300 to 399 of 'greedy', " in jobs_of(partial(deadly, 3, leave))
    assert "deals 300 to 399 of 'greedy' failed:\n" in jobs_of(partial(raising, KeyError("x")))


@pytest.mark.parametrize("method", METHODS)
def test_an_error_of_ours_arrives_as_it_is(method: str) -> None:
    error = StrategyFailed("strategy 'x', deal 7, turn 2: it hurts (x.py:9)")
    with Processes(partial(raising, error), 2, method) as processes:
        with pytest.raises(StrategyFailed) as caught:
            results(processes, range(9))
        assert type(caught.value) is StrategyFailed and str(caught.value) == str(error)


@pytest.mark.parametrize("method", METHODS)
def test_any_other_error_arrives_with_its_traceback(method: str) -> None:
    with (
        Processes(partial(raising, ValueError("odd")), 2, method) as processes,
        pytest.raises(WorkerFailed) as caught,
    ):
        results(processes, range(9))
    text = str(caught.value)
    assert text.startswith("block 3 failed:\nTraceback") and "ValueError: odd" in text
    assert "test_workers.py" in text


@pytest.mark.parametrize("method", METHODS)
def test_an_error_while_a_worker_is_set_up_arrives(method: str) -> None:
    with (
        Processes(broken_setup, 2, method) as processes,
        pytest.raises(BadInput, match="no such strategy"),
    ):
        results(processes, range(3))


def test_a_round_that_was_left_cannot_be_followed_by_another() -> None:
    with Processes(slow_squares, 2) as processes:
        left = processes.map_unordered(range(9))
        next(left)
        with pytest.raises(RuntimeError, match="an earlier round of these workers was left"):
            results(processes, range(100, 109))
        assert len(list(left)) == 8, "the first one may still go on"
        assert results(processes, range(3)) == {0: 0, 1: 1, 2: 4}


def test_jobs_are_drawn_as_workers_become_free() -> None:
    drawn = []

    def source() -> Iterator[int]:
        for job in range(30):
            drawn.append(job)
            yield job

    with Processes(slow_squares, 2) as processes:
        for done, _ in enumerate(processes.map_unordered(source()), start=1):
            assert done <= len(drawn) <= done + 2
    assert drawn == list(range(30))


@pytest.mark.parametrize("method", METHODS)
def test_large_jobs_and_results_do_not_block(method: str) -> None:
    jobs = [bytes(3_000_000 + n) for n in range(4)]
    with Processes(big, 2, method) as processes:
        assert results(processes, jobs) == {job: job for job in jobs}


@pytest.mark.parametrize("method", METHODS)
def test_workers_ignore_ctrl_c(method: str) -> None:
    with Processes(slow_squares, 2, method) as processes:
        for job, _ in processes.map_unordered(range(12)):
            if job < 4:
                for pid in processes.pids():
                    os.kill(pid, signal.SIGINT)
        assert results(processes, range(3)) == {0: 0, 1: 1, 2: 4}


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("threaded", [False, True])
def test_ctrl_c_reaches_no_worker_that_is_starting(threaded: bool) -> None:
    """Whatever thread starts it."""
    found: list[bool] = []

    def start() -> None:
        with Processes(squares, 1, "spawn") as processes:
            before = processes.pids()
            os.kill(before[0], signal.SIGINT)
            assert results(processes, range(3)) == {0: 0, 1: 1, 2: 4}
            found.append(processes.pids() == before)

    if threaded:
        thread = threading.Thread(target=start)
        thread.start()
        thread.join()
    else:
        start()
    assert found == [True]


def gone(pid: int) -> bool:
    """Whether a process has ended, even if nobody has asked for its exit code yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until_gone(pids: list[int], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not all(map(gone, pids)):
        assert time.monotonic() < end, f"still there: {[pid for pid in pids if not gone(pid)]}"
        time.sleep(0.02)


@linux_only
@pytest.mark.parametrize("method", METHODS)
def test_leaving_stops_workers_in_the_middle_of_a_job(method: str) -> None:
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Processes(sleeping, 3, method) as processes:
        pids = processes.pids()
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        next(processes.map_unordered(range(9)))
    signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - started < 5
    wait_until_gone(pids, 5)


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals to threads")
def test_a_signal_that_another_thread_took_is_noticed() -> None:
    other = threading.Thread(target=time.sleep, args=(2,))
    other.start()
    assert other.ident
    started = time.monotonic()
    threading.Timer(0.5, signal.pthread_kill, (other.ident, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt), Processes(dozing, 1) as processes:
        next(processes.map_unordered([10]))
    print(f"noticed after {time.monotonic() - started - 0.5:.2f} s")
    assert time.monotonic() - started < 5
    other.join()


PARENT = """
import sys
import threading
import time
from sim.workers import Processes

def setup():
    import time  # a worker does not run this script
    return lambda job: time.sleep(600)

if __name__ == "__main__":
    with Processes(setup, 3, sys.argv[1]) as processes:
        print(*processes.pids(), flush=True)
        if sys.argv[2] == "idle":
            time.sleep(600)
        list(processes.map_unordered(range(9)))
"""


@linux_only
@pytest.mark.parametrize("doing", ["idle", "busy"])
@pytest.mark.parametrize("method", METHODS)
def test_no_worker_outlives_a_killed_parent(method: str, doing: str, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    command = [sys.executable, str(script), method, doing]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 3 and not any(map(gone, pids))
        time.sleep(0.3)
        parent.kill()
    wait_until_gone(pids, 10)


MAIN = """
from sim.workers import Processes
def setup():
    return lambda job: job + 1
with Processes(setup, 2, {!r}) as processes:  # not below `if __name__ == "__main__"`
    print(sorted(processes.map_unordered(range(3))))
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("how", ["-", "script.py"])
def test_a_worker_does_not_run_the_main_script(method: str, how: str, tmp_path: Path) -> None:
    """And a script that was typed in has no file to be run from."""
    text = MAIN.format(method)
    (tmp_path / "script.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-W", "error", how],
        input=text,
        cwd=tmp_path,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("[(0, 1), (1, 2), (2, 3)]\n", "")


def test_the_main_module_is_as_before() -> None:
    main = sys.modules["__main__"]
    before = dict(vars(main))
    with Processes(squares, 1, "spawn"):
        assert vars(main) == before


def test_the_default_start_method_is_one_of_those_offered() -> None:
    from sim.commands import run

    assert default_start_method() in START_METHODS
    assert run.START_METHODS == START_METHODS  # written twice, so that `--help` is quick
