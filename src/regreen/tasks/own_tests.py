"""Tests that stand in the program's own file: which of its statements they are, and each of the two without the other.

What is repaired is the program alone, and what decides are the tests alone, so a repair can never change them. Both
keep their line numbers; a comment stands where tests were, by which they come back to their place.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regreen.syntax import DEFINITIONS, FUNCTIONS, first_line, module_statements, parsed_or_none, walk_in_order

_TEST_CLASS = re.compile(r"Test|.*TestCase$")
_PYTESTS_OWN = frozenset({"pytestmark", "pytest_plugins"})
_RUNNERS = frozenset({"unittest", "pytest"})


@dataclass(frozen=True, slots=True)
class OwnTests:
    """The tests of a file that holds its program, too."""

    text: str
    """They alone, with empty lines for the program's."""
    held: tuple[tuple[str, tuple[str, ...]], ...]
    """The comment that stands for each run of lines -> these lines."""

    def restored(self, program: str) -> str:
        """A program without its tests, as it was or as it was repaired, with them back in their places.

        Tests whose comment is gone come at the end.
        """
        lines = program.split("\n")
        for comment, run in self.held:
            place = lines.index(comment) if comment in lines else None
            if place is None:
                lines = [*"\n".join(lines).rstrip("\n").split("\n"), "", "", *run, ""]
            else:
                blanks = _blanks_from(lines, place + 1, len(run) - 1)
                lines[place : place + 1 + blanks] = run
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of the module, by the names that it deals with."""

    node: ast.stmt
    binds: frozenset[str]
    uses: frozenset[str]

    @property
    def lines(self) -> range:
        """Its lines, counted from 0, decorators included."""
        return range(first_line(self.node) - 1, self.node.end_lineno or self.node.lineno)


def without_own_tests(text: str) -> tuple[str, OwnTests] | None:
    """A program without the tests in its text, and these; None where it holds none, or they cannot be told apart."""
    tree = parsed_or_none(text)
    if tree is None:
        return None
    statements = [_Statement(node, frozenset(_bound(node)), frozenset(_used(node))) for node in tree.body]
    tests = _tests_of(statements)
    program = [each for each in statements if each not in tests]
    if not any(map(_decides, tests)) or not any(isinstance(each.node, DEFINITIONS) for each in program):
        return None
    taken = {line for each in tests for line in each.lines}
    if any(line in taken for each in program for line in each.lines):
        return None
    lines = text.split("\n")
    shown = taken | {line for each in program if _is_needed_by_both(each, tests) for line in each.lines}
    held = tuple(_held(lines, sorted(taken)))
    return _without(lines, sorted(taken), held), OwnTests(_only(lines, shown), held)


def _tests_of(statements: Sequence[_Statement]) -> list[_Statement]:
    """The statements that are tests, or are there for tests alone."""
    tests = [each for each in statements if _is_test(each.node)]
    while True:
        rest = [each for each in statements if each not in tests]
        found = [each for each in rest if _belongs(each, tests, rest)]
        if not found:
            return _unused_by_program(tests, rest)
        tests += found


def _unused_by_program(tests: list[_Statement], program: Sequence[_Statement]) -> list[_Statement]:
    """The tests without what only looks like one: the program calls it."""
    used = {name for each in program for name in each.uses}
    return [each for each in tests if not (isinstance(each.node, DEFINITIONS) and each.binds & used)]


def _belongs(statement: _Statement, tests: Sequence[_Statement], rest: Sequence[_Statement]) -> bool:
    """Whether a statement is there for the tests alone, by what they and the others use."""
    node, bound_by_tests = statement.node, {name for each in tests for name in each.binds}
    if _is_main_guard(node):
        return not statement.uses.isdisjoint({*bound_by_tests, *_RUNNERS})
    if isinstance(node, DEFINITIONS):
        return _asserts(node) and _only_tests_use(statement, tests, rest)
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return False
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)) and _only_tests_use(
        statement, tests, rest
    ):
        return True
    return not isinstance(node, (ast.Import, ast.ImportFrom)) and not statement.uses.isdisjoint(bound_by_tests)


def _only_tests_use(statement: _Statement, tests: Sequence[_Statement], rest: Sequence[_Statement]) -> bool:
    used_elsewhere = any(statement.binds & each.uses for each in rest if each is not statement)
    return not used_elsewhere and any(statement.binds & each.uses for each in tests)


def _is_test(node: ast.stmt) -> bool:
    """Whether a statement of a module is a test by its name, or checks something where it stands."""
    if isinstance(node, FUNCTIONS):
        is_fixture = any(_last_name(each).endswith("fixture") for each in node.decorator_list)
        return is_fixture or node.name.startswith("test_") or (node.name == "test" and _asserts(node))
    if isinstance(node, ast.ClassDef):
        return bool(_TEST_CLASS.match(node.name)) or any(_TEST_CLASS.match(_last_name(base)) for base in node.bases)
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id in _PYTESTS_OWN for each in node.targets)
    return any(isinstance(each, ast.Assert) for each in module_statements([node]))


def _decides(statement: _Statement) -> bool:
    """Whether something is checked in there."""
    return _asserts(statement.node)


def _asserts(node: ast.AST) -> bool:
    """Whether there is an assert in a statement, or a call by one of the usual names for one."""
    for each in walk_in_order(node):
        if isinstance(each, ast.Assert):
            return True
        if isinstance(each, ast.Attribute) and (each.attr.startswith("assert") or each.attr == "raises"):
            return True
    return False


def _last_name(node: ast.expr) -> str:
    """The last part of a dotted name, called or not; "" for any other expression."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).replace('"', "'") in (
        "__name__ == '__main__'",
        "'__main__' == __name__",
    )


def _is_needed_by_both(statement: _Statement, tests: Sequence[_Statement]) -> bool:
    """Whether the tests repeat a statement that is the program's: an import from Python's own library that they use."""
    node = statement.node
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or ""] if not node.level else [""]
    elif isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        return False
    is_pythons = all(module.partition(".")[0] in sys.stdlib_module_names for module in modules)
    return is_pythons and ("__future__" in modules or any(statement.binds & each.uses for each in tests))


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds in its module."""
    for each in module_statements([node]):
        if isinstance(each, DEFINITIONS):
            yield each.name
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in each.names)
        else:
            names = (part for part in ast.walk(each) if isinstance(part, ast.Name))
            yield from (name.id for name in names if isinstance(name.ctx, ast.Store))


def _used(node: ast.stmt) -> Iterator[str]:
    """The names that are read anywhere in a statement, and those of the fixtures that pytest would hand to a test."""
    takes_fixtures = _is_test(node)
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store):
            yield each.id
        elif takes_fixtures and isinstance(each, ast.arg):
            yield each.arg


def _held(lines: Sequence[str], taken: Sequence[int]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each run of lines that are taken out, under the comment that stands for it."""
    for start, stop in _runs(taken):
        comment = f"# Lines {start + 1} to {stop} are tests."
        while comment in lines:
            comment += "."
        yield comment, tuple(lines[start:stop])


def _without(lines: Sequence[str], taken: Sequence[int], held: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    left = list(lines)
    for (start, stop), (comment, _) in zip(_runs(taken), held, strict=True):
        left[start:stop] = [comment, *[""] * (stop - start - 1)]
    return "\n".join(left)


def _only(lines: Sequence[str], shown: set[int]) -> str:
    return "\n".join(line if number in shown else "" for number, line in enumerate(lines))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers in a row, in ascending order, as (first, behind the last)."""
    start = None
    for position, number in enumerate(numbers):
        start = number if start is None else start
        if position + 1 == len(numbers) or numbers[position + 1] != number + 1:
            yield start, number + 1
            start = None


def _blanks_from(lines: Sequence[str], start: int, most: int) -> int:
    """How many empty lines there are from a place on, up to `most`."""
    count = 0
    while count < most and start + count < len(lines) and not lines[start + count].strip():
        count += 1
    return count
