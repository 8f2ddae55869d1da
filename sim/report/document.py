"""What a page says, before it is Markdown or HTML: sections of plain blocks."""

from __future__ import annotations

from dataclasses import dataclass


class Literal(str):
    """Text that stands as it was typed: a setting, a digest."""


Text = tuple[str, ...]  # pieces of one line; those that are Literal are set apart


@dataclass(frozen=True)
class Paragraph:
    """Sentences."""

    text: Text


@dataclass(frozen=True)
class Bullets:
    """A list without order."""

    items: tuple[Text, ...]


@dataclass(frozen=True)
class Table:
    """Rows under a head; the first cell of a row names it, the others are numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Image:
    """A chart in a file beside the page."""

    file: str
    caption: str
    alt: str  # what one who cannot see it should know


@dataclass(frozen=True)
class Code:
    """A command to copy."""

    text: str


Block = Paragraph | Bullets | Table | Image | Code


@dataclass(frozen=True)
class Section:
    """Blocks under a heading."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole page: title, the question below it, sections."""

    title: str
    lead: tuple[Paragraph, ...]
    sections: tuple[Section, ...]


def said(text: str) -> Paragraph:
    """Return a paragraph of plain text."""
    return Paragraph((text,))
