"""The folder of a run: what may be written where, so that no trial spoils a published gallery."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sim import config, published
from sim.count_store import CountStore
from sim.errors import BadInput
from sim.plan import Plan
from sim.published import Published
from sim.results import Results
from sim.say import say
from sim.shards import Shard
from sim.spelling import DEALS, dump, dump_deals, resolved
from sim.store import FILE_NAME, Store

RESULTS = "results.json"
CONFIG = "config.yaml"
MOST_NAMES = 5  # entries named in a warning


def claim(folder: Path, plan: Plan) -> None:
    """Make the folder if need be, and check that this plan may go on in it.

    Raises:
        BadInput: if it cannot be written, or shows another experiment, seed or game, or more deals.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}") from error
    shown = _shown(folder / RESULTS)
    if shown is None and not store_path(folder).exists() and not _is_ours(folder, plan):
        _no_strange_files(folder)
    if shown is not None:
        _same(folder, plan, identity_of_results(shown))
        counts = isinstance(shown, Results) and shown.counts
        _same_kind(folder, plan, "counts" if counts else "deals")
        no_fewer(folder, plan)


def keep_config(folder: Path, plan: Plan) -> None:
    """Write the resolved config into a folder, and beside it the set of deals it plays."""
    if plan.deal_set:
        (folder / DEALS).write_text(dump_deals(plan.deal_set), encoding="utf-8")
    (folder / CONFIG).write_text(resolved(plan), encoding="utf-8")


def check_store(folder: Path, plan: Plan, store: Store) -> None:
    """Check that a store belongs to the same experiment; note so in a new one."""
    known = store.meta()
    if known:
        _same(folder, plan, known)
        _same_kind(folder, plan, known.get("store", "deals"))
    else:
        store.note(identity(plan) | ({"store": "counts"} if plan.counts else {}))


def opened(folder: Path, plan: Plan, read_only: bool = False) -> Store:
    """Open the store of a folder, which holds deals or counts as the plan wants."""
    kind = CountStore if plan.counts else Store
    return kind(store_path(folder), plan.game, read_only)


def no_counts(plan: Plan, folder: Path, what: str) -> None:
    """Refuse what needs the outcome of every deal where a plan keeps counts.

    Raises:
        BadInput: saying so.
    """
    if plan.counts:
        raise BadInput(
            f"{folder} keeps counts, not every deal: {what}; an experiment without "
            "`store: counts` keeps them"
        )


def check_shard(folder: Path, shard: Shard, store: Store) -> None:
    """Check that a store holds no other shard, nor a whole run."""
    known = store.told("shard")
    if known != str(shard) and (known or store.meta().get("command")):
        holds = f"shard {known}" if known else "a run that is not cut into shards"
        raise BadInput(f"{folder} holds {holds}, not shard {shard}; give another with --out DIR")


def warn_of_losses(folder: Path, plan: Plan) -> None:
    """Name the entries that the folder shows and the report of this plan will not.

    An entry that only got another label is no loss.
    """
    shown = _shown(folder / RESULTS)
    if shown is None:
        return
    lines = plan.lines()
    kept = {(line.label, line.variant) for line in lines}
    played = [line.what for line in lines]
    lost = [
        f"'{entry.label}' under {entry.variant}"
        for entry in shown.entries
        if (entry.label, entry.variant) not in kept and entry.identity() not in played
    ]
    if lost:
        more = f" and {len(lost) - MOST_NAMES} more" if len(lost) > MOST_NAMES else ""
        say(
            f"warning: {folder} shows entries that are no longer in the config; the new report "
            f"will not have them: {', '.join(lost[:MOST_NAMES])}{more}"
        )


def identity(plan: Plan) -> dict[str, str | int | None]:
    """Return what must agree for two runs to share a folder."""
    return {
        "experiment": plan.experiment,
        "game": plan.game.name,
        "seed": plan.seed,
        "ties": plan.ties,
        "tie_seed": plan.tie_seed,
        "deal_set": plan.deal_set.digest if plan.deal_set else None,
    }


def identity_of_results(results: Published) -> dict[str, str | int | None]:
    """Return the same of results that were written before."""
    chosen = results.deal_set if isinstance(results, Results) else None
    return {
        "experiment": results.experiment,
        "game": results.game,
        "seed": results.seed,
        "ties": results.ties,
        "tie_seed": results.tie_seed,
        "deal_set": chosen.digest if chosen else None,
    }


def store_path(folder: Path) -> Path:
    """Return the path of the folder's store."""
    return folder / FILE_NAME


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give the path of a draft that takes the place of `path` at the end, or leaves no trace.

    Raises:
        BadInput: if it cannot be written.
    """
    if path.is_dir():
        raise BadInput(f"{path} is a folder; expected a file")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield draft
        os.replace(draft, path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def command(*words: object) -> str:
    """Return a command line to be copied into a shell."""
    return shlex.join(str(word) for word in words if str(word))


def _shown(path: Path) -> Published | None:
    try:
        return published.read(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = str(error) if str(error).startswith("larger") else "not a results file of tipoff"
        raise BadInput(f"{path} is {why}; choose another --out") from error


def _is_ours(folder: Path, plan: Plan) -> bool:
    """Return whether the folder is of such a run whose store was deleted: its config tells.

    It is as we write it, so nothing of the user's own, not even a comment, is in it.
    """
    path = folder / CONFIG
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        found = config.load(path).experiment
    except (BadInput, OSError, ValueError):
        return False
    known = identity(plan)
    same = all(getattr(found, key) == known[key] for key in known if key != "deal_set")
    return same and dump(found) == text


def _no_strange_files(folder: Path) -> None:
    """Refuse a folder where no run was, but files stand that a run would replace."""
    for name in (CONFIG, DEALS, "report.md", "report.html", "summary.csv"):
        if (folder / name).exists():
            raise BadInput(
                f"{folder / name} is not of a run and would be overwritten; "
                "give another folder with --out DIR"
            )


def _same(folder: Path, plan: Plan, known: Mapping[str, str | int | None]) -> None:
    for key, wanted in identity(plan).items():
        if known.get(key) != wanted:
            raise BadInput(
                f"{folder} holds {key.replace('_', ' ')} {known.get(key)}, not {wanted}; "
                "give another folder with --out DIR"
            )


def _same_kind(folder: Path, plan: Plan, known: object) -> None:
    wanted = "counts" if plan.counts else "deals"
    if known != wanted:
        raise BadInput(
            f"{folder} keeps {known}, but the experiment says `store: {wanted}`; "
            "give another folder with --out DIR"
        )


def no_fewer(folder: Path, plan: Plan) -> None:
    """Check that no entry has fewer deals than the folder shows of it.

    Raises:
        BadInput: naming the first that has.
    """
    shown = _shown(folder / RESULTS)
    if shown is None:
        return
    deals = {(entry.label, entry.variant): entry.deals for entry in shown.entries}
    for line in plan.lines():
        before = deals.get((line.label, line.variant), 0)
        if before > line.deals:
            raise BadInput(
                f"{folder} shows '{line.label}' over {before:,} deals, more than the "
                f"{line.deals:,} of this run; give another folder with --out DIR"
            )
