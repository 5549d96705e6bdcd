"""Test text made into a suite, whose kind depends on the text."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from regreen.errors import TaskError
from regreen.syntax import first_line, parse, parsed_or_none, walk_in_order
from regreen.types import Check, Isolation, Project, Step, Suite, SuiteKind
from regreen.verify.bindings import bindings_of, guess_entry_point
from regreen.verify.collected_tests import CollectedTests
from regreen.verify.conftest_needs import conftest_needs
from regreen.verify.flatten import ScriptStatement, asserting_names, effective_statements, flatten, runs_all
from regreen.verify.program_facts import ProgramFacts, is_main_guard, read_program_facts
from regreen.verify.pytest_needs import pytest_needs
from regreen.verify.python_text import normalise_line_ends, parse_tests
from regreen.verify.script_steps import DECLARATIONS, is_check, steps_of
from regreen.verify.surface import surface_of_statements

_HOW_TO_WRITE = (
    "Write at least one assert such as `assert {name}(2) == 4`, a function `def test_...():` with asserts in it, "
    "or a unittest class."
)
_PYTEST_REASON = "pytest runs the tests in their project, and the program in one process with them"


def read_suite(
    text: str,
    *,
    program: str,
    module: str,
    entry_point: str | None,
    origin: str = "<tests>",
    conftests: Sequence[tuple[str, str]] = (),
) -> Suite:
    """The suite of a test text; nothing is run.

    `module` is the name by which the tests may import the program, `origin` the file name shown in messages.
    `conftests` are (name, text) of the `conftest.py` files that pytest loads before the tests, the outermost first.
    Raises TaskError, with advice, when the text is not Python or holds no check.
    """
    text = normalise_line_ends(text)
    tree = parse_tests(text, origin)
    if conftests:
        return _suite_below(conftests, text, tree, program, module, origin)
    facts = read_program_facts(program)
    name = _module_name(tree, module, facts, origin)
    collected = CollectedTests(tree)
    entry = entry_point or guess_entry_point(program, text)
    frame = Suite(SuiteKind.SCRIPT, text, (), module=name, origin=origin, one_namespace=name is None)
    checks = collected.checks(text)
    if collected.needs_pytest():
        return _pytest_suite(frame, collected, program, facts, entry)
    runners = _runners(tree, collected)
    items = flatten(_without_runners(tree.body, runners), text, entry, closed=runners, taken=facts.names)
    asserting = asserting_names(tree.body) - runners
    has_script = any(is_check(item.node, asserting) for item in items)
    if checks and not has_script:
        return _with_surface(_module_suite(frame, tree, checks, runners), tree.body, facts, entry)
    return _script_suite(frame, items, asserting, collected if checks else None, facts, entry)


def _suite_below(
    conftests: Sequence[tuple[str, str]], text: str, tests: ast.Module, program: str, module: str, origin: str
) -> Suite:
    """The suite of a test file below `conftest.py` files: what these do counts as if the tests did it."""
    texts = [(name, normalise_line_ends(each)) for name, each in conftests]
    frame = Suite(SuiteKind.PYTEST, text, (), module=module, origin=origin, one_namespace=False)
    whole = parsed_or_none("\n".join([*(each for _, each in texts), text]))
    trees = [parsed_or_none(each) for _, each in texts]
    facts = read_program_facts(program)
    if whole is None or None in trees:
        return replace(frame, isolation=Isolation.SHARED, reason="a conftest.py of the tests cannot be read")
    name = _module_name(whole, module, facts, origin)
    suite = replace(frame, module=name, conftests=tuple(texts))
    known = [tree for tree in trees if tree is not None]
    for need in (*conftest_needs(known, tests, name), *pytest_needs(whole, program, name)):
        return replace(suite, isolation=Isolation.SHARED, reason=need)
    return _with_surface(suite, whole.body, facts, None)


def read_project_suite(text: str, *, project: Project, module: str, origin: str) -> Suite:
    """The suite of tests that pytest collects in their project; `text` is that of all their files."""
    frame = Suite(SuiteKind.PYTEST, normalise_line_ends(text), (), module=module, origin=origin)
    return replace(frame, isolation=Isolation.SHARED, reason=_PYTEST_REASON, project=project)


def _pytest_suite(
    frame: Suite, collected: CollectedTests, program: str, facts: ProgramFacts, entry: str | None
) -> Suite:
    if not (collected.functions or collected.test_classes):
        raise TaskError(
            f"The tests in {frame.origin} use pytest but hold no test function.",
            remedy="Put the checks into functions named `test_...`.",
        )
    suite = replace(frame, kind=SuiteKind.PYTEST)
    for need in pytest_needs(collected.tree, program, frame.module):
        return replace(suite, isolation=Isolation.SHARED, reason=need)
    return _with_surface(suite, collected.tree.body, facts, entry)


def _module_suite(frame: Suite, tree: ast.Module, checks: tuple[Check, ...], runners: set[str]) -> Suite:
    return replace(frame, kind=SuiteKind.MODULE, source=_without_runs(frame.source, tree, runners), checks=checks)


def _script_suite(
    frame: Suite,
    items: list[ScriptStatement],
    asserting: set[str],
    collected: CollectedTests | None,
    facts: ProgramFacts,
    entry: str | None,
) -> Suite:
    body = [item.node for item in items]
    steps, checks = steps_of(items, asserting, bindings_of(body, frame.module))
    if not any(is_check(item.node, asserting) for item in items):
        raise _no_check(frame, entry)
    if collected is not None:
        more_steps, more_checks = _test_calls(collected, frame.source)
        steps, checks = [*steps, *more_steps], [*checks, *more_checks]
    suite = replace(frame, steps=tuple(steps), checks=tuple(checks))
    return _with_surface(suite, body, facts, entry)


def _with_surface(suite: Suite, body: Sequence[ast.stmt], facts: ProgramFacts, entry: str | None) -> Suite:
    surface, isolation, reason = surface_of_statements(
        facts, body, suite.module, entry, one_namespace=suite.one_namespace
    )
    return replace(suite, surface=surface, isolation=isolation, reason=reason)


def _no_check(frame: Suite, entry: str | None) -> TaskError:
    tree = parse(frame.source)
    idle = sorted(name for name in asserting_names(tree.body))
    if idle == ["check"] and entry is None:
        return TaskError(
            f"The tests in {frame.origin} define `check` but do not say which function it checks.",
            remedy="Name the function with --entry-point NAME, or end the file with `check(NAME)`.",
        )
    if idle:
        return TaskError(
            f"The asserts in {frame.origin} never run: nothing calls `{idle[0]}`.",
            remedy=f"Call it at the end of the file, or name it `test_{idle[0]}`.",
        )
    what = "are empty" if not tree.body else "hold no check"
    return TaskError(f"The tests in {frame.origin} {what}.", remedy=_HOW_TO_WRITE.format(name=entry or "function"))


def _module_name(tree: ast.Module, module: str, facts: ProgramFacts, origin: str) -> str | None:
    """The name under which the tests import the program; None when they do not."""
    named: dict[str, set[str]] = {}
    for node in walk_in_order(tree):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                raise _relative(node, module, origin)
            found = named.setdefault(node.module or "", set())
            found.update(alias.name for alias in node.names)
            named.update({f"{node.module}.{alias.name}": set() for alias in node.names if alias.name == _last(module)})
        elif isinstance(node, ast.Import):
            named.update({alias.name: named.get(alias.name, set()) for alias in node.names})
    if module in named:
        return module
    longer = sorted(name for name in named if _last(name) == _last(module) and not _is_stdlib(name))
    # The tests may have been written for the same program under another file name.
    ours = facts.names - facts.imports.keys()
    same = sorted(name for name, what in named.items() if what and what <= ours and not _is_stdlib(name))
    return next(iter([*longer, *same]), None)


def _last(module: str) -> str:
    return module.rpartition(".")[2]


def _is_stdlib(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _relative(node: ast.ImportFrom, module: str, origin: str) -> TaskError:
    return TaskError(
        f"Line {node.lineno} of {origin} imports relative to a package, but the tests are run on their own.",
        remedy=f"Write `from {module} import ...` instead.",
    )


def _runners(tree: ast.Module, collected: CollectedTests) -> set[str]:
    """Names of the tests and of functions that only call tests."""
    tests = set(collected.functions) | set(collected.test_classes)
    return tests | {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and _reads(node, tests)
        and not any(isinstance(inner, ast.Assert) for inner in walk_in_order(node))
    }


def _without_runners(body: Sequence[ast.stmt], runners: set[str]) -> Iterator[ast.stmt]:
    return (statement for statement in effective_statements(body) if not _runs(statement, runners))


def _runs(node: ast.stmt, runners: set[str]) -> bool:
    """Whether a statement does nothing but run test functions."""
    return not isinstance(node, (*DECLARATIONS, ast.Assert)) and _reads(node, runners)


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in walk_in_order(node))


def _without_runs(text: str, tree: ast.Module, runners: set[str]) -> str:
    """The text of a test module without the statements that run its tests; line numbers stay."""
    lines = text.split("\n")
    for node in tree.body:
        if node.col_offset == 0 and (is_main_guard(node) or _runs(node, runners) or runs_all(node)):
            for index in range(first_line(node) - 1, node.end_lineno or node.lineno):
                lines[index] = ""
    return "\n".join(lines)


def _test_calls(collected: CollectedTests, text: str) -> tuple[list[Step], list[Check]]:
    """Steps that call the test functions of a script one by one, after its own statements."""
    checks = list(collected.checks(text))
    steps: list[Step] = []
    prepared: set[str] = set()
    for check in checks:
        owner, _, method = check.id.rpartition(".")
        if owner and owner not in prepared and collected.is_unittest(collected.classes[owner]):
            prepared.add(owner)
            steps.append(Step(f"{owner}.setUpClass()", line=check.line))
        steps.append(Step(_call(collected, owner, method), check.id, check.line))
    return steps, checks


def _call(collected: CollectedTests, owner: str, method: str) -> str:
    if owner and collected.is_unittest(collected.classes[owner]):
        return f"{owner}({method!r}).debug()"
    call = f"{owner}().{method}()" if owner else f"{method}()"
    node = collected.methods(collected.classes[owner])[method] if owner else collected.functions[method]
    return f"__import__('asyncio').run({call})" if isinstance(node, ast.AsyncFunctionDef) else call
