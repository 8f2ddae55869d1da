"""A line of a file with a caret below what is meant."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

WINDOW = 100  # characters of a source line that are shown


def excerpt(source: str, column: int) -> str:
    """Return the source line around a column, and a caret under that column."""
    start = 0 if len(source) <= WINDOW or column < WINDOW * 3 // 4 else column - WINDOW // 2
    part = source[start : start + WINDOW]
    head = "".join(map(_pad, part[: column - start]))
    left, right = "..." if start else "", "..." if len(source) > start + WINDOW else ""
    safe = "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in part)
    return f"{left}{safe}{right}\n{' ' * len(left)}{head}^"


def _pad(char: str) -> str:
    """Return blanks as wide as a character is on a terminal."""
    if char == "\t":
        return char
    return "" if combining(char) else "  " if east_asian_width(char) in "WF" else " "
