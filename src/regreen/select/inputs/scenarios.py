"""What checks do with a program before they compare: calls with literals that other literals can take the place of."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import indent
from typing import Any

from regreen.select.answer_texts import is_long_fraction
from regreen.select.inputs.check_bodies import check_bodies, table_rows
from regreen.select.inputs.needed_steps import is_pause, names_bound, names_in, needed_steps
from regreen.select.inputs.read_assertions import has_assertions, looked_at, refused_steps, without_assertions
from regreen.select.inputs.tests_module import helpers_with
from regreen.syntax import DEFINITIONS, FUNCTIONS, UNPARSABLE, callee_name, is_literal, walk, walk_scope
from regreen.types import Suite

_MOST_SCENARIOS = 16
_READING_OFTEN = (ast.Lambda, *DEFINITIONS, ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Scenario:
    """Statements, and the value that a check looks at after them."""

    setup: tuple[ast.stmt, ...]
    observed: ast.expr
    expected: str | None = None
    """What the check expects, as it would be shown; None where that is no literal."""

    @cached_property
    def inputs(self) -> Sequence[Any]:
        """The values of the literals that another may take the place of, in order."""
        return [ast.literal_eval(hole) for hole in self._filled_holes]

    @cached_property
    def _filled_holes(self) -> Sequence[ast.expr]:
        return tuple(_holes([*self.setup, self.observed]))

    @cached_property
    def shape(self) -> str:
        """Its words without its inputs: scenarios of one shape do the same with different inputs."""
        return self.with_inputs([None] * len(self.inputs)).words

    def with_inputs(self, values: Sequence[Any]) -> Scenario:
        """The same with other values, as many as there are inputs."""
        changes = zip(self._filled_holes, self.inputs, values, strict=True)
        filling = {
            id(hole): ast.parse(repr(value), mode="eval").body for hole, old, value in changes if value is not old
        }
        return Scenario(tuple(_filled(s, filling) for s in self.setup), _filled(self.observed, filling))

    @property
    def names(self) -> set[str]:
        """All the names in it."""
        nodes = [inner for node in (*self.setup, self.observed) for inner in walk(node)]
        return {node.id for node in nodes if isinstance(node, ast.Name)}

    @property
    def identifiers(self) -> set[str]:
        """All the names in it, those of attributes and methods included."""
        nodes = [inner for node in (*self.setup, self.observed) for inner in walk(node)]
        return self.names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}

    @cached_property
    def words(self) -> str:
        """The scenario on one line."""
        return "; ".join(ast.unparse(node) for node in (*self.setup, self.observed))

    @property
    def awaits(self) -> bool:
        """Whether it is to run within a coroutine."""
        nodes = (inner for node in (*self.setup, self.observed) for inner in walk_scope(node))
        return any(isinstance(inner, ast.Await | ast.AsyncWith | ast.AsyncFor) for inner in nodes)

    @property
    def asked(self) -> str:
        """The statements that return, in a function, what is looked at."""
        body = f"{self.statements}return {self.result}\n"
        return f"import asyncio\n{_coroutine(body)}return asyncio.run(_steps())\n" if self.awaits else body

    def claim(self, answer: str, *, to_the_letter: bool = False) -> str:
        """The statements of a check that holds where the scenario gives this answer; "" where none can say so.

        2.0 equals 2, so that only a check `to_the_letter` tells them apart."""
        claimed = self._claim(answer, to_the_letter)
        return f"import asyncio\n{_coroutine(claimed)}asyncio.run(_steps())\n" if claimed and self.awaits else claimed

    def _claim(self, answer: str, to_the_letter: bool) -> str:
        result = ast.unparse(self.observed)
        if answer.startswith("raises "):
            error = answer.removeprefix("raises ")
            if not hasattr(builtins, error):
                return ""
            # Any of the steps may be the one that raises it.
            tried = indent(f"{self.statements}{result}\n", "    ")
            return f"try:\n{tried}except {error}:\n    pass\nelse:\n    raise AssertionError\n"
        if not _is_value(answer):
            return ""
        if to_the_letter:
            return f"{self.statements}assert repr({result}) == {answer!r}\n"
        sign = ast.Is() if answer in ("None", "True", "False") else ast.Eq()
        value = ast.parse(answer, mode="eval").body
        compared = ast.unparse(ast.Compare(self.observed, [sign], [value]))
        if is_long_fraction(answer):
            # Another order of additions is as right.
            compared = f"abs({result} - {ast.unparse(value)}) <= {1e-9 * max(1.0, abs(float(answer))):.0e}"
        return f"{self.statements}assert {compared}\n"

    @property
    def statements(self) -> str:
        """The setup as lines."""
        return "".join(f"{ast.unparse(node)}\n" for node in self.setup)

    @property
    def result(self) -> str:
        """The expression that is looked at."""
        return ast.unparse(self.observed)


def _coroutine(body: str) -> str:
    return f"async def _steps():\n{indent(body, '    ')}"


def _filled(node: Any, filling: Mapping[int, ast.expr]) -> Any:
    """A node, or the value of any field, with other nodes in the places of some; what holds none of them is shared."""
    if isinstance(node, list):
        items = [_filled(item, filling) for item in node]
        return items if any(new is not old for new, old in zip(items, node, strict=True)) else node
    if not isinstance(node, ast.AST):
        return node
    if id(node) in filling:
        return filling[id(node)]
    fields = {name: _filled(value, filling) for name, value in ast.iter_fields(node)}
    if all(fields[name] is value for name, value in ast.iter_fields(node)):
        return node
    return ast.copy_location(type(node)(**fields), node)


def _holes(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """The literals that are handed to calls or kept in variables, in order."""
    for node in nodes:
        if is_pause(node):
            # It stays as long as it is: a question is to be answered at once.
            continue
        if isinstance(node, ast.Call):
            yield from _literals([*node.args, *(keyword.value for keyword in node.keywords)])
            yield from _holes([node.func])
        elif isinstance(node, ast.Assign):
            yield from _literals([node.value])
        else:
            yield from _holes(list(ast.iter_child_nodes(node)))


def _literals(values: Sequence[ast.expr]) -> Iterator[ast.expr]:
    for value in values:
        if is_literal(value):
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


def read_scenarios(
    suite: Suite, program_names: Set[str], changing: Set[str] = frozenset(), first: Set[str] = frozenset()
) -> list[Scenario]:
    """What the checks of a suite do with the program, each once; `program_names` are what it defines.

    What an assertion looks at is done before later ones, too, where it calls a function that is among the `changing`
    ones. Checks that need fixtures, or that look at nothing of the program, give none, nor do those with a number of so
    many digits that Python does not write it. Of many, those that use the `first` functions, or helpers of the tests
    that do, come first.
    """
    found: dict[str, Scenario] = {}
    names = program_names | helpers_with(suite, program_names)
    for body in check_bodies(suite):
        with contextlib.suppress(ValueError):
            for scenario in _read(body, (), program_names, changing | _made_callable(body)):
                if (scenario.inputs or scenario.setup) and _uses(scenario, names):
                    found.setdefault(scenario.words, scenario)
    wanted = (first | helpers_with(suite, first)) if first else first
    ordered = sorted(found.values(), key=lambda scenario: wanted.isdisjoint(scenario.identifiers))
    return ordered[:_MOST_SCENARIOS]


def _made_callable(body: Sequence[ast.stmt]) -> set[str]:
    """The functions that a check defines, and what it gets from calls: who calls these may change something."""
    made = (node for node in body if isinstance(getattr(node, "value", None), ast.Call) or isinstance(node, FUNCTIONS))
    return {name for node in made for name in names_bound(node)}


def scenario_of(setup: Sequence[ast.stmt], observed: ast.expr) -> Scenario:
    """What an expression gives after those of these statements that have to do with it."""
    return _substituted(setup, observed)


def looks_elsewhere(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario with each of its other variables looked at: what was handed over, or what else came of it."""
    seen = names_in(scenario.observed)
    assigned = (node for node in scenario.setup if isinstance(node, ast.Assign))
    bound = dict.fromkeys(name for node in assigned for name in sorted(names_bound(node)))
    for name in bound:
        if name not in seen:
            yield Scenario(scenario.setup, ast.Name(name, ast.Load()))


def _read(
    body: Sequence[ast.stmt], before: tuple[ast.stmt, ...], names: Set[str], changing: Set[str]
) -> Iterator[Scenario]:
    """The scenarios of a body that runs after the statements `before`."""
    setup = before
    for node in body:
        if (seen := looked_at(node, names)) is not None:
            yield _substituted(setup, *seen)
        elif steps := refused_steps(node):
            if isinstance(last := steps[-1], ast.Expr):
                yield replace(_substituted((*setup, *steps[:-1]), last.value), expected="raises Exception")
        elif has_assertions(node):
            for start, inner in _inner_bodies(node):
                yield from _read(inner, (*setup, *start), names, changing)
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
            setup = (*setup, node)
            continue
        setup = (*setup, *without_assertions(node, names, changing))


def _inner_bodies(node: ast.stmt) -> Iterator[tuple[list[ast.stmt], list[ast.stmt]]]:
    """What a loop or a `with` statement begins with, and what it does then: once for each row of a literal table."""
    if isinstance(node, ast.For):
        for row in table_rows(node.iter):
            yield [ast.Assign([node.target], row, lineno=1)], node.body
    elif isinstance(node, ast.With | ast.AsyncWith):
        yield [_entered(item, is_awaited=isinstance(node, ast.AsyncWith)) for item in node.items], node.body


def _entered(item: ast.withitem, *, is_awaited: bool) -> ast.stmt:
    """What a `with` statement does at its start."""
    method = "__aenter__" if is_awaited else "__enter__"
    call = ast.Call(ast.Attribute(item.context_expr, method, ast.Load()), [], [])
    value = ast.Await(call) if is_awaited else call
    target = item.optional_vars
    return ast.Expr(value) if target is None else ast.Assign([target], value, lineno=1)


def _substituted(setup: Sequence[ast.stmt], observed: ast.expr, expected: ast.expr | None = None) -> Scenario:
    """A scenario without those assignments of plain literals whose names the rest only reads, once."""
    wanted = expected or ast.Constant(None)
    left = list(needed_steps(setup, observed, wanted))
    values: dict[str, ast.expr] = {}
    for node in tuple(left):
        pairs = _assigned(node.targets[0], node.value) if isinstance(node, ast.Assign) else {}
        rest = [part for part in (*left, observed, wanted) if part is not node]
        if pairs and all(_is_read_once(name, rest) for name in pairs):
            values |= pairs
            left.remove(node)
    filling = _Naming(values)
    *before, seen, literal = [filling.visit(copy.deepcopy(node)) for node in (*left, observed, wanted)]
    is_known = expected is not None and is_literal(literal)
    return Scenario(needed_steps(before, seen), seen, repr(ast.literal_eval(literal)) if is_known else None)


def _is_read_once(name: str, nodes: Sequence[ast.AST]) -> bool:
    """Whether a name is read at most once in these nodes, and never written. A lambda reads it at every call."""
    inside = [inner for part in nodes for inner in walk(part)]
    uses = [node for node in inside if isinstance(node, ast.Name) and node.id == name]
    if any(name in names_in(node) for node in inside if isinstance(node, _READING_OFTEN)):
        return False
    return len(uses) <= 1 and not any(isinstance(use.ctx, ast.Store) for use in uses)


def _assigned(target: ast.expr, value: ast.expr) -> dict[str, ast.expr]:
    """Name -> literal of a plain assignment; empty for any other."""
    if isinstance(target, ast.Name) and is_literal(value):
        return {target.id: value}
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple | ast.List):
        return {}
    if len(target.elts) != len(value.elts) or not all(map(is_literal, value.elts)):
        return {}
    return {t.id: v for t, v in zip(target.elts, value.elts, strict=True) if isinstance(t, ast.Name)}


class _Naming(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values.get(node.id, node))


def _uses(scenario: Scenario, names: Set[str]) -> bool:
    nodes = [inner for part in (*scenario.setup, scenario.observed) for inner in walk(part)]
    own = any(isinstance(node, ast.Name) and node.id == "self" for node in nodes)
    called = any(isinstance(node, ast.Call) and callee_name(node) in names for node in nodes)
    marks = (mark for node in nodes if isinstance(node, DEFINITIONS) for mark in node.decorator_list)
    return (called or any(isinstance(mark, ast.Name) and mark.id in names for mark in marks)) and not own
