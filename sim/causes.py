"""Why a leaf played again is not the published one: where they part, and what changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from sim.audit.check import who
from sim.cells import Cells
from sim.judge import versions
from sim.policy import source_of
from sim.receipts import Leaf, Receipts
from sim.verify import Differing

Outcomes = NDArray[np.uint8]
Versions = Mapping[str, str | int]
ENGINE = {"rules": "rules version", "stream": "version of the stream of deals"}
LIBRARIES = {name: name for name in ("tipoff", "python", "numpy", "numba")}
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
    deals = f"deals {leaf.first:,} to {last:,} of seed {receipts.results.seed}"
    yield f"{who(entry)}, leaf {leaf.number} ({deals}){more}:"
    yield f"  digest {here[:SHORT]} here, {published[:SHORT]} in results.json"
    stored = _stored(receipts, leaf, cells, found.outcomes) if cells else None
    if stored is None:
        store = "the store does not hold" if cells else "no store is there to tell"
        yield f"  {store} which of its {leaf.count:,} deals differ"
    elif np.array_equal(stored, found.outcomes):
        yield "  the store holds the very deals that were played here"
    else:
        yield f"  {_parting(receipts, leaf, found.outcomes, stored)}"
    yield f"  likely cause: {_cause(receipts, leaf, cells)}"


def explained_range(receipts: Receipts, leaf: Leaf, here: str) -> Iterator[str]:
    """Yield lines about a range of a run that kept counts, with its digest here."""
    results = receipts.results
    assert results.counts is not None
    last, published = leaf.first + leaf.count - 1, results.counts.leaves[leaf.number]
    yield f"range {leaf.number} (deals {leaf.first:,} to {last:,} of seed {results.seed}):"
    yield f"  digest {here[:SHORT]} here, {published[:SHORT]} in results.json"
    single = (replace(leaf, entry=number) for number in receipts.specs)
    causes = dict.fromkeys(_cause(receipts, one, None) for one in single)
    edited = [cause for cause in causes if cause.endswith("edited since")]
    yield f"  likely cause: {'; '.join(edited or causes)}"


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
    entry, spec = receipts.results.entries[leaf.entry], receipts.specs[leaf.entry]
    for stamp, about in cells.notes().items():
        if about.get("params") == entry.params and about.get("rules") == entry.rules:
            outcomes = cells.between(stamp, leaf.first, leaf.count)
            if outcomes is not None and _digest(outcomes) == entry.leaves[leaf.number]:
                return outcomes
    stamp = spec.stamp(receipts.game, receipts.dice)
    outcomes = cells.between(stamp, leaf.first, leaf.count)
    return outcomes if outcomes is not None and np.array_equal(outcomes, played) else None


def _cause(receipts: Receipts, leaf: Leaf, cells: Cells | None) -> str:
    """Return what is most likely the reason why a leaf differs."""
    then, now = receipts.results.versions, versions(receipts.game.rules_version)
    if engine := _changed(ENGINE, then, now):
        return engine
    edited = _edited(receipts, leaf, cells)
    if edited:
        name = receipts.results.entries[leaf.entry].strategy
        return f"the source of '{name}', or of what it imports, was edited since"
    if libraries := _changed(LIBRARIES, then, now):
        return libraries
    if edited is None:
        return "unknown: the versions are the same, and the file does not tell its sources"
    return "sources and versions are the same: results.json was edited, or an engine is wrong"


def _changed(names: Mapping[str, str], then: Versions, now: Versions) -> str:
    """Say which versions changed, or ""."""
    return "; ".join(
        f"{words} {then.get(name)} then, {now[name]} now"
        for name, words in names.items()
        if then.get(name) != now[name]
    )


def _edited(receipts: Receipts, leaf: Leaf, cells: Cells | None) -> bool | None:
    """Tell whether the sources of an entry changed; None = neither file nor store can tell."""
    entry, spec = receipts.results.entries[leaf.entry], receipts.specs[leaf.entry]
    if entry.source:
        return entry.source != source_of(spec.origin, spec.params)
    if cells:
        return not cells.coverage(spec.stamp(receipts.game, receipts.dice))
    return None
