"""Writing an experiment back as YAML: the resolved config that every run folder holds."""

from __future__ import annotations

from typing import Any

import yaml
from pydantic import BaseModel

from sim.config import Entry, Experiment
from sim.deal_set import DealSet
from sim.deals import STREAM_VERSION
from sim.plan import Plan
from sim.until import FromFile
from sim.yaml_lines import PLAIN

DEALS = "deals.yaml"  # the file of a run folder with the deals of a set
HEAD = "# A set of deals, to be played with `deals: {file: ...}` in an experiment.\n"


def dump(experiment: Experiment) -> str:
    """Return an experiment as YAML that loads back equal."""
    data = {key: _plain(getattr(experiment, key)) for key in Experiment.model_fields}
    written = {key: value for key, value in data.items() if value not in (None, {}, [])}
    return _yaml(written)


def dump_deals(deals: DealSet) -> str:
    """Return a set of deals as YAML that reads back equal."""
    data = {
        "game": deals.game,
        "seed": deals.seed,
        "stream": STREAM_VERSION,
        "about": deals.about,
        "chosen": _plain(deals.chosen),
        "deals": list(deals.numbers),
    }
    return HEAD + _yaml({key: value for key, value in data.items() if value not in ("", {}, None)})


def _yaml(data: Any) -> str:
    text: str = yaml.dump(
        data,
        Dumper=Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=100,
    )
    return text


def resolved(plan: Plan) -> str:
    """Return the YAML of the config a plan stands for; loaded anywhere, it makes an equal plan.

    Overrides and defaults that the file left open are spelled out, and of the plug-ins those that
    are played stand there with their whole path. A set of deals is to lie beside it.
    """
    entries = tuple(
        entry.model_copy(update={"deals": min(entry.deals, plan.deals)}) if entry.deals else entry
        for entry in plan.source.strategies
    )
    files = dict.fromkeys(file for cell in plan.cells for file in cell.files())
    spelled = {
        "deals": plan.until or (FromFile(file=DEALS) if plan.deal_set else plan.deals),
        "seed": plan.seed,
        "strategies": entries,
        "baseline": plan.baseline,
        "tie_seed": plan.tie_seed,
        "plugins": tuple(file for file in files if file),
    }
    return dump(plan.source.model_copy(update=spelled))


def _plain(value: Any) -> Any:
    """Return a value of the model as YAML can write it."""
    if isinstance(value, Entry):
        head = {key: value_ for key, value_ in value if value_ is not None}
        return _plain(head) if len(head) > 1 else value.use
    if isinstance(value, BaseModel):
        return {key: _plain(item) for key, item in value}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


class Dumper(yaml.SafeDumper):
    """Writes what `sim.yaml_lines` reads: its idea of numbers, and no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return True: the reader refuses aliases."""
        return True


Dumper.yaml_implicit_resolvers = {
    None: [(f"tag:yaml.org,2002:{kind}", pattern) for kind, pattern in PLAIN.items()]
}
