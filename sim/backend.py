"""Where blocks are played: by processes of this machine, or by a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, Protocol

from sim.errors import BadInput, did_you_mean
from sim.work import Parts, player_of_blocks
from sim.workers import Processes

BACKENDS = ("processes", "dask")


class Workers(Protocol):
    """Whoever plays blocks."""

    @property
    def count(self) -> int:
        """Return how many blocks are played at a time."""
        ...

    def map_unordered(self, jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (job, result) for each job, in the order in which they are finished."""
        ...


@dataclass(frozen=True)
class Backend:
    """Who shall play, as the user said."""

    name: str = BACKENDS[0]
    scheduler: str = ""  # address of the one of a Dask cluster; "": a cluster on this machine
    start_method: str = ""  # of processes; "": that of the platform

    def check(self, workers: int | None) -> None:
        """Refuse what does not go together, or cannot be done here.

        Raises:
            BadInput: as the message says.
        """
        if self.name not in BACKENDS:
            raise BadInput(f"backend: unknown '{self.name}'{did_you_mean(self.name, BACKENDS)}")
        if self.scheduler and self.name != "dask":
            raise BadInput("--scheduler names a Dask cluster; give --backend dask with it")
        if self.scheduler and workers is not None:
            raise BadInput("--scheduler: the cluster has its own workers; leave out --workers")
        if self.start_method and self.name == "dask":
            raise BadInput("--start-method is for processes; leave it out with --backend dask")
        if self.name == "dask" and not _is_there("distributed"):
            raise BadInput(
                "--backend dask needs Dask's distributed; install it with "
                "`pip install 'tipoff[dask]'` or `pip install distributed`"
            )

    def start(
        self, parts: Parts, count: int, name: Callable[[Any], str], tell: Callable[[str], None]
    ) -> AbstractContextManager[Workers]:
        """Start the workers.

        Args:
            parts: whom they shall play.
            count: how many, unless a cluster is given.
            name: says in messages which job it was.
            tell: is told what the user should know.
        """
        if self.name == "processes":
            return Processes(partial(player_of_blocks, *parts), count, self.start_method, name)
        from sim.cluster import Cluster  # a second

        return Cluster(parts, count, self.scheduler, name, tell)


PROCESSES = Backend()


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # it was put out of the way
        return False
