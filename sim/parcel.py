"""What a worker on another machine is sent: whom to play, and the text of plug-in files.

Built-in strategies and installed packages must be there; plug-ins need not, for their text goes
along, and with it all that they import from beside them. What decides the outcomes is compared
before anything is played: versions first, then the stamps of all cells.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Self

import dill
import numba
import numpy as np

import sim
from sim import jit
from sim.deals import STREAM_VERSION
from sim.policy import Named
from sim.registry import Origin, load_file
from sim.source import closure, is_ours
from sim.table_work import TableSpec
from sim.work import AnySpec, Parts

Texts = Mapping[str, bytes]  # of files, by their paths from the folder of a plug-in


def facts() -> dict[str, str]:
    """Return what must be the same wherever deals of one run are played."""
    texts = b"".join(path.read_bytes() for path in jit.compiled_sources())
    return {
        "tipoff": sim.__version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "stream": str(STREAM_VERSION),
        "engine": sha256(texts).hexdigest()[:12],
    }


@dataclass(frozen=True)
class Parcel:
    """A cast, packed by dill: plain bytes until versions were compared."""

    key: str  # a name for what is in it
    expected: dict[str, str]  # the facts of whoever sends it
    packed: bytes

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Pack a cast, and the plug-ins it needs as they are now."""
        files = {origin.file for spec in parts[2] for origin in spec.origins() if origin.file}
        packed = dill.dumps((parts, {file: texts(file) for file in sorted(files)}))
        return cls(sha256(packed).hexdigest(), facts(), packed)


def texts(file: str) -> Texts:
    """Return the text of a plug-in and of all it imports from beside it."""
    start = Path(file).resolve()
    found = closure(load_file(Path(file)))
    beside = (path for path in sorted(found) if start.parent in path.parents)
    return {
        path.relative_to(start.parent).as_posix(): path.read_bytes()
        for path in beside
        if path == start or not is_ours(path)
    }


def unpack(packed: bytes) -> tuple[Parts, dict[str, str]]:
    """Return a cast with its plug-ins where they are now, and by these folders where they were."""
    (game, dice, specs, stamps), plugins = dill.loads(packed)
    places = {file: _laid_down(Path(file).name, found) for file, found in plugins.items()}
    moved = [_moved(spec, places) for spec in specs]
    folders = {str(new.parent): str(Path(old).parent) for old, new in places.items()}
    return (game, dice, moved, stamps), folders


def _moved(spec: AnySpec, places: Mapping[str, Path]) -> AnySpec:
    if isinstance(spec, TableSpec):
        return spec.moved(places, _origin)
    params = {
        name: replace(value, origin=_origin(value.origin, places))
        if isinstance(value, Named)
        else value
        for name, value in spec.params.items()
    }
    return replace(spec, origin=_origin(spec.origin, places), params=params)


def _origin(origin: Origin, places: Mapping[str, Path]) -> Origin:
    return replace(origin, file=str(places[origin.file])) if origin.file else origin


def _laid_down(name: str, found: Texts) -> Path:
    """Write a plug-in into a folder named after all its texts, and return where it is.

    The same text lies at the same place, so what was compiled of it is found again.
    """
    tag = sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]
    folder = jit.FOLDER / "plugins" / tag
    for path, text in found.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{os.getpid()}.tmp")
        draft.write_bytes(text)
        draft.replace(file)
    return (folder / name).resolve()
