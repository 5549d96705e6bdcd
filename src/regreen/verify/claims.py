"""What tests claim of a program: that a call of constants gives a value which meets a demand."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regreen.syntax import FUNCTIONS, Function, names_within, parsed_or_none
from regreen.verify.demands import Demand, near
from regreen.verify.steady_functions import SteadyFunctions, asks_a_clock, import_origins, is_computing

_OPERATORS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is"}
_OPERATORS |= {ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
_FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_METHODS = {
    "assertEqual": "==",
    "assertNotEqual": "!=",
    "assertIs": "is",
    "assertIsNot": "is not",
    "assertIn": "in",
    "assertNotIn": "not in",
    "assertLess": "<",
    "assertLessEqual": "<=",
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assertTrue": "true",
    "assertFalse": "false",
    "assertIsNone": "is",
    "assertIsNotNone": "is not",
    "assertAlmostEqual": "near",
    "assertListEqual": "==",
    "assertDictEqual": "==",
}
_TEST_CASES = frozenset({"TestCase"})
_SETTING_UP = frozenset(
    f"{when}{what}" for when in ("setup_", "teardown_") for what in ("function", "module", "class", "method")
) | {"setUp", "setUpClass", "tearDown", "tearDownClass", "asyncSetUp", "setUpModule", "pytest_generate_tests"}
_BUILTINS = frozenset(
    "abs all any bool bytes complex dict divmod enumerate float frozenset int isinstance len list max min ord chr "
    "range repr reversed round set sorted str sum tuple type zip".split()
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of one test."""

    test: str
    """Its id."""
    line: int
    call: str
    """The call, in Python's own spelling."""
    origins: frozenset[tuple[str, str]]
    """Where the project's names in it are imported from."""
    demand: Demand


@dataclass(frozen=True, slots=True)
class _TestPlace:
    """A test function in its file."""

    path: str
    tree: ast.Module
    function: Function


def claims_of(files: Mapping[str, bytes], tests: Sequence[str], steady: SteadyFunctions) -> list[Claim]:
    """The claims of those of the tests that can be read, of calls that always answer alike.

    `tests` are ids in the order in which pytest runs them. Where fixtures run without being asked for, none is read.
    """
    if any(path.endswith("conftest.py") and b"autouse" in text for path, text in files.items()):
        return []
    by_path: dict[str, dict[str, list[str]]] = {}
    for test in tests:
        own = test.partition("[")[0]
        by_path.setdefault(own.partition("::")[0], {}).setdefault(own, []).append(test)
    known = ((path, ids) for path, ids in by_path.items() if path in files)
    return [claim for path, ids in known for claim in _claims_of_file(path, files[path], ids, steady)]


def _claims_of_file(
    path: str, content: bytes, ids: Mapping[str, Sequence[str]], steady: SteadyFunctions
) -> Iterator[Claim]:
    """The claims of one file; `ids` are those of each of its functions."""
    text = content.decode(errors="replace")
    tree = parsed_or_none(text)
    if tree is None or "autouse" in text or "patch" in text or _sets_up(tree.body):
        return
    for prefix, function in _functions(path, tree):
        own = ids.get(f"{prefix}::{function.name}", ())
        for test, values in zip(own, _rows(function, len(own)), strict=False):
            yield from _claims_of_test(_TestPlace(path, tree, function), test, values, steady)


def _sets_up(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, FUNCTIONS) and node.name in _SETTING_UP for node in body)


def _functions(path: str, tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """The test functions of a file, and the methods of classes that inherit nothing but `unittest.TestCase`."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield path, node
        elif isinstance(node, ast.ClassDef) and _is_simple_class(node):
            yield from ((f"{path}::{node.name}", each) for each in node.body if isinstance(each, ast.FunctionDef))


def _is_simple_class(node: ast.ClassDef) -> bool:
    bases = [getattr(base, "id", getattr(base, "attr", "")) for base in node.bases]
    return not _sets_up(node.body) and not node.decorator_list and set(bases) <= _TEST_CASES


def _rows(function: Function, tests: int) -> list[dict[str, ast.expr]]:
    """For each test of a function, the values of its arguments; none where not all of them are known."""
    arguments = [each.arg for each in function.args.args if each.arg != "self"]
    others = function.args.kwonlyargs or function.args.vararg or function.args.kwarg or function.args.posonlyargs
    if others or not tests:
        return []
    if not function.decorator_list:
        return [{}] if not arguments and tests == 1 else []
    rows = parameter_rows(function)
    return rows if len(rows) == tests and all(set(row) == set(arguments) for row in rows) else []


def parameter_rows(function: Function) -> list[dict[str, ast.expr]]:
    """The rows of the only decorator, where that is `pytest.mark.parametrize` with literal values."""
    match function.decorator_list:
        case [
            ast.Call(ast.Attribute(attr="parametrize"), [ast.Constant(str(names)), ast.List(rows) | ast.Tuple(rows)])
        ]:
            pass
        case [ast.Call(ast.Attribute(attr="parametrize"), [ast.Constant(str(names)), ast.List(rows)], [keyword])] if (
            keyword.arg == "ids"
        ):
            pass
        case _:
            return []
    columns = [name.strip() for name in names.split(",") if name.strip()]
    found = [_row(columns, row) for row in rows]
    return [row for row in found if row is not None] if all(row is not None for row in found) else []


def _row(columns: Sequence[str], row: ast.expr) -> dict[str, ast.expr] | None:
    match row:
        case ast.Call(ast.Attribute(attr="param"), values, keywords) if all(k.arg == "id" for k in keywords):
            parts = values
        case ast.Tuple(values) | ast.List(values) if len(columns) > 1:
            parts = values
        case _:
            parts = [row]
    return dict(zip(columns, parts, strict=True)) if len(parts) == len(columns) else None


class _Inlined(ast.NodeTransformer):
    """Puts the values of names in their places."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values.get(node.id, node))


def _claims_of_test(
    place: _TestPlace, test: str, values: Mapping[str, ast.expr], steady: SteadyFunctions
) -> Iterator[Claim]:
    """The claims of one test, up to the first statement that may do more than ask."""
    found: list[Claim] = []
    known = dict(values)
    for statement in place.function.body:
        match statement:
            case ast.Expr(ast.Constant()):
                continue
            case ast.Assign([ast.Name(name)], value) if name not in known and _is_asking(value, known, place, steady):
                known[name] = _Inlined(known).visit(copy.deepcopy(value))
                continue
        said = [(_Inlined(known).visit(copy.deepcopy(call)), demand) for call, demand in demands_of(statement, known)]
        if not said:
            break
        for call, demand in said:
            if not _is_asking(call, {}, place, steady):
                return
            origins = _origins(call, place)
            if origins and isinstance(call, ast.Call | ast.Subscript | ast.Attribute):
                found.append(Claim(test, statement.lineno, ast.unparse(call), origins, demand))
    # A test that asks the same twice and wants two answers is about something that remembers.
    asked = Counter((claim.call, claim.origins) for claim in found)
    yield from (claim for claim in found if asked[claim.call, claim.origins] == 1 or _agree(claim, found))


def _agree(claim: Claim, others: Sequence[Claim]) -> bool:
    alike = [other for other in others if (other.call, other.origins) == (claim.call, claim.origins)]
    return all(other.demand == claim.demand for other in alike)


def _origins(node: ast.AST, place: _TestPlace) -> frozenset[tuple[str, str]]:
    imported = import_origins(place.tree)
    names = names_within(node)
    found = (imported[name] for name in names if name in imported)
    return frozenset(origin for origin in found if not is_computing(origin[0]))


def _is_asking(node: ast.expr, known: Mapping[str, ast.expr], place: _TestPlace, steady: SteadyFunctions) -> bool:
    """Whether an expression calls nothing but what always answers alike."""
    if asks_a_clock(node) or any(isinstance(each, ast.NamedExpr | ast.Await | ast.Lambda) for each in ast.walk(node)):
        return False
    imported = import_origins(place.tree)
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in known:
            origin = imported.get(each.id)
            if origin is None:
                is_right = each.id in _BUILTINS or _is_comprehended(node, each.id)
            elif origin[1]:
                is_right = is_computing(origin[0]) or steady.is_steady(*origin, near=place.path)
            else:
                is_right = is_computing(origin[0]) or _reaches_steady(node, each.id, origin[0], place, steady)
            if not is_right:
                return False
    return True


def _is_comprehended(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store) for each in ast.walk(node)
    )


def _reaches_steady(node: ast.AST, name: str, module: str, place: _TestPlace, steady: SteadyFunctions) -> bool:
    """Whether all that is taken from a module of the project is steady."""
    uses = [
        each for each in ast.walk(node) if isinstance(each, ast.Attribute) and getattr(each.value, "id", "") == name
    ]
    named = [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name]
    return len(uses) == len(named) and all(steady.is_steady(module, use.attr, near=place.path) for use in uses)


def demands_of(statement: ast.stmt, known: Mapping[str, ast.expr]) -> list[tuple[ast.expr, Demand]]:
    """The expressions that a statement asks for, each with what it demands of them; none where it is no assertion."""
    match statement:
        case ast.Assert(ast.BoolOp(ast.And(), parts)):
            return [found for part in parts for found in _of_expression(part, known)]
        case ast.Assert(test):
            return _of_expression(test, known)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), method), arguments, [])) if method in _METHODS:
            return _of_method(_METHODS[method], method, arguments, known)
        case ast.With(
            [ast.withitem(ast.Call(ast.Attribute(attr="raises" | "assertRaises"), [_, *_]))], [ast.Expr(call)]
        ):
            return [(call, Demand("raises", None, "an exception"))]
    return []


def _of_expression(test: ast.expr, known: Mapping[str, ast.expr]) -> list[tuple[ast.expr, Demand]]:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return [(operand, Demand("false", None, "something false"))]
        case ast.Compare(left, [operator], [right]):
            return _compared(left, _OPERATORS[type(operator)], right, known)
        case ast.Call(ast.Name(name)) if name in ("isinstance", "all", "any", "hasattr", "issubclass"):
            return []
        case ast.Call():
            return [(test, Demand("true", None, "something true"))]
    return []


def _of_method(
    relation: str, method: str, arguments: Sequence[ast.expr], known: Mapping[str, ast.expr]
) -> list[tuple[ast.expr, Demand]]:
    match relation, arguments:
        case "true" | "false", [test, *_]:
            return [(test, Demand(relation, None, f"something {relation}"))]
        case "is" | "is not", [test] | [test, ast.Constant(str())] if method.endswith("None"):
            return [(test, Demand(relation, None, "None" if relation == "is" else "anything but None"))]
        case "near", [left, right, *_]:
            number = _literal(right, known)
            if isinstance(number, int | float) and not isinstance(number, bool):
                return [(left, near(number, relative=0.0, absolute=5e-7))]
        case _, [left, right, *_]:
            return _compared(left, relation, right, known)
    return []


_NOTHING = object()


def _compared(
    left: ast.expr, relation: str, right: ast.expr, known: Mapping[str, ast.expr]
) -> list[tuple[ast.expr, Demand]]:
    if isinstance(right, ast.Call) and getattr(right.func, "attr", getattr(right.func, "id", "")) == "approx":
        number = _literal(right.args[0], known) if len(right.args) == 1 and not right.keywords else None
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        return [(left, near(number))] if relation == "==" and is_number else []  # type: ignore[arg-type]
    value = _literal(right, known)
    if value is _NOTHING and relation in _FLIPPED:
        left, right, relation = right, left, _FLIPPED[relation]
        value = _literal(right, known)
    if value is _NOTHING:
        return []
    if relation in ("is", "is not") and value is not None and not isinstance(value, bool):
        return []
    return [(left, Demand(relation, value, _words(relation, value)))]


def _words(relation: str, value: Any) -> str:
    shown = repr(value)
    named = {"==": shown, "is": shown, "!=": f"anything but {shown}", "is not": f"anything but {shown}"}
    named |= {"<": f"less than {shown}", "<=": f"at most {shown}", ">": f"more than {shown}", ">=": f"at least {shown}"}
    return named.get(relation, f"something {relation} {shown}")


def _literal(node: ast.expr, known: Mapping[str, ast.expr]) -> Any:
    """The value of a literal, or of a name that stands for one; _NOTHING for anything else."""
    if isinstance(node, ast.Name):
        node = known.get(node.id, node)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NOTHING
