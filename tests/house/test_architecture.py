"""What the shape of the code promises beyond import-linter: one door for processes, one for text that runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
import structure

import regreen
import regreen.types
from regreen.errors import ConfigError
from regreen.setting_table import STRATEGIES_WITH_GRAPH
from regreen.strategies import load_agent_spec

SOURCE = Path(regreen.__file__).parent
MODULES = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}

PROCESS_MODULES = {"subprocess", "multiprocessing", "pty", "_posixsubprocess"}
PROCESS_CALLS = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}
RUNNING = {"exec", "eval", "__import__"}
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb"}
LOADING = {"import_module", "module_from_spec", "exec_module", "load_module", "run_path", "run_module"}


def _inside(name: str, *rooms: str) -> bool:
    return name.startswith(tuple(f"{room}/" for room in rooms)) or name in rooms


@cache
def _tree(name: str) -> ast.Module:
    return structure.parsed(MODULES[name])


@cache
def _nodes(name: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(name)))


@cache
def _imports(name: str) -> tuple[str, ...]:
    """Every module that the file imports, at its top or later."""
    return tuple(_imported(name))


def _imported(name: str) -> Iterator[str]:
    for node in _nodes(name):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}:{node.lineno} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _mentions(name: str, owner: str) -> Iterator[str]:
    """The attributes of the module `owner` that the file uses, however it imported them."""
    for node in _nodes(name):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == owner:
            yield node.attr
    yield from (module.removeprefix(f"{owner}.") for module in _imports(name) if module.startswith(f"{owner}."))


def _attributes(name: str) -> Iterator[str]:
    yield from (node.attr for node in _nodes(name) if isinstance(node, ast.Attribute))


def _calls(name: str) -> Iterator[tuple[str, int]]:
    """Calls of plain names, with their lines."""
    for node in _nodes(name):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


HOST = [name for name in MODULES if not _inside(name, "sandbox")]
OUTSIDE = [name for name in MODULES if not _inside(name, "sandbox/guest")]
GUEST = [name for name in MODULES if _inside(name, "sandbox/guest")]


def _offenders(names: Iterable[str], found: Callable[[str], Iterable[object]]) -> dict[str, list[object]]:
    """The files in which something is found that should not be there, with what it is."""
    return {name: offences for name in names if (offences := sorted(set(found(name)), key=str))}


def test_only_the_sandbox_starts_processes():
    """There is one door to audit: whatever starts a process lives in `sandbox/`."""

    def starts(name: str) -> Iterator[str]:
        yield from (module for module in _imports(name) if module.partition(".")[0] in PROCESS_MODULES)
        yield from (
            used for used in _mentions(name, "os") if used in PROCESS_CALLS or used.startswith(("exec", "spawn"))
        )
        yield from (used for used in _mentions(name, "asyncio") if used.startswith("create_subprocess"))

    assert _offenders(HOST, starts) == {}


def test_text_is_run_only_inside_the_sandbox():
    """Candidate text never meets `exec`, `eval` or an import on the host."""

    def runs(name: str) -> Iterator[object]:
        yield from (call for call in _calls(name) if call[0] in RUNNING)
        yield from {"runpy", "code", "imp"} & {module.partition(".")[0] for module in _imports(name)}
        if name not in ("__init__.py", "extras.py", "strategies/__init__.py", "types/__init__.py"):
            yield from LOADING & {*_attributes(name), *(module.rpartition(".")[2] for module in _imports(name))}

    assert _offenders(OUTSIDE, runs) == {}


def test_the_packages_own_lazy_imports_come_from_a_closed_table():
    """`import_module` in the fronts of the package and its types, and for a strategy, is given only names of tables."""
    assert all(name.isidentifier() for name in STRATEGIES_WITH_GRAPH)
    with pytest.raises(ConfigError, match="there is no strategy"):
        load_agent_spec("..cli")
    homes = [*regreen._HOMES, *regreen.types._HOMES]
    assert all(home.startswith("regreen.") and home.replace(".", "").isidentifier() for home in homes)


def test_the_strategies_modules_are_found_by_the_names_of_a_closed_table():
    """`import_module` in the strategies' front is given only names that stand in the table of settings."""
    assert all(f"strategies/{name}.py" in MODULES for name in STRATEGIES_WITH_GRAPH)
    with pytest.raises(ConfigError, match="no strategy"):
        load_agent_spec("../cli/fix")


def test_only_the_command_line_prints():
    """A library that prints cannot be used as one."""
    library = [name for name in MODULES if not _inside(name, "cli")]
    assert _offenders(library, lambda name: [call for call in _calls(name) if call[0] == "print"]) == {}


def test_only_the_settings_read_the_environment():
    """Every setting has one place where it comes from, so a record can hold all of them."""
    rooms = [name for name in HOST if name not in ("setting_sources.py", "environment.py")]
    assert _offenders(rooms, lambda name: ENVIRONMENT & set(_mentions(name, "os"))) == {}


PYTEST_RUNNERS = {
    f"sandbox/guest/runner/{name}.py"
    for name in (
        "pytest_sessions/pytest_runner",
        "pytest_sessions/open_session",
        "pytest_sessions/direct_items",
        "pytest_sessions/fixture_calls",
        "pytest_sessions/suite_session",
        "projects/project_runner",
        "projects/screened_project",
    )
}


def test_the_guest_imports_the_standard_library_and_itself_only():
    """It is loaded by a bare interpreter, where nothing else is to be found; some look for three others."""
    optional = {name: {"pytest", "_pytest"} for name in PYTEST_RUNNERS}
    for name in ("property_tests", "hypothesis_tables"):
        optional[f"sandbox/guest/runner/checks/{name}.py"] = {"hypothesis"}
    optional["sandbox/guest/wire/codec_types.py"] = {"numpy"}

    def foreign(name: str) -> Iterator[str]:
        for module in _imports(name):
            first = module.partition(".")[0]
            is_optional = first in optional.get(name, ())
            if not (module.startswith("regreen.sandbox.guest.") or is_optional or first in sys.stdlib_module_names):
                yield module

    assert _offenders(GUEST, foreign) == {}


def test_what_is_promised_is_what_is_there():
    """`__all__` is sorted, holds no name twice, and every name in it can be had."""
    assert regreen.__all__ == sorted(set(regreen.__all__))
    assert all(hasattr(regreen, name) for name in regreen.__all__)
    assert set(regreen._HOME_OF) | {"__version__"} == set(regreen.__all__)
    with pytest.raises(AttributeError, match="no attribute"):
        _ = regreen.there_is_no_such_name


def test_every_exported_name_is_defined():
    """An `__all__` that names what is not there breaks `from module import *` and misleads readers."""
    assert _offenders(MODULES, lambda name: set(_exported(name)) - _bound(name)) == {}


def _exported(name: str) -> Iterator[str]:
    for node in _tree(name).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            yield from ast.literal_eval(node.value)


def _bound(name: str) -> set[str]:
    bound: set[str] = set()
    for node in _nodes(name):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {alias.asname or alias.name for alias in node.names}
    return bound


def test_every_module_says_what_it_is_for():
    """A reader finds one plain sentence at the top of every file that holds anything."""
    assert [name for name in MODULES if _tree(name).body and not ast.get_docstring(_tree(name))] == []
