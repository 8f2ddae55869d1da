"""Hosts of their own on one machine: network namespaces, joined by a bridge (Linux, root)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import pytest

NET = "10.213.57"  # a private network that nobody is likely to have


class Hosts:
    """Hosts numbered from 2; this process stands beside the bridge, at number 1."""

    def __init__(self) -> None:
        self.bridge = f"tip{os.getpid()}"[-15:]
        self.names: list[str] = []

    def add(self) -> int:
        """Make a host, and return its number."""
        number = len(self.names) + 2
        self.names.append(f"{self.bridge}-{number}")
        name, cable = self.names[-1], self.cable(number)
        ip("netns", "add", name)
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", cable, "master", self.bridge, "up")
        ip("-n", name, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        return number

    def address(self, number: int) -> str:
        return f"{NET}.{number}"

    def cable(self, number: int) -> str:
        return f"{self.bridge[-12:]}v{number}"

    def on(self, number: int) -> list[str]:
        """Return the words that start what follows them on a host."""
        return ["ip", "netns", "exec", self.names[number - 2]]

    def unplug(self, number: int) -> list[str]:
        """Return the command that cuts a host off: it does not even say goodbye."""
        return ["ip", "link", "set", self.cable(number), "down"]


@contextmanager
def hosts() -> Iterator[Hosts]:
    """Make a network; skips where it may not be made."""
    made = Hosts()
    try:
        try:
            ip("link", "add", "name", made.bridge, "type", "bridge")
            ip("addr", "add", f"{NET}.1/24", "dev", made.bridge)
            ip("link", "set", made.bridge, "up")
            made.add()
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", "") or str(error)
            pytest.skip(f"network namespaces cannot be made here: {reason.strip()}")
        yield made
    finally:
        for words in [
            *(("netns", "del", name) for name in made.names),
            ("link", "del", made.bridge),
        ]:
            with suppress(OSError, subprocess.CalledProcessError):
                ip(*words)


def ip(*words: str) -> None:
    command: Sequence[str] = ("ip", *words)
    subprocess.run(command, check=True, capture_output=True, text=True)
