"""Why a leaf played again is not the published one: where they part, and what changed since."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from sim.audit.check import who
from sim.cells import Cells
from sim.judge import versions
from sim.receipts import Leaf, Receipts
from sim.source import closure_hash
from sim.verify import Differing

Outcomes = NDArray[np.uint8]
ENGINE = {"rules": "rules version", "stream": "version of the stream of deals"}
LIBRARIES = ("tipoff", "python", "numpy", "numba")
SHORT = 12  # digits of a digest


def explained(receipts: Receipts, found: Differing, cells: Cells | None) -> Iterator[str]:
    """Yield lines about the leaves of an entry that differ.

    Args:
        receipts: the results file.
        found: the leaves.
        cells: the store beside it, if there is one.

    Raises:
        StoreDamaged: if the store cannot be read.
    """
    leaf, entry = found.first, receipts.results.entries[found.first.entry]
    published, here = entry.leaves[leaf.number], _digest(found.outcomes)
    more = f", the first of {found.count} that differ" if found.count > 1 else ""
    last = leaf.first + leaf.count - 1
    yield f"{who(entry)}, leaf {leaf.number} (deals {leaf.first:,} to {last:,}){more}:"
    yield f"  digest {here[:SHORT]} here, {published[:SHORT]} in results.json"
    stored = _stored(receipts, leaf, cells, found.outcomes) if cells else None
    if stored is None:
        store = "the store does not hold" if cells else "no store is there to tell"
        yield f"  {store} which of its {leaf.count:,} deals differ"
    elif np.array_equal(stored, found.outcomes):
        yield "  the store holds the very deals that were played here"
        yield "  likely cause: results.json was edited"
        return
    else:
        yield f"  {_parting(receipts, leaf, found.outcomes, stored)}"
    yield f"  likely cause: {_cause(receipts, leaf, cells)}"


def _digest(outcomes: Outcomes) -> str:
    return sha256(outcomes.T.tobytes()).hexdigest()


def _parting(receipts: Receipts, leaf: Leaf, here: Outcomes, stored: Outcomes) -> str:
    """Say on which deal two leaves part first, and how both games ended."""
    place = int(np.flatnonzero((here != stored).any(axis=0))[0])
    one, other = (
        ", ".join(
            f"{name} {value}"
            for name, value in zip(receipts.game.columns, outcomes[:, place], strict=True)
        )
        for outcomes in (here, stored)
    )
    return f"first deal that differs: {leaf.first + place:,} ({one} here; {other} in the store)"


def _stored(receipts: Receipts, leaf: Leaf, cells: Cells, played: Outcomes) -> Outcomes | None:
    """Return what the store holds of a leaf: the published deals, else those played here.

    Stamps change with every edit, so any cell may be the published one; its digest proves it.
    """
    entry = receipts.results.entries[leaf.entry]
    wanted = entry.leaves[leaf.number]
    same_deals = None
    for stamp, about in cells.notes().items():
        if about.get("params") == entry.params and about.get("rules") == entry.rules:
            outcomes = cells.between(stamp, leaf.first, leaf.count)
            if outcomes is not None and _digest(outcomes) == wanted:
                return outcomes
            if outcomes is not None and np.array_equal(outcomes, played):
                same_deals = outcomes
    return same_deals


def _cause(receipts: Receipts, leaf: Leaf, cells: Cells | None) -> str:
    """Return what is most likely the reason why a leaf differs."""
    results, spec = receipts.results, receipts.specs[leaf.entry]
    entry, strategy = results.entries[leaf.entry], spec.origin.load()
    then, now = results.versions, versions(receipts.game.rules_version)
    engine = [f"{ENGINE[name]} {then.get(name)} then, {now[name]} now" for name in ENGINE]
    changed = [
        text for name, text in zip(ENGINE, engine, strict=True) if then.get(name) != now[name]
    ]
    if changed:
        return "; ".join(changed)
    stamp = spec.stamp(receipts.game, receipts.dice)
    edited = entry.source != closure_hash(strategy) if entry.source else None
    if edited is None and cells:
        edited = not cells.coverage(stamp)
    if edited:
        return f"the source of '{entry.strategy}', or of what it imports, was edited since"
    other = [f"{name} {then.get(name)} then, {now[name]} now" for name in LIBRARIES]
    libraries = [
        text for name, text in zip(LIBRARIES, other, strict=True) if then.get(name) != now[name]
    ]
    if libraries:
        return "; ".join(libraries)
    if edited is None:
        return (
            "unknown: the versions are the same, and the file does not tell of what sources it is"
        )
    return "sources and versions are the same: results.json was edited, or an engine is wrong"
