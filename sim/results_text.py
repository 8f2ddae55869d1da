"""The text of a results.json: written so that equal results are equal bytes, read with care."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MAX_BYTES = 2**26  # of a results.json; that of a hundred entries is a megabyte or two

# A list of integers as `json.dumps` lays it out, over thousands of lines; no string has a break.
_INTEGERS = re.compile(r"\[\s+-?\d+(?:,\s+-?\d+)*\s+\]")


def text_of(plain: Mapping[str, Any]) -> str:
    """Return results as JSON: floats unrounded, lists of integers on one line."""
    text = json.dumps(plain, indent=1, ensure_ascii=False)
    return _INTEGERS.sub(lambda found: re.sub(r"\s+", "", found[0]), text) + "\n"


def text_in(path: Path) -> str:
    """Return the text of a results.json file.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is no file of text, or larger than `MAX_BYTES`.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise ValueError("not a file")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES:_} bytes")
    return data.decode("utf-8")
