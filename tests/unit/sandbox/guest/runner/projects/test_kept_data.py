"""Do tests hold again what they held, whatever a program did to it?"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from copy import deepcopy
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.runner.projects.kept_data import KeptData, KeptModules, data_of_tests

CHANGES: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "a list that grows": ([1], lambda held: held.append(2)),
    "a list in another order": ([1, 2], lambda held: held.reverse()),
    "a list within a dict": ({"a": [1]}, lambda held: held["a"].clear()),
    "an entry that is taken": ({"a": 1, "b": 2}, lambda held: held.pop("a")),
    "an entry that moves behind others": ({"a": 1, "b": 2}, lambda held: held.update(a=held.pop("a"))),
    "a set": ({1, 2}, lambda held: held.discard(1)),
    "a list in a tuple": (([],), lambda held: held[0].append(1)),
    "an entry that a lookup adds": (defaultdict(list, a=[1]), lambda held: held["b"]),
    "a counter": (Counter("aab"), lambda held: held.subtract("a")),
    "an ordered dict": (OrderedDict(a=1, b=2), lambda held: held.move_to_end("a")),
    "a queue": (deque([1, 2]), lambda held: held.rotate()),
    "bytes": (bytearray(b"ab"), lambda held: held.append(1)),
}


@pytest.mark.parametrize("case", CHANGES.values(), ids=CHANGES)
def test_what_was_changed_is_put_back(case: tuple[Any, Callable[[Any], Any]]) -> None:
    """The same objects with the same items, in the same order."""
    held, change = deepcopy(case[0]), case[1]
    kept = KeptData([held])
    for _ in range(2):
        change(held)
        assert held != case[0] or str(held) != str(case[0])
        kept.put_back()
        assert held == case[0]
        assert str(held) == str(case[0])


@given(st.recursive(st.integers(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner)))
def test_whatever_is_emptied_comes_back(value: Any) -> None:
    """However deep it lies."""
    before = deepcopy(value)
    kept = KeptData([value])
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | dict):
            waiting += one.values() if isinstance(one, dict) else one
            one.clear()
    kept.put_back()
    assert value == before


def test_a_list_that_holds_itself_is_gone_through_once() -> None:
    """And put back as any other."""
    held: list[Any] = [1]
    held.append(held)
    kept = KeptData([held])
    held.clear()
    kept.put_back()
    assert held[0] == 1
    assert held[1] is held


def test_tests_hold_data_in_variables_classes_defaults_and_parameters() -> None:
    """Built-in names are none of theirs."""
    module = ModuleType("checks")
    exec(
        "TABLE = {'a': 1}\nclass Case:\n    rows = [1]\n    def m(self, seen=[]):\n        return seen\n"
        "def helper(*, seen={}):\n    return seen\nCase.__module__ = 'checks'\n",
        module.__dict__,
    )
    handed = [1]
    names = module.__dict__
    conftest, plugin = ModuleType("conftest"), ModuleType("plugin")
    conftest.__file__, plugin.__file__ = "/project/conftest.py", "/python/plugin.py"
    conftest.__dict__["ROWS"], plugin.__dict__["OWN"] = [1], [1]
    plugins = SimpleNamespace(get_plugins=lambda: {conftest, plugin})
    item = SimpleNamespace(
        module=module, callspec=SimpleNamespace(params={"a": handed}), config=SimpleNamespace(pluginmanager=plugins)
    )
    kept = data_of_tests([item])
    conftest.__dict__["ROWS"].clear()
    plugin.__dict__["OWN"].clear()
    names["__builtins__"]["extra"] = 1
    for held in (names["TABLE"], names["Case"].rows, names["Case"]().m(), names["helper"](), handed):
        held.clear() if held else (held.append(1) if isinstance(held, list) else held.update(a=1))
    kept.put_back()
    assert (names["TABLE"], names["Case"].rows, names["Case"]().m(), names["helper"](), handed) == (
        *({"a": 1}, [1], [], {}),
        [1],
    )
    assert names["__builtins__"].pop("extra") == 1
    assert (conftest.__dict__["ROWS"], plugin.__dict__["OWN"]) == ([1], [])


PROJECT_MODULE = """
import functools

TABLE = {"a": 1}
count = 0

class Registry:
    known = []
    made = 0
    def __init__(self):
        self.rows = [1]
        self.open = True

class Small:
    __slots__ = ("rows",)

default = Registry()

@functools.lru_cache
def answer(x):
    return [x]

def add(x, seen=[]):
    seen.append(x)
    return seen
"""


def project_module() -> Any:
    """A module of the project, as it is once it was imported."""
    module = ModuleType("shop")
    exec(PROJECT_MODULE, module.__dict__)
    for name in ("Registry", "Small"):
        module.__dict__[name].__module__ = "shop"
    return module


def test_modules_hold_again_what_they_held() -> None:
    """Variables, attributes of classes and of their objects, tables, defaults; and caches forget."""
    module = project_module()
    kept = KeptModules([module], ())
    first, other = module.answer(1), module.default.rows
    for _ in range(2):
        assert kept.is_as_before()
        module.TABLE.pop("a")
        module.count += 1
        module.Registry.known.append(1)
        module.Registry.made += 1
        module.default.rows.clear()
        module.default.open = False
        module.default.extra = 1
        module.default = None
        module.add(1)
        assert not kept.is_as_before()
        kept.put_back()
        assert (module.TABLE, module.count, module.Registry.known, module.Registry.made) == ({"a": 1}, 0, [], 0)
        assert vars(module.default) == {"rows": [1], "open": True}
        assert module.default.rows is other
        assert module.add(2) == [2]
        assert module.answer(1) is not first
        kept.put_back()


def test_variables_that_are_bound_to_a_program_are_left_to_it() -> None:
    """Another version of the program stands there by then; a table that it was given is put back all the same."""
    module = project_module()
    kept = KeptModules([module], {(id(vars(module)), "count"), (id(vars(module)), "TABLE")})
    module.count = 7
    module.TABLE.clear()
    kept.put_back()
    assert module.count == 7
    assert module.TABLE == {"a": 1}


def test_what_a_plugin_changes_for_all_tests_is_kept_as_it_is_then() -> None:
    """The name of a data base, say; what a program had changed before it is put back all the same."""
    module = ModuleType("settings")
    exec("BASES = {'name': 'real'}\nSEEN = []\nDEBUG = True\nCOUNT = 0\nclass Limits:\n    most = 3\n", vars(module))
    kept = KeptModules([module], ())
    module.SEEN.append(1)
    module.COUNT = 5
    before = KeptModules([module], ())
    module.BASES["name"] = "test"
    module.DEBUG, module.Limits.most = False, 4
    kept.take_over_from(before)
    module.BASES.clear()
    kept.put_back()
    assert (module.BASES, module.DEBUG, module.Limits.most) == ({"name": "test"}, False, 4)
    assert (module.SEEN, module.COUNT) == ([], 0)
