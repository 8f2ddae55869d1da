"""A document as one HTML file that needs nothing else: pictures and style inside, no script."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from importlib import resources

from sim.report.document import Block, Bullets, Code, Document, Image, Literal, Table, Text
from sim.report.style import DPI

_CSS_DPI = 96  # CSS pixels an inch
# Nothing is loaded from anywhere; a page that tried would say so on the console.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def html(document: Document, pictures: Mapping[str, bytes]) -> str:
    """Return the text of the page; `pictures` are the PNG files by name."""
    page = _Page(pictures)
    lead = "\n".join(f'<p class="lead">{_inline(one.text)}</p>' for one in document.lead)
    sections = "\n".join(
        f"<section>\n<h2>{escape(section.title)}</h2>\n"
        + "\n".join(page.block(block) for block in section.blocks)
        + "\n</section>"
        for section in document.sections
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(document.title)}</title>
<link rel="icon" href="data:,">
<style>
{_style()}</style>
</head>
<body>
<main>
<header>
<h1>{escape(document.title)}</h1>
{lead}
</header>
{sections}
</main>
</body>
</html>
"""


def _style() -> str:
    return resources.files("sim.report").joinpath("page.css").read_text(encoding="utf-8")


class _Page:
    """Turns blocks into HTML and gives each table a name of its own."""

    def __init__(self, pictures: Mapping[str, bytes]) -> None:
        self._pictures = pictures
        self._tables = 0

    def block(self, block: Block) -> str:
        match block:
            case Bullets():
                items = "\n".join(f"<li>{_inline(item)}</li>" for item in block.items)
                return f"<ul>\n{items}\n</ul>"
            case Table():
                return self._table(block)
            case Image():
                return self._image(block)
            case Code():
                code = f"<code>{escape(block.text)}</code>"
                return f'<pre tabindex="0">{code}</pre>'
            case _:
                return f"<p>{_inline(block.text)}</p>"

    def _table(self, table: Table) -> str:
        self._tables += 1
        name = f"table-{self._tables}"
        head = "".join(f'<th scope="col">{_text(cell)}</th>' for cell in table.head)
        rows = "\n".join(map(_row, table.rows))
        return (
            f'<h3 id="{name}">{_text(table.title)}</h3>\n'
            f'<div class="scroll" role="region" aria-labelledby="{name}" tabindex="0">\n'
            f'<table aria-labelledby="{name}">\n'
            f"<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
        )

    def _image(self, image: Image) -> str:
        """As large as on paper, so that its text is as large as the page's; never too wide."""
        png = self._pictures[image.file]
        width, height = (round(side * _CSS_DPI / DPI) for side in _size(png))
        source = f"data:image/png;base64,{b64encode(png).decode()}"
        return (
            f'<figure>\n<img src="{source}" width="{width}" height="{height}" '
            f'alt="{escape(image.alt)}">\n'
            f"<figcaption>{_text(image.caption)}</figcaption>\n</figure>"
        )


def _row(cells: tuple[str, ...]) -> str:
    name, *numbers = map(_text, cells)
    return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in numbers)}</tr>'


def _inline(text: Text) -> str:
    return "".join(
        f"<code>{escape(piece)}</code>" if isinstance(piece, Literal) else _text(piece)
        for piece in text
    )


def _text(text: str) -> str:
    """Return text as it is; a percent sign stays on the line of its number."""
    return escape(text).replace(" %", "\u00a0%")


def _size(png: bytes) -> tuple[int, int]:
    """Return width and height in pixels, as the head of every PNG file says."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height
