"""A test script as a flat list of statements: the bodies of `main` blocks, `check(candidate)` and runner functions."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from regreen.syntax import (
    DEFINITIONS,
    FUNCTIONS,
    Function,
    callee_name,
    first_line,
    imported_name,
    parse,
    walk_in_order,
)
from regreen.verify.bindings import dotted
from regreen.verify.program_facts import is_main_guard
from regreen.verify.statement_text import StatementText

_RUNNERS = frozenset({"unittest.main", "pytest.main", "doctest.testmod"})
_EXITS = frozenset({"exit", "quit", "sys.exit", "SystemExit"})
_SCOPE_READERS = frozenset({"locals", "vars", "dir", "eval", "exec", "super"})


@dataclass(frozen=True, slots=True)
class ScriptStatement:
    """One statement of a script, as text that stands by itself."""

    node: ast.stmt
    code: str
    line: int
    """Line of the test text at which `code` starts."""


def flatten(
    body: Iterable[ast.stmt],
    text: str,
    entry_point: str | None,
    *,
    closed: Set[str],
    taken: Set[str] = frozenset(),
) -> list[ScriptStatement]:
    """The statements of a script in the order in which they run.

    The body of a called check function stands in the place of its call, unless the function is named in `closed`, or
    has a variable of its own with a name in `taken`.
    """
    return list(_Flattener(list(effective_statements(body)), StatementText(text), entry_point, closed, taken).items())


class _Flattener:
    def __init__(
        self,
        body: list[ast.stmt],
        source: StatementText,
        entry_point: str | None,
        closed: Set[str],
        taken: Set[str],
    ) -> None:
        self.taken = taken
        self.body, self.source, self.entry_point = body, source, entry_point
        self.functions = {node.name: node for node in self.body if isinstance(node, FUNCTIONS)}
        self.asserting = asserting_names(body) - closed
        self.mentions = _mentions(body)
        self.reads = {statement: _read_by(statement) for statement in body}
        self.readers = Counter(name for names in self.reads.values() for name in names)
        self.imports = Counter(name for statement in body for name in _imported_names(statement))

    def items(self) -> Iterator[ScriptStatement]:
        opened_up = {call: node for call in self.body if (node := self._opened_by(call)) is not None}
        gone = set(opened_up.values())
        implied = self._uncalled_check() if self.entry_point else None
        for statement in self.body:
            if statement in opened_up:
                yield from self._inside(statement, opened_up[statement])
            elif statement is implied:
                yield from self._implied(implied)
            elif statement not in gone:
                yield self._item(statement)

    def _item(self, statement: ast.stmt) -> ScriptStatement:
        code, line = self.source.statement(statement)
        return ScriptStatement(statement, code, line)

    def _opened_by(self, statement: ast.stmt) -> ast.FunctionDef | None:
        """The function that a bare call runs, when its body can stand in the place of the call."""
        call = bare_call(statement)
        node = self.functions.get(call.func.id) if call is not None and isinstance(call.func, ast.Name) else None
        if call is None or not isinstance(node, ast.FunctionDef) or node.name not in self.asserting:
            return None
        values = [ast.unparse(argument) for argument in call.args]
        fits = self.mentions[node.name] == 1 and _takes(node, call)
        return node if fits and self._can_be_opened(node, statement, values) else None

    def _can_be_opened(self, node: ast.FunctionDef, call: ast.stmt | None, values: Sequence[str]) -> bool:
        body = list(effective_statements(node.body))
        if any(isinstance(inner, ast.Call) and callee_name(inner) in _SCOPE_READERS for inner in walk_in_order(node)):
            return False
        if node.decorator_list or not _stands_alone(body):
            return False
        unchanged = {name for name, value in zip(_parameters(node), values, strict=True) if name == value}
        bound = _bound_inside(node) - unchanged
        if (bound - _imported_names(node)) & self.taken:
            return False
        return not any(self._is_read_outside(name, node, call) for name in bound)

    def _is_read_outside(self, name: str, node: ast.FunctionDef, call: ast.stmt | None) -> bool:
        """Whether the rest of the script reads a name from module level; not counted when both sides import it."""
        if name in _imported_names(node) and self.imports[name] > 1:
            return False
        inside = [self.reads.get(node, set()), self.reads.get(call, set()) if call is not None else set()]
        return self.readers[name] > sum(name in names for names in inside)

    def _inside(self, call: ast.stmt, node: ast.FunctionDef) -> Iterator[ScriptStatement]:
        bare = bare_call(call)
        values = [self._meant(self.source.text_of(argument)) for argument in bare.args] if bare is not None else []
        yield from self._bound(node, values)
        yield from self._nested(node)

    def _nested(self, node: ast.FunctionDef) -> Iterator[ScriptStatement]:
        for statement in effective_statements(node.body):
            inner = self._opened_by(statement)
            if inner is not None and inner is not node:
                yield from self._inside(statement, inner)
            else:
                yield self._item(statement)

    def _meant(self, name: str) -> str:
        """`check(candidate)` at module level, where nothing is called `candidate`, means the entry point."""
        known = {*self.functions, *_assigned(self.body), *self.imports}
        return self.entry_point or name if name == "candidate" and name not in known else name

    def _bound(self, node: ast.FunctionDef, values: Sequence[str]) -> Iterator[ScriptStatement]:
        pairs = [(name, value) for name, value in zip(_parameters(node), values, strict=True) if name != value]
        if pairs:
            code = f"{', '.join(name for name, _ in pairs)} = {', '.join(value for _, value in pairs)}"
            yield ScriptStatement(parse(code).body[0], code, first_line(node))

    def _uncalled_check(self) -> ast.FunctionDef | None:
        node = self.functions.get("check")
        is_check = isinstance(node, ast.FunctionDef) and not self.mentions["check"] and _positional(node) == 1
        return node if is_check and isinstance(node, ast.FunctionDef) else None

    def _implied(self, node: ast.FunctionDef) -> Iterator[ScriptStatement]:
        entry = self.entry_point or ""
        if self._can_be_opened(node, None, [entry]):
            yield from self._bound(node, [entry])
            yield from self._nested(node)
        else:
            yield self._item(node)
            code = f"{node.name}({entry})"
            yield ScriptStatement(parse(code).body[0], code, first_line(node))


def effective_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a script that do something.

    The body of `if __name__ == "__main__":` stands in its place; test runners, strings, `pass` and `return` go.
    """
    for statement in body:
        if is_main_guard(statement) and isinstance(statement, ast.If):
            yield from effective_statements(statement.body)
        elif isinstance(statement, ast.Return) and _is_nothing(statement.value):
            return
        elif (call := _ends_with(statement)) is not None:
            yield from effective_statements([ast.copy_location(ast.Expr(call), call)])
        elif not (isinstance(statement, ast.Pass) or _says_nothing(statement) or runs_all(statement)):
            yield statement


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or isinstance(value, ast.Constant)


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Constant) and bool(statement.test.value)


def _ends_with(statement: ast.stmt) -> ast.Call | None:
    """The call in `sys.exit(main())` or `raise SystemExit(main())`."""
    call = statement.exc if isinstance(statement, ast.Raise) else bare_call(statement)
    if not isinstance(call, ast.Call) or dotted(call.func) not in _EXITS or len(call.args) != 1:
        return None
    return call.args[0] if isinstance(call.args[0], ast.Call) else None


def runs_all(statement: ast.stmt) -> bool:
    """Whether a statement starts a test runner, such as `unittest.main()`, or ends the script."""
    if isinstance(statement, ast.Raise):
        return isinstance(statement.exc, ast.Call) and callee_name(statement.exc) == "SystemExit"
    call = bare_call(statement)
    name = dotted(call.func) if call is not None else ""
    return name in _EXITS or name in _RUNNERS


def bare_call(statement: ast.stmt) -> ast.Call | None:
    """The call that a statement consists of."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value if isinstance(value, ast.Call) else None


def _stands_alone(body: Sequence[ast.stmt]) -> bool:
    """Whether statements of a function compile at module level, where `return`, `yield` and `nonlocal` do not."""
    module = ast.Module(list(body), [])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(module, "<check>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def asserting_names(body: Sequence[ast.stmt]) -> set[str]:
    """Names of the tests' functions and methods that check something, directly or through calls of each other."""
    found: set[str] = set()
    nodes = (node for statement in body for node in walk_in_order(statement))
    functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
    inside = {node: list(walk_in_order(node)) for node in functions}
    grown = True
    while grown:
        new = {node.name for node in functions if node.name not in found and _asserts(inside[node], found)}
        grown = bool(new)
        found |= new
    return found


def _asserts(nodes: Iterable[ast.AST], asserting: set[str]) -> bool:
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Raise) and "AssertionError" in ast.unparse(node))
        or (isinstance(node, ast.Call) and is_asserting_call(node, asserting))
        for node in nodes
    )


def is_asserting_call(call: ast.Call, asserting: set[str]) -> bool:
    """Whether a call checks something: `assertEqual(...)`, or a function named in `asserting`."""
    name = callee_name(call)
    return name in asserting or name.lower().startswith("assert")


def _mentions(body: Sequence[ast.stmt]) -> Counter[str]:
    nodes = (node for statement in body for node in walk_in_order(statement))
    return Counter(node.id for node in nodes if isinstance(node, ast.Name))


def _positional(node: Function) -> int:
    arguments = node.args
    others = arguments.vararg or arguments.kwarg or arguments.kwonlyargs
    return -1 if others else len(arguments.posonlyargs) + len(arguments.args)


def _parameters(node: Function) -> list[str]:
    return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]


def _takes(node: Function, call: ast.Call) -> bool:
    plain = all(isinstance(argument, (ast.Name, ast.Attribute)) for argument in call.args)
    return plain and not call.keywords and _positional(node) == len(call.args)


def _assigned(body: Iterable[ast.stmt]) -> set[str]:
    nodes = (node for statement in body for node in walk_in_order(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _imported_names(node: ast.AST) -> set[str]:
    """Names that import statements inside a node bind."""
    return {
        imported_name(alias)
        for inner in walk_in_order(node)
        if isinstance(inner, (ast.Import, ast.ImportFrom))
        for alias in inner.names
    }


def _bound_inside(node: Function) -> set[str]:
    """Names that would be bound at module level if the body of the function stood there."""
    names = {*_parameters(node)} | _imported_names(node)
    for inner in walk_in_order(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            names.add(inner.id)
        elif inner is not node and isinstance(inner, (*DEFINITIONS, ast.ExceptHandler)) and inner.name:
            names.add(inner.name)
    return names


def _read_by(statement: ast.stmt) -> set[str]:
    """Names that a statement reads from module level."""
    loads = {n.id for n in walk_in_order(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if isinstance(statement, FUNCTIONS):
        return loads - _bound_inside(statement)
    return loads
