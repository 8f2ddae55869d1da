"""`tipoff luck`: how much of a run's results is skill, and how much luck of deal and ties."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands.arguments import folder, natural, positive, settings, workers
from sim.errors import BadInput, Status, did_you_mean

if TYPE_CHECKING:
    from sim.luck import Table

WHICH = ("telling", "hardest")


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "luck",
        help="tell skill from luck in a finished run, and export its hardest or most telling deals",
        description="Plays all games once more with other dice for the ties, into the same store.",
        allow_abbrev=False,
    )
    verb.add_argument("folder", type=folder, help="a run folder, such as reports/beginner_tips")
    verb.add_argument("--deals", metavar="N", type=positive, help="look at so many deals only")
    verb.add_argument(
        "--tie-seed", metavar="S", type=natural, help="of the second games (default: one more)"
    )
    verb.add_argument("--workers", metavar="N", type=workers, help="processes (default: all cores)")
    verb.add_argument("--markdown", action="store_true", help="print the tables for a page")
    verb.add_argument("--export", metavar="FILE", help="write a set of deals, YAML")
    verb.add_argument("--which", choices=WHICH, default=WHICH[0], help="deals to export")
    verb.add_argument("--count", metavar="N", type=positive, default=1000, help="how many")
    verb.add_argument(
        "--rules",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="choose by these rules only",
    )
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.luck import measured
    from sim.report.luck import as_markdown, as_text

    if arguments.export == "":
        raise BadInput("--export: expected a file, got nothing")
    lines = as_markdown if arguments.markdown else as_text
    given = arguments.tie_seed, arguments.deals, arguments.workers
    with measured(arguments.folder, *given) as table:
        chosen_under = _variants(arguments.rules, table) if arguments.export else []
        one, other = table.tie_seeds
        for variant in table.variants:
            found = table.luck(variant)
            print(
                f"{variant}: {len(found.labels)} strategies, {found.deals:,} deals, tie seeds {one}"
                f" and {other}, {100 * found.win_rate:.1f} % of all games won\n"
            )
            print("\n".join(lines(found.parts)), end="\n\n")
        if arguments.export:
            _export(arguments, table, chosen_under)
    return Status.OK


def _variants(words: list[str], table: Table) -> list[str]:
    """Return the rules variants, in words, that have the options given; all of them if none are."""
    given = settings("--rules", words)
    rules = {cell.variant: cell.rules_dict for cell in table.plan.cells}
    known = next(iter(rules.values()))
    for name in given:
        if name not in known:
            raise BadInput(f"--rules: no rule '{name}'{did_you_mean(name, known)}")
    found = [
        variant
        for variant, options in rules.items()
        if all(options[name] == value for name, value in given.items())
    ]
    if not found:
        raise BadInput(f"--rules: the run has no such variant; it has {', '.join(rules)}")
    return found


def _export(arguments: argparse.Namespace, table: Table, variants: list[str]) -> None:
    from sim.deal_set import MOST
    from sim.folder import whole
    from sim.spelling import dump_deals

    if arguments.count > MOST:
        raise BadInput(f"--count: a set holds at most {MOST:,} deals")
    if arguments.count > table.deals:
        raise BadInput(f"--count: only {table.deals:,} deals were looked at")
    path = Path(arguments.export)
    found = table.set_of(table.chosen(arguments.which, arguments.count, variants))
    with whole(path) as draft:
        draft.write_text(dump_deals(found), encoding="utf-8")
    print(path)
