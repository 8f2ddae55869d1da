"""Dask across hosts that share no network but the wire between them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.hosts import Hosts, hosts
from tests.cluster.site import ON_PROCESSES, Site, needs_dask, site_in

pytestmark = [
    needs_dask,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's"),
]

FORGET = "5s"  # after so long without a word, a worker counts as lost


@pytest.fixture
def network() -> Iterator[Hosts]:
    with hosts() as made:
        yield made


@pytest.fixture
def site(tmp_path: Path, network: Hosts) -> Iterator[Site]:
    """A scheduler on a host of its own; no host can reach another's loopback."""
    with site_in(tmp_path) as made:
        made.host = network.address(2)
        made.settings = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": FORGET}
        made.start_scheduler(before=network.on(2))
        yield made


def test_two_hosts_play_as_one(site: Site, network: Hosts) -> None:
    for number in (network.add(), network.add()):
        site.start_worker("--host", network.address(number), before=network.on(number))
    out, err = site.play(config="tiny.yaml")
    assert f"2 workers of the Dask cluster tcp://{network.address(2)}:" in err
    assert site.play(config="tiny.yaml", how=ON_PROCESSES)[0].split()[0] == out.split()[0]


def test_a_host_that_is_unplugged_costs_only_its_blocks(site: Site, network: Hosts) -> None:
    stays, goes = network.add(), network.add()
    for number in (stays, goes):
        site.start_worker("--host", network.address(number), before=network.on(number))
    out, _ = site.play(config="tiny.yaml", command=network.unplug(goes))
    assert site.play(config="tiny.yaml", how=ON_PROCESSES)[0].split()[0] == out.split()[0]
