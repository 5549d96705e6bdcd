"""What models are told: the program, the part that is in question, and what a check says, as the prompts show them."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from regreen.strategies.session import checks_text
from regreen.syntax import Definition, first_line, tree
from regreen.types import Check, CheckResult, Outcome, Task, Verdict
from regreen.verify.check_messages import explain_failure

WHOLE = 16_000
"""Characters up to which a program is shown as a whole."""
CHECKS = 8_000
"""Characters of the checks that a draft is shown."""
FAILURE = 2_000


def unit(task: Task) -> str:
    """What a reply has to hold, in words."""
    if task.entry_point and task.entry_point in definitions(task.source):
        return f"the complete definition of `{task.entry_point}`"
    return "the complete program"


def shown_program(task: Task, source: str) -> str:
    """The program as a prompt shows it: all of it, or the definition in question where it is long."""
    return source if len(source) <= WHOLE else definition_text(source, task.entry_point)


def definition_text(source: str, name: str | None) -> str:
    """The text of a function, method ("Class.method") or class with its decorators; the whole source without one."""
    node = definitions(source).get(name or "")
    if node is None:
        return source
    return "\n".join(source.split("\n")[first_line(node) - 1 : node.end_lineno])


def definition_line(source: str, name: str | None) -> int:
    """The line on which the text that `definition_text` gives begins."""
    node = definitions(source).get(name or "")
    return 1 if node is None else first_line(node)


def definitions(source: str) -> Mapping[str, Definition]:
    """Every function and class of a module, and every method as "Class.method"; none for what is not Python."""
    try:
        module = tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, Definition] = {}
    for node in module.body:
        if isinstance(node, Definition):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}": inner for inner in node.body if isinstance(inner, Definition)}
    return found


def shown_checks(task: Task) -> str:
    """The checks' own text, as much of it as a draft is shown."""
    text = checks_text(task).strip()
    if len(text) <= CHECKS:
        return text
    return text[:CHECKS].rpartition("\n")[0] + "\n# ... and more"


def first_failure(task: Task, verdict: Verdict) -> str:
    """What the first check that does not pass says, in a sentence or two; "" when all pass."""
    for name, result in verdict.results.items():
        if result.outcome is not Outcome.PASSED:
            return failure(task, name, result)
    return verdict.detail[:FAILURE]


def failure(task: Task, name: str, result: CheckResult) -> str:
    """What one failing check says, by its own text where the suite has it."""
    check = next((check for check in task.suite.checks if check.id == name), Check(name, name))
    return explain_failure(check, result)[:FAILURE]
