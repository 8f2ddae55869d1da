"""A document as Markdown, as GitHub shows it."""

from __future__ import annotations

import re
from urllib.parse import quote

from sim.report.document import Block, Bullets, Code, Document, Image, Literal, Table, Text


def markdown(document: Document) -> str:
    """Return the text of the page."""
    parts = [f"# {escaped(document.title)}", *(_inline(lead.text) for lead in document.lead)]
    for section in document.sections:
        parts += [f"## {escaped(section.title)}", *map(_block, section.blocks)]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Bullets():
            return "\n".join(f"- {_inline(item)}" for item in block.items)
        case Table():
            return _table(block)
        case Image():
            return f"![{escaped(block.alt)}]({quote(block.file)})\n\n{_inline((block.caption,))}"
        case Code():
            fence = _fence(block.text, least=3)
            return f"{fence}sh\n{block.text}\n{fence}"
        case _:
            return _inline(block.text)


def _table(table: Table) -> str:
    lines = [
        f"### {escaped(table.title)}\n",
        _row(table.head),
        "|:---" + "|---:" * (len(table.head) - 1) + "|",
        *map(_row, table.rows),
    ]
    return "\n".join(lines)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"


def _inline(text: Text) -> str:
    return "".join(
        _literal(piece) if isinstance(piece, Literal) else escaped(piece, at_start=place == 0)
        for place, piece in enumerate(text)
    )


def _literal(text: str) -> str:
    text = _one_line(text)
    fence = _fence(text, least=1)
    inside = f" {text} " if "`" in text else text
    return f"{fence}{inside}{fence}"


def _fence(text: str, least: int) -> str:
    """Return backticks, more of them than stand anywhere in a row in the text."""
    return "`" * max([least, *(len(run) + 1 for run in re.findall("`+", text))])


def escaped(text: str, at_start: bool = False) -> str:
    """Return text that Markdown shows as it is, on one line and inside a table cell."""
    line = _one_line(text)
    inside_word = r"(?<=[^\W_])_(?=[^\W_])"  # there it means nothing and reads better bare
    line = re.sub(rf"{inside_word}|([\\`*_<\[\]|#$~&])", _escape, line)
    if at_start:  # of a line, these would begin a list or a quotation
        line = re.sub(r"^([-+>=]|\d+(?=[.)]))", _at_start, line)
    return line


def _one_line(text: str) -> str:
    return re.sub(r"[ \t\n\r\f\v]+", " ", text)


def _escape(match: re.Match[str]) -> str:
    return f"\\{match[0]}" if match[1] else match[0]


def _at_start(match: re.Match[str]) -> str:
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"
