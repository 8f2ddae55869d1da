"""Strategies that no module holds: typed into a notebook, a shell or the script that is running.

Such a class reaches a worker by dill, with the text it was typed as, which compiling may need. Only
what this very process defined is packed, and only its own workers unpack it; nothing of it lies in
a store. Its stamp is that of its code (`sim.bytecode`).
"""

from __future__ import annotations

import inspect
import io
import linecache
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import dill

from sim.bytecode import is_importable
from sim.decisions import check
from sim.errors import BadInput
from sim.hygiene import SAME_GAME, is_forbidden
from sim.registry import Listing, Origin, Registry, game_of
from sim.source import reached_by
from sim.strategy import Strategy, parameters

_unpacked: dict[bytes, type[Strategy]] = {}


@dataclass(frozen=True)
class Typed(Origin):
    """A class that is taken along, for it cannot be imported."""

    packed: bytes = field(default=b"", repr=False)
    hashed: str = ""

    def load(self) -> type[Strategy]:
        """Return the class: the very one where it was defined, its like in a worker."""
        if self.packed not in _unpacked:
            _unpacked[self.packed] = _unpack(self.packed)
        return _unpacked[self.packed]

    def closure(self) -> str:
        """Return the hash of its code. It was taken where the class was defined."""
        return self.hashed


def add_class(registry: Registry, cls: type[Strategy], game: str) -> Listing:
    """Add a strategy that is given as a class, wherever it was defined; return it.

    Args:
        registry: where to.
        cls: a class derived from Strategy.
        game: the game it shall play.

    Raises:
        BadInput: if it is no strategy, plays another game, takes a name that is taken, uses dice,
            clock, files or network, or reaches an object that cannot be sent to a worker.
    """
    if not (isinstance(cls, type) and issubclass(cls, Strategy) and cls is not Strategy):
        raise BadInput(f"expected a class derived from Strategy, got {cls!r}")
    try:
        plays = game_of(cls) or game
        check(cls, registry.games.get(plays))
    except (NameError, TypeError) as error:  # NameError: an annotation that means nothing
        raise BadInput(f"{cls.__name__}: {type(error).__name__}: {error}") from error
    if plays != game:
        raise BadInput(f"{cls.__name__} plays '{plays}', not '{game}'")
    who = f"the class {cls.__module__}.{cls.__qualname__}"
    return registry.add(Listing(plays, cls, _origin(cls), who))


def _origin(cls: type[Strategy]) -> Origin:
    reached = reached_by(cls)
    for name in filter(is_forbidden, sorted(reached.foreign)):
        raise BadInput(f"{cls.__name__}: uses '{name}'; {SAME_GAME}")
    if is_importable(cls):
        return Origin(cls.__module__, cls.__qualname__)
    packed = _pack(cls, {function.__code__.co_filename for function in reached.functions})
    _unpacked[packed] = cls
    return Typed(cls.__module__, cls.__qualname__, None, packed, reached.hash())


def _pack(cls: type[Strategy], files: Iterable[str]) -> bytes:
    """Return a class and the text of its files as bytes, and make sure that they can be read."""
    texts = {file: linecache.getlines(file) for file in sorted(files)}
    own = [base for base in reversed(cls.__mro__) if _is_taken_along(base)]
    written = io.BytesIO()
    try:
        # First the classes, then their methods, which may speak of them.
        _Packer(written, own).dump((own, [_typed(base) for base in own], texts))
        _unpack(written.getvalue())
    except Exception as error:  # whatever an object does that was not made to travel
        raise BadInput(
            f"{cls.__name__}: cannot be sent to a worker ({type(error).__name__}: {error}); "
            "put it into a file and name that under 'plugins'"
        ) from error
    return written.getvalue()


def _unpack(packed: bytes) -> type[Strategy]:
    classes: list[type[Strategy]]
    texts: Mapping[str, list[str]]  # the lines of each file
    classes, typed, texts = dill.loads(packed)
    for cls, methods in zip(classes, typed, strict=True):
        _complete(cls, methods)
    for file, lines in texts.items():
        if lines and file not in linecache.cache and not os.path.exists(file):
            linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    return classes[-1]


class _Packer(dill.Pickler):  # type: ignore[misc]
    """Packs a strategy as what was typed: dill would send what `dataclass` made of it as well."""

    def __init__(self, file: io.BytesIO, bare: Collection[type]) -> None:
        super().__init__(file, recurse=True)
        self._bare = bare  # classes whose methods are packed elsewhere

    def reducer_override(self, value: Any) -> Any:
        """Say how a strategy class is made again; of all else dill knows it."""
        if not (isinstance(value, type) and _is_taken_along(value)):
            return NotImplemented
        made, known = vars(value), parameters(value)
        kinds = {n: known[n].type for n in inspect.get_annotations(value) if n in known}
        names = {"__module__": value.__module__, "__qualname__": value.__qualname__}
        before = {name: made[name] for name in (*kinds, "name")} | names
        arguments = (type(value), value.__name__, value.__bases__, before, kinds)
        if value in self._bare:
            return _made, arguments
        return _made, arguments, _typed(value), None, None, _complete


def _is_taken_along(value: type) -> bool:
    return issubclass(value, Strategy) and not is_importable(value)


def _typed(cls: type) -> dict[str, Any]:
    """Return what was typed into a class beside its parameters: all else is made by `dataclass`."""
    kept = {"__doc__", "__post_init__"}
    return {name: value for name, value in vars(cls).items() if name[:2] != "__" or name in kept}


def _made(
    kind: Any, name: str, bases: tuple[type, ...], before: dict[str, Any], kinds: dict[str, type]
) -> type:
    """Make a class of nothing but parameters."""
    made: type = kind(name, bases, before | {"__annotations__": kinds})
    return made


def _complete(cls: type, typed: Mapping[str, Any]) -> None:
    for name, value in typed.items():
        setattr(cls, name, value)
