"""The command `tipoff`: whatever comes, Ctrl-C in its first moments included, ends in one message.

Next to nothing is imported here: the rest waits until an interrupt is told well.
"""

from __future__ import annotations

import gc
import sys

try:
    from collections.abc import Sequence

    from sim.interrupts import INTERRUPTED, Interrupts, farewell
except KeyboardInterrupt:
    print("stopped", file=sys.stderr)
    raise SystemExit(130) from None


def main(words: Sequence[str] | None = None) -> int:
    """Run the command, by default that of this process; return its exit status."""
    given = list(sys.argv[1:] if words is None else words)
    try:
        with Interrupts(given, last=words is None):
            from sim.commands.line import answer

            return answer(given)
    except KeyboardInterrupt:
        print(farewell(given), file=sys.stderr)
        return INTERRUPTED
    finally:
        if words is None:
            gc.freeze()  # the process ends: to look for garbage once more takes half a second
