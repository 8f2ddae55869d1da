"""Reading files that anybody may have made."""

from __future__ import annotations

import os
from pathlib import Path

from sim.errors import BadInput


def head(path: Path, most: int) -> bytes:
    """Return the first bytes of a file, `most` at most.

    Raises:
        BadInput: if it cannot be read, or is no file: a pipe would be waited for, a folder is none.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise BadInput(f"{path}: cannot be read: it is not a file")
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise BadInput(f"{path}: cannot be read: {reason}") from error
