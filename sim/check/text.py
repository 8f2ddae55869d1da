"""The checklist for reading, line by line as it comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sim.check.model import Finding, Mark


def lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the lines of a checklist, each strategy's below its name.

    What could not be told for one reason stands in one line.
    """
    about = ""
    for _, group in groupby(findings, _kind):
        first = next(group)
        if first.strategy != about:
            about = first.strategy
            yield about
        if first.verdict.mark is Mark.SKIPPED:
            names = [first.check, *(finding.check for finding in group)]
            yield f"  {Mark.SKIPPED:<8}{', '.join(names)}: {first.verdict.seen}"
        else:
            yield from _told(first)


def _kind(finding: Finding) -> tuple[str, str, str]:
    """Return what findings have in common that are told in one line."""
    is_skipped = finding.verdict.mark is Mark.SKIPPED
    told = finding.verdict.seen if is_skipped else f"{finding.check} {finding.verdict.place}"
    return finding.strategy, str(finding.verdict.mark), told


def _told(finding: Finding) -> Iterator[str]:
    verdict = finding.verdict
    yield f"  {verdict.mark:<8}{finding.check:<13}{verdict.seen}"
    about = {"expected": verdict.expected, "where": verdict.place, "do": verdict.advice}
    yield from (f"{'':10}{name:<13}{text}" for name, text in about.items() if text)
