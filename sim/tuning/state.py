"""What a search has measured so far, in a file of its folder: integers, and nothing that runs.

A library's state is not stored: told the same numbers again it comes to the same candidates. Each
round, a generation or a stage, is found by what was played, its candidates included.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np

from sim.errors import BadInput, StoreDamaged
from sim.files import head
from sim.folder import whole
from sim.tuning.plan import Candidate
from sim.tuning.trials import Scores

FILE_NAME = "state.json"
MAX_BYTES = 1 << 26
BETWEEN = 1.0  # seconds from one writing to the next


class State:
    """The rounds that a folder holds; use it as a context manager, which writes the last ones."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        """Read what is there.

        Raises:
            BadInput: if the folder holds another search, naming what differs.
            StoreDamaged: if the file is not one of ours.
        """
        self._path, self._identity = folder / FILE_NAME, dict(identity)
        self._rounds: dict[str, Any] = {}
        self._written, self._fresh = time.monotonic(), False
        if self._path.exists():
            self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fresh:
            self._write()

    def get(self, key: str, candidates: Sequence[Candidate], games: int) -> Scores | None:
        """Return what was measured in a round, or None if it was not played.

        Raises:
            StoreDamaged: if the numbers cannot be those of the round.
        """
        found = self._rounds.get(f"{key}, {digest(candidates)}")
        if found is None:
            return None
        wins, left = (self._numbers(found.get(name), len(candidates)) for name in ("wins", "left"))
        if (wins > games).any():
            raise self._damaged(f"{key}: more wins than games")
        return Scores(games, wins, left)

    def put(self, key: str, candidates: Sequence[Candidate], scores: Scores) -> None:
        """Keep what was measured in a round."""
        values = {"wins": scores.wins.tolist(), "left": scores.left.tolist()}
        self._rounds[f"{key}, {digest(candidates)}"] = values
        self._fresh = True
        if time.monotonic() - self._written > BETWEEN:
            self._write()

    def _write(self) -> None:
        with whole(self._path) as draft:
            text = json.dumps({"search": self._identity, "rounds": self._rounds})
            draft.write_text(text, encoding="utf-8")
        self._written, self._fresh = time.monotonic(), False

    def _read(self) -> None:
        text = head(self._path, MAX_BYTES + 1)
        try:
            found = json.loads(text)
            known, rounds = dict(found["search"]), dict(found["rounds"])
        except (KeyError, RecursionError, TypeError, ValueError) as error:
            raise self._damaged(error) from error
        if len(text) > MAX_BYTES or not all(isinstance(one, dict) for one in rounds.values()):
            raise self._damaged("not as `tipoff tune` writes it")
        for name, value in self._identity.items():
            if known.get(name) != value:
                raise BadInput(
                    f"{self._path.parent} holds a search with another {name}; "
                    "give another folder with --out DIR"
                )
        self._rounds = rounds

    def _numbers(self, found: Any, count: int) -> Any:
        whole_numbers = isinstance(found, list) and all(
            type(one) is int and 0 <= one < 2**60 for one in found
        )
        if not whole_numbers or len(found) != count:
            raise self._damaged("a round does not hold one number a candidate")
        return np.array(found, np.int64)

    def _damaged(self, why: object) -> StoreDamaged:
        return StoreDamaged(f"{self._path} is damaged ({why}); delete it to begin anew")


def digest(candidates: Sequence[Candidate]) -> str:
    """Return a short hash of candidates, to the last bit of their values."""
    return sha256(repr([tuple(one) for one in candidates]).encode()).hexdigest()[:16]
