"""Red tests that no program could pass, since what fails in them does not depend on any.

Each rule asks for the statement that the traceback names, at the top of the test: one inside an `if` or a `try`, or
after a `return`, may not be reached with another program.
"""

from __future__ import annotations

import ast
import builtins
import unittest
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from regreen.syntax import FUNCTIONS, Function, names_within, parsed_or_none
from regreen.types import AsideKind, TestsAside
from regreen.verify.claims import parameter_rows
from regreen.verify.raised_errors import RaisedError
from regreen.verify.steady_functions import asks_a_clock, import_origins, is_computing

_REMEDY = "No change of the project can turn it green: correct the test."
_DECIDING = (ast.BoolOp, ast.IfExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
"""Expressions of which parts may not be evaluated with another program."""
_IMPURE_BUILTINS = frozenset("open input exec eval compile globals locals vars id hash object __import__".split())


@dataclass(frozen=True, slots=True)
class FailedStatement:
    """The statement of a test that failed, always reached, and what surrounds it."""

    tree: ast.Module
    function: Function
    statement: ast.stmt
    error: RaisedError
    in_class: ast.ClassDef | None


def impossible_tests(
    files: Mapping[str, bytes], red: Collection[str], errors: Mapping[str, Sequence[RaisedError]]
) -> tuple[TestsAside, ...]:
    """The red tests whose failing statement fails whatever the program does, each with the reason."""
    found = []
    for test in red:
        failed = _failed_statement(files, test, errors.get(test, ()))
        reason = next(filter(None, (rule(failed) for rule in IMPOSSIBILITIES)), None) if failed is not None else None
        if failed is not None and reason is not None:
            said = f"line {failed.statement.lineno} {reason}"
            found.append(TestsAside(AsideKind.CONTRADICTION, (test,), said, _REMEDY))
    return tuple(found)


def _failed_statement(files: Mapping[str, bytes], test: str, errors: Sequence[RaisedError]) -> FailedStatement | None:
    path, *names = test.partition("[")[0].split("::")
    tree = parsed_or_none(files[path].decode(errors="replace")) if path in files else None
    if tree is None or len(errors) != 1 or not names or len(names) > 2:
        return None
    around = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == names[0]), None)
    inside = tree.body if len(names) == 1 else around.body if around is not None else []
    functions = [node for node in inside if isinstance(node, ast.FunctionDef) and node.name == names[-1]]
    own = [number for number, frame in enumerate(errors[0].frames) if frame.file == path]
    if len(functions) != 1 or not own or not _is_innermost(errors[0], own[-1]):
        return None
    frame, function = errors[0].frames[own[-1]], functions[0]
    if frame.function != function.name:
        return None
    reached = [s for s in function.body if s.lineno <= frame.line <= (s.end_lineno or s.lineno)]
    before = function.body[: function.body.index(reached[0])] if reached else []
    if not reached or any(isinstance(node, ast.Return) for s in before for node in ast.walk(s)):
        return None
    return FailedStatement(tree, function, reached[0], errors[0], around if len(names) == 2 else None)


def _is_innermost(error: RaisedError, number: int) -> bool:
    """Whether all frames below one are those of the libraries that assert."""
    return all("/unittest/" in frame.file or "/_pytest/" in frame.file for frame in error.frames[number + 1 :])


def compares_constants(failed: FailedStatement) -> str | None:
    """It asserts something about values in which the program has no part."""
    tested = _asserted(failed)
    if tested is None or failed.error.kind not in ("AssertionError", "Failed"):
        return None
    if not _is_of_test_alone(failed, tested):
        return None
    return "fails whatever the program does: nothing of the project has a part in what it compares"


def makes_what_it_compares_with(failed: FailedStatement) -> str | None:
    """`is` with a list, a dict or a set that is made in the comparison: nothing else is that object."""
    match failed.statement:
        case ast.Assert(ast.Compare(_, [ast.Is()], [ast.List() | ast.Dict() | ast.Set() | ast.ListComp()])):
            if failed.error.kind == "AssertionError":
                return "asks whether a value is (`is`) a container made in that very line, which nothing else can be"
    return None


def wants_what_nothing_equals(failed: FailedStatement) -> str | None:
    """NaN, which equals nothing, and lengths below zero."""
    match failed.statement:
        case ast.Assert(ast.Compare(_, [ast.Eq()], [right])) if failed.error.kind == "AssertionError" and _is_nan(
            right
        ):
            return "compares with NaN, which equals nothing, itself included"
        case ast.Assert(ast.Compare(ast.Call(ast.Name("len")), [operator], [right])) if (
            failed.error.kind == "AssertionError" and not _binds(failed, "len")
        ):
            negative = isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub)
            is_zero = isinstance(right, ast.Constant) and right.value == 0
            if (negative and isinstance(operator, ast.Eq | ast.Lt | ast.LtE)) or (
                is_zero and isinstance(operator, ast.Lt)
            ):
                return "wants a length below zero"
    return None


def lacks_a_name(failed: FailedStatement) -> str | None:
    """The test uses a name that is defined nowhere."""
    error, statement = failed.error, failed.statement
    if error.kind != "NameError" or not _is_plain(statement):
        return None
    tested = statement.test if isinstance(statement, ast.Assert) else statement
    used = [node.id for node in ast.walk(tested) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    if error.name not in used or _binds(failed, error.name) or "*" in import_origins(failed.tree):
        return None
    return f"uses the name {error.name}, which the test file never defines"


def calls_no_assertion(failed: FailedStatement) -> str | None:
    """The test calls a method of `unittest.TestCase` that there is not."""
    error, around = failed.error, failed.in_class
    if error.kind != "AttributeError" or around is None or not error.name.startswith("assert"):
        return None
    bases = [getattr(base, "attr", getattr(base, "id", "")) for base in around.bases]
    own = {node.name for node in around.body if isinstance(node, FUNCTIONS)}
    is_lacking = error.name not in own and not hasattr(unittest.TestCase, error.name)
    match failed.statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name))) if name == error.name:
            if bases == ["TestCase"] and is_lacking:
                return f"calls self.{name}, which unittest has not"
    return None


IMPOSSIBILITIES: tuple[Callable[[FailedStatement], str | None], ...] = (
    makes_what_it_compares_with,
    wants_what_nothing_equals,
    lacks_a_name,
    calls_no_assertion,
    compares_constants,
)
"""The first that holds is the reason."""


def _is_plain(statement: ast.stmt) -> bool:
    """Whether all of a statement is always evaluated, and nothing in it is caught."""
    is_simple = isinstance(statement, ast.Assert | ast.Expr | ast.Assign | ast.AnnAssign)
    return is_simple and not any(isinstance(node, _DECIDING) for node in ast.walk(statement))


def _is_nan(node: ast.expr) -> bool:
    match node:
        case ast.Call(ast.Name("float"), [ast.Constant(str(text))]):
            return text.strip().lower() == "nan"
        case ast.Attribute(ast.Name("math"), "nan"):
            return True
    return False


def _asserted(failed: FailedStatement) -> ast.AST | None:
    """The part of a statement that decides, where it is an assertion or `pytest.fail`."""
    match failed.statement:
        case ast.Assert(test):
            return test
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("pytest"), "fail"))):
            return ast.Constant(None)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name), arguments)) if hasattr(unittest.TestCase, name):
            return ast.Tuple(list(arguments), ast.Load())
    return None


def _is_of_test_alone(failed: FailedStatement, tested: ast.AST) -> bool:
    """Whether every name that has a part in an expression is a constant, a local of such, or computes from such."""
    names, todo = set[str](), names_within(tested)
    before = failed.function.body[: failed.function.body.index(failed.statement)]
    while todo - names:
        names |= todo
        # Whatever mentions one of the names may have changed it.
        todo = {name for s in before if names_within(s) & _local(failed, names) for name in names_within(s)}
    texts = [tested, *(s for s in before if names_within(s) & _local(failed, names))]
    return not any(map(asks_a_clock, texts)) and all(_is_known(failed, name) for name in names)


def _local(failed: FailedStatement, names: Collection[str]) -> set[str]:
    """Those of the names that the test itself binds."""
    stored = (n for n in ast.walk(failed.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return {node.id for node in stored} & {*names}


def _is_known(failed: FailedStatement, name: str) -> bool:
    if name in _local(failed, [name]):
        return True
    if name in {argument.arg for argument in ast.walk(failed.function) if isinstance(argument, ast.arg)}:
        rows = parameter_rows(failed.function)
        return bool(rows) and all(name in row and _is_literal(row[name]) for row in rows)
    origin = import_origins(failed.tree).get(name)
    if origin is not None:
        return is_computing(origin[0]) or origin[0] == "pytest"
    bound = [*_bindings(failed.tree, name)]
    if bound:
        return len(bound) == 1 and _is_literal(bound[0]) and not _names_are_changed(failed.tree, name)
    return hasattr(builtins, name) and name not in _IMPURE_BUILTINS


def _is_literal(node: ast.expr | None) -> bool:
    """Whether an expression is a constant that nothing can change."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant)


def _bindings(tree: ast.Module, name: str) -> Iterator[ast.expr | None]:
    """What a name of the module is bound to at its top; None for what is no plain assignment."""
    for node in tree.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if node.name == name:
                yield None
        elif isinstance(node, ast.Assign) and [*map(ast.unparse, node.targets)] == [name]:
            yield node.value
        elif name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}:
            yield None


def _names_are_changed(tree: ast.Module, name: str) -> bool:
    return any(isinstance(node, ast.Global) and name in node.names for node in ast.walk(tree))


def _binds(failed: FailedStatement, name: str) -> bool:
    """Whether a name may be bound anywhere in the test file, or is Python's own."""
    bound = {
        node.id for node in ast.walk(failed.tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    bound |= {node.arg for node in ast.walk(failed.tree) if isinstance(node, ast.arg)}
    bound |= {
        n.name for n in ast.walk(failed.tree) if isinstance(n, (*FUNCTIONS, ast.ClassDef, ast.ExceptHandler)) and n.name
    }
    bound |= {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(failed.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return name in bound or (name != "len" and hasattr(builtins, name))
