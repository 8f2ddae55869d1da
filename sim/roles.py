"""Entries that a config names for a part of their own: the baseline, the ends of a ladder."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sim.config import Config
from sim.errors import BadInput, did_you_mean
from sim.until import Until
from sim.yaml_lines import Loc

MOST_LISTED = 20  # labels; a longer list would help nobody


def baseline_of(config: Config, labels: list[str], preferred: Sequence[str] = ()) -> str:
    """Return the label of the entry the others are compared with: the first unless one is named.

    Args:
        config: that of the experiment.
        labels: of all entries.
        preferred: of entries the first of which goes before the first of all.

    Raises:
        BadInput: if no entry has the label that is named.
    """
    wanted = config.experiment.baseline
    if wanted is None or wanted in labels:
        return wanted or [*preferred, *labels][0]
    raise _nobody(config, ("baseline",), wanted, labels)


def ladder_ends(config: Config, clairvoyant: Mapping[str, bool]) -> tuple[str, str] | None:
    """Return the labels at the ends of the ladder, or None if none is wanted.

    Args:
        config: that of the experiment.
        clairvoyant: of each label, whether its strategy looks at hidden cards.

    Raises:
        BadInput: if the ends are not two entries, or nobody could get there.
    """
    ends, error = config.experiment.ladder, config.document.error
    if ends is None:
        return None
    for place, label in enumerate(ends):
        if label not in clairvoyant:
            raise _nobody(config, ("ladder", place), label, clairvoyant)
        if clairvoyant[label]:
            message = f"ladder: '{label}' sees hidden cards, so no honest strategy could get there"
            raise error(("ladder", place), message)
    if ends[0] == ends[1]:
        raise error(("ladder", 1), "ladder: its ends must be two entries")
    if isinstance(config.experiment.deals, Until):
        raise error(("ladder",), "ladder: wants a fixed number of deals, not `until`")
    return ends


def _nobody(config: Config, loc: Loc, wanted: str, labels: Collection[str]) -> BadInput:
    hint = did_you_mean(wanted, labels)
    if len(labels) > MOST_LISTED:
        hint = hint.partition("; known")[0]
    return config.document.error(loc, f"{loc[0]}: no entry has the label '{wanted}'{hint}")
