"""The one place that owns numba: its options, its cache folder, and the bit instructions.

Why these options:
- `cache=True`: compiling takes seconds, loading takes milliseconds.
- `error_model="numpy"` in the engine: no test for division by zero in the hot loop. Strategies keep
  Python's model, so that a division by zero in a tip is an error, not an infinity.
- never `fastmath`, never `parallel`: results must be the same to the bit on every machine, and a
  process that has started OpenMP cannot be forked.

numba tells named tuples apart by their name and the types of their fields alone: two games in one
process must not both have a `Keys` of the same fields.

numba's disk cache notices an edited file, but not an edited *helper* in another file, nor another
setting of `NUMBA_BOUNDSCHECK`. So the folder itself is named after everything that compiled code
depends on. This module must be imported before any module with compiled functions.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload

from sim import bits

KEEP_DAYS = 30  # a cache folder not used for so long is removed
BOUNDS_CHECKED = bool(int(os.environ.get("NUMBA_BOUNDSCHECK") or 0))


def engine(function: Callable[..., Any]) -> Any:
    """Compile a part of the engine: inlined into whoever calls it, and not callable from Python.

    `_nrt=False` switches off reference counting, which took two thirds of the time of a game; the
    price is that nothing may be allocated, so all arrays are handed in. `forceinline` and the
    missing wrappers halve the time to compile.
    """
    return numba.njit(
        error_model="numpy",
        forceinline=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
    )(function)


@engine
def at(index: Any) -> Any:
    """Return an index that is not negative, to be used without the test for one that counts back.

    numba's arrays count back from their end at -1, -2, ...; where LLVM cannot see that an index is
    none of these, the test costs more than the access, and vectors are gathered one by one.
    """
    return np.uint64(index)


def door(function: Callable[..., Any]) -> Any:
    """Compile, on its first call, an engine function that Python may call; it returns no arrays."""
    return numba.njit(cache=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=False)(function)


def door_as(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile at once, for one signature, an engine function that Python may call."""
    options = {"cache": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    return numba.njit(signature, **options)  # type: ignore[no-any-return]


def compiled_sources() -> list[Path]:
    """Return the files whose text compiled engine code depends on."""
    root = Path(__file__).parent
    shared = (
        *("autojit", "bits", "cards", "choose", "choosing", "deals", "jit", "lanes", "noise"),
        *("seat_bytes", "seating", "strategy", "unbind"),
    )
    games = sorted((root / "games").rglob("*.py"))
    return [*(root / f"{name}.py" for name in shared), *games]


def fingerprint() -> str:
    """Return the hash of everything compiled engine code depends on."""
    digest = sha256(f"{numba.__version__} {sys.version} bounds={BOUNDS_CHECKED}".encode())
    for path in compiled_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def _cache_folder() -> Path:
    """Return a writable folder for compiled code, named after its fingerprint."""
    home = os.environ.get("TIPOFF_CACHE_DIR") or platformdirs.user_cache_dir("tipoff")
    folder = Path(home) / fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:  # a read-only home: compile anew in every run, which still works
        return _passing_folder(folder.name)
    _prune(folder)
    return folder


def _passing_folder(name: str) -> Path:
    """Return a cache folder that this process shares with its workers, gone when it ends."""
    home = tempfile.mkdtemp(prefix="tipoff-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ["TIPOFF_CACHE_DIR"] = home
    folder = Path(home) / name
    folder.mkdir()
    return folder


def _prune(current: Path) -> None:
    """Remove old cache folders beside the current one; what a user keeps there is left alone."""
    limit = time.time() - KEEP_DAYS * 86_400
    with suppress(OSError):  # another process may be pruning, too
        for folder in current.parent.iterdir():
            ours = re.fullmatch("[0-9a-f]{24}", folder.name) and folder != current
            if ours and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)


FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(FOLDER)


def is_cold() -> bool:
    """Return True if nothing has been compiled yet for this engine on this machine."""
    return not any(FOLDER.iterdir())


@contextmanager
def bounds_checked() -> Iterator[None]:
    """Check array bounds in what is compiled inside; it must be cached under names of its own."""
    before = numba.config.BOUNDSCHECK
    numba.config.BOUNDSCHECK = 1
    try:
        yield
    finally:
        numba.config.BOUNDSCHECK = before


@contextmanager
def pointers_in_tuples() -> Iterator[None]:
    """Let compiled functions be handed over in tuples: numba warns each time that this is new."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end what compiles inside, even if it comes while LLVM calls back into Python.

    Such a callback cannot raise: Python reports the exception as ignored, and goes on.
    """
    ignored: list[BaseException | None] = []
    before = sys.unraisablehook

    def hook(report: Any) -> None:
        if isinstance(report.exc_value, KeyboardInterrupt):
            ignored.append(report.exc_value)
        else:
            before(report)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
    if ignored:
        raise KeyboardInterrupt


@intrinsic
def _count_bits(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest_bit(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], numba.core.cgutils.false_bit)

    return types.int64(types.int64), generate


@intrinsic
def highest(typing_context: Any, mask: Any) -> Any:
    """Return the number of the highest set bit of a mask that is not 0 (in the engine only)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], numba.core.cgutils.true_bit)
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.int64), generate


@intrinsic
def float_bits(typing_context: Any, number: Any) -> Any:
    """Return the 64 bits of a float as an int (in the engine only)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.int64))

    return types.int64(types.float64), generate


@intrinsic
def read_only(typing_context: Any, array: Any) -> Any:
    """Return the same array as one that compiled code refuses to write to."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return array.copy(readonly=True)(array), generate


# Plain functions of which compiled code knows a form of its own.
TWO_FORMS: set[Callable[..., Any]] = {bits.popcount, bits.lowest}


@overload(bits.popcount, inline="always")
def _popcount(mask: Any) -> Any:
    def count(mask: Any) -> Any:
        return _count_bits(mask)

    return count


@overload(bits.lowest, inline="always")
def _lowest(mask: Any) -> Any:
    def find(mask: Any) -> Any:
        return _lowest_bit(mask)

    return find
