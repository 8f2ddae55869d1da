"""The draw of a tournament: who sits together, under which rules, at how many seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

from sim.config import Config
from sim.entrants import Entrants
from sim.errors import BadInput, did_you_mean
from sim.game import Game
from sim.lineups import Contestant, Table, Tournament
from sim.registry import Registry
from sim.settings import MAX_CELLS, rules_variants
from sim.yaml_lines import Loc, Problem

ROUND_ROBIN, AGAINST_FIELD, LINEUPS = "round_robin", "against_field", "lineups"

LineUps = dict[int, list[tuple[int, ...]]]  # numbers of contestants, by how many sit together


def draw(
    config: Config, game: Game, registry: Registry, deals: int
) -> tuple[Tournament, tuple[Table, ...]]:
    """Return who plays, and all tables: rules outermost, then seats, then line-ups.

    Raises:
        BadInput: naming file, line and column of everything that is wrong.
    """
    wanted, document = config.experiment, config.document
    problems: list[Problem] = []
    variants = rules_variants(game, wanted.rules, problems)
    contestants = Entrants(game, registry, problems).all(wanted)
    if problems:
        raise document.errors(problems)
    drawn = _Draw(config, game, contestants)
    line_ups = drawn.line_ups()
    _check_seats(config, variants, line_ups)
    count = len(variants) * sum(map(len, line_ups.values()))
    if count > MAX_CELLS:
        message = f"rules and line-ups multiply to {count:_} cells; at most {MAX_CELLS:_}"
        raise document.error(("strategies",), message, at_key=True)
    tables = tuple(
        _table(rules, members, contestants, deals, drawn.kind)
        for rules in variants
        for seats in line_ups
        for members in line_ups[seats]
    )
    return Tournament(drawn.kind, tuple(contestants), drawn.field), tables


class _Draw:
    """Who sits together."""

    def __init__(self, config: Config, game: Game, contestants: Sequence[Contestant]) -> None:
        self.wanted, self.error = config.experiment, config.document.error
        self.game, self.contestants = game, contestants
        self.labels = [contestant.label for contestant in contestants]
        self.kind = self._kind()
        self.field = self._numbers(self.wanted.field or (), ("field",))

    def _kind(self) -> str:
        wanted = self.wanted
        implied = LINEUPS if wanted.lineups else AGAINST_FIELD if wanted.field else ROUND_ROBIN
        kind = wanted.tournament or implied
        if kind != implied:
            key = "field" if kind == AGAINST_FIELD else "lineups"
            message = f"tournament: {kind} wants the key `{key}`"
            if kind == ROUND_ROBIN:
                message = f"tournament: {kind} has no `{'lineups' if wanted.lineups else 'field'}`"
            raise self.error(("tournament",), message)
        return kind

    def line_ups(self) -> LineUps:
        """Return all line-ups by how many sit together."""
        if self.kind == LINEUPS:
            return self._named()
        return {
            seats: list(self._every(seats) if self.kind == ROUND_ROBIN else self._field(seats))
            for seats in self._seats()
        }

    def _seats(self) -> tuple[int, ...]:
        fewest, most = self.game.seats
        if not self.wanted.seats:
            message = f"missing key 'seats': how many play {self.game.title}, {fewest} to {most}"
            raise self.error((), message)
        for place, seats in enumerate(self.wanted.seats):
            if not fewest <= seats <= most:
                message = f"seats: {self.game.title} is for {fewest} to {most}, not for {seats}"
                raise self.error(("seats", place), message)
            if seats in self.wanted.seats[:place]:
                raise self.error(("seats", place), f"seats: {seats} stands twice in the list")
        return self.wanted.seats

    def _every(self, seats: int) -> Iterator[tuple[int, ...]]:
        count = len(self.contestants)
        if count < seats:
            message = f"seats: {seats} cannot sit down together, there are {count} entries"
            raise self.error(("seats",), message)
        return (self._ordered(members) for members in combinations(range(count), seats))

    def _field(self, seats: int) -> Iterator[tuple[int, ...]]:
        field = self.field * (seats - 1) if len(self.field) == 1 else self.field
        if len(field) != seats - 1:
            message = f"field: {len(field)} labels; at {seats} seats expected one, or {seats - 1}"
            raise self.error(("field",), message)
        return ((one, *self._ordered(field)) for one in range(len(self.contestants)))

    def _named(self) -> LineUps:
        found: LineUps = {}
        fewest, most = self.game.seats
        allowed = self.wanted.seats or range(fewest, most + 1)
        for place, labels in enumerate(self.wanted.lineups or ()):
            loc: Loc = ("lineups", place)
            if len(labels) not in allowed:
                hint = f"{fewest} to {most}" if not self.wanted.seats else _or(self.wanted.seats)
                message = f"lineups: {len(labels)} labels; expected {hint}, one a seat"
                raise self.error(loc, message)
            members = self._ordered(self._numbers(labels, loc))
            if members in found.setdefault(len(members), []):
                raise self.error(loc, "lineups: the same players stand there before")
            found[len(members)].append(members)
        return found

    def _numbers(self, labels: Sequence[str], loc: Loc) -> tuple[int, ...]:
        for place, label in enumerate(labels):
            if label not in self.labels:
                hint = did_you_mean(label, self.labels)
                raise self.error((*loc, place), f"no entry has the label '{label}'{hint}")
        return tuple(self.labels.index(label) for label in labels)

    def _ordered(self, members: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(members, key=lambda number: self.contestants[number].key))


def _or(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))


def _check_seats(config: Config, variants: Sequence[Any], line_ups: LineUps) -> None:
    """Refuse rules that do not go with a number of seats."""
    for rules in variants:
        for seats in line_ups:
            try:
                if hasattr(rules, "check_seats"):
                    rules.check_seats(seats)
            except ValueError as error:
                raise config.document.error(("rules",), f"rules: {error}") from None


def _table(
    rules: Any, members: tuple[int, ...], contestants: Sequence[Contestant], deals: int, kind: str
) -> Table:
    return Table(
        members=members,
        entrant=members[0] if kind == AGAINST_FIELD else None,
        contestants=tuple(contestants[number] for number in members),
        rules=rules,
        rules_dict=asdict(rules),
        variant=f"{len(members)} players, {rules}",
        deals=deals,
    )


def no_seats(config: Config, game: Game) -> BadInput | None:
    """Return what is wrong if a solitaire is given keys of a tournament, or None."""
    wanted = config.experiment
    for key in ("tournament", "seats", "field", "lineups"):
        if getattr(wanted, key) is not None:
            message = f"{key}: {game.title} is played alone"
            return config.document.error((key,), message, at_key=True)
    return None
