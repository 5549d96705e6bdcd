"""What checks do with a program before they compare: calls with literals that other literals can take the place of."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from textwrap import indent
from typing import Any

from regreen.select.check_bodies import check_bodies, table_rows
from regreen.syntax import UNPARSABLE, callee_name
from regreen.types import Suite

_WRAPPERS = frozenset({"abs", "len", "round", "isclose", "approx", "bool"})
"""Calls around a result that say less than the result does."""
_EXPECTING = frozenset({"raises", "assertRaises"})
_COMPARING = frozenset({"assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual"})
_TESTING = _COMPARING | frozenset(
    {"assertTrue", "assertFalse", "assertIsNone", "assertIs", "assertIn", "assertAlmostEqual", "assertNotEqual"}
)
_MOST_SCENARIOS = 16


@dataclass(frozen=True)
class Scenario:
    """Statements, and the value that a check looks at after them."""

    setup: tuple[ast.stmt, ...]
    observed: ast.expr
    expected: str | None = None
    """What the check expects, as it would be shown; None where that is no literal."""

    @property
    def inputs(self) -> list[Any]:
        """The values of the literals that another may take the place of, in order."""
        return [ast.literal_eval(hole) for hole in _holes([*self.setup, self.observed])]

    def with_inputs(self, values: Sequence[Any]) -> Scenario:
        """The same with other values, as many as there are inputs."""
        setup, observed = copy.deepcopy((self.setup, self.observed))
        new = [ast.parse(repr(value), mode="eval").body for value in values]
        holes = list(_holes([*setup, observed]))
        filling = _Filling({id(hole): text for hole, text in zip(holes, new, strict=True)})
        return Scenario(tuple(filling.visit(s) for s in setup), filling.visit(observed))

    @property
    def names(self) -> set[str]:
        """All the names in it."""
        nodes = [inner for node in (*self.setup, self.observed) for inner in ast.walk(node)]
        return {node.id for node in nodes if isinstance(node, ast.Name)}

    @property
    def words(self) -> str:
        """The scenario on one line."""
        return "; ".join(ast.unparse(node) for node in (*self.setup, self.observed))

    def claim(self, answer: str) -> str:
        """The statements of a check that holds where the scenario gives this answer; "" where none can say so."""
        result = ast.unparse(self.observed)
        if answer.startswith("raises "):
            error = answer.removeprefix("raises ")
            if not hasattr(builtins, error):
                return ""
            # Any of the steps may be the one that raises it.
            tried = indent(f"{self.statements}{result}\n", "    ")
            return f"try:\n{tried}except {error}:\n    pass\nelse:\n    raise AssertionError\n"
        if answer in ("None", "True", "False"):
            return f"{self.statements}assert {result} is {answer}\n"
        return f"{self.statements}assert {result} == {answer}\n" if _is_value(answer) else ""

    @property
    def statements(self) -> str:
        """The setup as lines."""
        return "".join(f"{ast.unparse(node)}\n" for node in self.setup)

    @property
    def result(self) -> str:
        """The expression that is looked at."""
        return ast.unparse(self.observed)


class _Filling(ast.NodeTransformer):
    def __init__(self, new: dict[int, ast.expr]) -> None:
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        return self.new.get(id(node)) or self.generic_visit(node)


def _holes(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """The literals that are handed to calls or kept in variables, in order."""
    for node in nodes:
        if isinstance(node, ast.Call):
            yield from _literals([*node.args, *(keyword.value for keyword in node.keywords)])
            yield from _holes([node.func])
        elif isinstance(node, ast.Assign):
            yield from _literals([node.value])
        else:
            yield from _holes(list(ast.iter_child_nodes(node)))


def _literals(values: Sequence[ast.expr]) -> Iterator[ast.expr]:
    for value in values:
        if _is_literal(value):
            yield value
        elif isinstance(value, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.BinOp | ast.UnaryOp | ast.Starred):
            yield from _literals([child for child in ast.iter_child_nodes(value) if isinstance(child, ast.expr)])
        else:
            yield from _holes([value])


def _is_value(text: str) -> bool:
    """Whether a text is a literal; a program's own `repr` may be any text, statements and nothing at all included."""
    try:
        ast.literal_eval(text)
    except (*UNPARSABLE, TypeError):
        return False
    return True


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except UNPARSABLE:
        return False
    except TypeError:
        return False
    return True


def read_scenarios(suite: Suite, program_names: Set[str], changing: Set[str] = frozenset()) -> list[Scenario]:
    """What the checks of a suite do with the program, each once; `program_names` are what it defines.

    What an assertion looks at is done before later ones, too, where it calls a function that is among the `changing`
    ones. Checks that need fixtures, or that look at nothing of the program, give none, nor do those with a number of so
    many digits that Python does not write it.
    """
    found: dict[str, Scenario] = {}
    for body in check_bodies(suite):
        with contextlib.suppress(ValueError):
            for scenario in _read(body, (), program_names, changing):
                if (scenario.inputs or scenario.setup) and _uses(scenario, program_names):
                    found.setdefault(scenario.words, scenario)
    return list(found.values())[:_MOST_SCENARIOS]


def scenario_of(setup: Sequence[ast.stmt], observed: ast.expr) -> Scenario:
    """What an expression gives after those of these statements that have to do with it."""
    return _substituted(setup, observed)


def looks_elsewhere(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario with each of its other variables looked at: what was handed over, or what else came of it."""
    seen = _names_in(scenario.observed)
    bound = dict.fromkeys(name for node in scenario.setup for name in sorted(_assigned_anew(node)))
    for name in bound:
        if name not in seen:
            yield Scenario(scenario.setup, ast.Name(name, ast.Load()))


def _read(
    body: Sequence[ast.stmt], before: tuple[ast.stmt, ...], names: Set[str], changing: Set[str]
) -> Iterator[Scenario]:
    """The scenarios of a body that runs after the statements `before`."""
    setup = before
    for node in body:
        looked_at = _looked_at(node, names)
        if looked_at is not None:
            yield _substituted(setup, *looked_at)
            if any(callee_name(call) in changing for call in _calls_in(looked_at[0])):
                setup = (*setup, ast.Expr(looked_at[0]))
        elif isinstance(node, ast.For) and _has_assertions(node):
            for row in table_rows(node.iter):
                yield from _read(node.body, (*setup, ast.Assign([node.target], row, lineno=1)), names, changing)
        elif isinstance(node, ast.With) and _expects_exception(node):
            last = node.body[-1]
            if isinstance(last, ast.Expr):
                yield replace(_substituted((*setup, *node.body[:-1]), last.value), expected="raises Exception")
        elif not _has_assertions(node) and not isinstance(node, ast.Import | ast.ImportFrom | ast.Global):
            setup = (*setup, node)


def _needed(setup: Sequence[ast.stmt], names: set[str]) -> tuple[ast.stmt, ...]:
    """The statements that have to do with these names, or with what was handed to them: a clock, say, moves on."""
    kept = _mentioning(setup, names)
    while more := _shared(kept) - names:
        names = names | more
        kept = _mentioning(setup, names)
    return kept


def _mentioning(setup: Sequence[ast.stmt], names: set[str]) -> tuple[ast.stmt, ...]:
    kept: list[ast.stmt] = []
    for node in reversed(setup):
        inside = _names_in(node)
        if inside & names:
            kept.append(node)
            # What a name stood for before it is assigned anew has nothing to do with it.
            names = (names - _assigned_anew(node)) | _names_read(node)
    return tuple(reversed(kept))


def _shared(statements: Sequence[ast.stmt]) -> set[str]:
    """Variables that are handed to calls, themselves or in a lambda, and what comes of those calls: what they hold may
    change later, the one with the other. Those of plain numbers and texts are left out."""
    assigned = [(target, node.value) for node in statements if isinstance(node, ast.Assign) for target in node.targets]
    plain = {t.id for t, value in assigned if isinstance(t, ast.Name) and isinstance(value, ast.Constant | ast.UnaryOp)}
    handed = {name for node in statements for call in _calls_in(node) for name in _handed_to(call)} - plain
    made = {t.id for t, value in assigned if isinstance(t, ast.Name) and any(map(handed.intersection, _given(value)))}
    return handed | made


def _given(value: ast.expr) -> list[set[str]]:
    """The names that a call hands over, where the value is one."""
    return [_handed_to(value)] if isinstance(value, ast.Call) else []


def _calls_in(node: ast.AST) -> Iterator[ast.Call]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))


def _handed_to(call: ast.Call) -> set[str]:
    return {name for part in (*call.args, *(keyword.value for keyword in call.keywords)) for name in _names_in(part)}


def _assigned_anew(node: ast.stmt) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _names_read(node: ast.stmt) -> set[str]:
    if not isinstance(node, ast.Assign):
        return _names_in(node)
    targets = [target for target in node.targets if not isinstance(target, ast.Name)]
    return {name for part in (node.value, *targets) for name in _names_in(part)}


def _names_in(node: ast.AST) -> set[str]:
    """The names in a node, but for those that are only called."""
    called = {id(inner.func) for inner in ast.walk(node) if isinstance(inner, ast.Call)}
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and id(inner) not in called}


def _looked_at(node: ast.stmt, names: Set[str]) -> tuple[ast.expr, ast.expr | None] | None:
    """What an assertion looks at, and what it expects of that; None for any other statement."""
    if isinstance(node, ast.Assert):
        return _tested(node.test, names)
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and callee_name(call) in _TESTING and call.args:
        if callee_name(call) in _COMPARING and len(call.args) >= 2:
            return _tested(ast.Compare(call.args[0], [ast.Eq()], [call.args[1]]), names)
        return _unwrapped(call.args[0], names), None
    return None


def _tested(test: ast.expr, names: Set[str]) -> tuple[ast.expr, ast.expr | None]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _unwrapped(test.operand, names), ast.Constant(False)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return _unwrapped(test, names), None
    left, right = test.left, test.comparators[0]
    if _is_literal(left) and not _is_literal(right):
        left, right = right, left
    seen = _unwrapped(left, names)
    return seen, right if seen is left and isinstance(test.ops[0], ast.Eq | ast.Is) else None


def _unwrapped(value: ast.expr, names: Set[str]) -> ast.expr:
    """The call of the program inside calls such as `abs` and `len`, which say less than it."""
    if isinstance(value, ast.Call) and callee_name(value) in _WRAPPERS:
        calls = (node for node in ast.walk(value) if isinstance(node, ast.Call) and callee_name(node) in names)
        return next(calls, value)
    return value


def _substituted(setup: Sequence[ast.stmt], observed: ast.expr, expected: ast.expr | None = None) -> Scenario:
    """A scenario without those assignments of plain literals whose names the rest only reads, once."""
    wanted = expected or ast.Constant(None)
    left = list(_needed(setup, _names_in(observed) | _names_in(wanted)))
    values: dict[str, ast.expr] = {}
    for node in tuple(left):
        pairs = _assigned(node.targets[0], node.value) if isinstance(node, ast.Assign) else {}
        rest = [part for part in (*left, observed, wanted) if part is not node]
        if pairs and all(_is_read_once(name, rest) for name in pairs):
            values |= pairs
            left.remove(node)
    filling = _Naming(values)
    *before, seen, literal = [filling.visit(copy.deepcopy(node)) for node in (*left, observed, wanted)]
    is_known = expected is not None and _is_literal(literal)
    return Scenario(_needed(before, _names_in(seen)), seen, repr(ast.literal_eval(literal)) if is_known else None)


def _is_read_once(name: str, nodes: Sequence[ast.AST]) -> bool:
    """Whether a name is read at most once in these nodes, and never written. A lambda reads it at every call."""
    inside = [inner for part in nodes for inner in ast.walk(part)]
    uses = [node for node in inside if isinstance(node, ast.Name) and node.id == name]
    if any(name in _names_in(node) for node in inside if isinstance(node, ast.Lambda)):
        return False
    return len(uses) <= 1 and not any(isinstance(use.ctx, ast.Store) for use in uses)


def _assigned(target: ast.expr, value: ast.expr) -> dict[str, ast.expr]:
    """Name -> literal of a plain assignment; empty for any other."""
    if isinstance(target, ast.Name) and _is_literal(value):
        return {target.id: value}
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple | ast.List):
        return {}
    if len(target.elts) != len(value.elts) or not all(map(_is_literal, value.elts)):
        return {}
    return {t.id: v for t, v in zip(target.elts, value.elts, strict=True) if isinstance(t, ast.Name)}


class _Naming(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values.get(node.id, node))


def _has_assertions(node: ast.stmt) -> bool:
    return any(
        isinstance(inner, ast.Assert) or (isinstance(inner, ast.Call) and callee_name(inner) in _TESTING)
        for inner in ast.walk(node)
    )


def _expects_exception(node: ast.With) -> bool:
    first = node.items[0].context_expr
    return isinstance(first, ast.Call) and callee_name(first) in _EXPECTING


def _uses(scenario: Scenario, names: Set[str]) -> bool:
    nodes = [inner for part in (*scenario.setup, scenario.observed) for inner in ast.walk(part)]
    own = any(isinstance(node, ast.Name) and node.id == "self" for node in nodes)
    called = any(isinstance(node, ast.Call) and callee_name(node) in names for node in nodes)
    return called and not own
