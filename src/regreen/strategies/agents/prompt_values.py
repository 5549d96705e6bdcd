"""Texts that prompts show: the program, its checks, and the outcome of running them."""

from __future__ import annotations

from regreen.propose.prompts import fenced_whole, shortened
from regreen.strategies.agents.program_view import ShownProgram, definitions, uses_definitions
from regreen.strategies.session import checks_text
from regreen.types import Check, CheckResult, Outcome, Task, Verdict
from regreen.verify.check_messages import explain_failure

WHOLE_PROGRAM_CHARACTERS = 16_000
"""Up to this length a program is shown as a whole."""
CORRECTED_PROGRAM_CHARACTERS = 4_000
"""The same in a correction, of which there are many and which says what failed: short ones serve small models."""
SHOWN_CHECKS_CHARACTERS = 8_000
"""How much of the checks' text is shown."""
_FAILURE_CHARACTERS = 2_000
"""How much of one check's failure is shown."""
REPORTED_CHECKS = 8
"""Failing checks that a report names one by one."""
_REPORT_CHARACTERS = 5_000
"""How much of their failures a report shows."""
_OUTPUT_CHARACTERS = 1_000
"""How much of the program's output a report shows."""
_FENCE_CHARACTERS = 200
"""Room beside a quoted text for usual fences, and for the words on what was left out."""


def unit(task: Task) -> str:
    """What a reply has to contain, in words: a definition or the whole program."""
    if task.entry_point not in definitions(task.source):
        return "the complete program"
    asked = f"the complete definition of `{task.entry_point}`"
    # The cause may lie in what it calls, and a reply that gives that alone is taken, too.
    others = uses_definitions(task.source, task.entry_point)
    return f"{asked} (and of any other function that has to change)" if others else asked


def shown_program(task: Task, source: str, *, longest: int = WHOLE_PROGRAM_CHARACTERS) -> ShownProgram:
    """The program as a prompt shows it: all of it up to a length; of a longer one, the definition and what it uses."""
    return ShownProgram(source, task.entry_point, longest, numbered=False)


def shown_numbered(task: Task, source: str) -> ShownProgram:
    """A program with the number of each line before it; of a long one, the definition and what it uses."""
    return ShownProgram(source, task.entry_point, WHOLE_PROGRAM_CHARACTERS, numbered=True)


def shown_checks(task: Task) -> str:
    """The checks' text, its beginning where it is long."""
    text = checks_text(task).strip()
    if len(text) <= SHOWN_CHECKS_CHARACTERS:
        return text
    return text[:SHOWN_CHECKS_CHARACTERS].rpartition("\n")[0] + "\n# ... and more"


def first_failure(task: Task, verdict: Verdict) -> str:
    """The failure of the first check that does not pass, in a sentence or two; "" when all pass."""
    for name, result in verdict.results.items():
        if result.outcome is not Outcome.PASSED:
            return check_failure(task, name, result)
    return verdict.detail[:_FAILURE_CHARACTERS]


def check_failure(task: Task, name: str, result: CheckResult) -> str:
    """The failure of one check, which is quoted where the suite has its text."""
    check = next((check for check in task.suite.checks if check.id == name), Check(name, name))
    return explain_failure(check, result)[:_FAILURE_CHARACTERS]


def checks_report(task: Task, verdict: Verdict) -> str:
    """How many checks pass, and what the failing ones expected and got; the program's output stands in fences."""
    total = len(verdict.results)
    failed = [(name, r) for name, r in verdict.results.items() if r.outcome is not Outcome.PASSED]
    if not failed and total:
        return f"All {total} checks pass." if total > 1 else "The one check passes."
    details = [verdict.detail] if verdict.detail else []
    details += [check_failure(task, name, result) for name, result in failed[:REPORTED_CHECKS]]
    lines = [f"{total - len(failed)} of {total} checks pass."]
    lines += [_quoted("\n".join(details), _REPORT_CHARACTERS)] if details else []
    lines += [f"... and {len(failed) - REPORTED_CHECKS} more fail."] if len(failed) > REPORTED_CHECKS else []
    lines += ["It printed:", _quoted(verdict.stdout, _OUTPUT_CHARACTERS)] if verdict.stdout.strip() else []
    return "\n".join(lines)


def _quoted(text: str, longest: int) -> str:
    """A text in a fence; a third of it where the fence itself is long, because the text is full of backticks."""
    quoted = fenced_whole(shortened(text, longest), "")
    fits = len(quoted) <= longest + _FENCE_CHARACTERS
    return quoted if fits else fenced_whole(shortened(text, longest // 3), "")
