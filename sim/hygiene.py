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


def forbidden_import(path: Path) -> tuple[int, str]:
    """Return line and name of the first forbidden import in a file, or (0, "").

    A file that is not Python has none: importing it will say what is wrong.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return 0, ""
    for node in ast.walk(tree):
        for name in _imported(node):
            if name.split(".")[0] in FORBIDDEN or name.startswith("numpy.random"):
                return node.lineno, name  # type: ignore[attr-defined]  # imports have a line
    return 0, ""


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level and node.module:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []
