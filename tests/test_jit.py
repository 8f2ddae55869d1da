"""The cache of compiled code: where it lies, what is cleared away, Ctrl-C while it is filled."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim import jit

OLD = time.time() - (jit.KEEP_DAYS + 1) * 86_400


def test_old_cache_folders_are_removed_and_nothing_else(tmp_path: Path) -> None:
    """`TIPOFF_CACHE_DIR` may be any folder: what else a user keeps there is not ours to remove."""
    names = {"a" * 24: True, "b" * 24: False, "photos": False, "c" * 24 + ".bak": False}
    names |= {"1" * 23: False, "G" * 24: False}
    for name in names:
        (tmp_path / name / "inside").mkdir(parents=True)
        if name[0] != "b":
            os.utime(tmp_path / name, (OLD, OLD))
    (tmp_path / ("d" * 24)).write_text("a file")
    os.utime(tmp_path / ("d" * 24), (OLD, OLD))
    current = tmp_path / ("e" * 24)
    current.mkdir()
    os.utime(current, (OLD, OLD))
    jit._prune(current)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {name for name, gone in names.items() if not gone} | {"d" * 24, "e" * 24}


def test_pruning_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    jit._prune(tmp_path / "gone" / ("a" * 24))


def python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=os.environ | env, capture_output=True, text=True, timeout=120, check=True
    )


def test_the_cache_lies_where_it_is_told_to(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "cache"
    said = python("from sim import jit; print(jit.FOLDER)", TIPOFF_CACHE_DIR=str(home))
    assert Path(said.stdout.strip()) == home / jit.fingerprint()


SHARED = """
import os, subprocess, sys
from sim import jit
home = jit.FOLDER.parent
child = "from sim import jit; print(jit.FOLDER)"
theirs = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout
assert theirs.strip() == str(jit.FOLDER), theirs
assert jit.FOLDER.is_dir() and jit.is_cold()
print(home)
"""


def test_a_read_only_home_is_replaced_by_a_folder_that_goes_away(tmp_path: Path) -> None:
    """Workers find there what their parent has compiled."""
    (tmp_path / "file").write_text("no folder can be made below this")
    said = python(SHARED, TIPOFF_CACHE_DIR=str(tmp_path / "file" / "cache"))
    home = Path(said.stdout.strip())
    assert home.name.startswith("tipoff-") and not home.exists()


def test_another_engine_has_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = jit.fingerprint()
    assert jit.fingerprint() == before and len(before) == 24
    monkeypatch.setattr(jit, "BOUNDS_CHECKED", not jit.BOUNDS_CHECKED)
    checked = jit.fingerprint()
    (tmp_path / "new.py").write_text("x = 1\n")
    monkeypatch.setattr(jit, "compiled_sources", lambda: [tmp_path / "new.py"])
    assert len({before, checked, jit.fingerprint()}) == 3


def test_ctrl_c_inside_a_callback_is_not_lost() -> None:
    """As one that comes while LLVM calls back into Python, which cannot raise."""
    went_on = False
    with pytest.raises(KeyboardInterrupt), jit.interruptible():
        sys.unraisablehook(report(KeyboardInterrupt()))
        went_on = True
    assert went_on


def test_other_faults_of_callbacks_are_still_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", shown.append)
    hook = sys.unraisablehook
    with jit.interruptible():
        fault = report(ValueError("odd"))
        sys.unraisablehook(fault)
    assert shown == [fault] and sys.unraisablehook is hook


def report(error: BaseException) -> sys.UnraisableHookArgs:
    """What Python hands to the hook."""

    class Report:
        exc_type, exc_value, exc_traceback = type(error), error, None
        err_msg, object = None, None

    return Report()  # type: ignore[return-value]
