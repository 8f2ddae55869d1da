"""What a strategy may not import: anything that makes a game come out differently the next time."""

from __future__ import annotations

import ast
from pathlib import Path

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


def forbidden_import(path: Path) -> tuple[Path, int, str] | None:
    """Return file, line and name of the first forbidden import of a plug-in, or None.

    The modules beside the file that it imports are looked at too. A file that is not Python has
    none: importing it will say what is wrong.
    """
    waiting, seen = [path], set[Path]()
    while waiting:
        file = waiting.pop(0)
        seen.add(file)
        named = sorted(_names(file))
        for line, name in named:
            if is_forbidden(name):
                return file, line, name
        beside = {file.parent / f"{name.split('.')[0]}.py" for _, name in named}
        waiting += sorted(other for other in beside - seen if other.is_file())
    return None


def _names(path: Path) -> list[tuple[int, str]]:
    """Return line and full name of everything a file imports, and of each use of numpy's dice."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return []
    return [(node.lineno, name) for node in ast.walk(tree) for name in _imported(node)]  # type: ignore[attr-defined]


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            return [f"{module}.{alias.name}" for alias in names]
        case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
            return ["numpy.random"]
    return []
