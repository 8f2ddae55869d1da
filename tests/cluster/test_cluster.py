"""Dask: real schedulers and workers over TCP, and what is done to them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import remote
from sim.game import Dice
from sim.parcel import Parcel, facts, unpack
from sim.registry import discover
from sim.schedule import Job
from sim.work import Parts, Spec
from tests.cluster.site import CONFIG, ON_PROCESSES, Site, needs_dask, site_in
from tests.command import Tipoff, config

HELPER = "def middle(move):\n    return move.cleared * 2.0\n"
PLUGIN = """from helper_of_mine import middle
from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy


class MineAlone(Strategy):
    \"\"\"Clear many.\"\"\"

    def score(self, view: View, move: Move) -> float:
        return middle(move)
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with site_in(tmp_path) as made:
        yield made


BLOCKS = 15  # at least so many, whatever the machine: a block has a hundredth of all deals or so


# ---- a real cluster


@needs_dask
@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_only_its_blocks(site: Site) -> None:
    site.start_scheduler()
    doomed, _ = site.start_worker(), site.start_worker()
    out, err = site.play(config="tiny.yaml", kill=doomed.pid)
    digest, blocks = out.split()
    assert f"2 workers of the Dask cluster {site.scheduler}" in err
    assert "its dashboard: http://127.0.0.1:" in err
    assert doomed.wait(10) == -signal.SIGKILL and int(blocks) > BLOCKS
    assert site.play(config="tiny.yaml", how=ON_PROCESSES)[0].split()[0] == digest


@needs_dask
@pytest.mark.slow
def test_counts_are_the_same_and_a_lost_worker_costs_only_its_blocks(site: Site) -> None:
    config(site.folder, "store: counts\n" + CONFIG)
    site.start_scheduler()
    doomed, _ = site.start_worker(), site.start_worker()
    out, _ = site.play(config="tiny.yaml", kill=doomed.pid)
    digest, blocks = out.split()
    assert doomed.wait(10) == -signal.SIGKILL and int(blocks) > BLOCKS
    assert site.play(config="tiny.yaml", how=ON_PROCESSES)[0].split()[0] == digest


@needs_dask
@pytest.mark.slow
def test_a_cluster_of_this_machine_plays_a_typed_class(site: Site) -> None:
    here = {"scheduler": "", "workers": 2}
    out, err = site.play(config="tiny.yaml", typed=True, how=here)
    assert "2 workers of the Dask cluster tcp://127.0.0.1:" in err
    same, _ = site.play(config="tiny.yaml", typed=True, how=ON_PROCESSES)
    assert out.split()[0] == same.split()[0]


@needs_dask
@pytest.mark.slow
def test_a_plugin_that_only_the_client_has(site: Site) -> None:
    plugin, helper = site.folder / "mine.py", site.folder / "helper_of_mine.py"
    plugin.write_text(PLUGIN, encoding="utf-8")
    helper.write_text(HELPER, encoding="utf-8")
    config(site.folder, f"{CONFIG}plugins: [mine.py]\n".replace("[greedy", "[mine-alone, greedy"))
    same, _ = site.play(config="tiny.yaml", how=ON_PROCESSES)
    site.start_scheduler()
    site.start_worker()
    out, _ = site.play(config="tiny.yaml", gone=[str(plugin), str(helper)])
    assert not plugin.exists() and out.split()[0] == same.split()[0]


@needs_dask
@pytest.mark.slow
def test_a_worker_with_another_version_is_refused_by_name(site: Site) -> None:
    other = site.folder / "other.py"
    other.write_text("import sim\nsim.__version__ = '0.0.1'\n", encoding="utf-8")
    site.start_scheduler()
    site.start_worker()
    site.start_worker("--preload", other, "--worker-port", port := free_port())
    _, err = site.play(2, config="tiny.yaml", how={"out": "out"})
    assert f"worker tcp://127.0.0.1:{port} has tipoff 0.0.1, expected {facts()['tipoff']}" in err


@needs_dask
@pytest.mark.slow
def test_workers_may_join_late_and_are_looked_over(site: Site) -> None:
    other = site.folder / "other.py"
    other.write_text("import sim.deals\nsim.deals.STREAM_VERSION = 99\n", encoding="utf-8")
    site.start_scheduler()
    mark = site.folder / "joined"
    run = site.started({"config": "tiny.yaml", "wait": str(mark)})
    assert run.stderr
    said = run.stderr.readline()
    assert said == "the cluster has no worker that can play; waiting for one to join\n"
    first = site.start_worker()
    site.wait_for("waiting")
    site.start_worker("--preload", other, "--worker-port", port := free_port())
    first.kill()
    site.start_worker()
    mark.touch()
    out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert f"worker tcp://127.0.0.1:{port} is not used: it has stream 99, expected 1" in err
    same, _ = site.play(config="tiny.yaml", how=ON_PROCESSES)
    assert out.split()[0] == same.split()[0]


@needs_dask
@pytest.mark.slow
def test_a_lost_scheduler_ends_in_one_message_and_what_was_played_stays(site: Site) -> None:
    lost = site.start_scheduler()
    site.start_worker()
    _, err = site.play(1, config="tiny.yaml", kill=lost.pid, how={"out": "out"})
    assert "the scheduler of the Dask cluster does not answer any more; what was finished" in err
    out, _ = site.play(config="tiny.yaml", how=ON_PROCESSES | {"out": "out"})
    same, _ = site.play(config="tiny.yaml", how=ON_PROCESSES)
    assert out.split()[0] == same.split()[0]
    assert int(out.split()[1]) < int(same.split()[1])


@needs_dask
@pytest.mark.slow
def test_an_interrupt_leaves_a_given_cluster_running(site: Site) -> None:
    scheduler = site.start_scheduler()
    worker = site.start_worker()
    whole, _ = site.play(config="tiny.yaml")
    run = site.started({"config": "tiny.yaml", "wait": str(site.folder / "never")})
    site.wait_for("waiting")
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=20)
    assert run.returncode == 130
    assert scheduler.poll() is None and worker.poll() is None
    assert site.play(config="tiny.yaml")[0].split()[0] == whole.split()[0]


@needs_dask
@pytest.mark.slow
def test_a_scheduler_that_is_not_there(site: Site) -> None:
    site.scheduler = f"tcp://127.0.0.1:{free_port()}"
    _, err = site.play(2, config="tiny.yaml")
    assert f"no Dask scheduler answers at '{site.scheduler}'" in err


def free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


# ---- what needs no cluster


def parts_of(*files: Path) -> Parts:
    """A cast of the strategies in some files."""
    registry = discover()
    game = registry.game("club_fight")
    listings = [one for file in files for one in registry.add_plugin(file, game.name)]
    dice = Dice(1, 0)
    specs = [Spec(listing.origin, {}, game.rules()) for listing in listings]
    return game, dice, specs, [spec.stamp(game, dice) for spec in specs]


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    (tmp_path / "helper_of_mine.py").write_text(HELPER, encoding="utf-8")
    path = tmp_path / "mine.py"
    path.write_text(PLUGIN, encoding="utf-8")
    return path


def test_a_plugin_goes_along_with_its_helpers_under_the_same_stamp(plugin: Path) -> None:
    parts = parts_of(plugin)
    parcel = Parcel.of(parts)
    plugin.unlink()
    (plugin.parent / "helper_of_mine.py").unlink()
    (game, dice, specs, stamps), folders = unpack(parcel.packed)
    file = Path(specs[0].origin.file or "")
    assert file.read_text(encoding="utf-8") == PLUGIN and file.parent != plugin.parent
    assert folders == {str(file.parent): str(plugin.parent)}
    assert [spec.stamp(game, dice) for spec in specs] == list(stamps) == list(parts[3])


def test_a_process_gets_ready_once_and_plays(plugin: Path) -> None:
    game, dice, specs, _ = parts = parts_of(plugin)
    parcel = Parcel.of(parts)
    assert remote.play(parcel.key, Job(0, 0, 10)) == remote.Answer()
    assert remote.prepare(parcel.key, parcel.expected, parcel.packed) == []
    block = remote.play(parcel.key, Job(0, 0, 10)).block
    assert block and len(block.unpacked()) == 10 * len(game.columns)
    ours = specs[0].player(game)
    played = game.part("play").play_block(specs[0].rules, dice, 0, 10, ours)
    assert block.unpacked() == played.outcomes.tobytes()


@pytest.mark.parametrize("what", sorted(facts()))
def test_every_fact_is_compared(what: str) -> None:
    assert remote.prepare("x", facts() | {what: "0"}, b"never read") == [
        f"{what} {facts()[what]}, expected 0"
    ]


def test_other_sources_are_told_by_the_strategy(plugin: Path) -> None:
    game, dice, specs, stamps = parts_of(plugin)
    parcel = Parcel.of((game, dice, specs, ["0" * 64]))
    found = remote.prepare(parcel.key, parcel.expected, parcel.packed)
    assert found == [f"another MineAlone (stamp {stamps[0][:12]}, expected 000000000000)"]


def test_a_fault_is_told_with_the_place_on_the_clients_machine(plugin: Path) -> None:
    text = PLUGIN.replace("return middle(move)", "return middle(move) / (move.cleared - 1.0)")
    plugin.write_text(text, encoding="utf-8")
    parcel = Parcel.of(parts_of(plugin))
    assert remote.prepare(parcel.key, parcel.expected, parcel.packed) == []
    error = remote.play(parcel.key, Job(0, 0, 100)).error
    assert error and "strategy 'mine-alone', deal " in str(error) and f"({plugin}:" in str(error)


def test_dask_must_be_installed(
    tipoff: Tipoff, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    config(empty_folder)
    said = tipoff("run", "tiny.yaml", "--backend", "dask")
    assert said.status == 2 and "pip install 'tipoff[dask]'" in said.err
    assert not (empty_folder / "reports").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "give --backend dask with it"),
        (["--backend", "dask", "--scheduler", "x", "--workers", "2"], "leave out --workers"),
        (["--backend", "dask", "--start-method", "fork"], "--start-method is for processes"),
    ],
)
def test_what_does_not_go_together(
    words: list[str], message: str, tipoff: Tipoff, empty_folder: Path
) -> None:
    config(empty_folder)
    said = tipoff("run", "tiny.yaml", *words)
    assert said.status == 2 and message in said.err
    assert not (empty_folder / "reports").exists()
