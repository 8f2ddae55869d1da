"""Feed one target with many inputs, in a process whose memory and time are limited.

    python -m tests.fuzz TARGET COUNT [SEED]

prints what came of it as JSON, or the input that did harm.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from tests.fuzz.inputs import BOMBS, SEEDS, valid
from tests.fuzz.targets import TARGETS

SECONDS = 2.0  # of processor time an input may take
MEGABYTES = 500  # more than the process has before its first input


class TooLong(BaseException):
    """An input took longer than it may; no target can catch this."""


def _too_long(*_: object) -> NoReturn:
    raise TooLong(f"more than {SECONDS} s")


def limit_memory() -> None:
    if sys.platform.startswith("linux"):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEGABYTES * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def inputs(name: str, count: int, seed: int) -> Iterator[bytes]:
    """Yield so many inputs, the same for the same seed."""
    dice = random.Random(f"{name} {seed}")
    return (SEEDS[name](dice) for _ in range(count))


def feed(name: str, datas: Iterable[bytes]) -> dict[str, Any]:
    """Feed a target; return how many inputs there were and were taken, and the slowest."""
    target, count, taken, slowest = TARGETS[name], 0, 0, 0.0
    started = time.monotonic()
    signal.signal(signal.SIGPROF, _too_long)
    for data in datas:
        before = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            taken += target(data)
        except BaseException:
            print(f"{name}: {data[:3000]!r}", file=sys.stderr)
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        count += 1
        slowest = max(slowest, time.process_time() - before)
    return {
        "target": name,
        "inputs": count,
        "taken": taken,
        "slowest": slowest,
        "seconds": time.monotonic() - started,
    }


if __name__ == "__main__":
    warnings.simplefilter("error")
    name, count, seed = sys.argv[1], int(sys.argv[2]), int((*sys.argv[3:], 1)[0])
    assert TARGETS[name](valid(name))  # what it needs is imported and compiled
    limit_memory()
    try:
        if name == "config":
            feed(name, BOMBS)
        print(json.dumps(feed(name, inputs(name, count, seed))))
    except BaseException:
        traceback.print_exc()
        sys.exit(1)
