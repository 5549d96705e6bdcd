"""A new version of a module takes the old one's place wherever names refer to it, and what else does is found."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from weakref import ReferenceType

import pytest

from regreen.sandbox.guest.runner.projects.rebinding import (
    ModuleBindings,
    definitions_in,
    leaves_copies,
    make_current,
    successor,
)

CORE = "LIMIT = 3\n\ndef f():\n    return 1\n\nclass Shape:\n    def area(self):\n        return LIMIT\n"
NEW_CORE = CORE.replace("return 1", "return 2").replace("LIMIT = 3", "LIMIT = 4")


def module(name: str, text: str) -> ModuleType:
    made = sys.modules[name] = ModuleType(name)
    exec(compile(text, name, "exec"), vars(made))
    return made


@pytest.fixture
def core() -> Iterator[ModuleType]:
    """The module under repair."""
    before = set(sys.modules)
    yield module("core_of_project", CORE)
    for name in set(sys.modules) - before:
        del sys.modules[name]


def renewed(core: ModuleType) -> ModuleType:
    fresh = successor(core)
    exec(NEW_CORE, vars(fresh))
    return fresh


def test_names_of_functions_classes_values_and_the_module_itself_are_rebound(core: ModuleType) -> None:
    """Under whatever name a function was imported; an equal number of another name is not touched."""
    text = "import core_of_project\nfrom core_of_project import f as g, Shape, LIMIT\nOTHER = 3\n"
    user = module("user_of_core", text)
    bindings = ModuleBindings(core, [core, user])
    assert bindings.reach_all([])
    bindings.bind(renewed(core))
    assert (user.g(), user.Shape().area(), user.LIMIT, user.OTHER, user.core_of_project.f()) == (2, 4, 4, 3, 2)


HOLDS = {
    "a subclass": "class Square(Shape): ...",
    "an instance": "unit = Shape()",
    "a table of functions": "TABLE = {'f': [f]}",
    "a default value": "def use(function=f): ...",
    "an attribute of a class": "class Holder:\n    function = staticmethod(f)",
    "a bound method": "area = Shape().area",
    "a factory of a dataclass": (
        "from dataclasses import dataclass, field\n"
        "@dataclass\nclass Plan:\n    shape: Shape = field(default_factory=Shape)"
    ),
    "an object of a library": "import sched\nplan = sched.scheduler()\nplan.enter(1, 1, f)",
    "what a library has wrapped": "import functools\nkept = functools.lru_cache(f)",
    "a default value beside an annotation": "def use(shape: Shape = Shape()) -> None: ...",
}


@pytest.mark.parametrize("by_annotations", [True, False])
@pytest.mark.parametrize("what", HOLDS)
def test_whatever_else_holds_a_part_of_the_old_version_is_found(
    core: ModuleType, what: str, *, by_annotations: bool
) -> None:
    """Then names are not enough, and the modules have to be loaded anew."""
    user = module("user_of_core", f"from core_of_project import f, Shape\n{HOLDS[what]}\n")
    assert not ModuleBindings(core, [core, user]).reach_all([], by_annotations=by_annotations)


ANNOTATED = {
    "a function": "def use(shape: Shape) -> Shape: ...",
    "a class": "class Plan:\n    shape: Shape",
    "a module": "shape: Shape",
    "a dataclass": "from dataclasses import dataclass\n@dataclass\nclass Plan:\n    shape: Shape\n    number: int = 0",
}


@pytest.mark.parametrize("what", ANNOTATED)
def test_annotations_count_only_where_anything_goes_by_them(core: ModuleType, what: str) -> None:
    """Most programs are run without a look at them."""
    user = module("user_of_core", f"from core_of_project import f, Shape\n{ANNOTATED[what]}\n")
    assert ModuleBindings(core, [core, user]).reach_all([], by_annotations=False)


def test_an_object_that_is_called_is_data(core: ModuleType) -> None:
    """A router of a web application, say: what reads it while it is imported keeps the first program's."""
    exec("class Router:\n    def __call__(self): ...\nrouter = Router()\n", vars(core))
    assert ModuleBindings(core, [core]).data == {"LIMIT", "router"}


def test_parameters_of_tests_are_looked_at_too(core: ModuleType) -> None:
    """They hang on pytest's items, not on a module."""
    bindings = ModuleBindings(core, [core])
    assert bindings.reach_all([{"n": 1}])
    assert not bindings.reach_all([{"shape": core.Shape()}])


def test_a_successor_is_what_an_import_finds(core: ModuleType) -> None:
    """In its package as well, with the modules inside of it if it is one itself."""
    package, inner = module("pack_of_project", ""), module("pack_of_project.inner", CORE)
    module("pack_of_project.inner.deep", "x = 1\n")
    vars(inner)["deep"] = sys.modules["pack_of_project.inner.deep"]
    vars(package)["inner"] = inner
    fresh = successor(inner)
    assert sys.modules["pack_of_project.inner"] is package.inner is fresh
    assert fresh.deep.x == 1
    assert not hasattr(fresh, "f")


def test_an_import_finds_what_was_made_current_again(core: ModuleType) -> None:
    """After a second version was tried."""
    assert successor(core) is sys.modules["core_of_project"]
    make_current(core)
    assert sys.modules["core_of_project"] is core


def test_a_class_of_an_installed_library_may_be_on_a_list_of_it(core: ModuleType) -> None:
    """Those of the standard library are on none, and those of the project are looked at themselves."""
    own = module(
        "own_of_project",
        "import json\nfrom core_of_project import Shape\n"
        "class Square(Shape): ...\nclass Encoder(json.JSONEncoder): ...\n",
    )
    assert not ModuleBindings(own, [core, own]).extends_libraries()
    foreign = module("foreign_of_project", "import pytest\nclass Odd(pytest.PytestWarning): ...\n")
    assert ModuleBindings(foreign, [core, foreign]).extends_libraries()


@pytest.mark.parametrize("keeps", [True, False])
def test_what_a_library_keeps_of_a_version_is_found(core: ModuleType, *, keeps: bool) -> None:
    """What nobody keeps is gone with its module; what annotations have made of it does not count."""
    text = (
        "from typing import Optional\ndef area(shape: Optional['Shape']): ...\n"
        "class Shape: ...\nALSO = Optional[Shape]\n"
    )
    kept = []

    def definitions() -> list[ReferenceType[object]]:
        version = ModuleType("core_of_project")
        exec(text, vars(version))
        kept.extend([version.Shape] * keeps)
        return definitions_in(version)

    assert leaves_copies(definitions()) is keeps
