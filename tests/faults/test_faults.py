"""Whatever is done to a run: nothing hangs, nothing committed is lost, and the digest is right."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.harness import COMMAND, LINUX, WITHOUT_CHARTS, Run, again, prepare
from tests.faults.kinds import FAULTS, Case, Missed, Outcome

pytestmark = pytest.mark.skipif(not LINUX, reason="reads /proc, and mounts")

SEED = 2024
ROUNDS = 4  # of all faults, in the slow suite


def measured(folder: Path, deals: int, charts: bool, pause: float) -> Case:
    """Run undisturbed, twice: the first may compile."""
    prepare(folder, deals)
    again(prepare(folder / "first", deals))
    started = time.monotonic()
    run = Run(folder, command=COMMAND if charts else WITHOUT_CHARTS)
    run.wait_for_store()
    opened = time.monotonic()
    run.wait_until(lambda: bool(run.workers()))
    run.wait_until(lambda: not run.workers())
    played = time.monotonic()
    assert run.finish(120) is not None and (run.status, run.err) == (0, "")
    whole = time.monotonic() - started
    digest = again(folder)
    size = sum(path.stat().st_size for path in run.store.parent.iterdir())
    print(f"undisturbed: {whole:.1f} s, of which playing {played - opened:.1f} s; {size} bytes")
    return Case(folder, random.Random(), played - opened, whole, size, digest, charts, pause)


def done_to(case: Case, name: str, folder: Path, number: int, deals: int) -> Outcome:
    """Do it; where the run was faster, to another one."""
    dice = random.Random(f"{SEED} {name} {number}")
    for turn in range(10):
        place = prepare(folder / str(turn), deals)
        with suppress(Missed):
            return FAULTS[name](replace(case, folder=place, dice=dice))
    raise AssertionError("the run was always faster")


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return measured(tmp_path_factory.mktemp("undisturbed"), 3_000, charts=False, pause=2)


# What the ordinary suite leaves out: much like another, or slow.
OFTEN_ENOUGH = ("at any time", "five times", "SIGTERM to all", "SIGHUP", "replaced", "below a file")
ONCE = [name for name in FAULTS if not any(part in name for part in OFTEN_ENOUGH)]


@pytest.mark.parametrize("name", ONCE)
def test_once(name: str, quick: Case, tmp_path: Path) -> None:
    outcome = done_to(quick, name, tmp_path, 0, 3_000)
    print(outcome)
    assert (outcome.lost, outcome.hung) == (0, False)


@pytest.mark.slow
def test_at_many_times(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prints the table that stands in `docs/reliability.md`."""
    case = measured(tmp_path_factory.mktemp("undisturbed"), 10_000, charts=True, pause=30)
    rows = []
    for name in FAULTS:
        found = []
        for number in range(ROUNDS):
            folder = tmp_path_factory.mktemp("fault")
            found.append(done_to(case, name, folder, number, 10_000))
        rows.append(row(name, found))
        with capsys.disabled():
            print(rows[-1], flush=True)
    with capsys.disabled():
        print("\n" + "\n".join([*HEAD, *rows]))
    assert ROUNDS * len(FAULTS) >= 60
    assert not [line for line in rows if not line.endswith("| 0 | 0 |")]


HEAD = (
    "| fault | tries | blocks committed before | ended within | lost | hung |",
    "|---|---|---|---|---|---|",
)


def row(name: str, found: list[Outcome]) -> str:
    before = [outcome.committed for outcome in found]
    slowest = max(outcome.ended for outcome in found)
    lost, hung = (sum(outcome.lost for outcome in found), sum(o.hung for o in found))
    counts = f"{min(before)}–{max(before)}"
    return f"| {name} | {len(found)} | {counts} | {slowest:.1f} s | {lost} | {hung} |"
