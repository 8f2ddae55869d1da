"""Who holds a file that is locked: as the kernel knows it, so never a process that is dead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Asks for the lock of SQLite's lock bytes, and looks at the holder while it holds it. In a process
# of its own, for to close a file is to give up all locks a process has on it.
_ASK = """
import fcntl, struct, sys
LOCK = "hhqqi"  # struct flock of Linux: type, whence, start, length, process
def holder(file):
    wanted = struct.pack(LOCK, fcntl.F_WRLCK, 0, 0x40000000, 512, 0)
    kind, _, _, _, process = struct.unpack(LOCK, fcntl.fcntl(file, fcntl.F_GETLK, wanted))
    return process if kind != fcntl.F_UNLCK else 0
with open(sys.argv[1], "r+b") as file:
    process = holder(file)
    with open(f"/proc/{process}/cmdline", "rb") as line:
        words = line.read(4096).rstrip(b"\\0").split(b"\\0")
    if words[0] and process == holder(file):
        print(process, *(ascii(word.decode("utf-8", "replace"))[1:-1] for word in words))
"""


def holder(path: Path) -> str:
    """Return process id and command of who has locked a SQLite file, or "" if nobody can tell."""
    if not sys.platform.startswith("linux"):
        return ""
    command = [sys.executable, "-I", "-S", "-c", _ASK, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    number, _, words = done.stdout.strip().partition(" ")
    return f"process {number} ({words[:200]})" if words else ""
