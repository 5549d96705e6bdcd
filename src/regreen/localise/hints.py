"""Suspicion from the text alone: names that nothing reads or binds, dead code, results that are not returned."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from regreen.localise.program_statements import functions, line_span, own_nodes, statement_blocks
from regreen.syntax import Function, is_string_statement, names_within

_ENDINGS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_MODULE_NAMES = frozenset({*dir(builtins), "__file__", "__path__", "__annotations__", "__builtins__", "__class__"})


@dataclass(frozen=True, slots=True)
class Hint:
    """Lines that look wrong by themselves."""

    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    weight: float
    """Strength of the suspicion, in [0, 1]."""
    reason: str
    """What is wrong with the lines, in words."""


def hints(tree: ast.Module, source: str) -> tuple[Hint, ...]:
    """All hints of a program, in the order of their lines."""
    found = [hint for function in functions(tree) for detector in _DETECTORS for hint in detector(function)]
    found += unreachable_code(tree)
    found += pointless_comparisons(tree)
    found += undefined_names(tree, source)
    return tuple(sorted(found, key=lambda hint: (hint.first_line, hint.last_line, -hint.weight, hint.reason)))


def unused_parameters(function: Function) -> Iterator[Hint]:
    """Functions with a parameter that they never read: the fault may be anywhere inside."""
    if _is_stub(function):
        return
    read = _read_names(function)
    for name in _parameters(function):
        if name not in read and not name.startswith("_") and name not in {"self", "cls"}:
            yield Hint(*line_span(function), 0.3, f"the parameter {name} is never used in this function")


def unread_variables(function: Function) -> Iterator[Hint]:
    """Assignments to local variables that are never read."""
    read = _read_names(function)
    deliberate = _assigned_alone(function)
    seen = read | _declared_elsewhere(function)
    for node in own_nodes(function):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Store):
            continue
        if node.id not in seen and not node.id.startswith("_"):
            seen.add(node.id)
            weight = 0.6 if node in deliberate else 0.2
            yield Hint(*line_span(node), weight, f"{node.id} is assigned here and never read")


def missing_returns(function: Function) -> Iterator[Hint]:
    """The last statements of functions that return a value on one path and reach their end on another."""
    own = list(own_nodes(function))
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own):
        return
    returns_value = any(isinstance(node, ast.Return) and node.value is not None for node in own)
    if returns_value and _falls_through(function.body):
        last = function.body[-1]
        yield Hint(last.lineno, last.lineno, 0.3, "the function can end here without returning a value")


def missing_results(function: Function) -> Iterator[Hint]:
    """The last statements of functions that return no value anywhere; a hint only where a check received None."""
    own = list(own_nodes(function))
    if not any(isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) and node.value is not None for node in own):
        last = function.body[-1]
        yield Hint(last.lineno, last.lineno, 0.6, "the function never returns a value")


def discarded_results(function: Function) -> Iterator[Hint]:
    """Expressions whose value is unused, such as a sum without an assignment or a forgotten return."""
    for node in own_nodes(function):
        if isinstance(node, ast.Expr) and isinstance(node.value, _PURE):
            yield Hint(*line_span(node), 0.6, "the value computed here is thrown away")


def shared_defaults(function: Function) -> Iterator[Hint]:
    """Lists, dicts and sets as default values, which all calls share."""
    arguments = function.args
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if isinstance(default, (ast.List, ast.Dict, ast.Set)):
            yield Hint(*line_span(default), 0.4, "all calls share this default value")


def unreachable_code(tree: ast.AST) -> Iterator[Hint]:
    """Statements `return`, `raise`, `break` and `continue` with further statements after them in the same block."""
    for node in ast.walk(tree):
        for block in statement_blocks(node):
            for ending in block[:-1]:
                if isinstance(ending, _ENDINGS):
                    yield Hint(*line_span(ending), 0.6, "the code after this statement can never run")
                    break


def pointless_comparisons(tree: ast.AST) -> Iterator[Hint]:
    """Variables compared with themselves or assigned to themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and _same_place(node.left, node.comparators[0]):
            yield Hint(*line_span(node), 0.4, "a value is compared with itself here")
        elif isinstance(node, ast.Assign) and any(_same_place(target, node.value) for target in node.targets):
            yield Hint(*line_span(node), 0.6, "a variable is assigned to itself here")


def undefined_names(tree: ast.Module, source: str) -> Iterator[Hint]:
    """Reads of names that neither the function, an enclosing scope, the module nor Python itself binds."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
        return
    try:
        table = symtable.symtable(source, "<program>", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return
    missing = _unbound(table, _MODULE_NAMES | _bound_in_module(table))
    if not missing:
        return
    bound = {node for function in functions(tree) for node in _own_variables(function)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Name)
            and node.id in missing
            and node not in bound
            and not isinstance(node.ctx, ast.Store)
        ):
            yield Hint(*line_span(node), 0.8, f"nothing defines the name {node.id}")


_DETECTORS: tuple[Callable[[Function], Iterator[Hint]], ...] = (
    unused_parameters,
    unread_variables,
    missing_returns,
    discarded_results,
    shared_defaults,
)

_PURE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Name, ast.Subscript, ast.IfExp, ast.List, ast.Tuple)


def _parameters(function: Function) -> Iterator[str]:
    arguments = function.args
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (argument.arg for argument in (*named, arguments.vararg, arguments.kwarg) if argument)


def _read_names(function: Function) -> set[str]:
    """Names that the function, or a definition nested in it, reads or deletes."""
    read = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)}
    calls = (n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
    everything = set(_parameters(function)) | names_within(function)
    return read | everything if {"locals", "vars", "exec", "eval"} & set(calls) else read


def _own_variables(function: Function) -> Iterator[ast.Name]:
    """The uses, in a function and in definitions nested in it, of names that the function binds itself."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {*_parameters(function), *(name.id for name in names if isinstance(name.ctx, ast.Store))}
    yield from (name for name in names if name.id in own)


def _declared_elsewhere(function: Function) -> set[str]:
    """Names that the function declares global or nonlocal."""
    declarations = (node for node in own_nodes(function) if isinstance(node, (ast.Global, ast.Nonlocal)))
    return {name for declaration in declarations for name in declaration.names}


def _assigned_alone(function: Function) -> set[ast.expr]:
    """Targets of plain assignments, since loop variables and unpacked ones are often left unread on purpose."""
    alone: set[ast.expr] = set()
    for node in own_nodes(function):
        if isinstance(node, ast.Assign):
            alone.update(node.targets)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
            alone.add(node.target)
    return alone


def _is_stub(function: Function) -> bool:
    """Whether the body is only a docstring, `pass`, `...` or a raise: an interface, not work left undone."""
    return all(
        is_string_statement(node)
        or isinstance(node, (ast.Pass, ast.Raise))
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in function.body
    )


def _falls_through(body: list[ast.stmt]) -> bool:
    """Whether the end of a block may be reached."""
    last = body[-1]
    if isinstance(last, _ENDINGS):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or _falls_through(last.body) or _falls_through(last.orelse)
    if isinstance(last, (ast.With, ast.AsyncWith)):
        return _falls_through(last.body)
    if isinstance(last, ast.While):
        return not _loops_for_ever(last)
    if isinstance(last, ast.Try):
        return _try_falls_through(last)
    if isinstance(last, ast.Match):
        return not _is_exhaustive(last) or any(_falls_through(case.body) for case in last.cases)
    return True


def _try_falls_through(node: ast.Try) -> bool:
    if node.finalbody and not _falls_through(node.finalbody):
        return False
    return _falls_through(node.orelse or node.body) or any(_falls_through(h.body) for h in node.handlers)


def _is_exhaustive(node: ast.Match) -> bool:
    """Whether the last case matches every value."""
    last = node.cases[-1]
    return isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None


def _loops_for_ever(loop: ast.While) -> bool:
    """Whether a loop's condition is a constant truth and nothing in it breaks."""
    constant = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return constant and not any(isinstance(node, ast.Break) for node in ast.walk(loop))


def _same_place(left: ast.AST, right: ast.AST) -> bool:
    """Whether both are the same variable, attribute or element; calls may differ from one to the next."""
    if not isinstance(left, (ast.Name, ast.Attribute, ast.Subscript)) or type(left) is not type(right):
        return False
    return ast.unparse(left) == ast.unparse(right) and not any(isinstance(n, ast.Call) for n in ast.walk(left))


def _bound_in_module(table: symtable.SymbolTable) -> set[str]:
    """Names that the module binds, including those that functions declare global."""
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    for child in _descendants(table):
        bound |= {s.get_name() for s in child.get_symbols() if s.is_declared_global() and s.is_assigned()}
    return bound


def _unbound(table: symtable.SymbolTable, bound: frozenset[str]) -> set[str]:
    """Global names that are read somewhere and bound nowhere."""
    missing = {s.get_name() for s in table.get_symbols() if s.is_referenced() and s.get_name() not in bound}
    for child in _descendants(table):
        # symtable takes a function named "top" for the module, whose names are local and global at once.
        symbols = (s for s in child.get_symbols() if s.is_global() and not s.is_local())
        missing |= {s.get_name() for s in symbols if s.get_name() not in bound}
    return missing


def _descendants(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _descendants(child)
