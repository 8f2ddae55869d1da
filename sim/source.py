"""The stamp of a strategy: a hash over the text of everything its play depends on.

An edited strategy, or an edited helper it imports, gets a new stamp, and only its deals are played
again. Modules count if they belong to the project or stand beside a plug-in file.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import sim
import strategies
from sim.strategy import Strategy


def closure_hash(cls: type[Strategy]) -> str:
    """Return the hash of the source of a strategy class and of all it imports, transitively.

    A class that has no file (typed into an interpreter) is hashed by its bytecode and constants.
    """
    module = sys.modules[cls.__module__]
    if not getattr(module, "__file__", None):
        return sha256(_bytecode(cls)).hexdigest()
    digest = sha256()
    for path in sorted(_closure(module), key=lambda path: path.name):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def stamp(**parts: Any) -> str:
    """Return the hash of everything that decides the outcomes of a cell, in canonical form."""
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _closure(module: ModuleType) -> set[Path]:
    """Return the files of a module and of the project or plug-in modules it imports."""
    start = Path(module.__file__ or "")
    roots = [Path(folder).resolve() for folder in (*sim.__path__, *strategies.__path__)]
    if start.parent.name not in ("site-packages", "dist-packages"):
        roots.append(start.resolve().parent)
    found: set[Path] = set()
    waiting = [start.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [file for file in _imports(path) if _below(file, roots)]
    return found


def _imports(path: Path) -> Iterator[Path]:
    """Yield the files of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        for name in _module_names(node):
            file = _file_of(name, path.parent)
            if file:
                yield file


def _module_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _file_of(name: str, beside: Path) -> Path | None:
    """Return the file of a module: one already imported, or one beside the importing file."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    file = Path(loaded) if loaded else beside / f"{name}.py"
    return file.resolve() if file.suffix == ".py" and file.is_file() else None


def _below(path: Path, roots: list[Path]) -> bool:
    return any(root in path.parents for root in roots)


def _bytecode(cls: type[Strategy]) -> bytes:
    methods = [value for value in vars(cls).values() if inspect.isfunction(value)]
    return repr([(m.__code__.co_code, m.__code__.co_consts) for m in methods]).encode()
