"""QuixBugs: one small program a file with a bug in one line, read from a clone of the upstream repository.

Only the layout of the repository is known here, nothing of its programs. The tests are upstream's own, made to stand
alone (see standalone_tests.py); docs/datasets.md says which of them decide and which may be seen.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import TaskError
from regreen.syntax import parsed_or_none
from regreen.tasks.dataset import LoadedDataset, SkippedTask, SuiteReader
from regreen.tasks.standalone_tests import StandaloneTests, read_parametrised_tests, tests_from_cases
from regreen.tasks.text_file import read_python, read_utf8
from regreen.types import Case, Suite, Task

_ID_PREFIX = "quixbugs/"
_BUGGY, _CORRECT, _JSON_CASES, _PYTHON_TESTS = (
    *("python_programs", "correct_python_programs"),
    *("json_testcases", "python_testcases"),
)
_NODE = "node"
"""Name of the module that graph programs and their tests share."""
_CLONE = "Give the folder of a clone: git clone https://github.com/jkoppel/QuixBugs."


def load(folder: Path, reader: SuiteReader, *, only: Collection[str] | None = None) -> LoadedDataset:
    """The cases of a clone, by name; with `only`, those with these ids.

    Programs without a corrected version or without tests are skipped, with the reason. Raises TaskError where the
    folder is no clone, or naming the file in it that cannot be used.
    """
    for name in (_BUGGY, _CORRECT):
        if not (folder / name).is_dir():
            raise TaskError(f"{folder} is no clone of QuixBugs: it has no folder {name}.", remedy=_CLONE)
    cases: list[Case] = []
    skipped: list[SkippedTask] = []
    for name in _programs(folder):
        if only is not None and _ID_PREFIX + name not in only:
            continue
        if missing := _missing_part(folder, name):
            skipped.append(SkippedTask(name, missing))
        else:
            cases.append(_case(folder, name, reader))
    if not cases and only is None:
        raise TaskError(f"{folder / _BUGGY} holds no program that has tests and a corrected version.", remedy=_CLONE)
    return LoadedDataset(tuple(cases), tuple(skipped))


@dataclass(frozen=True, slots=True)
class _CaseFiles:
    """The texts of one case."""

    program: str
    reference: str
    tests: str | None
    cases: tuple[Any, ...]
    node: str


def _programs(folder: Path) -> list[str]:
    stems = (path.stem for path in (folder / _BUGGY).glob("*.py"))
    return sorted(
        name for name in stems if name.isidentifier() and name != _NODE and not name.endswith(("_test", "__"))
    )


def _missing_part(folder: Path, name: str) -> str:
    """Why a program is no case: the file that is missing; "" when it is one."""
    if not (folder / _CORRECT / f"{name}.py").is_file():
        return f"there is no {_CORRECT}/{name}.py"
    tests = (folder / _PYTHON_TESTS / f"test_{name}.py", folder / _JSON_CASES / f"{name}.json")
    return (
        "" if any(path.is_file() for path in tests) else f"neither {_PYTHON_TESTS} nor {_JSON_CASES} has tests for it"
    )


def _case(folder: Path, name: str, reader: SuiteReader) -> Case:
    files = _read(folder, name)
    tree = parsed_or_none(files.program)
    shares_node = tree is not None and _imports_node(tree)
    tests = _tests(folder, name, files, shares_node=shares_node)
    entry_point = _entry_point(tree, name)

    def suite(kind: str, kept: Collection[int]) -> Suite:
        origin = f"{_ID_PREFIX}{name} ({kind} checks)"
        try:
            return reader(tests.text(kept), program=files.program, module=name, entry_point=entry_point, origin=origin)
        except TaskError as error:
            raise TaskError(f"the tests of {name} in {folder} cannot be read as checks: {error}") from error

    task = Task(
        id=_ID_PREFIX + name,
        source=files.program,
        entry_point=entry_point,
        suite=suite("visible", range(0, len(tests.checks), 2)),
        statement=_statement(tree, name),
        module=name,
        companions={f"{_NODE}.py": files.node} if shares_node else {},
    )
    labels = {"tests": "cases" if tests.parametrised else "functions"}
    return Case(task, suite("hidden", range(len(tests.checks))), files.reference, labels=labels)


def _tests(folder: Path, name: str, files: _CaseFiles, *, shares_node: bool) -> StandaloneTests:
    if files.tests is None:
        return tests_from_cases(name, files.cases)
    inlined = {} if shares_node else {_NODE: files.node}
    try:
        return read_parametrised_tests(files.tests, module=name, programs=_BUGGY, cases=files.cases, inlined=inlined)
    except TaskError as error:
        raise TaskError(f"{folder / _PYTHON_TESTS / f'test_{name}.py'}: {error}", remedy=_CLONE) from None


def _read(folder: Path, name: str) -> _CaseFiles:
    tests, cases = folder / _PYTHON_TESTS / f"test_{name}.py", folder / _JSON_CASES / f"{name}.json"
    nodes = (folder / place / f"{_NODE}.py" for place in (_PYTHON_TESTS, _BUGGY))
    return _CaseFiles(
        read_python(folder / _BUGGY / f"{name}.py"),
        read_python(folder / _CORRECT / f"{name}.py"),
        read_python(tests) if tests.is_file() else None,
        _json_cases(cases) if cases.is_file() else (),
        next((read_python(path) for path in nodes if path.is_file()), ""),
    )


def _json_cases(path: Path) -> tuple[Any, ...]:
    """Pairs of arguments and the expected result, one a line.

    Lines from upstream's first years hold a single argument without a list, as its first test runner accepts it.
    """
    cases = []
    for number, line in enumerate(read_utf8(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TaskError(f"line {number} of {path} is no JSON ({error}).", remedy=_CLONE) from None
        if not isinstance(case, list) or len(case) != 2:
            raise TaskError(f"line {number} of {path} is no list of arguments and result.", remedy=_CLONE)
        arguments, result = case
        cases.append([arguments if isinstance(arguments, list) else [arguments], result])
    return tuple(cases)


def _imports_node(tree: ast.Module) -> bool:
    nodes = list(ast.walk(tree))
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    return _NODE in names | {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}


def _entry_point(tree: ast.Module | None, name: str) -> str | None:
    """The function with the file's name; None where there is none."""
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} if tree else set()
    return name if name in found else None


def _statement(tree: ast.Module | None, name: str) -> str:
    """The description of the program: upstream puts it into strings after the function."""
    if tree is None:
        return ""
    values = [node.value for node in tree.body if isinstance(node, ast.Expr)]
    strings = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    own = [ast.get_docstring(node) for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    return "\n\n".join(text.strip() for text in [*(text for text in own if text), *strings])
