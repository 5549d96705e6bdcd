"""What holds for every test: it states something, waits for events and never for a time, and asks for behaviour."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
MODULES = sorted(path for path in TESTS.rglob("*.py") if "projects" not in path.relative_to(TESTS).parts)
STATING = {"raises", "warns", "fail"}
SLEEPING = {
    "contract/enclosure_scenario.py": "a daemon that does not end by itself",
    "support/waiting.py": "between two looks at what is waited for",
    "contract/test_models_over_http.py": "a client's waits between its tries, cut short",
    "unit/evaluate/test_spread.py": "a repair that takes a moment, so that others get one too",
    "unit/evaluate/test_spread_cluster.py": "a network that delivers in two parts",
    "unit/models/test_retrying.py": "a request under way, while others begin",
}
"""The modules that call `time.sleep`, and what for; all others wait for an event, by `waiting.wait_for`."""

NUMBERS = {
    "contract/test_container_boot.py": {"CONTROL", "LENGTH_BYTES", "MAIN"},
    "escape/test_places.py": {"ORDER_BYTES"},
    "unit/models/test_retrying.py": {"FIRST_WAIT", "GIVE_UP_AFTER", "GIVE_UP_AFTER_AT_FIRST", "LONGEST_WAIT"},
    "unit/sandbox/guest/enclosure/test_seccomp.py": {"NEWEST"},
    "unit/sandbox/guest/runner/mutation_runs/test_distance.py": {
        "NONE_DISTANCE",
        "OTHER_TYPE_DISTANCE",
        "UNKNOWN_DISTANCE",
        "WORST_DISTANCE",
    },
    "unit/sandbox/guest/runner/stand_ins/test_live_program.py": {"QUESTION", "RETURNED"},
    "unit/sandbox/guest/runner/checks/test_results.py": {"MESSAGE_BYTES"},
    "unit/sandbox/guest/wire/test_fast_formats.py": {"BIGGEST_FLAT", "LONGEST_FLAT"},
    "unit/sandbox/guest/wire/test_kept_objects.py": {"MOST_KEPT"},
    "unit/strategies/agents/test_prompt_fit.py": {"SHORTEST", "WHOLE"},
    "unit/tasks/test_samples.py": {"RECORDED_FAILED", "RECORDED_PASSED", "RECORDED_UNKNOWN"},
    "unit/verify/test_check_causes.py": {"REFUSING_LINE"},
}
"""Numbers of the package that are a promise themselves: sizes of a format, codes, places, fixed points of a scale,
waits that docs/models.md names. Any other may be tuned, and a test asks for what comes of it."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@functools.cache
def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def functions(module: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree(module)) if isinstance(node, Function))


def called(function: Function) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {getattr(call, "attr", getattr(call, "id", "")) for call in calls}


def states(function: Function) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(function)) or bool(called(function) & STATING)


def test_every_test_states_something() -> None:
    """That nothing was raised is no promise: a test asserts, expects an error, or calls a helper that does."""
    known = {module: list(functions(module)) for module in MODULES}
    helpers = {f.name for found in known.values() for f in found if not f.name.startswith("test_") and states(f)}
    tests = ((module, f) for module, found in known.items() for f in found if f.name.startswith("test_"))
    silent = [f"{module.stem}::{f.name}" for module, f in tests if not states(f) and not called(f) & helpers]
    assert silent == []


def sleeps(module: Path) -> bool:
    """Whether a module calls `time.sleep` itself: what stands in a text is a program of its own."""
    nodes = list(ast.walk(tree(module)))
    assert not any(isinstance(node, ast.ImportFrom) and node.module == "time" for node in nodes), "say `time.sleep`"
    return any(isinstance(node, ast.Call) and ast.unparse(node.func) == "time.sleep" for node in nodes)


def test_nobody_waits_for_a_fixed_time() -> None:
    """Too short on a busy machine, too long on any other."""
    assert {str(module.relative_to(TESTS)) for module in MODULES if sleeps(module)} == set(SLEEPING)


def imported_numbers(module: Path) -> set[str]:
    """The constants of the package that a module imports, and that are numbers."""
    imports = (node for node in ast.walk(tree(module)) if isinstance(node, ast.ImportFrom))
    ours = (node for node in imports if node.module and node.module.startswith("regreen."))
    names = ((str(node.module), alias.name) for node in ours for alias in node.names)
    return {name for home, name in names if name.isupper() and is_number(home, name)}


def is_number(home: str, name: str) -> bool:
    return isinstance(getattr(importlib.import_module(home), name, None), int | float)


def test_no_test_leans_on_a_number_that_may_be_tuned() -> None:
    """It would say the same whatever the number is."""
    leaning = {str(module.relative_to(TESTS)): imported_numbers(module) for module in MODULES}
    assert {name: numbers for name, numbers in leaning.items() if numbers} == NUMBERS
