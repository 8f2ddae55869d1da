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
from types import CodeType, FunctionType, ModuleType
from typing import Any

import sim.games
import strategies
from sim.strategy import Strategy
from sim.unbind import codes

PACKAGES = ("site-packages", "dist-packages")  # where other people's code is installed


_hashes: dict[type[Strategy], str] = {}


def closure_hash(cls: type[Strategy]) -> str:
    """Return the hash of the source of a strategy class and of all it imports, transitively.

    A class that has no file (typed into an interpreter) is hashed by its bytecode and constants.
    The files are read once: what was imported stays what it is when they are edited later.
    """
    if cls not in _hashes:
        _hashes[cls] = _closure_hash(cls)
    return _hashes[cls]


def _closure_hash(cls: type[Strategy]) -> str:
    module = sys.modules[cls.__module__]
    if not getattr(module, "__file__", None):
        return sha256(_bytecode(cls)).hexdigest()
    digest = sha256()
    for name, text in sorted((path.name, path.read_bytes()) for path in _closure(module)):
        digest.update(name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def stamp(**parts: Any) -> str:
    """Return the hash of everything that decides the outcomes of a cell, in canonical form."""
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _closure(module: ModuleType) -> set[Path]:
    """Return the files of a module and of the project or plug-in modules it imports."""
    start = Path(module.__file__ or "")
    folders = (*sim.__path__, *sim.games.__path__, *strategies.__path__)
    roots = [Path(folder).resolve() for folder in folders]
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


def _bytecode(cls: type[Strategy]) -> bytes:
    """Return the code of a class's methods, and of the functions and numbers they use by name."""
    facts: dict[str, str] = {}
    for base in cls.__mro__[: cls.__mro__.index(Strategy)]:
        for name, value in vars(base).items():
            if not name.startswith("__"):
                _note(f"{base.__qualname__}.{name}", value, facts)
    return repr(sorted(facts.items())).encode()


def _note(name: str, value: object, facts: dict[str, str]) -> None:
    if isinstance(value, FunctionType) and name not in facts:
        facts[name] = _code_text(value.__code__)
        for code in codes(value.__code__):
            for used in code.co_names:
                _note(used, value.__globals__.get(used), facts)
    elif isinstance(value, int | float | tuple):
        facts[name] = repr(value)


def _code_text(code: CodeType) -> str:
    """Return bytecode, names and constants; `repr` of a code object would show its address."""
    inner = [_code_text(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return repr((code.co_code, code.co_names, inner))
