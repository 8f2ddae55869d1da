"""The stamp of a strategy: a hash over the text of everything its play depends on.

An edited strategy, or an edited helper it imports, gets a new stamp, and only its deals are played
again. Modules count if they belong to the project or stand beside a plug-in file.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import sim.games
import strategies
from sim.bytecode import PACKAGES, Reached
from sim.strategy import Strategy

_hashes: dict[type[Strategy], str] = {}


def closure_hash(cls: type[Strategy]) -> str:
    """Return the hash of the source of a strategy class and of all it imports, transitively.

    A class that has no file (typed into an interpreter) is hashed by its bytecode and constants.
    The files are read once: what was imported stays what it is when they are edited later.
    """
    if cls not in _hashes:
        module = sys.modules[cls.__module__]
        has_file = getattr(module, "__file__", None)
        _hashes[cls] = text_hash(module) if has_file else reached_by(cls).hash()
    return _hashes[cls]


def reached_by(cls: type[Strategy]) -> Reached:
    """Return what a class without a file uses, for its hash."""
    return Reached.by(cls, text_hash)


def text_hash(module: ModuleType) -> str:
    """Return the hash of the source of a module and of what it imports, transitively."""
    digest = sha256()
    for name, text in sorted((path.name, path.read_bytes()) for path in closure(module)):
        digest.update(name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def stamp(**parts: Any) -> str:
    """Return the hash of everything that decides the outcomes of a cell, in canonical form."""
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def closure(module: ModuleType) -> set[Path]:
    """Return the files of a module and of the project or plug-in modules it imports."""
    start = Path(module.__file__ or "")
    roots = _project()
    if start.parent.name not in PACKAGES:
        roots.append(start.resolve().parent)
    found: set[Path] = set()
    waiting = [start.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [file for file in _imports(path) if _below(file, roots)]
    return found


def is_ours(path: Path) -> bool:
    """Return whether a file is part of the project, so that it is wherever the project is."""
    return _below(path, _project())


def _project() -> list[Path]:
    folders = (*sim.__path__, *sim.games.__path__, *strategies.__path__)
    return [Path(folder).resolve() for folder in folders]


def _imports(path: Path) -> Iterator[Path]:
    """Yield the files of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.level:
            package = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            found = [package, *(package / alias.name for alias in node.names)]
            yield from filter(None, map(_file_at, found))
        else:
            yield from filter(None, (_file_of(name, path.parent) for name in _module_names(node)))


def _module_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _file_of(name: str, beside: Path) -> Path | None:
    """Return the file of a module: one already imported, or one beside the importing file."""
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    loaded = getattr(sys.modules.get(name), "__file__", None)
    return _file_at(Path(loaded).with_suffix("") if loaded else beside.joinpath(*name.split(".")))


def _file_at(module: Path) -> Path | None:
    """Return the source of the module or package at a path without its suffix."""
    for file in (module.with_name(f"{module.name}.py"), module / "__init__.py"):
        if file.is_file():
            return file.resolve()
    return None


def _below(path: Path, roots: list[Path]) -> bool:
    return any(
        root in path.parents and not set(PACKAGES) & set(path.relative_to(root).parts)
        for root in roots
    )
