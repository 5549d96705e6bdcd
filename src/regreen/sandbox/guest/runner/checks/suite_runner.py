"""Compiles a suite of any kind.

A suite arrives as plain data (`Suite` in `types/`, as a dict). `prepare_suite` compiles it once; `run` then goes
through its checks for one program and reports each as it ends.
"""

from __future__ import annotations

from typing import Any

from regreen.sandbox.guest.runner.checks.check_runner import Runner
from regreen.sandbox.guest.runner.checks.module_runner import ModuleRunner
from regreen.sandbox.guest.runner.checks.script_runner import ScriptRunner


def prepare_suite(suite: dict[str, Any], *, flipped: bool = False, screened: bool = False) -> Runner:
    """Compile a suite, for one program, or for one after another that are `screened`.

    Raises SyntaxError or ValueError when its text is not usable.
    """
    if suite["kind"] == "script" and suite.get("project"):
        from regreen.sandbox.guest.runner.projects.project_script import ProjectScriptRunner

        return ProjectScriptRunner(suite, flipped=flipped)
    if suite["kind"] == "script":
        return ScriptRunner(suite, flipped=flipped)
    if suite["kind"] == "module":
        return ModuleRunner(suite, flipped=flipped)
    if suite.get("project") and screened:
        from regreen.sandbox.guest.runner.projects.screened_project import ScreenedProject

        return ScreenedProject(suite)
    if suite.get("project"):
        from regreen.sandbox.guest.runner.projects.project_runner import ProjectRunner

        return ProjectRunner(suite, flipped=flipped)
    from regreen.sandbox.guest.runner.pytest_sessions.pytest_runner import PytestRunner

    return PytestRunner(suite, flipped=flipped, screened=screened)
