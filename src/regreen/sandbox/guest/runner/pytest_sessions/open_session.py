"""A pytest session that stays open and collects a project's tests anew, for one program after another.

Most of what a session costs is spent before and after its collection: plugins are registered, options are parsed, the
fixtures of every plugin are looked for. None of that depends on the program, as long as no `conftest.py` has hooks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from regreen.sandbox.guest.runner.pytest_sessions.recollection import FixtureTables


class OpenSession:
    """One session, and what it was before it collected anything."""

    def __init__(self, session: pytest.Session, fixtures: FixtureTables, registered: int, path: list[str]) -> None:
        self.session = session
        self.fixtures = fixtures
        self.registered = registered
        """Plugins that pytest has told others of."""
        self.path = path
        self.arguments: list[str] = session.config.args
        """The files and folders that were named, or that the configuration names."""

    def collect(self, files: Sequence[str] | None = None) -> list[pytest.Item]:
        """The tests as they are collected now, of these files or of all; the project's modules are to be unloaded
        before. Raises what fails.

        What a test module or a conftest raises goes to pytest's hooks, as ever.
        """
        plugins: Any = self.session.config.pluginmanager
        for module in tuple(plugins._conftest_plugins):
            plugins.unregister(module)
        plugins._conftest_plugins.clear()
        plugins._dirpath2confmods.clear()
        getattr(plugins, "_duplicatepaths", set()).clear()
        # It would keep every conftest that there ever was, and the program with it.
        del _told_plugins(plugins)[self.registered :]
        self.fixtures.forget()
        self.session.testsfailed = 0
        sys.path[:] = self.path
        self.session.config.args = self.arguments if files is None else list(files)
        self.session.config.hook.pytest_collection(session=self.session)
        return list(self.session.items)


@contextmanager
def opened(session: pytest.Session) -> Iterator[list[OpenSession]]:
    """What the session's fixture manager is made in; the list then holds the open session, where there can be one.

    The conftests that pytest has loaded by then are held back meanwhile: their fixtures are no part of what stays.
    """
    plugins: Any = session.config.pluginmanager
    found: list[OpenSession] = []
    if not _is_understood(plugins) or any(_has_hooks(module) for module in plugins._conftest_plugins):
        yield found
        return
    held = [(name, module) for name, module in plugins.list_name_plugin() if module in plugins._conftest_plugins]
    for _, module in held:
        plugins.unregister(module)
    yield found
    if hasattr(session, "_fixturemanager"):
        path = list(sys.path)
        found.append(OpenSession(session, FixtureTables(session), len(_told_plugins(plugins)), path))
    for name, module in held:
        plugins.register(module, name)


def _is_understood(plugins: Any) -> bool:
    """Whether pytest keeps its conftests as we know it: from pytest 8 on."""
    names = ("_conftest_plugins", "_dirpath2confmods", "_loadconftestmodules")
    return all(hasattr(plugins, name) for name in names) and hasattr(pytest, "Directory")


def _has_hooks(conftest: ModuleType) -> bool:
    """Whether a conftest does more than to offer fixtures: it would be told once more of what it has been told."""
    return any(name.startswith("pytest_") for name in vars(conftest))


def _told_plugins(plugins: Any) -> list[Any]:
    """pytest's list of the plugins that later ones are told of."""
    told: list[Any] = getattr(plugins.hook.pytest_plugin_registered, "_call_history", None) or []
    return told
