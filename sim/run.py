"""One experiment from its config to its charts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sim import config, folder, plan, reuse
from sim.backend import PROCESSES, Backend
from sim.cast import Cast, cast_of
from sim.counting import playing_of
from sim.errors import BadInput, StoreDamaged
from sim.experiments import find, question
from sim.playing import Playing
from sim.published import Published
from sim.registry import Registry, discover
from sim.results import Results
from sim.shards import Shard
from sim.standings import Standings
from sim.store import Store

if TYPE_CHECKING:
    from sim.rounds import Stopped  # scipy


@dataclass(frozen=True)
class Options:
    """What the command line adds to a config."""

    config: str
    deals: str | None = None
    seed: str | None = None
    workers: int | None = None
    out: Path | None = None
    plugins: tuple[Path, ...] = ()
    backend: Backend = PROCESSES  # who plays
    require_compiled: bool = False
    yes: bool = False
    progress: bool | None = None  # a bar; None: on a terminal; False: nothing is asked either
    report: bool = True  # draw charts and write pages


@dataclass(frozen=True)
class Finished:
    """What a run gave."""

    results: Published
    paths: list[Path]
    played: int  # games played now
    reused: int  # games that were in the store
    found: str  # in the store, in words: which cells, and why others are played; "" if nothing
    engine_seconds: float  # spent playing, divided by the workers


@dataclass(frozen=True)
class PlayedShard:
    """What playing a shard gave."""

    folder: Path
    played: int  # games played now
    reused: int  # games that were in the store


def run(options: Options) -> Finished:
    """Play what is missing of an experiment and write its report.

    Raises:
        TipoffError: as the message says; what was finished stays stored.
    """
    options.backend.check(options.workers)
    wanted = _plan(options, discover())
    out = options.out or Path("reports") / wanted.experiment
    folder.claim(out, wanted)
    folder.warn_of_losses(out, wanted)
    cast = cast_of(wanted, options.require_compiled)
    return play(cast, out, options, reproduce(options), question(find(options.config)))


def play(cast: Cast, out: Path, options: Options, command: str, asked: str) -> Finished:
    """Play what is missing in a folder that was claimed, and write its report.

    Args:
        cast: whom to play.
        out: the folder.
        options: how to play.
        command: what plays the same again, for the report.
        asked: the question that the experiment answers, for the report.

    Raises:
        TipoffError: as the message says; what was finished stays stored.
    """
    with folder.opened(out, cast.plan) as store:
        folder.check_store(out, cast.plan, store)
        store.note({"command": command, "question": asked})
        folder.keep_config(out, cast.plan)
        games = _Games(store, options, out)
        results = _results(cast, store, games.play)
        paths = _write(results, store, out) if options.report else []
    reused, found = games.asked - games.played, reuse.words(games.fates)
    return Finished(results, paths, games.played, reused, found, games.seconds)


def run_shard(options: Options, shard: Shard) -> PlayedShard:
    """Play what is missing of a shard; `sim.merge` reports on all of them.

    Raises:
        BadInput: if it is decided while playing how many deals there are, or the folder holds
            another shard.
        TipoffError: as the message says; what was finished stays stored.
    """
    options.backend.check(options.workers)
    wanted = _plan(options, discover())
    if wanted.until is not None:
        raise BadInput("--shard: `until` is decided over the deals of all shards; give --deals N")
    out = options.out or Path("reports") / f"{wanted.experiment}-{shard.index}-of-{shard.count}"
    folder.claim(out, wanted)
    cast = cast_of(wanted, options.require_compiled)
    how = options.workers, options.backend, options.yes, options.progress
    with folder.opened(out, wanted) as store:
        folder.check_store(out, wanted, store)
        folder.check_shard(out, shard, store)
        asked = question(find(options.config))
        store.note({"command": reproduce(options), "question": asked, "shard": str(shard)})
        folder.keep_config(out, wanted)
        with playing_of(cast, store, *how, shard) as playing:
            playing.play([cell.deals for cell in wanted.cells])
    asked_for = sum(len(shard.part(cell.deals)) * cell.games for cell in wanted.cells)
    return PlayedShard(out, playing.played, asked_for - playing.played)


class _Games:
    """Plays what is missing and counts it."""

    def __init__(self, store: Store, options: Options, out: Path) -> None:
        self.store, self.options, self.out = store, options, out
        self.played = self.asked = 0
        self.seconds = 0.0  # of play, divided by the workers
        self.fates: list[tuple[str, str]] = []  # of each cell, with its label

    def play(self, cast: Cast) -> Stopped | None:
        """Play a cast; return where it was stopped, unless its deals were fixed before."""
        options, stopped = self.options, None
        how = options.workers, options.backend, options.yes, options.progress
        with playing_of(cast, self.store, *how) as playing:
            if cast.plan.until is None:
                playing.play([cell.deals for cell in cast.plan.cells])
            else:
                stopped = _play_until(cast, self.store, playing)
        plan = stopped.plan if stopped else cast.plan
        folder.no_fewer(self.out, plan)
        self.fates += playing.found.fates(plan.cells)
        self.played += playing.played
        self.asked += sum(cell.deals * cell.games for cell in plan.cells)
        self.seconds += playing.seconds / playing.workers
        return stopped


def _play_until(cast: Cast, store: Store, playing: Playing) -> Stopped:
    from sim.prospect import Prospect  # scipy
    from sim.rounds import play_until

    return play_until(cast.plan, cast.stamps, store, playing.play, Prospect(playing).hear)


def _results(cast: Cast, store: Store, play: Callable[[Cast], Stopped | None]) -> Published:
    """Return the results of a cast once it is played, and of its best on a fresh seed."""
    stopped = play(cast)
    if cast.plan.tournament:
        from sim.ranking import standings

        return standings(cast.plan, store, cast.stamps, cast.lanes)
    from sim import judge  # scipy takes a second: only after the play
    from sim.fresh import again

    played = stopped.plan if stopped else cast.plan
    found = judge.results(played, store, cast.stamps, cast.lanes, stopped)
    more = again(played, found)
    if more is None:
        return found
    fresh = _results(cast_of(more, False), store, play)
    assert isinstance(fresh, Results)
    return replace(found, fresh=fresh)


def redraw(out: Path) -> tuple[Published, list[Path]]:
    """Write the report of a run folder again from its store, without playing.

    Raises:
        BadInput: if it is no run folder.
        StoreDamaged: if deals are missing, or were played by other versions of the strategies.
    """
    cast = cast_of(planned(out), False)
    folder.warn_of_losses(out, cast.plan)
    try:
        with folder.opened(out, cast.plan) as store:
            folder.check_store(out, cast.plan, store)
            results = _results(cast, store, lambda cast: stopped(cast.plan, cast.stamps, store))
            return results, _write(results, store, out)
    except StoreDamaged as error:
        again = folder.command("tipoff", "run", out / folder.CONFIG, "--out", out)
        raise StoreDamaged(f"{error}: {again}") from error


def planned(out: Path) -> plan.Plan:
    """Return what was to be played in a run folder.

    Raises:
        BadInput: if it is no run folder.
    """
    for path in (out / folder.CONFIG, folder.store_path(out)):
        if not os.path.isfile(path):  # never raises, however long the name
            raise BadInput(f"{out} is no run folder: {path} is missing; `tipoff run` makes one")
    return plan.make(config.load(out / folder.CONFIG), discover())


def stopped(wanted: plan.Plan, stamps: Sequence[str], store: Store) -> Stopped | None:
    """Find out from the store where a run was stopped; None if its deals were fixed before.

    Raises:
        StoreDamaged: if deals are missing.
    """
    if wanted.until is None:
        return None
    from sim.rounds import play_until

    return play_until(wanted, stamps, store, lambda deals: None, lambda *_: None)


def _write(results: Published, store: Store, out: Path) -> list[Path]:
    from sim.report import write  # matplotlib

    told = out, store.told("command"), store.told("question")
    if isinstance(results, Standings):
        return write.write_standings(results, *told)
    return write.write_report(results, *told)


def reproduce(options: Options) -> str:
    """Return the command that plays the same experiment again."""
    words: list[object] = ["tipoff", "run", options.config]
    for name, value in (("--deals", options.deals), ("--seed", options.seed)):
        words += [name, value] if value is not None else []
    for path in options.plugins:
        words += ["--plugin", path]
    return folder.command(*words, *(["--out", options.out] if options.out else []))


def _plan(options: Options, registry: Registry) -> plan.Plan:
    loaded = config.load(find(options.config))
    for path in options.plugins:
        registry.add_plugin(path, loaded.experiment.game)
    return plan.make(loaded, registry, options.deals, options.seed)
