"""Two lanes, one text: a strategy's `score` compiled by numba, or played as plain Python.

The engine reaches a compiled strategy once a turn, through a typed function pointer to a loop over
all moves. (A pointer per move costs 3-5 ns a call and blocks inlining; specialising the engine on
each strategy costs seconds of compiling and never hits numba's disk cache.) The loop stands in a
generated file, because only a function that lives in a file, and finds the strategy among its
module's globals, is cached. Its name carries the hash of all sources it depends on: numba's cache
sees no edited helper, and two functions of one name may collide in processes that were forked.

A score that allocates nothing is compiled without reference counting, as the engine is: counting
the references of the view's grid in each call kept LLVM from scoring several moves side by side.
One that makes a list, a text or the like is compiled again with it.
"""

from __future__ import annotations

import re
import traceback
from collections import namedtuple
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, get_type_hints

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from sim import jit
from sim.autojit import auto_jit, generated_module
from sim.errors import StrategyFailed
from sim.strategy import Parameter, Policy, Strategy, contract, parameters
from sim.unbind import methods_of, plain_functions

LONGEST_REASON = 200  # characters


@dataclass(frozen=True)
class Player:
    """A strategy with its parameters, ready to score moves."""

    strategy: Strategy
    weights: NDArray[np.float64]  # (max(1, parameters),) their values, in the order written
    score_all: Any = None  # compiled loop over moves; None in the plain lane
    reason: str = field(default="", compare=False)  # why it could not be compiled
    choose_move: Any = None  # in place of `score_all` for a strategy that chooses
    policy: Player | None = None  # the strategy that one of its parameters names
    decision: str = ""  # that it is asked for, the name of a method; "": a game has but one

    @property
    def lane(self) -> str:
        """Return "compiled" or "plain"."""
        return "compiled" if self.is_compiled else "plain"

    @property
    def reasons(self) -> dict[str, str]:
        """Return why it could not be compiled, by its name."""
        return {self.strategy.name: self.reason} if self.reason else {}

    @property
    def is_compiled(self) -> bool:
        """Return whether it is played by compiled code."""
        return self.score_all is not None or self.choose_move is not None

    @property
    def chooses(self) -> bool:
        """Return whether it chooses its moves itself, instead of scoring them."""
        return self.method == "choose"

    @property
    def method(self) -> str:
        """Return the name of the method by which it plays."""
        return self.decision or contract(type(self.strategy))

    def in_plain_python(self) -> Player:
        """Return the same strategy, to be played in plain Python."""
        return replace(self, score_all=None, choose_move=None)


def tuple_type(cls: Any) -> Any:
    """Return the numba type of a NamedTuple class of ints and int64 arrays."""
    hints = get_type_hints(cls)
    kinds = [types.int64 if hint is int else types.int64[::1] for hint in hints.values()]
    if len(set(kinds)) == 1:
        return types.NamedUniTuple(kinds[0], len(kinds), cls)
    return types.NamedTuple(kinds, cls)


def score_all_signature(view: Any) -> Any:
    """Return the type of a compiled scoring loop: (weights, view, moves, count, scores) -> 0.

    `moves` is (fields of Move, room) and `scores` (room,); the first `count` columns are used.
    """
    return types.int64(
        types.float64[::1], tuple_type(view), types.int64[:, ::1], types.int64, types.float64[::1]
    )


def plain_player(strategy: Strategy, reason: str = "") -> Player:
    """Return a player that scores in plain Python."""
    values = [float(getattr(strategy, name)) for name in numbers(type(strategy))]
    return Player(strategy, np.array(values or [0.0]), None, reason)


def numbers(cls: type[Strategy]) -> dict[str, Parameter]:
    """Return the parameters that are numbers: those that compiled code finds in an array."""
    known = parameters(cls).items()
    return {name: parameter for name, parameter in known if parameter.type is not Policy}


def compiled_player(
    strategy: Strategy, view: Any, move: Any, closure: str, decision: str = ""
) -> Player:
    """Return a player whose score is compiled, or a plain one that says why it could not be.

    Args:
        strategy: the strategy with its parameters.
        view: the View class of its game, or of the decision.
        move: the Move class of its game, or of the decision.
        closure: hash of all sources the strategy depends on.
        decision: that it is to be asked for, in a game that has several.
    """
    plain = replace(plain_player(strategy), decision=decision)
    try:
        loop = _compile(type(strategy), view, move, closure, decision or "score")
    except Exception as error:  # numba's compile errors have no common class
        return replace(plain, reason=compile_reason(error, type(strategy), decision))
    return replace(plain, score_all=loop)


def compile_reason(error: Exception, cls: type[Strategy], method: str = "") -> str:
    """Boil numba's long message down to the reason and the place in the user's file.

    Innermost comes first: the cause, then what called it. An overload's cause stands further down.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).rpartition("raised a specific error:")[2]
    text = re.sub(r"\bWeights\([^()]*\)", "self", text)
    text = re.sub(r"\b(View|Move)\(.*\)", r"\1", text)  # else followed by all its fields
    lines = [line.strip(" -") for line in text.splitlines() if line.strip(" -")]
    dull = re.compile(r"Failed in nopython|^During|^File|^\^|^<source|^This error|^Enable|^https?:")
    facts = [line for line in lines if not dull.search(line)]
    reason = facts[0][:LONGEST_REASON] if facts else "no reason given"
    return f"{type(error).__name__}: {reason} ({_place(text) or score_place(cls, method)})"


def _place(text: str) -> str:
    """Return the first place that a message of numba names in a file of the user's, or ""."""
    not_theirs = (jit.FOLDER.resolve(), Path(numba.__file__).resolve().parent)
    for name, line in re.findall(r'File "([^"]+)", line (\d+)', text):
        path = Path(name).resolve()  # numba gives it from the working folder
        if not any(folder in path.parents for folder in not_theirs):
            return f"{path}:{line}"
    return ""


_loops: dict[tuple[type, str, str], Any] = {}


def _compile(cls: type[Strategy], view: Any, move: Any, closure: str, method: str) -> Any:
    """Return the compiled scoring loop of a strategy class, from memory or disk if it is there."""
    bare, counting = (Loop(cls, view, move, closure, counts, method) for counts in (False, True))
    return compiled_once(counting, bare)


def compiled_once(counting: Loop, bare: Loop | None = None) -> Any:
    """Return the compiled loop of a strategy class, from memory or disk if it is there."""
    key = counting.cls, counting.closure, counting.method
    if key not in _loops:
        _loops[key] = (bare and _try_bare(bare, counting)) or counting.compile()
    return _loops[key]


def _try_bare(bare: Loop, counting: Loop) -> Any:
    """Return the loop compiled without reference counting, or None if that cannot be.

    The file of the counting loop remembers that it could not: to try takes as long as to compile.
    """
    if counting.path.exists():
        return None
    try:
        return bare.compile()
    except Exception:  # numba's compile errors have no common class; the second try tells them
        return None


@dataclass(frozen=True)
class Loop:
    """The scoring loop of a strategy class, to be compiled with or without reference counting."""

    cls: type[Strategy]
    view: Any
    move: Any
    closure: str
    counts: bool
    method: str = "score"

    @cached_property
    def text(self) -> str:
        """Return the source of the generated module."""
        who = f"{self.cls.__module__}.{self.cls.__qualname__} {self.closure} {jit.fingerprint()}"
        how = f"counts={self.counts} {self.method}".removesuffix(" score")
        tag = sha256(f"{who} {how}".encode()).hexdigest()[:16]
        return self.text_with(tag)

    def text_with(self, tag: str) -> str:
        """Return that source, with a tag that no other function has."""
        return _loop_text(self.cls, self.view, self.move, tag, self.method)

    @property
    def path(self) -> Path:
        """Return the file of the generated module."""
        tag = sha256(self.text.encode()).hexdigest()[:16]
        return jit.FOLDER / f"{re.sub('[^a-z0-9]+', '_', self.cls.name.lower())}_{tag}.py"

    def compile(self) -> Any:
        """Return the compiled loop."""
        module = generated_module(self.text, self.path, self.names())
        return numba.njit(self.signature(), cache=True, _nrt=self.counts)(module.score_all)

    def names(self) -> dict[str, Any]:
        """Return the globals of the generated module."""
        ours = {"View": self.view, "Move": self.move, "read_only": jit.read_only}
        return ours | strategy_globals(self.cls, self.method, self.counts)

    def signature(self) -> Any:
        """Return the type of the loop."""
        return score_all_signature(self.view)


def _loop_text(cls: type[Strategy], view: Any, move: Any, tag: str, method: str) -> str:
    """Return the source of the module with the scoring loop of one strategy.

    The view is made again from arrays that cannot be written to: no strategy moves cards.
    """
    fields = ", ".join(f"moves[{i}, m]" for i in range(len(move._fields)))
    seen = ", ".join(_as_seen(name, hint) for name, hint in get_type_hints(view).items())
    return f'''"""Scoring loop of {cls.__module__}.{cls.__qualname__} (generated)."""


def score_all_{tag}(weights, view, moves, count, scores):
    me = Weights({weights_text(cls)})
    view = View({seen})
    for m in range(count):
        scores[m] = {method}(me, view, Move({fields}))
    return 0


score_all = score_all_{tag}
'''


def _as_seen(name: str, hint: Any) -> str:
    return f"view.{name}" if hint is int else f"read_only(view.{name})"


def weights_text(cls: type[Strategy]) -> str:
    """Return how the tuple in place of self is made of `weights`, and `policy` if there is one."""
    casts = {float: "weights[{}]", int: "int(weights[{}])", bool: "weights[{}] != 0.0"}
    place, known = list(numbers(cls)), parameters(cls).items()
    values = [
        "policy" if one.type is Policy else casts[one.type].format(place.index(name))
        for name, one in known
    ]
    return ", ".join(values) or "0.0"


def strategy_globals(cls: type[Strategy], method: str, counts: bool) -> dict[str, Any]:
    """Return what the generated loop calls: the compiled method, and the tuple in place of self."""
    weights = namedtuple("Weights", tuple(parameters(cls)) or ("unused",))  # type: ignore[misc]
    return {"Weights": weights, method: auto_jit(plain_functions(cls)[method], counts)}


def strategy_fault(player: Player, deal: int, turn: int, fault: Exception | str) -> StrategyFailed:
    """Say what a strategy did wrong: its name, the deal and turn (counted from 1), its own line."""
    cls = type(player.strategy)
    where = f"strategy '{cls.name}', deal {deal}, turn {turn + 1}"
    if isinstance(fault, str):
        return StrategyFailed(f"{where}: {fault} ({score_place(cls, player.method)})")
    frames = traceback.extract_tb(fault.__traceback__)
    file = methods_of(cls)[player.method].__code__.co_filename
    own = [f"{f.filename}:{f.lineno}" for f in frames if f.filename == file]
    place = (
        own[-1] if own else score_place(cls, player.method)
    )  # numba tells no line of a division by zero
    return StrategyFailed(f"{where}: {type(fault).__name__}: {fault} ({place})")


def score_place(cls: type[Strategy], method: str = "") -> str:
    """Return file and line at which the method starts by which a strategy plays."""
    code = methods_of(cls)[method or contract(cls)].__code__
    return f"{code.co_filename}:{code.co_firstlineno}"
