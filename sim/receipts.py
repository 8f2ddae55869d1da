"""What a results file promises: the leaves it shows, and what is needed to play them again.

A results file is enough: its entries carry strategy, parameters and rules, and it carries seed and
ties. It may come from a stranger, so nothing in it is believed before it was looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from sim.audit.check import MOST_DEALS, who
from sim.counts import EVERY, MOST_CELLS, RANGE
from sim.deal_set import DealSet
from sim.errors import BadInput
from sim.fields import MAX_DEALS, Seed
from sim.game import Dice, Game
from sim.registry import Listing, Registry
from sim.results import Entry, Ranges, Results
from sim.settings import params_of, rules_of, settle
from sim.tally import LEAF
from sim.work import Spec

TIES = ("hashed", "first")


@dataclass(frozen=True)
class Leaf:
    """Deals whose outcomes have one digest: up to 50,000 of an entry, or a range of all entries."""

    entry: int  # number of the entry in the results; EVERY: all of them
    number: int  # of the leaf in its entry, or of the range
    first: int  # deal
    count: int  # deals


@dataclass(frozen=True)
class Receipts:
    """A results file made ready to be played again."""

    results: Results
    game: Game
    dice: Dice
    specs: dict[int, Spec]  # by number of the entry; those that cannot be played are missing
    faults: tuple[str, ...]  # why not, and what else does not fit the game

    def leaves(self) -> list[Leaf]:
        """Return all leaves that can be played; those of counts only if all entries can."""
        if self.results.counts is not None:
            whole = len(self.specs) == len(self.results.entries) <= MOST_CELLS
            return list(self._ranges(self.results.counts)) if whole else []
        return [leaf for number in self.specs for leaf in self._leaves(number)]

    def _leaves(self, number: int) -> Iterator[Leaf]:
        entry = self.results.entries[number]
        deals = min(entry.deals, MOST_DEALS)
        for leaf, first in enumerate(range(0, deals, LEAF)[: len(entry.leaves)]):
            yield Leaf(number, leaf, first, min(LEAF, deals - first))

    def _ranges(self, ranges: Ranges) -> Iterator[Leaf]:
        deals = min(MOST_DEALS, *(entry.deals for entry in self.results.entries))
        for number, first in enumerate(range(0, deals, RANGE)[: len(ranges.leaves)]):
            yield Leaf(EVERY, number, first, min(RANGE, deals - first))

    def games(self, leaves: Iterable[Leaf]) -> int:
        """Return how many games it is to play some leaves."""
        each = 1 if self.results.counts is None else len(self.results.entries)
        return sum(leaf.count for leaf in leaves) * each


def choose(parts: Sequence[Receipts], sample: int | None, seed: int) -> list[list[Leaf]]:
    """Return some leaves of each part, chosen by a seed, in the order of the file; None = all."""
    leaves = [(part, leaf) for part, one in enumerate(parts) for leaf in one.leaves()]

    def lot(place: tuple[int, Leaf]) -> str:
        part, leaf = place
        return sha256(f"{seed} {part} {leaf.entry} {leaf.number}".encode()).hexdigest()

    chosen = set(sorted(leaves, key=lot)[:sample])
    return [
        [leaf for part, leaf in leaves if part == number and (part, leaf) in chosen]
        for number in range(len(parts))
    ]


def read(path: Path) -> Results:
    """Read a results file with every value of the type it must have.

    Raises:
        BadInput: if there is none, or it is none.
    """
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read; expected the results.json of a run") from error
    try:
        results = TypeAdapter(Results).validate_json(text, strict=True)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the file"
        message = f"{path} is not a results file of tipoff; {where}: {fault['msg']}"
        raise BadInput(message) from None
    part: Results | None = results
    while part is not None:
        if not part.entries:
            raise BadInput(f"{path} has no entries")
        part = part.fresh
    return results


def receipts_of(results: Results, registry: Registry) -> list[Receipts]:
    """Find the game and the strategies of results; those on a fresh seed are a part of their own.

    Raises:
        BadInput: if the game is not known, or seed and ties are none.
    """
    found = [_receipts(results, registry)]
    return found if results.fresh is None else found + receipts_of(results.fresh, registry)


def _receipts(results: Results, registry: Registry) -> Receipts:
    game = registry.game(results.game)
    specs, faults = dict[int, Spec](), list[str]()
    numbers = _numbers(results)
    for number, entry in enumerate(results.entries):
        try:
            listing = registry.strategy(game.name, entry.strategy)
            rules = rules_of(game, entry.rules)
            params = params_of(listing, entry.params)
            specs[number] = Spec(listing.origin, params, rules, numbers)
        except BadInput as error:
            faults.append(f"{who(entry)} cannot be played here: {error}{_hint(registry, entry)}")
        else:
            faults += _misfits(entry, str(rules), listing, game)
    return Receipts(results, game, _dice(results), specs, tuple(faults))


def _numbers(results: Results) -> tuple[int, ...]:
    """Return the deals of the set that was played; none if they were counted from 0 on.

    Raises:
        BadInput: if the set cannot be what was played.
    """
    found = results.deal_set
    if found is None:
        return ()
    most = max(entry.deals for entry in results.entries)
    same = DealSet(results.game, results.seed, found.numbers).digest == found.digest
    if not same or most > len(found.numbers) or not all(0 <= n < MAX_DEALS for n in found.numbers):
        raise BadInput("the results file has a wrong set of deals")
    return found.numbers


def _hint(registry: Registry, entry: Entry) -> str:
    known = any(name == entry.strategy for _, name in registry.listings)
    return "" if known else " (a strategy of your own is given with --plugin FILE)"


def _dice(results: Results) -> Dice:
    try:
        seed, tie_seed = settle(Seed, results.seed), settle(Seed, results.tie_seed)
        if results.ties not in TIES:
            raise ValueError(f"ties: expected {' or '.join(TIES)}, got {results.ties!r}")
    except ValueError as error:
        raise BadInput(f"the results file has a wrong seed or ties; {error}") from None
    return Dice(seed, tie_seed, results.ties)


def _misfits(entry: Entry, variant: str, listing: Listing, game: Game) -> Iterator[str]:
    """Yield what an entry says of game and strategy that is not so."""
    if entry.variant != variant:
        yield f"{who(entry)}: its rules are those of {variant}"
    if entry.clairvoyant != listing.cls.clairvoyant:
        yield f"{who(entry)}: clairvoyant is {entry.clairvoyant}, but the strategy is not so"
    if len(entry.leftover_histogram) != game.worst + 1:
        yield f"{who(entry)}: leftover_histogram does not run from 0 to {game.worst}"
