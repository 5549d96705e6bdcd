"""Uses of live objects in the text of checks, and whether stand-ins behind the wall can serve them."""

from __future__ import annotations

import ast
import collections
import functools
from collections.abc import Callable, Iterator

from regreen.syntax import callee_name, walk_in_order
from regreen.verify.live_arguments import live_arguments
from regreen.verify.program_facts import TELLTALE_NAMES, imported_modules, state_names
from regreen.verify.program_uses import ProgramUses
from regreen.verify.sharing_reasons import is_singleton, sides_of


def live_reasons(uses: ProgramUses) -> Iterator[str]:
    """Every use of a live object of the program, or of the checks by the program, in words."""
    for finder in _LIVE_FINDERS:
        yield from finder(uses)


def handle_reasons(uses: ProgramUses) -> Iterator[str]:
    """Why stand-ins for live objects would not be enough: what tells them from the objects, or when these end."""
    for module in sorted(uses.program.modules & _LIFETIME.keys()):
        yield f"the program {_LIFETIME[module]}"
    for name in sorted(uses.program.state & TELLTALE_NAMES):
        yield f"the program looks at `{name}`"
    for node in uses.nodes:
        named = {*imported_modules(node)} if isinstance(node, (ast.Import, ast.ImportFrom)) else {*state_names(node)}
        if found := named & (_COPYING | TELLTALE_NAMES):
            yield f"the checks look at `{min(found)}`"


_LIFETIME = {
    "weakref": "holds weak references",
    "gc": "looks at the garbage collector (gc)",
    "inspect": "looks at functions and frames (inspect)",
    "traceback": "looks at tracebacks",
    "ctypes": "reaches into the interpreter (ctypes)",
}
_COPYING = frozenset({"pickle", "marshal", "copyreg"})


def _live_identity(uses: ProgramUses) -> Iterator[str]:
    for node in uses.nodes:
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            sides, how = sides_of(node), "is"
        elif isinstance(node, ast.Call) and callee_name(node) in {"assertIs", "assertIsNot"}:
            sides, how = node.args, callee_name(node)
        else:
            continue
        if not any(map(is_singleton, sides)):
            yield f"the checks compare identity (`{how}`)"


def _attributes(uses: ProgramUses) -> Iterator[str]:
    aliases = {
        target.id
        for node in uses.nodes
        if isinstance(node, ast.Assign) and uses.holds_function(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in uses.nodes:
        if not isinstance(node, ast.Attribute) or (node.attr == "__name__" and not _is_decorated(uses, node.value)):
            continue
        if uses.holds_function(node.value) or (isinstance(node.value, ast.Name) and node.value.id in aliases):
            yield f"the checks look at `{ast.unparse(node)}`"


def _is_decorated(uses: ProgramUses, node: ast.expr) -> bool:
    """Whether an expression is a function of the program whose name may be another than that of its definition."""
    name = uses.program_name(node)
    function = uses.program.functions.get(name)
    return name in uses.program.functions and (
        function is None or bool(function.decorator_list) or function.name != name
    )


def _decorators(uses: ProgramUses) -> Iterator[str]:
    for node in uses.nodes:
        for decorator in getattr(node, "decorator_list", []):
            if any(uses.holds_function(inner) for inner in walk_in_order(decorator)):
                yield f"the checks decorate `{getattr(node, 'name', '')}` with a function of the program"


def _results(uses: ProgramUses) -> Iterator[str]:
    held = {
        target.id: callee_name(node.value)
        for node in uses.nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and uses.calls_program(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in uses.nodes:
        for used in _used_as_object(node):
            if isinstance(used, ast.Call) and uses.calls_program(used):
                yield f"the checks use what `{callee_name(used)}` returns as a live object"
            elif isinstance(used, ast.Name) and used.id in held and isinstance(used.ctx, ast.Load):
                yield f"the checks use what `{held[used.id]}` returns as a live object"


def _used_as_object(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Attribute) and node.attr not in _plain_attributes():
        yield node.value
    elif isinstance(node, ast.Call):
        yield node.func
        if isinstance(node.func, ast.Name) and node.func.id in {"next", "anext"}:
            yield from node.args
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from (item.context_expr for item in node.items)
    elif isinstance(node, ast.AsyncFor):
        yield node.iter


_LIVE_FINDERS: tuple[Callable[[ProgramUses], Iterator[str]], ...] = (
    _attributes,
    _decorators,
    _results,
    _live_identity,
    live_arguments,
)


@functools.cache
def _plain_attributes() -> frozenset[str]:
    """The names of what plain data has."""
    # Imported late: many suites read no attribute at all.
    import datetime
    import decimal
    import fractions

    plain_types = (
        *(bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict, range, type(None)),
        *(decimal.Decimal, fractions.Fraction, datetime.datetime, datetime.date, datetime.time, datetime.timedelta),
        *(collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict),
    )
    return frozenset(name for kind in plain_types for name in dir(kind))
