"""A strict YAML reader that remembers where everything stands, so that errors can point at it.

Scalars follow YAML 1.2, not the 1.1 of PyYAML: `yes` and `12:30:00` are text, `010` is ten, `1e6`
and `1_000_000` are numbers. A whole number in scientific notation, such as `1e6`, is an int.
What invites mistakes in an experiment is refused: a key given twice, tags, anchors and aliases,
merge keys, a second document. Whatever bytes the file holds, the answer is a `Document` or a
`BadInput` of the form `path:line:column: message` with the source line and a caret below.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sim.errors import BadInput
from sim.excerpt import excerpt
from sim.files import head

Loc = tuple[str | int, ...]

MAX_BYTES = 200_000  # of a file: PyYAML takes a second for them
MAX_VALUES = 10_000  # scalars, lists and mappings in it; a sweep says more with less
MAX_DEPTH = 20  # mappings and lists inside each other
MAX_DIGITS = 100  # characters of a number
MAX_PROBLEMS = 20  # shown at once

_DIGITS = "[0-9]+(?:_[0-9]+)*"
_SPECIAL = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_INT = re.compile(rf"(?:[-+]?{_DIGITS}|0x[0-9a-fA-F]+|0o[0-7]+)\Z")
_FLOAT = re.compile(
    rf"(?:[-+]?(?:\.{_DIGITS}|{_DIGITS}(?:\.(?:{_DIGITS})?)?)(?:[eE][-+]?[0-9]+)?\Z"
    rf"|{_SPECIAL.pattern})"
)
PLAIN = {  # what a plain scalar is, by the first pattern that matches; text if none does
    "null": re.compile(r"(?:~|null|Null|NULL|)\Z"),
    "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
    "int": _INT,
    "float": _FLOAT,
}
_UNSAFE = re.compile("[\0\ud800-\udfff]")


class Place(NamedTuple):
    """Where a value and its key begin, as offsets into the text; a list item is its own key."""

    value: int
    key: int


class Problem(NamedTuple):
    """One thing wrong with the document, at a value or at its key."""

    loc: Loc
    message: str
    at_key: bool = False


@dataclass(frozen=True)
class Document:
    """A YAML file that was read: its data and the place of every value in it."""

    path: Path
    text: str
    data: Any = None
    marks: Mapping[Loc, Place] = field(default_factory=dict)

    def error(self, loc: Loc, message: str, *, at_key: bool = False) -> BadInput:
        """Return the error that points at the value of `loc`, its key, or what holds it."""
        return self.errors([Problem(loc, message, at_key)])

    def errors(self, problems: Iterable[Problem]) -> BadInput:
        """Return one error that lists the problems in the order of their places."""
        placed = sorted((self._offset(found), found.message) for found in problems)
        shown = [str(self.at(offset, message)) for offset, message in placed[:MAX_PROBLEMS]]
        more = len(placed) - len(shown)
        return BadInput("\n".join([*shown, *([f"... and {more} more"] if more else [])]))

    def at(self, offset: int, message: str) -> BadInput:
        """Return the error `path:line:column: message`, with the source line and a caret below."""
        line, column = self._position(offset)
        source = self.text[self._starts[line - 1] : (*self._starts, None)[line]].rstrip("\r\n")
        return BadInput(f"{self.path}:{line}:{column}: {message}\n{excerpt(source, column - 1)}")

    def line(self, loc: Loc) -> int:
        """Return the line, from 1, on which `loc` begins: a key with its value, or a list item."""
        return self._position(self._offset(Problem(loc, "", at_key=True)))[0]

    def _offset(self, problem: Problem) -> int:
        loc = problem.loc
        while loc and loc not in self.marks:
            loc = loc[:-1]
        place = self.marks.get(loc, Place(0, 0))
        return place.key if problem.at_key and loc == problem.loc else place.value

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    @cached_property
    def _starts(self) -> list[int]:
        """Offset of the first character of every line."""
        return [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", self.text))]


def read(path: Path) -> Document:
    """Read a YAML file.

    Raises:
        BadInput: if the file cannot be read, is larger than `MAX_BYTES`, or not plain, strict YAML.
    """
    return parse(head(path, MAX_BYTES + 1), path)


def parse(data: bytes, path: Path) -> Document:
    """Read the bytes of a YAML file; `path` is only named in errors. Errors as for `read`."""
    data = data.removeprefix(BOM_UTF8)
    text = data[:MAX_BYTES].decode("utf-8", "replace")
    source = Document(path, text)
    if len(data) > MAX_BYTES:
        raise source.error((), f"the file is larger than {MAX_BYTES:_} bytes")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = len(data[: error.start].decode("utf-8"))
        raise source.at(offset, f"not UTF-8 text: byte 0x{data[error.start]:02x}") from error
    return _compose(source)


def scalar(text: str) -> Any:
    """Return what a plain, unquoted YAML scalar means: None, a bool, an int, a float or the text.

    Raises:
        ValueError: if it is a number of more than 100 characters.
    """
    kind = next((kind for kind, pattern in PLAIN.items() if pattern.match(text)), "str")
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    return text if kind == "str" else _number(text)


def shown(value: object) -> str:
    """Return a value of the data as a message shows it, shortened if it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]}...{text[-1]}"


def _number(text: str) -> int | float:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} characters")
    if _INT.match(text):
        return int(text, {"0x": 16, "0o": 8}.get(text[:2], 10))
    if _SPECIAL.match(text):
        return float(text.replace(".", ""))
    value = float(text)
    # 1e6 is meant as a million. 3.0 stays a float, and so does what no float holds exactly.
    whole = "e" in text.lower() and value.is_integer() and 0 < abs(value) < 1e19
    return int(value) if whole and Decimal(text) == value else value


def _compose(source: Document) -> Document:
    """Return the document with its data, giving every error of PyYAML a place."""
    try:
        loader: Any = yaml.SafeLoader(source.text)
    except yaml.reader.ReaderError as error:
        code = f"U+{ord(source.text[error.position]):04X}"
        raise source.at(error.position, f"not YAML: character {code} is not allowed") from error
    try:
        return _Composer(source, loader).document()
    except yaml.MarkedYAMLError as error:
        offset = error.problem_mark.index if error.problem_mark else 0
        since = error.context_mark.index if error.context_mark else offset
        context = f" ({error.context}, line {source._position(since)[0]})" if error.context else ""
        raise source.at(offset, f"not YAML: {error.problem}{context}") from error
    except (ValueError, OverflowError) as error:  # PyYAML takes "\\UFFFFFFFF" for a character
        raise source.at(loader.get_mark().index, "not YAML: a number out of range") from error


class _Composer:
    """Turns PyYAML's events into data; PyYAML's own composer would recurse as deep as the file."""

    def __init__(self, source: Document, loader: Any) -> None:
        self.source = source
        self.loader = loader
        self.marks: dict[Loc, Place] = {}

    def document(self) -> Document:
        self._next()  # the start of the stream
        if self.loader.check_event(yaml.StreamEndEvent):
            raise self.source.at(0, "the file is empty")
        self._next()  # the start of the document
        data = self._node(self._next(), ())
        self._next()  # the end of the document
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            raise self._at(after, "a second document begins here; only one is allowed")
        return replace(self.source, data=data, marks=self.marks)

    def _next(self) -> Any:
        return self.loader.get_event()

    def _node(self, event: Any, loc: Loc, key: int | None = None) -> Any:
        self._refuse(event, loc)
        begin = event.start_mark.index
        self.marks[loc] = Place(begin, begin if key is None else key)
        if len(self.marks) > MAX_VALUES:
            raise self._at(event, f"more than {MAX_VALUES:_} values")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(loc)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(loc)
        return self._scalar(event)

    def _sequence(self, loc: Loc) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event, (*loc, len(items))))
        return items

    def _mapping(self, loc: Loc) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, (*loc, ""))
            if key in items:
                first = replace(self.source, marks=self.marks).line((*loc, key))
                raise self._at(event, f"key {shown(key)} is given twice; first on line {first}")
            items[key] = self._node(self._next(), (*loc, key), event.start_mark.index)
        return items

    def _key(self, event: Any, loc: Loc) -> str:
        self._refuse(event, loc)
        if not isinstance(event, yaml.ScalarEvent):
            raise self._at(event, "a key must be a word, not a list or a mapping")
        if event.value == "<<" and event.implicit[0]:
            raise self._at(event, "merge keys (<<) are not allowed")
        self._refuse_unsafe(event)
        return str(event.value)  # never a number or bool: `yes: 1` and `2: 1` are keys like others

    def _scalar(self, event: yaml.ScalarEvent) -> Any:
        self._refuse_unsafe(event)
        try:
            return scalar(event.value) if event.implicit[0] else event.value
        except ValueError as error:
            raise self._at(event, str(error)) from error

    def _refuse_unsafe(self, event: yaml.ScalarEvent) -> None:
        found = _UNSAFE.search(event.value)
        if found:
            raise self._at(event, f"character U+{ord(found.group()):04X} is not allowed in text")

    def _refuse(self, event: Any, loc: Loc) -> None:
        if isinstance(event, yaml.AliasEvent):
            raise self._at(event, f"aliases (*{str(event.anchor)[:40]}) are not allowed")
        if event.anchor is not None:
            raise self._at(event, f"anchors (&{str(event.anchor)[:40]}) are not allowed")
        if event.tag is not None:
            tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")
            raise self._at(event, f"tags ({tag[:40]}) are not allowed")
        if len(loc) >= MAX_DEPTH and isinstance(event, yaml.CollectionStartEvent):
            raise self._at(event, f"nested more than {MAX_DEPTH} deep")

    def _at(self, event: Any, message: str) -> BadInput:
        return self.source.at(event.start_mark.index, message)
