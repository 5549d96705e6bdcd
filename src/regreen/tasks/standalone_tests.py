"""Test files that take their cases from another file, made to stand alone: one check a case, in plain Python.

Nothing is run. The text of the file is kept where it can be. Pytest's parametrisation, its `approx` with an absolute
bound and its skipping of given cases are rewritten, so that checks can be kept apart from the program.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from regreen.errors import TaskError
from regreen.syntax import parse, python_literal
from regreen.tasks.pytest_rewriting import known_condition, with_values, without_pytest

_LOADER = "load_json_testcases"


@dataclass(frozen=True, slots=True)
class StandaloneTests:
    """A test file in parts."""

    head: tuple[str, ...]
    """Text that all checks need: imports, helpers, data."""
    checks: tuple[str, ...]
    parametrised: bool = False

    def text(self, kept: Collection[int]) -> str:
        """The text with the checks at these indices only."""
        chosen = [check for place, check in enumerate(self.checks) if place in kept]
        between = "\n" if all(check.startswith("assert") for check in chosen) else "\n\n\n"
        return "\n".join(self.head) + "\n\n\n" + between.join(chosen) + "\n"


def tests_from_cases(name: str, cases: Sequence[Any]) -> StandaloneTests:
    """The checks of a function with cases and no test file: each result has to equal the expected one."""
    text = f"def test(input_data, expected):\n    assert {name}(*input_data) == expected\n"
    function = parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    head = (f"from {name} import {name}",)
    return StandaloneTests(
        head, tuple(_CaseData("", cases).checks(function, ["input_data", "expected"])), parametrised=True
    )


def read_parametrised_tests(
    text: str, *, module: str, programs: str, cases: Sequence[Any], inlined: Mapping[str, str]
) -> StandaloneTests:
    """The checks of a test file for the program `module`, which it imports from the package `programs`.

    `cases` are what its loader would read, `inlined` modules whose text takes the place of their import.
    Raises TaskError when the text is no Python or holds no test.
    """
    found = _TestFileReader(module, programs, cases, inlined)
    try:
        for statement in parse(text).body:
            found.take(statement)
        tests = found.tests()
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise TaskError(f"it is not valid Python ({error}).") from None
    if not tests.checks:
        raise TaskError("it holds no test, or there are no cases for it.")
    return tests


@dataclass(frozen=True, slots=True)
class _CaseData:
    """The cases of a parametrised test."""

    name: str
    """The variable that holds the cases."""
    cases: Sequence[Any]
    changed: bool = False
    """Whether the file itself changes the cases after loading them."""

    def checks(self, test: ast.FunctionDef, names: Sequence[str]) -> list[str]:
        """A check for each case that the test does not skip."""
        kept = [place for place, case in enumerate(self.cases) if not self._is_skipped(test, names, case)]
        body = [statement for statement in test.body if not _is_decided_skip(statement, names, self.cases)]
        if len(body) == 1 and isinstance(body[0], ast.Assert) and not self.changed:
            values = (dict(zip(names, self.cases[place], strict=True)) for place in kept)
            return [ast.unparse(with_values(body[0], value)) for value in values]
        return [self._function(test, body, names, place) for place in kept]

    def _function(self, test: ast.FunctionDef, body: list[ast.stmt], names: Sequence[str], place: int) -> str:
        lines = [f"{', '.join(names)} = {self.name}[{place}]", *(ast.unparse(statement) for statement in body)]
        inner = "\n".join(f"    {line}" for text in lines for line in text.split("\n"))
        return f"def {test.name}_{place}():\n{inner}"

    def _is_skipped(self, test: ast.FunctionDef, names: Sequence[str], case: Sequence[Any]) -> bool:
        values = dict(zip(names, case, strict=True))
        return any(_is_skip(statement) and known_condition(statement.test, values) for statement in _ifs(test.body))


def _ifs(body: Sequence[ast.stmt]) -> list[ast.If]:
    return [statement for statement in body if isinstance(statement, ast.If)]


def _is_skip(statement: ast.If) -> bool:
    """Whether a statement is `if ...: pytest.skip(...)`."""
    (only, *more) = statement.body
    call = only.value if isinstance(only, ast.Expr) else None
    return not more and not statement.orelse and isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.skip"


def _is_decided_skip(statement: ast.stmt, names: Sequence[str], cases: Sequence[Any]) -> bool:
    """Whether a statement does nothing but skip, and its condition is known for every case."""
    if not isinstance(statement, ast.If) or not _is_skip(statement):
        return False
    return all(known_condition(statement.test, dict(zip(names, case, strict=True))) is not None for case in cases)


@dataclass(slots=True)
class _TestFileReader:
    """Reads a test file statement by statement, and gathers its parts."""

    module: str
    programs: str
    cases: Sequence[Any]
    inlined: Mapping[str, str]
    head: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    data: _CaseData | None = None
    changes: list[str] = field(default_factory=list)
    parametrised: bool = False
    imports_pytest: bool = False

    def take(self, statement: ast.stmt) -> None:
        """Take one statement as import, test, data or part of the head."""
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self._import(statement)
        elif isinstance(statement, ast.If) and "pytest." in ast.unparse(statement.test):
            for inner in statement.orelse:
                self.take(inner)
        elif isinstance(statement, ast.FunctionDef) and statement.name.startswith("test"):
            self._test(statement)
        elif (name := _loads(statement)) and self.data is None:
            self.data = _CaseData(name, self.cases)
        else:
            self._other(statement)

    def tests(self) -> StandaloneTests:
        """The test file in parts, after all statements were taken."""
        head = list(self.head)
        if self.data and any(check.startswith("def ") and self.data.name in check for check in self.checks):
            head.append(f"{self.data.name} = {_shown(self.cases)}")
        head += self.changes
        text = "\n".join([*head, *self.checks])
        if self.imports_pytest and "pytest." in text:
            head.insert(0, "import pytest")
        return StandaloneTests(tuple(head), tuple(self.checks), self.parametrised)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        name = (statement.module or "") if isinstance(statement, ast.ImportFrom) else statement.names[0].name
        last = name.rpartition(".")[2]
        if name == "pytest":
            self.imports_pytest = True
        elif any(alias.name == _LOADER for alias in statement.names):
            return
        elif last in self.inlined and isinstance(statement, ast.ImportFrom):
            self.head.append(self.inlined[last].strip("\n"))
        elif name == f"{self.programs}.{self.module}" and isinstance(statement, ast.ImportFrom):
            self.head.append(ast.unparse(ast.ImportFrom(self.module, statement.names, 0)))
        else:
            self.head.append(ast.unparse(statement))

    def _test(self, test: ast.FunctionDef) -> None:
        plain = without_pytest(test)
        assert isinstance(plain, ast.FunctionDef)
        names = _parametrised_by(plain, self.data.name) if self.data else None
        if self.data is None or names is None:
            self.checks.append(ast.unparse(plain))
        else:
            self.parametrised = True
            self.checks += self.data.checks(plain, names)

    def _other(self, statement: ast.stmt) -> None:
        text = ast.unparse(without_pytest(statement))
        if self.data is not None and self.data.name in text:
            self.data = replace(self.data, changed=True)
            self.changes.append(text)
        else:
            self.head.append(text)


def _loads(statement: ast.stmt) -> str:
    """The variable to which a statement assigns loaded cases; "" where it does not."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return ""
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) and ast.unparse(statement.value.func).endswith(_LOADER) else ""


def _parametrised_by(test: ast.FunctionDef, data: str) -> list[str] | None:
    """The two arguments that a test gets from the data; None where it gets none from there."""
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.parametrize":
            match decorator.args:
                case [ast.Constant(str(names)), ast.Name(name)] if name == data:
                    arguments = [part.strip() for part in names.split(",")]
                    return arguments if len(arguments) == 2 else None
    return None


def _shown(cases: Sequence[Any]) -> str:
    return "[\n" + "".join(f"    {python_literal(case)},\n" for case in cases) + "]"
