"""What a strategy may not do: anything that makes a game come out differently the next time.

It is read off the text, before a plug-in is imported: no dice, no clock, no files, no network, and
no memory from one move to the next. `tipoff check` watches the rest while it plays.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sim.errors import BadInput
from sim.files import head
from sim.memory import habits

_FORBIDDEN = """
    _random _thread aiohttp asyncio atexit builtins bz2 concurrent ctypes datetime dbm fcntl
    fileinput ftplib gc getpass glob gzip http httpx importlib inspect io linecache lzma mmap
    multiprocess multiprocessing os pathlib pickle platform posix psutil pty random requests
    resource runpy sched secrets select selectors shelve shutil signal smtplib socket
    socketserver sqlite3 ssl subprocess sys tarfile tempfile threading time urllib uuid
    webbrowser xmlrpc zipfile
"""
FORBIDDEN = frozenset(_FORBIDDEN.split())
OPEN_TO_ALL = frozenset({"numpy", *sys.stdlib_module_names}) - FORBIDDEN  # but not all they hold

MAX_BYTES = 1_000_000  # of a source file

SAME_GAME = (
    "a strategy must play the same game every time, so it may use no dice, clock, files or network"
)


@dataclass(frozen=True)
class Fault:
    """Something that a plug-in may not do."""

    file: Path
    line: int
    what: str  # "imports 'random'"
    why: str

    @property
    def place(self) -> str:
        """Return file:line."""
        return f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.what}; {self.why}"


def sources(path: Path) -> list[Path]:
    """Return a plug-in file and the modules beside it that it imports, nothing being run.

    Raises:
        BadInput: if one of them is not a file, or larger than a megabyte.
    """
    try:
        found = [path.resolve(strict=True)]
    except (OSError, ValueError, RuntimeError) as error:
        name = str(path)[:1000]
        raise BadInput(f"{name}: there is no such plug-in file") from error
    for file in found:  # which grows meanwhile
        # `os.path`, for the names may be longer than any file's, which `Path.exists` raises at.
        tops = {name.split(".")[0] for _, name in _names(_tree(file))}
        beside = {file.parent / f"{top}.py" for top in tops}
        found += sorted(other for other in beside - set(found) if os.path.exists(other))
    return found


def faults(path: Path) -> Iterator[Fault]:
    """Yield what a plug-in does that it may not, in the order of its lines.

    The modules beside the file that it imports are looked at too. A file that is not Python has
    none: importing it will say what is wrong. Errors as for `sources`.
    """
    files = sources(path)
    for file in files:
        tree = _tree(file)
        named = sorted(_names(tree))
        tops = {name.split(".")[0] for _, name in named}
        beside = {other for other in files if other.stem in tops and other != file}
        yield from sorted(_faults(file, tree, named, beside), key=lambda fault: fault.line)


def _faults(
    file: Path, tree: ast.Module, named: list[tuple[int, str]], beside: set[Path]
) -> Iterator[Fault]:
    for line, name in named:
        if is_forbidden(name):
            yield Fault(file, line, f"imports '{name}'", SAME_GAME)
    for habit in habits(tree, {other.stem for other in beside}):
        yield Fault(file, habit.line, habit.what, habit.why or SAME_GAME)


def is_forbidden(name: str) -> bool:
    """Return whether a dotted name is, or is reached through, a forbidden module."""
    first, *rest = name.split(".")
    return first in FORBIDDEN or (first in OPEN_TO_ALL and not FORBIDDEN.isdisjoint(rest))


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(_read(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # too deep for the parser
        return ast.Module([], [])


def _read(path: Path) -> bytes:
    text = head(path, MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise BadInput(f"{path}: is larger than {MAX_BYTES:_} bytes")
    return text


def _names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything imported, and of what is taken out of a module."""
    aliases = _aliases(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from ((node.lineno, f"{module}.{alias.name}") for alias in names)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in aliases:
                if attr in FORBIDDEN:
                    yield node.lineno, f"{aliases[name]}.{attr}"


def _aliases(tree: ast.Module) -> dict[str, str]:
    """Return the modules a file imports, by the names it gives them."""
    names = [
        alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    ]
    return {alias.asname or alias.name.split(".")[0]: alias.name for alias in names}
