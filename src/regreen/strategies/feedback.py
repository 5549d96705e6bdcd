"""What a model is told of a run of its code: each check that fails, expected against actual, and how many pass."""

from __future__ import annotations

from regreen.propose.prompts import fenced_whole, shortened
from regreen.strategies.prompt_values import failure
from regreen.types import Outcome, Task, Verdict

CHECKS = 8
"""Failing checks that are told one by one."""
FAILURES = 5_000
"""Characters of what they say."""
OUTPUT = 1_000
SPARE = 200
"""Characters that usual fences, and words on what was left out, may take beside them."""


def report(task: Task, verdict: Verdict) -> str:
    """The outcome of every check, as much of it as helps; what the program said stands in fences."""
    total = len(verdict.results)
    failed = [(name, r) for name, r in verdict.results.items() if r.outcome is not Outcome.PASSED]
    if not failed and total:
        return f"All {total} checks pass." if total > 1 else "The one check passes."
    told = [verdict.detail] if verdict.detail else []
    told += [failure(task, name, result) for name, result in failed[:CHECKS]]
    lines = [f"{total - len(failed)} of {total} checks pass."]
    lines += [_quoted("\n".join(told), FAILURES)] if told else []
    lines += [f"... and {len(failed) - CHECKS} more fail."] if len(failed) > CHECKS else []
    lines += ["It printed:", _quoted(verdict.stdout, OUTPUT)] if verdict.stdout.strip() else []
    return "\n".join(lines)


def _quoted(text: str, longest: int) -> str:
    """A text in a fence, as much of it as has room beside fences that are long where it is full of backticks."""
    quoted = fenced_whole(shortened(text, longest), "")
    return quoted if len(quoted) <= longest + SPARE else fenced_whole(shortened(text, longest // 3), "")
