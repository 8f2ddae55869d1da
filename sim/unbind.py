"""The methods of a strategy as plain functions, the only ones that numba compiles.

Compiled code knows a strategy as a tuple of its parameters, which has no methods and no constants
of its class. So in the functions made here, `self.tip(view)` is read as `tip(self, view)`, and
`self.LIMIT` as `LIMIT`; what a strategy's author wrote stays as it is in the plain lane.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Set
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any

from sim.strategy import Strategy, parameters

OWN = "own_"  # begins the global names of methods and constants of a strategy's class


def plain_functions(cls: type[Strategy]) -> dict[str, FunctionType]:
    """Return the methods of a class as functions that need nothing of `self` but parameters."""
    methods, constants = methods_of(cls), _constants(cls)
    if len(methods) == 1 and not constants:
        return methods
    found = {name: _unbound(method, methods, constants) for name, method in methods.items()}
    for function in found.values():
        function.__globals__.update({OWN + name: helper for name, helper in found.items()})
    return found


def methods_of(cls: type[Strategy]) -> dict[str, FunctionType]:
    """Return the methods of a class and its bases that a strategy's author wrote."""
    found: dict[str, FunctionType] = {}
    for base in reversed(cls.__mro__[: cls.__mro__.index(Strategy)]):
        for name, value in vars(base).items():
            if isinstance(value, FunctionType) and not name.startswith("__"):
                found[name] = value
    return found


def _constants(cls: type[Strategy]) -> dict[str, Any]:
    """Return the numbers a class holds beside its parameters."""
    return {
        name: value
        for base in reversed(cls.__mro__[: cls.__mro__.index(Strategy)])
        for name, value in vars(base).items()
        if isinstance(value, int | float) and name not in parameters(cls) and name[:2] != "__"
    }


def _unbound(
    method: FunctionType, methods: Mapping[str, Any], constants: Mapping[str, Any]
) -> FunctionType:
    code = method.__code__
    tree = ast.parse(dedent(inspect.getsource(method)))
    match tree.body:
        case [ast.FunctionDef(decorator_list=[])] if not method.__closure__:
            pass
        case _:  # what stands there is not all that runs
            raise TypeError(f"the method '{method.__name__}' is no plain function")
    _Unbinder(code.co_varnames[0], {*methods, *constants}).visit(tree)
    ast.increment_lineno(ast.fix_missing_locations(tree), code.co_firstlineno - 1)
    module = compile(tree, code.co_filename, "exec", dont_inherit=True)
    own = next(c for c in codes(module) if c.co_name == code.co_name)
    names = method.__globals__ | {OWN + name: value for name, value in constants.items()}
    function = FunctionType(own, names, method.__name__, method.__defaults__)
    function.__kwdefaults__ = method.__kwdefaults__
    function.__module__ = method.__module__
    return function


class _Unbinder(ast.NodeTransformer):
    """Makes what `self` has of its class global names; `me` is what the method calls `self`."""

    def __init__(self, me: str, names: Set[str]) -> None:
        self._me, self._names = me, names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Hand on `self` as the first argument."""
        if self._is_own(node.func):
            node.args.insert(0, ast.Name(self._me, ast.Load()))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace the attribute by the global name."""
        if self._is_own(node):
            return ast.copy_location(ast.Name(OWN + node.attr, node.ctx), node)
        return self.generic_visit(node)

    def _is_own(self, node: ast.AST) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id=self._me), attr=attr):
                return attr in self._names
        return False


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all that stand in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes(const)
