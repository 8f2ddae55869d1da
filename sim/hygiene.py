"""What a strategy may not do: anything that makes a game come out differently the next time.

It is read off the text, before a plug-in is imported: no dice, no clock, no files, no network, and
no memory from one move to the next. `tipoff check` watches the rest while it plays.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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


def faults(path: Path) -> Iterator[Fault]:
    """Yield what a plug-in does that it may not, in the order of its lines.

    The modules beside the file that it imports are looked at too. A file that is not Python has
    none: importing it will say what is wrong.
    """
    waiting, seen = [path], set[Path]()
    while waiting:
        file = waiting.pop(0)
        seen.add(file)
        tree = _tree(file)
        named = sorted(_names(tree))
        tops = {name.split(".")[0] for _, name in named}
        beside = {file.parent / f"{top}.py" for top in tops} - {file}
        beside = {other for other in beside if other.is_file()}
        yield from sorted(_faults(file, tree, named, beside), key=lambda fault: fault.line)
        waiting += sorted(beside - seen - set(waiting))


def _faults(
    file: Path, tree: ast.Module, named: list[tuple[int, str]], beside: set[Path]
) -> Iterator[Fault]:
    for line, name in named:
        if _forbidden(name):
            yield Fault(file, line, f"imports '{name}'", SAME_GAME)
    for habit in habits(tree, {other.stem for other in beside}):
        yield Fault(file, habit.line, habit.what, habit.why or SAME_GAME)


def _forbidden(name: str) -> bool:
    """Return whether a dotted name is, or is reached through, a forbidden module."""
    first, *rest = name.split(".")
    return first in FORBIDDEN or (first in OPEN_TO_ALL and not FORBIDDEN.isdisjoint(rest))


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


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
