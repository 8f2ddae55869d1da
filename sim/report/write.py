"""Write a report: everything a folder of results holds, each file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from sim.report import leftover, style, sweep, tables, win_rate
from sim.results import Results


def write_report(results: Results, folder: Path, reproduce: str) -> list[Path]:
    """Write page, charts, table and results into the folder, made if need be.

    Returns the files in the order in which one would read them. A file whose bytes are already
    there is left alone; sweep charts that no longer belong to the results are removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    data = _put(folder / "results.json", results.to_json().encode())
    table = _put(folder / "summary.csv", tables.summary_csv(results).encode())
    charts = [_put(folder / name, style.png(draw)) for name, draw in _charts(results).items()]
    names = [chart.name for chart in charts]
    page = tables.markdown(results, names, reproduce)
    report = _put(folder / "report.md", page.encode())
    for old in folder.glob("sweep_*.png"):  # last, when no page shows them any more
        if old.name not in names:
            old.unlink()
    return [report, *charts, table, data]


def _charts(results: Results) -> dict[str, Callable[[], Figure]]:
    if not results.entries:
        return {}
    found = sweep.sweeps(results)
    return {
        "win_rate.png": partial(win_rate.draw, results),
        "leftover.png": partial(leftover.draw, results),
        **{
            name: partial(sweep.draw, results, one)
            for name, one in zip(sweep.file_names(found), found, strict=True)
        },
    }


def _put(path: Path, content: bytes) -> Path:
    """Put the content at the path in one step, unless it is there already."""
    if path.is_file() and path.read_bytes() == content:
        return path
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return path
