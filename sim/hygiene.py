"""What a strategy may not import: anything that makes a game come out differently the next time."""

from __future__ import annotations

import ast
import os
from pathlib import Path

from sim.errors import BadInput
from sim.files import head

FORBIDDEN = frozenset(
    {
        "asyncio",
        "datetime",
        "http",
        "io",
        "multiprocess",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "requests",
        "secrets",
        "socket",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
    }
)

FORBIDDEN_WHY = (
    "a strategy must play the same game every time, so it may use no dice, clock, files or network"
)


def is_forbidden(name: str) -> bool:
    """Return whether a strategy may not use what has this dotted name."""
    return name.split(".")[0] in FORBIDDEN or name.startswith("numpy.random")


MAX_BYTES = 1_000_000  # of a source file


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
        beside = {file.parent / f"{name.split('.')[0]}.py" for _, name in _names(file)}
        found += sorted(other for other in beside - set(found) if os.path.exists(other))
    return found


def forbidden_import(path: Path) -> tuple[Path, int, str] | None:
    """Return file, line and name of the first forbidden import of a plug-in, or None.

    The modules beside the file that it imports are looked at too. A file that is not Python has
    none: importing it will say what is wrong. Errors as for `sources`.
    """
    for file in sources(path):
        for line, name in sorted(_names(file)):
            if is_forbidden(name):
                return file, line, name
    return None


def _names(path: Path) -> list[tuple[int, str]]:
    """Return line and full name of everything a file imports, and of each use of numpy's dice."""
    try:
        tree = ast.parse(_read(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # too deep for the parser
        return []
    return [(node.lineno, name) for node in ast.walk(tree) for name in _imported(node)]  # type: ignore[attr-defined]


def _read(path: Path) -> bytes:
    text = head(path, MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise BadInput(f"{path}: is larger than {MAX_BYTES:_} bytes")
    return text


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            return [f"{module}.{alias.name}" for alias in names]
        case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
            return ["numpy.random"]
    return []
