"""Write a report: everything a folder of results holds, each file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from sim.report import style, tables
from sim.report.as_html import html
from sim.report.as_markdown import markdown
from sim.report.document import Document, Image
from sim.report.page import page
from sim.report.pictures import Picture, pictures
from sim.report.tournament import page as tournament_page
from sim.report.tournament import pictures as tournament_pictures
from sim.report.tournament import tables as tournament_tables
from sim.results import Results
from sim.standings import Standings

# What an earlier report of other results may have left behind.
_CHARTS = (
    *("effects.png", "differences.png", "pairs.png", "pace.png", "ladder.png", "sweep_*.png"),
    *tournament_pictures.CHARTS,
)


def write_report(results: Results, folder: Path, reproduce: str, question: str = "") -> list[Path]:
    """Write pages, charts, table and results into the folder, made if need be.

    Returns the files in the order in which one would read them. A file whose bytes are already
    there is left alone; charts that no longer belong to the results are removed.

    Args:
        results: what is reported.
        folder: where to.
        reproduce: the command that makes the same numbers.
        question: what the experiment asks, in the words of its config.
    """

    def paged(images: list[Image]) -> Document:
        return page(results, images, reproduce, question)

    texts = Texts(results.to_json(), tables.summary_csv(results))
    return _written(folder, texts, pictures(results), paged)


def write_standings(
    standings: Standings, folder: Path, reproduce: str, question: str = ""
) -> list[Path]:
    """Write the same of a tournament."""

    def paged(images: list[Image]) -> Document:
        return tournament_page.page(standings, images, reproduce, question)

    texts = Texts(standings.to_json(), tournament_tables.summary_csv(standings))
    return _written(folder, texts, tournament_pictures.pictures(standings), paged)


class Texts(NamedTuple):
    """What stands beside the page."""

    results: str  # JSON
    summary: str  # CSV


def _written(
    folder: Path,
    texts: Texts,
    found: Sequence[Picture],
    paged: Callable[[list[Image]], Document],
) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    data = _put(folder / "results.json", texts.results.encode())
    table = _put(folder / "summary.csv", texts.summary.encode())
    drawn = {one.image: style.png(one.draw) for one in found}
    charts = [_put(folder / image.file, png) for image, png in drawn.items()]
    said = paged(list(drawn))
    files = {image.file: png for image, png in drawn.items()}
    report = _put(folder / "report.html", html(said, files).encode())
    text = _put(folder / "report.md", markdown(said).encode())
    _remove_stale(folder, charts)  # last, when no page shows them any more
    return [report, text, *charts, table, data]


def _remove_stale(folder: Path, charts: list[Path]) -> None:
    for pattern in _CHARTS:
        for old in folder.glob(pattern):
            if old not in charts:
                old.unlink()


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
