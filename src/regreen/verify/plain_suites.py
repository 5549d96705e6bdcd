"""Suites that cannot change the process that runs them.

Each suite gets a newly forked judge, because tests are not trusted either: changes by one suite to its interpreter must
not reach the next. Most suites are only assertions about calls with literal arguments, which cannot change an
interpreter: a judge may run several of those.
"""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache

from regreen.syntax import parse
from regreen.types import Suite, SuiteKind

_BUILTINS = frozenset(
    (
        "abs all any bool bytes chr complex dict divmod enumerate float frozenset int isinstance len list max min ord "
        "pow print range repr reversed round set sorted str sum tuple zip None True False"
    ).split()
)
_FORBIDDEN = frozenset(dir(builtins)) - _BUILTINS
_MODULES = {
    "math": frozenset("ceil e fabs floor fsum gcd inf isclose isnan log pi pow sqrt".split()),
    "copy": frozenset({"copy", "deepcopy"}),
    "random": frozenset("Random choice choices randint random randrange sample shuffle uniform".split()),
    "string": frozenset("ascii_letters ascii_lowercase ascii_uppercase digits punctuation".split()),
}
"""Module that may be imported -> its names that may be used. None has state but the random numbers, which are seeded
for every candidate."""
_METHODS = frozenset(
    (
        "append choice count endswith extend get index items join keys lower pop randint random replace sort split "
        "startswith strip upper values"
    ).split()
)
_NODES = (
    ast.Module, ast.Assert, ast.Assign, ast.Expr, ast.For, ast.If, ast.Import, ast.ImportFrom, ast.alias, ast.Pass,
    ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.IfExp, ast.Call, ast.keyword, ast.Name, ast.Constant,
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.Subscript, ast.Slice, ast.Attribute,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.JoinedStr, ast.FormattedValue,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip


def is_plain_suite(suite: Suite) -> bool:
    """Whether running the suite can change nothing but its own variables."""
    if suite.kind is not SuiteKind.SCRIPT or suite.surface.imports or suite.surface.by_handles:
        return False
    return all(step.want is None for step in suite.steps) and _is_plain(tuple(step.code for step in suite.steps))


@lru_cache(maxsize=256)
def _is_plain(codes: tuple[str, ...]) -> bool:
    try:
        tree = parse("\n".join(codes))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return all(isinstance(node, _NODES) and _is_harmless(node) for node in ast.walk(tree))


def _is_harmless(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.ctx, ast.Load) and _may_be_used(node)
    if isinstance(node, ast.Import):
        return all(name.name in _MODULES and name.asname is None for name in node.names)
    if isinstance(node, ast.ImportFrom):
        known = _MODULES.get(str(node.module), frozenset())
        return not node.level and all(name.name in known and name.asname is None for name in node.names)
    if isinstance(node, ast.Name):
        return not node.id.startswith("__") and node.id not in _FORBIDDEN and _keeps_modules(node)
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load | ast.Store)


def _keeps_modules(node: ast.Name) -> bool:
    """Whether a name is not rebound that stands for a module: its attributes would no longer be those of the module."""
    return isinstance(node.ctx, ast.Load) or node.id not in _MODULES


def _may_be_used(node: ast.Attribute) -> bool:
    if isinstance(node.value, ast.Name) and node.value.id in _MODULES:
        return node.attr in _MODULES[node.value.id]
    return node.attr in _METHODS
