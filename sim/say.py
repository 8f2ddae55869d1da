"""What a run tells the user beside its results."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Write a line to standard error."""
    print(text, file=sys.stderr, flush=True)
