"""The answers that a user gave, put into the file of tests as checks, where the user agrees."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from regreen.cli.show_alternatives import Prompts
from regreen.errors import TaskError
from regreen.syntax import parsed_or_none
from regreen.types import Repair

_NAME = "test_answered"


def offer_to_add(prompts: Prompts, tests: Sequence[str], repair: Repair) -> str:
    """Ask whether the answers become checks of the one file of tests; returns what was done, "" for nothing.

    Raises TaskError where the file cannot be written.
    """
    checks = [q.answers[q.answered].check for q in repair.questions if q.answered is not None]
    if not checks or len(tests) != 1 or not tests[0].endswith(".py") or not prompts.is_possible:
        return ""
    path = Path(tests[0])
    if not prompts.confirm(f"Add what you answered to {path.name}?"):
        return ""
    try:
        before = path.read_text(encoding="utf-8")
        path.write_text(with_checks(before, checks), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path} cannot be written: {error}.", remedy="Add the checks by hand.") from None
    return f"Added {len(checks)} check{'s' * (len(checks) > 1)} to {path}."


def with_checks(text: str, checks: Sequence[str]) -> str:
    """The text of a file of tests with further checks: as functions where it has some, else as they are."""
    tree = parsed_or_none(text)
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} if tree else set()
    lead = text if text.endswith("\n") or not text else f"{text}\n"
    if not any(name.startswith("test") for name in names):
        return lead + "".join(check.rstrip("\n") + "\n" for check in checks)
    number = 1
    for check in checks:
        while f"{_NAME}_{number}" in names:
            number += 1
        names.add(f"{_NAME}_{number}")
        body = "".join(f"    {line}\n" if line else "\n" for line in check.splitlines())
        lead += f"\n\ndef {_NAME}_{number}():\n{body}"
    return lead
