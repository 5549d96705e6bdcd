"""The function `regreen.judge`: a verdict, for which no more is loaded than a verdict needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regreen.sandbox.server_boot import boot_first, drop_first

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.types import Confinement, Limits, Suite, Verdict


def judge(
    source: str,
    checks: str | None = None,
    *,
    entry_point: str | None = None,
    module: str = "program",
    settings: Settings | None = None,
) -> Verdict:
    """Run every check against `source` in the sandbox, each by itself; `isolation` of the verdict says how.

    `checks` is the text of a test file; None for the doctest examples in `source`. The other arguments, and what is
    raised, are as for `regreen.repair`. The sandboxes stay ready for further calls, and end with this process.
    """
    # What a first verdict waits for begins in this order: processes, the sandboxes around them, the rest of the host.
    if settings is None or settings.confinement.kind == "jail":
        boot_first()
    from regreen.verify.warm_judge import open_ahead, warm_judge

    confinement, limits = (settings.confinement, settings.limits) if settings else _resolved()
    if confinement.kind != "jail":
        drop_first()
    open_ahead(confinement)
    from regreen.verify.baseline import judge_given

    suite = read_checks(source, checks, entry_point, module)
    return judge_given(warm_judge(confinement), source, suite, limits, {})[0]


def _resolved() -> tuple[Confinement, Limits]:
    """As `load_settings` resolves them; what checks settings takes half as long to load as a verdict, and is left out
    where there is nothing to check."""
    from regreen.confinement_settings import confinement_of, default_values, limits_of
    from regreen.setting_sources import read_sources

    implied, *sources = read_sources()
    if any(source.values for source in sources):
        from regreen.config import load_settings

        settings = load_settings()
        return settings.confinement, settings.limits
    values = {**default_values(), **implied.values}
    return confinement_of(values), limits_of(values)


def read_checks(source: str, tests: str | None, entry_point: str | None, module: str) -> Suite:
    """The suite of a test file's text, or of the doctest examples in `source`; raises TaskError where there is none."""
    from regreen.errors import TaskError
    from regreen.verify.suites import read_suite

    if tests is not None:
        return read_suite(tests, program=source, module=module, entry_point=entry_point)
    from regreen.verify.doctests import read_doctests

    suite = read_doctests(source, module=module, entry_point=entry_point)
    if suite is None:
        raise TaskError("there are no tests, and the program has no doctest examples.", remedy="Give some tests.")
    return suite
