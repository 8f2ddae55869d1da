"""A results.json of either kind: of one who plays alone, or of a tournament."""

from __future__ import annotations

import json
from pathlib import Path

from sim.results import Results
from sim.results_text import text_in
from sim.standings import Standings

Published = Results | Standings


def read(path: Path) -> Published:
    """Read a results.json file.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is not a results.json.
    """
    text = text_in(path)
    try:
        is_tournament = "tournament" in json.loads(text)
    except (RecursionError, TypeError) as error:
        raise ValueError("not a results.json") from error
    return (Standings if is_tournament else Results).from_json(text)
