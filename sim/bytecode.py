"""The hash of a class by its code, for one that no file holds: typed into a notebook, a shell.

What counts is the bytecode of its methods with all that it reaches by name: constants, helpers,
numbers, arrays, classes, and the text of modules of the user's own. Bytecode differs from one
version of Python to the next, and so does the hash: deals may be played twice, never mistaken. For
an object whose content nobody can tell, such as an open file, the hash is that of this process
alone.
"""

from __future__ import annotations

import builtins
import dis
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import singledispatchmethod
from hashlib import sha256
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any
from uuid import uuid4

import numpy as np

from sim.strategy import Strategy, parameters
from sim.unbind import codes

PACKAGES = ("site-packages", "dist-packages")  # where other people's code is installed
ONLY_HERE = uuid4().hex  # stands for what cannot be told: never the same in another process
NOISE = {"__dict__", "__weakref__", "__module__", "__doc__", "__qualname__", "__firstlineno__"}
NOISE |= {"__annotations__", "__dataclass_fields__", "__static_attributes__", "__abstractmethods__"}


@dataclass
class Reached:
    """All that the code of a class reaches, in the order in which it is met."""

    text_of: Callable[[ModuleType], str]  # hash of the text of a module of the user's own
    functions: list[FunctionType] = field(default_factory=list)
    foreign: set[str] = field(default_factory=set)  # dotted names in Python and its packages
    _numbers: dict[int, int] = field(default_factory=dict)  # of objects met before, by id
    _facts: list[str] = field(default_factory=list)

    @classmethod
    def by(cls, strategy: type[Strategy], text_of: Callable[[ModuleType], str]) -> Reached:
        """Follow everything that a strategy class uses."""
        found = cls(text_of)
        found._numbered(strategy, lambda: found._class(strategy))
        return found

    def hash(self) -> str:
        """Return the hash of it all."""
        return sha256(repr([MAGIC_NUMBER, self._facts]).encode()).hexdigest()

    def _fact(self, text: str) -> None:
        self._facts.append(text)

    def _numbered(self, value: object, tell: Callable[[], Iterable[str]]) -> str:
        """Return the number of an object; what there is to tell of it is told but once."""
        if id(value) not in self._numbers:
            number = self._numbers[id(value)] = len(self._numbers)
            self._fact(f"#{number}: {list(tell())}")
        return f"#{self._numbers[id(value)]}"

    def _tokens(self, values: Iterable[object]) -> list[str]:
        return [self._token(value) for value in values]

    def _named(self, value: Any) -> str:
        """Return the name of what belongs to Python or to an installed package."""
        owner = getattr(value, "__module__", None) or type(getattr(value, "__self__", 0)).__module__
        name = f"{owner}.{getattr(value, '__qualname__', None) or value.__name__}"
        self.foreign.add(name)
        return name

    @singledispatchmethod
    def _token(self, value: Any) -> str:
        if isinstance(inner := getattr(value, "py_func", None), FunctionType):
            return f"compiled {self._token(inner)}"
        if value is ... or isinstance(value, np.ufunc):
            return repr(value)
        return f"{type(value).__qualname__} {ONLY_HERE}"

    @_token.register
    def _(self, value: bool | int | float | complex | str | bytes | np.generic | None) -> str:
        return f"{type(value).__qualname__} {value!r}"

    @_token.register
    def _(self, value: tuple | list) -> str:  # type: ignore[type-arg]
        return f"{type(value).__qualname__} {self._tokens(value)}"

    @_token.register
    def _(self, value: set | frozenset) -> str:  # type: ignore[type-arg]
        return f"{type(value).__qualname__} {sorted(self._tokens(value))}"

    @_token.register
    def _(self, value: dict) -> str:  # type: ignore[type-arg]
        return f"dict {self._tokens(value.items())}"  # in their order, which play may go by

    @_token.register
    def _(self, value: Enum) -> str:
        return f"{type(value).__qualname__}.{value.name} {self._token(value.value)}"

    @_token.register
    def _(self, value: np.ndarray) -> str:
        if value.dtype.hasobject:
            return f"array {ONLY_HERE}"
        return f"array {value.dtype} {value.shape} {sha256(value.tobytes()).hexdigest()}"

    @_token.register
    def _(self, value: ModuleType) -> str:
        if is_foreign(value.__name__):
            self.foreign.add(value.__name__)
            return f"module {value.__name__}"
        return f"module {self._text(value)}"

    @_token.register
    def _(self, value: staticmethod | classmethod) -> str:  # type: ignore[type-arg]
        return f"{type(value).__name__} {self._token(value.__func__)}"

    @_token.register
    def _(self, value: property) -> str:
        return f"property {self._token(value.fget)}"

    @_token.register
    def _(self, value: CellType) -> str:
        try:
            return self._token(value.cell_contents)
        except ValueError:
            return "an empty cell"

    @_token.register
    def _(self, value: BuiltinFunctionType) -> str:
        return self._named(value)

    @_token.register
    def _(self, value: FunctionType) -> str:
        if is_foreign(value.__module__):
            return self._named(value)
        return self._numbered(value, lambda: self._function(value))

    @_token.register
    def _(self, value: CodeType) -> str:
        words = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        calls = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount)
        text = (value.co_code, value.co_exceptiontable, words, calls, self._tokens(value.co_consts))
        return f"code {sha256(repr(text).encode()).hexdigest()}"

    @_token.register
    def _(self, value: type) -> str:
        if value is Strategy or is_foreign(value.__module__):
            return self._named(value)
        if is_importable(value):
            return f"class {value.__qualname__} {self._text(sys.modules[value.__module__])}"
        return self._numbered(value, lambda: self._class(value))

    def _text(self, module: ModuleType) -> str:
        is_text = (module.__file__ or "").endswith(".py")
        return self.text_of(module) if is_text else ONLY_HERE

    def _function(self, value: FunctionType) -> Iterator[str]:
        self.functions.append(value)
        yield self._token(value.__code__)
        yield from self._tokens((value.__defaults__, value.__kwdefaults__))
        yield from self._tokens(value.__closure__ or ())
        for name in names_used(value, self.foreign):
            builtin = getattr(builtins, name, None)
            used = value.__globals__.get(name, builtin)
            if used is not builtin:
                yield f"{name} = {self._token(used)}"

    def _class(self, value: type) -> Iterator[str]:
        yield from self._tokens(base for base in value.__bases__ if base is not object)
        if issubclass(value, Enum):
            yield from self._tokens(value.__members__.values())
            return
        if strategy := issubclass(value, Strategy):
            yield from map(repr, parameters(value).values())
        for name, item in sorted(vars(value).items()):
            made = strategy and name[:2] == "__" and name != "__post_init__"
            if name not in NOISE and not made:
                yield f"{name}: {self._token(item)}"


def is_foreign(module: str | None) -> bool:
    """Return whether a module is Python's own or an installed package's."""
    if module == "__main__":  # what a user typed, whatever program reads it
        return False
    if not module or module.partition(".")[0] in sys.stdlib_module_names:
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    return bool(file and set(PACKAGES) & set(Path(file).parts))


def names_used(function: FunctionType, imported: set[str]) -> dict[str, None]:
    """Return the global names a function uses; what it imports itself is added to `imported`."""
    found: dict[str, None] = {}
    for code in codes(function.__code__):
        before: Any = None
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                found[step.argval] = None
            elif step.opname == "IMPORT_NAME":
                imported.add(step.argval)
            elif step.argval == "random" and before is np:
                imported.add("numpy.random")
            before = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
    return found


def is_importable(value: type) -> bool:
    """Return whether another process finds a class by the names of its module and its own."""
    module = sys.modules.get(value.__module__)
    has_file = getattr(module, "__file__", None) and getattr(module, "__spec__", None)
    is_there = getattr(module, value.__qualname__, None) is value
    return bool(has_file and is_there and value.__module__ != "__main__")
