"""From a config to the cells that are played: rules variants times strategies with parameters.

A *cell* is one strategy with all its parameters under one rules variant, over a number of deals.
The options of the rules are checked against the game's `Rules`, the parameters against the fields
of the strategy. Nothing is played or written here; plug-ins that the config names are imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sim.cell import Cell, Line
from sim.config import Config, Entry, Experiment
from sim.deal_set import DealSet
from sim.draw import draw, no_seats
from sim.errors import BadInput
from sim.fields import MAX_LABEL, Deals, Seed
from sim.game import Game
from sim.lineups import Tournament
from sim.misfits import COUNTS, alone_only, misfits
from sim.named import add_plugins, deal_set_of, game_of
from sim.registry import Listing, Registry
from sim.roles import baseline_of, ladder_ends
from sim.settings import (
    MAX_CELLS,
    Axes,
    Value,
    combinations,
    count,
    defaults,
    parameter_axes,
    rules_variants,
    settle,
    text,
)
from sim.until import FromFile, Until
from sim.yaml_lines import Document, Loc, Problem, scalar, shown


@dataclass(frozen=True)
class Plan:
    """Everything a run needs to know, the cells in order: rules variants outer, entries inner."""

    experiment: str
    game: Game
    seed: int
    ties: str  # "hashed" or "first"
    tie_seed: int
    deals: int  # per cell; a cell may be content with fewer
    baseline: str  # label of the entry the others are compared with
    workers: int | None  # None: one per core
    cells: tuple[Any, ...]  # each a Cell, of a tournament a `sim.lineups.Table`
    source: Experiment = field(compare=False, repr=False)  # the config as it was written
    until: Until | None = None  # when to stop before all deals are played
    ladder: tuple[str, str] | None = None  # labels: bottom and top
    fresh_seed: int | None = None  # of the deals on which the best of each sweep is played again
    factors: tuple[str, ...] = ()  # of a factorial design: parameters that are off or on
    counts: bool = False  # keep sums of all cells together, not every deal
    deal_set: DealSet | None = None  # what is played in place of deals 0 to `deals` - 1
    tournament: Tournament | None = None  # where several play

    def lines(self) -> list[Line]:
        """Return the lines of the results, in their order."""
        if self.tournament is None:
            return [
                Line(cell.label, cell.variant, cell.deals, cell.identity()) for cell in self.cells
            ]
        return [
            Line(one.label, table.variant, table.deals, (one.plain(), dict(table.rules_dict)))
            for table in self.cells
            for one in table.contestants
        ]

    def numbers(self, first: int, count: int) -> Sequence[int]:
        """Return which deals of the seed are played as number `first` and so on."""
        places = range(first, first + count)
        return self.deal_set.numbers[first : first + count] if self.deal_set else places


@dataclass(frozen=True)
class _Line:
    """An entry of the config, checked: the values of its sweeps not yet multiplied out."""

    loc: Loc
    entry: Entry
    listing: Listing
    axes: Axes

    @property
    def swept(self) -> tuple[str, ...]:
        given = self.entry.settings
        return tuple(name for name in self.axes if isinstance(given[name], tuple))

    def label(self, values: Mapping[str, Value]) -> str:
        named = self.swept if self.entry.label else tuple(values)
        parts = [f"{name}={text(values[name])}" for name in named]
        return " ".join([self.entry.label or self.listing.name, *parts])


@dataclass(frozen=True)
class _Player:
    """One combination of the values of a line: a cell without its rules."""

    line: _Line
    label: str
    params: Mapping[str, Any]
    deals: int


def make(
    config: Config,
    registry: Registry,
    deals: int | str | None = None,
    seed: int | str | None = None,
) -> Plan:
    """Return the plan of a config; `deals` and `seed` replace its own, as `--deals` and `--seed`.

    An override that is text is read as in a config: "1e6" and "1_000_000" are a million.
    The config's plug-ins are added to the registry.

    Raises:
        BadInput: naming file, line and column of what is wrong in the config, or the override.
    """
    wanted, document = config.experiment, config.document
    until = wanted.deals if isinstance(wanted.deals, Until) and deals is None else None
    seeded = _override("--seed", Seed, seed, wanted.seed)
    chosen = deal_set_of(config, seeded, deals)
    most = len(chosen.numbers) if chosen else most_deals(wanted)
    total = _override("--deals", Deals, deals, most)
    game = game_of(wanted.game, document, registry)
    add_plugins(wanted.plugins, wanted.game, document, registry)
    if game.for_several:
        return _tournament(config, registry, _shared(wanted, game, total, seeded))
    if wrong := no_seats(config, game):
        raise wrong
    problems: list[Problem] = []
    variants = rules_variants(game, wanted.rules, problems)
    lines = list(_lines(wanted, registry, most, problems))
    problems += misfits(wanted, until, sum(count(line.axes) for line in lines), len(variants))
    if wanted.fresh_seed == seeded:
        problems.append(Problem(("fresh_seed",), "fresh_seed: must not be the seed itself"))
    _stop_at(problems, document)
    _limit(len(variants), lines, document)
    factors = _factors(wanted, lines, document)
    players = [player for line in lines for player in _players(line, total)]
    _stop_at(_clashes(players, document), document)
    cells = tuple(_cell(player, rules) for rules in variants for player in players)
    labels = [player.label for player in players]
    clairvoyant = {player.label: player.line.listing.cls.clairvoyant for player in players}
    baseline = baseline_of(config, labels)
    return Plan(
        **_shared(wanted, game, total, seeded),
        until=until,
        baseline=baseline,
        ladder=ladder_ends(config, clairvoyant),
        fresh_seed=wanted.fresh_seed,
        cells=cells,
        factors=factors,
        counts=wanted.store == COUNTS,
        deal_set=chosen,
    )


def _tournament(config: Config, registry: Registry, shared: dict[str, Any]) -> Plan:
    """Return the plan of a config where several play."""
    if problems := list(alone_only(config.experiment)):
        raise config.document.errors(problems)
    tournament, tables = draw(config, shared["game"], registry, shared["deals"])
    field = [tournament.contestants[number].label for number in tournament.field]
    labels = [contestant.label for contestant in tournament.contestants]
    baseline = baseline_of(config, labels, field)
    return Plan(**shared, baseline=baseline, cells=tables, tournament=tournament)


def _shared(wanted: Experiment, game: Game, deals: int, seed: int) -> dict[str, Any]:
    """Return what plans have alike, whether one plays alone or several."""
    return {
        "experiment": wanted.experiment,
        "game": game,
        "seed": seed,
        "ties": wanted.ties,
        "tie_seed": seed if wanted.tie_seed is None else wanted.tie_seed,
        "deals": deals,
        "workers": wanted.workers,
        "source": wanted,
    }


def most_deals(experiment: Experiment) -> int:
    """Return the deals that an experiment plays at most, per strategy and rules variant.

    Of a set, which only its file knows, this is 1.
    """
    deals = experiment.deals
    if isinstance(deals, FromFile):
        return 1
    return deals.at_most if isinstance(deals, Until) else deals


def _override(option: str, kind: Any, value: int | str | None, own: int) -> int:
    """Return the value of a command-line option, checked like the key it replaces."""
    if value is None:
        return own
    try:
        number = scalar(value) if isinstance(value, str) else value
        return int(settle(kind, number))
    except ValueError as error:
        raise BadInput(f"{option}: {error}") from None


def _stop_at(problems: Iterable[Problem], document: Document) -> None:
    if found := list(problems):
        raise document.errors(found)


def _lines(
    wanted: Experiment, registry: Registry, most: int, problems: list[Problem]
) -> Iterator[_Line]:
    for index, entry in enumerate(wanted.strategies):
        loc: Loc = ("strategies", index)
        if entry.deals and entry.deals > most:
            message = f"deals: {entry.deals:_} is more than the experiment's {most:_}"
            problems.append(Problem((*loc, "deals"), message))
        try:
            listing = registry.strategy(wanted.game, entry.use or "")
            defaults(listing)  # refuses parameters that cannot be used
        except BadInput as error:
            problems.append(Problem((*loc, "use"), str(error)))
            continue
        yield _Line(loc, entry, listing, parameter_axes(listing, entry.settings, loc, problems))


def _factors(wanted: Experiment, lines: list[_Line], document: Document) -> tuple[str, ...]:
    """Return the factors of a factorial design: the sweeps of its one entry, two values each."""
    if wanted.design is None:
        return ()
    sweeps = [name for line in lines for name in line.swept]
    two_each = all(len(line.axes[name]) == 2 for line in lines for name in line.swept)
    if len(lines) == 1 and sweeps and two_each:
        return tuple(sweeps)
    message = "design: factorial wants one entry whose sweeps have two values each, off and on"
    raise document.error(("design",), message)


def _limit(variants: int, lines: list[_Line], document: Document) -> None:
    cells = variants * sum(count(line.axes) for line in lines)
    if cells > MAX_CELLS:
        message = f"the sweeps and axes multiply to {cells:_} cells; at most {MAX_CELLS:_}"
        raise document.error(("strategies",), message, at_key=True)


def _players(line: _Line, total: int) -> Iterator[_Player]:
    deals = min(line.entry.deals or total, total)
    unset = defaults(line.listing)
    for values in combinations(line.axes):
        yield _Player(line, line.label(values), unset | values, deals)


def _clashes(players: list[_Player], document: Document) -> Iterator[Problem]:
    """Find labels that are too long, and entries that are the same as one before."""
    labels: dict[str, Loc] = {}
    contents: dict[tuple[Any, ...], Loc] = {}
    for player in players:
        loc = player.line.loc
        content = (player.line.listing.name, *player.params.values())
        if len(player.label) > MAX_LABEL:
            yield Problem(loc, f"label {shown(player.label)} is longer than {MAX_LABEL} characters")
        if content in contents:
            first = document.line(contents[content])
            yield Problem(loc, f"the same strategy with the same parameters is on line {first}")
        elif player.label in labels:
            first = document.line(labels[player.label])
            yield Problem(
                loc, f"label '{player.label}' is already that of the entry on line {first}"
            )
        labels.setdefault(player.label, loc)
        contents.setdefault(content, loc)


def _cell(player: _Player, rules: Any) -> Cell:
    return Cell(
        label=player.label,
        listing=player.line.listing,
        params=player.params,
        swept=player.line.swept,
        rules=rules,
        rules_dict=asdict(rules),
        variant=str(rules),
        deals=player.deals,
    )
