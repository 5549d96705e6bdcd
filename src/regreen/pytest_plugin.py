"""The pytest plugin: `pytest --regreen` runs the tests as ever, and shows proven patches for what failed.

pytest loads this module in every run, asked for or not: nothing that it does not need is imported at the top.
PYTEST_DONT_REWRITE: there is no assertion here.
"""

from __future__ import annotations

import pytest

_ASKED = ("regreen", "regreen_apply")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, which the sandbox's own pytest knows, too."""
    group = parser.getgroup("regreen", "repairs (regreen)")
    group.addoption(
        "--regreen", action="store_true", help="Show proven patches for what failed, after the tests have run."
    )
    group.addoption(
        "--regreen-apply", action="store_true", help="As --regreen, and write the patch that turns everything green."
    )


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Repair what failed, and print it; the exit status stays pytest's own."""
    if any(config.getoption(name) for name in _ASKED):
        from regreen.cli.pytest_repair import show_repairs

        show_repairs(terminalreporter, config)
