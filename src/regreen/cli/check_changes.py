"""Each check before and after a repair, as `--json` prints it."""

from __future__ import annotations

from typing import Any

from regreen.types import CheckResult, Repair, Task
from regreen.verify.check_failures import CheckFailure, check_failures


def check_changes(task: Task, repair: Repair) -> list[dict[str, Any]]:
    """Each check with its name, and its outcome and message before and after; `after` is null where nothing changed.

    Of a partial repair, `after` is what the offered change gives. `message` is empty for a check that passed.
    """
    changed = repair.chosen or repair.partial
    before = {failure.check: failure for failure in check_failures(task.suite, repair.before)}
    after = {failure.check: failure for failure in check_failures(task.suite, changed.verdict)} if changed else {}
    later = changed.verdict.results if changed else {}
    return [
        {"name": name, "before": _state(result, before.get(name)), "after": _state(later.get(name), after.get(name))}
        for name, result in repair.before.results.items()
    ]


def _state(result: CheckResult | None, failure: CheckFailure | None) -> dict[str, str] | None:
    if result is None:
        return None
    place, code = (failure.place, failure.code) if failure else ("", "")
    message = failure.message if failure else ""
    return {"outcome": result.outcome.value, "message": message, "place": place, "code": code}
