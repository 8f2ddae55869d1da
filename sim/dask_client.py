"""Connecting to a Dask cluster, and keeping what it logs from drowning what we say."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from distributed import Client, LocalCluster

from sim.errors import BadInput
from sim.workers import main_hidden

CONNECTING = 10.0  # seconds until a scheduler has to answer
LEAVING = 2.0  # seconds that saying goodbye may take
LOOPBACK = "127.0.0.1"


@contextmanager
def connected(scheduler: str, count: int) -> Iterator[Any]:
    """Give a client of a cluster: the one at an address, or one of this machine that ends with it.

    Raises:
        BadInput: if no scheduler answers at the address.
    """
    if not scheduler:
        with _local(count) as cluster, _client(cluster) as client:
            yield client
        return
    with ExitStack() as opened:
        try:
            client = opened.enter_context(_client(scheduler))
        except (OSError, ValueError, ImportError) as error:  # a TimeoutError is an OSError
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise BadInput(
                f"no Dask scheduler answers at '{scheduler}' ({reason}); expected an address such "
                "as tcp://192.0.2.7:8786, as `dask scheduler` prints it"
            ) from error
        yield client


@contextmanager
def _client(cluster: Any) -> Iterator[Any]:
    client = Client(cluster, timeout=CONNECTING, set_as_default=False)
    try:
        yield client
    finally:
        with suppress(OSError, TimeoutError):
            client.close(timeout=LEAVING)


def _local(count: int) -> Any:
    with main_hidden("spawn"):
        return LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",  # without bokeh it says that it needs it
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Dask from logging: what matters becomes a message of ours."""
    logs = [
        log
        for name, log in logging.root.manager.loggerDict.items()
        if isinstance(log, logging.Logger)
        and name.partition(".")[0] in ("distributed", "tornado", "asyncio")
    ]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)
