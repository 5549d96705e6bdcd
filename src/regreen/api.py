"""What `import regreen` offers: a repair or a verdict in one call, on text instead of files."""

from __future__ import annotations

from collections.abc import Callable

from regreen.config import Settings, load_settings
from regreen.errors import TaskError
from regreen.strategies.events import Event
from regreen.strategies.search import ignore, repair_task
from regreen.types import Repair, Suite, Task, Verdict
from regreen.verify.checks import guess_entry_point, read_doctests, read_suite
from regreen.verify.judge import open_judge


def repair(
    source: str,
    tests: str | None = None,
    *,
    entry_point: str | None = None,
    module: str = "program",
    statement: str = "",
    settings: Settings | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Repair:
    """Search for the smallest change of `source` that passes `tests`, and prove it in the sandbox.

    `tests` is the text of a test file, as `regreen fix --tests` takes it; None for the doctest examples in `source`.
    `module` is the name by which the tests import the program, `entry_point` the function to repair (found from the
    tests when None). `settings` are those of `load_settings()` when None. `on_event` hears of the progress.

    Raises TaskError when the tests cannot be used, ConfigError for a bad setting, SandboxError when the sandbox fails.
    """
    task = Task(
        id=module,
        source=source,
        entry_point=entry_point or guess_entry_point(source, tests or ""),
        suite=_suite(source, tests, entry_point, module),
        statement=statement,
        module=module,
    )
    return repair_task(task, settings=settings or load_settings(), on_event=on_event or ignore)


def judge(
    source: str,
    checks: str | None = None,
    *,
    entry_point: str | None = None,
    module: str = "program",
    settings: Settings | None = None,
) -> Verdict:
    """Run every check against `source` in the sandbox, each by itself, and say what it showed.

    `checks` is the text of a test file; None for the doctest examples in `source`. The other arguments, and what is
    raised, are as for `repair`.
    """
    settings = settings or load_settings()
    suite = _suite(source, checks, entry_point, module)
    with open_judge(layers=settings.layers, python=settings.python) as sandbox:
        return sandbox.judge(source, suite, settings.limits)


def _suite(source: str, tests: str | None, entry_point: str | None, module: str) -> Suite:
    if tests is not None:
        return read_suite(tests, program=source, module=module, entry_point=entry_point)
    suite = read_doctests(source, module=module, entry_point=entry_point)
    if suite is None:
        raise TaskError("there are no tests, and the program has no doctest examples.", remedy="Give some tests.")
    return suite
