"""One experiment from its config to its charts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sim import config, folder, plan, spelling
from sim.cast import Cast, cast_of
from sim.errors import BadInput
from sim.experiments import find, question
from sim.playing import Playing
from sim.registry import Registry, discover
from sim.results import Results
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
    start_method: str = ""
    require_compiled: bool = False
    yes: bool = False


@dataclass(frozen=True)
class Finished:
    """What a run gave."""

    results: Results
    paths: list[Path]
    played: int  # games played now
    reused: int  # games that were in the store
    engine_seconds: float  # spent playing, divided by the workers


def run(options: Options) -> Finished:
    """Play what is missing of an experiment and write its report.

    Raises:
        TipoffError: as the message says; what was finished stays stored.
    """
    wanted = _plan(options, discover())
    out = options.out or Path("reports") / wanted.experiment
    folder.claim(out, wanted)
    cast = cast_of(wanted, options.require_compiled)
    with Store(folder.store_path(out), wanted.game) as store:
        folder.check_store(out, wanted, store)
        store.note({"command": reproduce(options), "question": question(find(options.config))})
        (out / folder.CONFIG).write_text(spelling.resolved(wanted), encoding="utf-8")
        with Playing(cast, store, options.workers, options.start_method, options.yes) as playing:
            stopped = _play(cast, store, playing)
        if stopped is not None:
            folder.no_fewer(out, stopped.plan)
        results, paths = _report(cast, store, out, stopped)
    games = sum(entry.deals for entry in results.entries)
    seconds = playing.seconds / playing.workers
    return Finished(results, paths, playing.played, games - playing.played, seconds)


def _play(cast: Cast, store: Store, playing: Playing) -> Stopped | None:
    """Play all that is missing; return where it was stopped, if nothing was fixed before."""
    plan = cast.plan
    if plan.until is None:
        playing.play([cell.deals for cell in plan.cells])
        return None
    from sim.prospect import Prospect  # scipy
    from sim.rounds import play_until

    return play_until(plan, cast.stamps, store, playing.play, Prospect(playing).hear)


def redraw(out: Path) -> tuple[Results, list[Path]]:
    """Write the report of a run folder again from its store, without playing.

    Raises:
        BadInput: if it is no run folder.
        StoreDamaged: if deals are missing, or were played by other versions of the strategies.
    """
    for path in (out / folder.CONFIG, folder.store_path(out)):
        if not path.is_file():
            raise BadInput(f"{out} is no run folder: {path} is missing; `tipoff run` makes one")
    cast = cast_of(plan.make(config.load(out / folder.CONFIG), discover()), False)
    with Store(folder.store_path(out), cast.plan.game) as store:
        folder.check_store(out, cast.plan, store)
        return _report(cast, store, out, _stopped(cast, store))


def _stopped(cast: Cast, store: Store) -> Stopped | None:
    """Find out from the store where a run was stopped."""
    if cast.plan.until is None:
        return None
    from sim.rounds import play_until

    return play_until(cast.plan, cast.stamps, store, lambda deals: None, lambda *_: None)


def _report(
    cast: Cast, store: Store, out: Path, stopped: Stopped | None
) -> tuple[Results, list[Path]]:
    from sim import judge  # scipy and matplotlib take a second each: only after the play
    from sim.report.write import write_report

    played = stopped.plan if stopped else cast.plan
    results = judge.results(played, store, cast.stamps, cast.lanes, stopped)
    about = store.meta()
    return results, write_report(results, out, about["command"], about["question"])


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
