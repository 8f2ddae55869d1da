"""What a process of a Dask cluster does: it gets ready for a run once, and then plays blocks.

Players are built here, once a process, whatever threads Dask has for them: one block is played at
a time, for players are not made to be shared.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sim.errors import TipoffError
from sim.parcel import facts, unpack
from sim.schedule import Job
from sim.store import Packed
from sim.work import Parts, Work, player_of_blocks

MOST_RUNS = 4  # that a process stays ready for; those before are forgotten

_ready: dict[str, tuple[Work, dict[str, str]]] = {}  # by the key of the parcel
_one_at_a_time = threading.Lock()


class Answer(NamedTuple):
    """What became of a job: one of these, or none if this process is not ready for its run."""

    block: Packed | None = None
    error: TipoffError | None = None
    fault: str = ""  # a traceback


def prepare(key: str, expected: Mapping[str, str], packed: bytes) -> list[str]:
    """Get ready for a run; return what is other here than expected, in words."""
    here = facts()
    wrong = [f"{what} {here.get(what)}" for what in expected if here.get(what) != expected[what]]
    if wrong:
        return [f"{has}, expected {expected[has.split()[0]]}" for has in wrong]
    with _one_at_a_time:
        try:
            parts, folders = unpack(packed)
        except Exception as error:  # whatever a game or package that is missing here leads to
            return [f"not all that is needed ({type(error).__name__}: {error})"]
        found = list(dict.fromkeys(_other_stamps(parts)))
        if not found:
            _ready[key] = player_of_blocks(*parts), folders
            for old in list(_ready)[:-MOST_RUNS]:
                del _ready[old]
        return found


def play(key: str, job: Job) -> Answer:
    """Play a block of a run that this process is ready for."""
    with _one_at_a_time:
        if key not in _ready:  # a new process at an old address
            return Answer()
        work, folders = _ready[key]
        try:
            return Answer(work(job))
        except TipoffError as error:
            return Answer(error=type(error)(_as_at_home(str(error), folders)))
        except Exception:
            return Answer(fault=traceback.format_exc())


def _other_stamps(parts: Parts) -> Iterator[str]:
    """Yield which strategies are not those that the stamps stand for."""
    game, dice, specs, stamps = parts
    for spec, stamp in zip(specs, stamps, strict=True):
        try:
            found = spec.stamp(game, dice)
        except Exception as error:  # whatever importing it leads to
            yield f"no {spec.classes} ({type(error).__name__}: {error})"
            continue
        if found != stamp:
            yield f"another {spec.classes} (stamp {found[:12]}, expected {stamp[:12]})"


def _as_at_home(text: str, folders: Mapping[str, str]) -> str:
    """Return a message with the places of plug-ins as they are called where they came from."""
    for here, home in folders.items():
        text = text.replace(here, home)
    return text
