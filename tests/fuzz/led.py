"""Feed one target with what reaches new code: `python -m tests.fuzz.led TARGET FOLDER OPTION...`.

Needs atheris. The options are those of libFuzzer, such as -runs, -timeout and -rss_limit_mb.
"""

from __future__ import annotations

import sys

import atheris

from tests.fuzz.inputs import valid

# Not all of `sim`: what numba compiles must stay as it is written.
READERS = ["config", "hygiene", "plan", "settings", "yaml_lines"]

with atheris.instrument_imports(include=["yaml", *(f"sim.{name}" for name in READERS)]):
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    _, name, *options = sys.argv
    target = TARGETS[name]
    target(valid(name))
    atheris.Setup([sys.argv[0], *options], lambda data: target(data) and None)
    atheris.Fuzz()
