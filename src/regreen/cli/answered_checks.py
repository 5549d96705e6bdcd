"""The answers that a user gave, put into the file of tests as checks, where the user agrees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regreen.cli.show_alternatives import Prompts
from regreen.errors import TaskError
from regreen.types import Repair
from regreen.verify.added_checks import with_checks


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
