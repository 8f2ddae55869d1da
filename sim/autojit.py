"""Compiling what stands in files of others: helpers without a decorator, and generated modules."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba

from sim import jit
from sim.unbind import codes


def generated_module(text: str, path: Path, names: dict[str, Any]) -> ModuleType:
    """Write the generated file, if it is not there yet, and import it with `names` as globals."""
    if not path.exists():  # its time stamp is part of numba's cache key: write it once
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    module_name = f"tipoff_generated_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module


def auto_jit(function: Callable[..., Any], counts: bool) -> Any:
    """Compile a plain function together with the plain module-level helpers it calls."""
    return _auto_jit(function, counts, {})


def _auto_jit(function: Any, counts: bool, done: dict[Any, Any]) -> Any:
    if function not in done:
        done[function] = None  # a helper that calls itself finds a hole, and numba says so
        names = dict(function.__globals__)
        for name in _names_used(function.__code__):
            value = names.get(name)
            if isinstance(value, FunctionType) and value not in jit.TWO_FORMS:
                names[name] = _auto_jit(value, counts, done)
        copy = FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__ = function.__module__
        # Forced: a view is twenty words, and a call that hands it on costs more than most tips.
        done[function] = numba.njit(forceinline=True, _nrt=counts)(copy)
    return done[function]


def _names_used(code: CodeType) -> set[str]:
    return {name for inner in codes(code) for name in inner.co_names}
