"""Playing candidates: in worker processes, the same deals for all of them, integers only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim.cast import players_of
from sim.errors import StrategyFailed
from sim.game import Dice, Game
from sim.progress import bar
from sim.registry import Origin
from sim.tuning.plan import Candidate, Search
from sim.work import Spec
from sim.workers import Processes, cores

PIECE = 2_000  # deals of a job, some 20 ms


@dataclass(frozen=True)
class Trial:
    """A job: one candidate under one rules variant, on some deals in a row."""

    number: int  # of the candidate among those that are compared
    params: tuple[tuple[str, Any], ...]
    rules: Any
    seed: int
    first: int
    count: int


@dataclass(frozen=True)
class Scores:
    """What candidates did on their deals, under all rules variants together."""

    games: int  # of each candidate
    wins: NDArray[np.int64]  # (candidates,)
    left: NDArray[np.int64]  # (candidates,) cards left, added up

    def ranked(self) -> list[int]:
        """Return the numbers of the candidates, the best first: most wins, then fewest left."""
        return [int(i) for i in np.lexsort((self.left, -self.wins))]


class Trials:
    """The workers and the bar of a search; use it as a context manager."""

    def __init__(
        self, search: Search, workers: int | None, games: int, progress: bool | None
    ) -> None:
        """Build the players of the strategy, once, and start the workers.

        Args:
            search: what is searched.
            workers: how many; None: as the config says, or one a core.
            games: how many there will be, for the bar.
            progress: a bar; None: on a terminal.
        """
        self._search = search
        origin = search.listing.origin
        specs = [Spec(origin, search.fixed, rules) for rules in search.variants[:1]]
        players_of(search.game, specs, require_compiled=False)  # compiled here, before any fork
        work = partial(player_of_trials, search.game, origin, origin.closure())
        count = workers or search.wanted.workers or cores()
        self._processes = Processes(work, count, name=_name)
        self._bar = bar(games, progress)

    def __enter__(self) -> Self:
        self._processes.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._processes.__exit__(*error)
        self._bar.close()

    def play(self, candidates: Sequence[Candidate], seed: int, first: int, deals: int) -> Scores:
        """Play deals `first` .. `first + deals - 1` of a seed with every candidate.

        Raises:
            TipoffError: as the strategy or a worker gives cause for.
        """
        wins, left = np.zeros((2, len(candidates)), np.int64)
        jobs = self._jobs(candidates, seed, first, deals)
        for trial, (won, remaining) in self._processes.map_unordered(jobs):
            wins[trial.number] += won
            left[trial.number] += remaining
            self._bar.update(trial.count)
        return Scores(deals * len(self._search.variants), wins, left)

    @property
    def variants(self) -> int:
        """Return under how many rules variants every candidate plays."""
        return len(self._search.variants)

    def skip(self, games: int) -> None:
        """Count games that were played before."""
        self._bar.update(games)

    def tell(self, text: str) -> None:
        """Show a text beside the bar."""
        self._bar.set_postfix_str(text, refresh=False)

    def _jobs(
        self, candidates: Sequence[Candidate], seed: int, first: int, deals: int
    ) -> Iterator[Trial]:
        for number, candidate in enumerate(candidates):
            params = tuple(self._search.params(candidate).items())
            for rules in self._search.variants:
                for start in range(first, first + deals, PIECE):
                    count = min(PIECE, first + deals - start)
                    yield Trial(number, params, rules, seed, start, count)


def player_of_trials(
    game: Game, origin: Origin, closure: str
) -> Callable[[Trial], tuple[int, int]]:
    """Return the function that plays a job, in a worker: deals won, and cards left in all.

    Raises:
        StrategyFailed: if this process finds other sources than the parent.
    """
    play_block = game.part("play").play_block
    if origin.closure() != closure:
        raise StrategyFailed(
            f"strategy '{origin.load().name}' was edited while it was being played; "
            "run the same command again"
        )

    def work(trial: Trial) -> tuple[int, int]:
        player = Spec(origin, dict(trial.params), trial.rules).player(game)
        dice = Dice(trial.seed, trial.seed)
        left = play_block(trial.rules, dice, trial.first, trial.count, player).outcomes[0]
        return int((left == 0).sum()), int(left.sum(dtype=np.int64))

    return work


def _name(trial: Trial) -> str:
    return f"deals {trial.first} to {trial.first + trial.count - 1} of a candidate"
