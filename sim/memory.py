"""Reading off a text what it remembers: writes to anything that outlives the move.

A name belongs to the innermost function that binds it, else to the module, else to Python. Writing
to what a function made itself is honest work; so is filling a table while the module is imported.
Writing, from within a function, to what the module holds, to `self`, to a default value, or to the
view it was given is not. An alias hides from this: playing deals in another order does not let it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

_FORBIDDEN_BUILTINS = """
    __builtins__ __import__ __loader__ __spec__ breakpoint compile delattr eval exec globals
    hash id input open setattr
"""
FORBIDDEN_BUILTINS = frozenset(_FORBIDDEN_BUILTINS.split())
_FORBIDDEN_ATTRIBUTES = """
    __builtins__ __delattr__ __dict__ __globals__ __import__ __loader__ __setattr__
    __subclasses__
"""
FORBIDDEN_ATTRIBUTES = frozenset(_FORBIDDEN_ATTRIBUTES.split())
_CHANGING = """
    __delitem__ __iadd__ __ior__ __next__ __setitem__ add append appendleft clear
    difference_update discard extend extendleft fill insert intersection_update itemset
    partition pop popitem popleft put remove resize reverse rotate send setdefault setfield
    setflags sort subtract symmetric_difference_update update
"""
CHANGING = frozenset(_CHANGING.split())
MAKING = ("__init__", "__post_init__")  # methods that may set up what they make
GIVEN = ("View", "Move", "Moves", "Hidden")  # what a strategy gets, and must leave as it is
PLAYS = ("score", "choose")  # the methods by which it plays

REMEMBERS = (
    "a strategy must play the same game every time, so it may remember nothing: what a careful "
    "player could remember is a field of the view"
)
CHANGES = "what a strategy is given belongs to the table: copy it before you change it"


@dataclass(frozen=True)
class Habit:
    """Something a text does that a strategy may not."""

    line: int
    what: str
    why: str = ""  # "" if it is that of dice, clock and files


Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Made = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Body = Sequence[ast.stmt] | Sequence[ast.expr]


@dataclass(frozen=True)
class _Scope:
    """A function: the names it binds, and those of them that it did not make itself."""

    names: Set[str]
    me: str = ""  # what a method of a strategy calls `self`
    making: bool = False  # True in `__init__` and the like
    kept: Set[str] = field(default_factory=frozenset)  # parameters with a default that can change
    given: Set[str] = field(default_factory=frozenset)  # the view and the move


def habits(tree: ast.Module, beside: Set[str] = frozenset()) -> list[Habit]:
    """Return what a module does that a strategy may not, imports left out.

    Args:
        tree: the module.
        beside: names of modules that lie beside it, whose objects it may not change either.
    """
    reader = _Reader(tree, beside)
    try:
        reader.visit(tree)
    except RecursionError:
        reader.found.append(Habit(1, "is nested too deeply to be read", "write shorter sums"))
    return reader.found


class _Reader(ast.NodeVisitor):
    """Walks through a module, knowing which functions it is in."""

    def __init__(self, tree: ast.Module, beside: Set[str]) -> None:
        self.found: list[Habit] = []
        self._scopes: list[_Scope] = []  # outermost first
        self._class: ast.ClassDef | None = None  # whose methods are read
        self._module = frozenset(_bound(tree.body))
        self._made = {node.name for node in tree.body if isinstance(node, Made)}
        self._elsewhere = frozenset(_imported(tree.body, beside))
        self._strategies: set[str] = set()

    # ---- where we are

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read a class: its functions are methods."""
        if _is_strategy(node, self._strategies):
            self._strategies.add(node.name)
        before, self._class = self._class, node
        self.generic_visit(node)
        self._class = before

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Read a function: decorators, defaults and annotations outside of it, its body inside."""
        for outside in (*node.decorator_list, node.args, *filter(None, [node.returns])):
            self.visit(outside)
        static = any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
        method = self._class is not None and self._class.name in self._strategies and not static
        self._inside(_scope(node, method), node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Read a function without a name."""
        self.visit(node.args)
        self._inside(_scope(node, False), [node.body])

    def _inside(self, scope: _Scope, body: Body) -> None:
        before, self._class = self._class, None
        self._scopes.append(scope)
        for node in body:
            self.visit(node)
        self._scopes.pop()
        self._class = before

    # ---- what is done there

    def visit_Global(self, node: ast.Global) -> None:
        """Find `global` statements."""
        self._note(node, f"declares '{', '.join(node.names)}' global", REMEMBERS)

    def visit_Name(self, node: ast.Name) -> None:
        """Find the functions of Python that look outside."""
        read = isinstance(node.ctx, ast.Load)
        if read and node.id in FORBIDDEN_BUILTINS and self._owner(node.id) is None:
            self._note(node, f"uses '{node.id}'")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Find changed attributes, and ways around the rules."""
        making = bool(self._scopes) and self._scopes[-1].making
        if node.attr in FORBIDDEN_ATTRIBUTES and not making:
            self._note(node, f"uses '{node.attr}'")
        elif not isinstance(node.ctx, ast.Load):
            self._written(node, node.value)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Find changed items."""
        if not isinstance(node.ctx, ast.Load):
            self._written(node, node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Find calls that change what they are called on, and draws from a shared iterator."""
        match node.func:
            case ast.Attribute(value=value, attr=attr) if attr in CHANGING:
                if not self._is_a_function(value):
                    self._written(node, value)
            case ast.Name(id="next") if node.args and self._owner("next") is None:
                self._written(node, node.args[0])
        self.generic_visit(node)

    def _written(self, node: ast.expr, changed: ast.expr) -> None:
        root = _root(changed)
        if not self._scopes or not isinstance(root, ast.Name):
            return
        owner, shown = self._owner(root.id), ast.unparse(changed)
        if isinstance(owner, _Scope):
            if root.id in owner.given:
                self._note(node, f"changes '{shown}'", CHANGES)
            elif root.id != owner.me and root.id not in owner.kept:
                return
        self._note(node, f"writes to '{shown}', which outlives the move", REMEMBERS)

    def _note(self, node: ast.stmt | ast.expr, what: str, why: str = "") -> None:
        if not any(habit.line == node.lineno for habit in self.found):  # one a line is enough
            self.found.append(Habit(node.lineno, what, why))

    # ---- whose names these are

    def _owner(self, name: str) -> _Scope | str | None:
        """Return the function that binds a name, or "module", or None if Python does."""
        for scope in reversed(self._scopes):
            if name in scope.names:
                return scope
        return "module" if name in self._module else None

    def _is_a_function(self, value: ast.expr) -> bool:
        """Return whether `value.append(...)` may well call a function: `np.append` is honest."""
        root = _root(value)
        owner = self._owner(root.id) if isinstance(root, ast.Name) else None
        if isinstance(owner, _Scope):
            return isinstance(value, ast.Name) and value.id == owner.me
        made = isinstance(value, ast.Name) and value.id in self._made
        return made or (isinstance(root, ast.Name) and root.id in self._elsewhere)


def _scope(node: Function, method: bool) -> _Scope:
    arguments = [*node.args.posonlyargs, *node.args.args]
    every = [*arguments, *node.args.kwonlyargs]
    defaults = zip(reversed(arguments), reversed(node.args.defaults), strict=False)
    keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    kept = {arg.arg for arg, default in (*defaults, *keywords) if default and _can_change(default)}
    given = {arg.arg for arg in every if _is_given(arg.annotation)}
    name = getattr(node, "name", "")
    making = method and name in MAKING
    first = arguments[0].arg if method and arguments and not making else ""
    if first and name in PLAYS:
        given |= {arg.arg for arg in arguments[1:5]}
    stars = [arg for arg in (node.args.vararg, node.args.kwarg) if arg]
    body = node.body if isinstance(node.body, list) else [node.body]
    names = {arg.arg for arg in (*every, *stars)} | set(_bound(body))
    return _Scope(names, first, making, kept, given)


def _can_change(default: ast.expr) -> bool:
    literal = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp | ast.Call
    return isinstance(default, literal)


def _is_given(annotation: ast.expr | None) -> bool:
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name in GIVEN
    return False


def _root(node: ast.expr) -> ast.expr:
    """Return what an attribute or item is taken from in the end."""
    while True:
        match node:
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                node = value
            case ast.Call(func=ast.Name(id="type" | "vars" | "getattr" | "iter"), args=[value, *_]):
                node = value
            case _:
                return node


def _bound(body: Body) -> Iterator[str]:
    """Yield the names that statements bind, not those of functions and classes inside."""
    declared = {name for node in _own(body) if isinstance(node, ast.Global) for name in node.names}
    for node in _own(body):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name not in declared:
                yield name
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name.split(".")[0] for alias in aliases)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name


def _own(body: Body) -> Iterator[ast.AST]:
    """Yield all nodes of a body, but of functions and classes inside only themselves."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Made | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _imported(body: Body, beside: Set[str]) -> Iterator[str]:
    """Yield the names that come from modules that do not lie beside."""
    for node in _own(body):
        match node:
            case ast.Import(names=aliases):
                names = [alias for alias in aliases if alias.name.split(".")[0] not in beside]
                yield from (alias.asname or alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), names=aliases) if module not in beside:
                yield from (alias.asname or alias.name for alias in aliases)


def _is_strategy(node: ast.ClassDef, known: Set[str]) -> bool:
    """Return whether a class is a strategy, so that its instances must never change."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    plays = any(isinstance(part, ast.FunctionDef) and part.name in PLAYS for part in node.body)
    return plays or not bases.isdisjoint({"Strategy", *known})
