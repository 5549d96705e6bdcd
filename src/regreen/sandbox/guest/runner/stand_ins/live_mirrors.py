"""What checks set and compare in the judge's process that is the program's to know: names of modules, and identity."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from regreen.sandbox.guest.wire.codec_format import NotPlain

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.stand_ins.live_program import LiveProgram

_ABSENT = object()


def live_module(program: LiveProgram) -> type[ModuleType]:
    """The class of the module that stands for the program: a name that a check sets there is the program's own."""

    class LiveModule(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            if not name.startswith("__"):
                program.ask("bind", name, value)
            super().__setattr__(name, value)

        def __delattr__(self, name: str) -> None:
            super().__delattr__(name)
            program.ask("unbind", name)

    return LiveModule


def mirror_functions(program: LiveProgram, names: Sequence[str]) -> None:
    """Have these functions of Python's library ("time.sleep"), once a check replaces them, be replaced in the guest."""
    by_module: dict[str, dict[str, Any]] = {}
    for name in names:
        module, _, last = name.rpartition(".")
        by_module.setdefault(module, {})[last] = vars(importlib.import_module(module)).get(last, _ABSENT)
    for module, originals in by_module.items():
        importlib.import_module(module).__class__ = _mirrored_module(program, module, originals)


def _mirrored_module(program: LiveProgram, module: str, originals: Mapping[str, Any]) -> type[ModuleType]:
    class MirroredModule(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            if originals.get(name) is _ABSENT:
                raise program.remote.refuse(NotPlain("a check gives Python's library what it has not", outward=True))
            super().__setattr__(name, value)
            if name in originals:
                back = value is originals[name]
                program.ask(*("put back", module, name) if back else ("put", module, name, value))

        def __delattr__(self, name: str) -> None:
            if name in originals:
                raise program.remote.refuse(NotPlain("a check takes from Python's library", outward=True))
            super().__delattr__(name)

    return MirroredModule


def watch_identity(identical: Callable[[Any, Any], bool]) -> None:
    """Have the identity that unittest's methods ask for decided by this."""
    unittest = sys.modules.get("unittest")
    if unittest is None:
        return

    def assert_is(case: Any, left: Any, right: Any, msg: Any = None) -> None:
        if not identical(left, right):
            case.fail(case._formatMessage(msg, f"{left!r} is not {right!r}"))

    def assert_is_not(case: Any, left: Any, right: Any, msg: Any = None) -> None:
        if identical(left, right):
            case.fail(case._formatMessage(msg, f"unexpectedly identical: {left!r}"))

    unittest.TestCase.assertIs, unittest.TestCase.assertIsNot = assert_is, assert_is_not
