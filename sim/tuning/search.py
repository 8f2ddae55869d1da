"""A search from its first generation to the check on deals that it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.deals import STREAM_VERSION
from sim.judge import versions
from sim.tuning.methods import ALL, MOST_CONTENDERS, Method, method_of
from sim.tuning.plan import Candidate, Search
from sim.tuning.state import State
from sim.tuning.trials import Scores, Trials

AGAIN = ("fresh_deals", "fresh_seed", "generations", "plugins", "stages", "tune", "workers")
"""Keys of a config that may change without making what was measured useless."""


@dataclass(frozen=True)
class Checked:
    """A candidate and what it did on some deals."""

    candidate: Candidate
    games: int
    wins: int
    left: int


@dataclass(frozen=True)
class Found:
    """What a search found."""

    search: Search
    best: Checked  # on the fresh deals
    unchanged: Checked  # the same with every parameter searched at its default
    last_stage: tuple[Checked, ...]  # those that were left, the best first
    contenders: int  # how many the stages began with


def find(search: Search, folder: Path, workers: int | None, progress: bool | None = None) -> Found:
    """Search; what was measured is kept in the folder, and not measured again.

    Raises:
        BadInput: if the folder holds another search, or a library is missing.
        TipoffError: as a strategy or a worker gives cause for; what was finished stays stored.
    """
    method = method_of(search)
    games = expected_games(search, method)
    with State(folder, identity(search)) as state, Trials(search, workers, games, progress) as play:
        rounds = _Rounds(state, play)
        _generations(search, method, rounds)
        contenders = _contenders(search, method)
        last = _stages(search, contenders, rounds)
        return _checked(search, last, len(contenders), rounds)


def identity(search: Search) -> dict[str, Any]:
    """Return what must agree for measurements to be used again, as JSON has it."""
    wanted = search.wanted.model_dump(mode="json", exclude=set(AGAIN))
    library = versions(search.game.rules_version)
    rest = ("numpy", *(() if search.wanted.method == ALL else (search.wanted.method,)))
    return {
        **wanted,
        "source of the strategy": search.listing.origin.closure(),
        "version of the rules": search.game.rules_version,
        "version of the deals": STREAM_VERSION,
        **{f"version of {name}": library.get(name) or _version(name) for name in rest},
    }


def expected_games(search: Search, method: Method) -> int:
    """Return how many games a search takes at most; who the contenders are shows only later."""
    wanted = search.wanted
    by_generations = wanted.method != ALL
    deals = search.of_search * wanted.candidates
    count = MOST_CONTENDERS if by_generations else len(method.contenders())
    for stage in wanted.stages:
        deals += count * stage.deals
        count = min(count, stage.keep)
    return (deals + 2 * wanted.fresh_deals) * len(search.variants)


@dataclass(frozen=True)
class _Rounds:
    """Plays what is not in the state."""

    state: State
    trials: Trials

    def play(
        self, name: str, candidates: Sequence[Candidate], seed: int, first: int, deals: int
    ) -> Scores:
        """Return what candidates did, from the state or played now."""
        key = f"{name}: seed {seed}, deals {first} to {first + deals - 1}"
        games = deals * self.trials.variants
        scores = self.state.get(key, candidates, games)
        if scores is None:
            scores = self.trials.play(candidates, seed, first, deals)
            self.state.put(key, candidates, scores)
        else:
            self.trials.skip(games * len(candidates))
        self.trials.tell(f"{name}: best {100 * scores.wins.max() / games:.1f} %")
        return scores


def _generations(search: Search, method: Method, rounds: _Rounds) -> None:
    wanted = search.wanted
    if wanted.method == ALL:
        return
    for number in range(wanted.generations):
        scores = rounds.play(
            f"generation {number + 1}",
            method.ask(),
            seed=wanted.seed,
            first=number * wanted.deals,
            deals=wanted.deals,
        )
        by_cards = wanted.method == "cma" and number < wanted.leftover_first
        losses = scores.left if by_cards else -scores.wins
        method.tell([int(loss) / scores.games for loss in losses])


def _contenders(search: Search, method: Method) -> list[Candidate]:
    """Return those the method proposes, and the defaults: nobody wants to be led astray."""
    rest = [] if search.wanted.method == ALL else [search.unchanged]
    return list(dict.fromkeys([*method.contenders(), *rest]))


def _stages(search: Search, contenders: list[Candidate], rounds: _Rounds) -> list[Checked]:
    """Let the contenders meet on more and more new deals; return who is left, the best first."""
    left, first, kept = contenders, search.of_search, []
    for number, stage in enumerate(search.wanted.stages):
        scores = rounds.play(f"stage {number + 1}", left, search.wanted.seed, first, stage.deals)
        kept = [_check(left, scores, i) for i in scores.ranked()[: stage.keep]]
        left, first = [one.candidate for one in kept], first + stage.deals
    return kept


def _checked(search: Search, last: list[Checked], contenders: int, rounds: _Rounds) -> Found:
    """Play the best, and the defaults, on the deals of the fresh seed."""
    wanted = search.wanted
    pair = [last[0].candidate, search.unchanged]
    scores = rounds.play("check", pair, wanted.fresh_seed, 0, wanted.fresh_deals)
    best, unchanged = (_check(pair, scores, i) for i in range(2))
    return Found(search, best, unchanged, tuple(last), contenders)


def _check(candidates: Sequence[Candidate], scores: Scores, i: int) -> Checked:
    return Checked(candidates[i], scores.games, int(scores.wins[i]), int(scores.left[i]))


def _version(name: str) -> str:
    from importlib.metadata import version

    return version(name)
