"""A program that stays loaded while its changes are tried: a changed function is given its new code where it is.

A web framework keeps the functions and classes that it was told of, and tests keep what they made of a program while
they were imported: a program that is loaded anew is another one to them. Whoever holds a function calls its code,
whatever that is by then. So a change within functions needs nothing loaded anew; nor does one of an import, of a plain
value of the module or of a class, or of a function's defaults.
"""

from __future__ import annotations

import dis
import gc
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew
from regreen.sandbox.guest.runner.projects.code_changes import (
    ChangedBody,
    ChangedFunction,
    changed_functions,
    changes_between,
    is_function,
    names_at_loading,
    names_read_by,
    names_set_by,
)
from regreen.sandbox.guest.runner.projects.rebinding import ModuleBindings, Namespace
from regreen.sandbox.guest.runner.projects.remade_definitions import (
    MISSING,
    SetName,
    SwappedFunction,
    is_plain_value,
    remade,
)


class CallTrace:
    """Notes which code of one file is called, while its program is loaded."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.called: dict[int, CodeType] = {}
        """By the code's id."""

    def start(self) -> None:
        """Begin, in this thread."""
        sys.setprofile(self._note)

    def stop(self) -> None:
        """End it."""
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename == self.filename:
            self.called[id(frame.f_code)] = frame.f_code


class LoadedProgram:
    """A module, how others refer to it, and the functions in it.

    `codes` are those of its statements; `called` is what of it was called while it was loaded, and `lines` are those
    that its tests ran afterwards, while they were collected.
    """

    def __init__(
        self,
        bindings: ModuleBindings,
        codes: Sequence[CodeType],
        called: CallTrace,
        lines: Collection[int] = (),
        *,
        is_read: bool = False,
    ) -> None:
        self.module: ModuleType = bindings.module
        self._bindings = bindings
        self._codes = codes
        self._called = called.called
        self._lines = frozenset(lines)
        self._is_read = is_read
        """Whether others have read its values while they were imported."""
        self._read = [frozenset(names_at_loading(code)) for code in codes]
        """The names that each statement reads while the module is loaded."""
        functions = filter(is_function, self._called.values())
        self._read_by_called = frozenset(name for code in functions for name in names_read_by(code))
        self._set_at: dict[str, list[int]] = {}
        """The places of the statements that set each name."""
        for place, code in enumerate(codes):
            for name in names_set_by(code):
                self._set_at.setdefault(name, []).append(place)
        self._functions: dict[int, list[FunctionType]] = {}
        for function in gc.get_objects():
            if type(function) is FunctionType and function.__code__.co_filename == called.filename:
                self._functions.setdefault(id(function.__code__), []).append(function)
        self.is_stale = False
        """Whether something may stay as it is that the changed program would have made while it was loaded."""
        self._swapped: list[tuple[FunctionType, _FunctionParts]] = []
        self._replaced: list[tuple[Namespace | type, str, Any]] = []

    def change_into(self, codes: Sequence[CodeType]) -> None:
        """Have it do what these codes of its statements say, until the next change; all else stays as it is.

        Raises LoadsAnew where that takes more than other functions, imports and values; and what the imports raise.
        """
        self.put_back()
        changes = changes_between(self._codes, codes)
        definitions = [remade(each, self._codes[each.place], self.module) for each in changes.definitions]
        swaps = [swap for changed in changes.functions for swap in self._swaps(changed)]
        for found in definitions:
            self.is_stale |= found.is_told
            swaps += [swap for each in found.functions for swap in self._swaps_for(each)]
        for changed in (*changes.statements, *changes.definitions):
            self.is_stale |= self._reads_what_moves(changed)
        try:
            for statement in changes.statements:
                self._run(statement)
            for function, as_made in swaps:
                self._swapped.append((function, _FunctionParts.of(function)))
                as_made.give(function)
            for found in definitions:
                for each in found.names:
                    self._set(each)
        except BaseException:
            self.put_back()
            raise

    def put_back(self) -> None:
        """Have it do what it did at first."""
        self.is_stale = False
        for function, as_made in reversed(self._swapped):
            as_made.give(function)
        for owner, name, value in reversed(self._replaced):
            _put(owner, name, value)
        self._swapped, self._replaced = [], []

    def _swaps(self, changed: ChangedFunction) -> Iterator[tuple[FunctionType, _FunctionParts]]:
        self.is_stale |= changed.does_otherwise and self._has_run(changed.before)
        for function in self._functions.get(id(changed.before), ()):
            if changed.after is None:
                raise LoadsAnew(changed.before.co_qualname)
            yield function, _FunctionParts.of(function)._replace(code=changed.after)

    def _swaps_for(self, swapped: SwappedFunction) -> Iterator[tuple[FunctionType, _FunctionParts]]:
        """Those of a function that is made again, and of the functions in it."""
        before, made = swapped
        # Its defaults may have been looked at as well.
        self.is_stale |= self._has_run(before) or self._is_used([before.co_name])
        for changed in changed_functions(before, made.__code__):
            for function, inner in self._swaps(changed):
                yield function, _FunctionParts.of(made) if changed.before is before else inner

    def _has_run(self, code: CodeType) -> bool:
        """Whether something may have been made of what it did, before any test was run."""
        return id(code) in self._called or not self._lines.isdisjoint(line for *_, line in code.co_lines())

    def _is_used(self, names: Collection[str], place: int = 0) -> bool:
        """Whether a statement from a place on, or another module, may have made something of what these stand for."""
        is_read = not self._read_by_called.isdisjoint(names)
        return self._is_read or is_read or any(not read.isdisjoint(names) for read in self._read[place:])

    def _reads_what_moves(self, changed: ChangedBody) -> bool:
        """Whether a statement reads a name that is set again later, and stands for something else by now."""
        names = {*names_read_by(changed.before), *names_read_by(changed.after)}
        places = (self._set_at.get(name, ()) for name in names)
        return any(len(found) > 1 or any(place > changed.place for place in found) for found in places)

    def _run(self, changed: ChangedBody) -> None:
        """Run a statement that sets names, also where others have imported them."""
        space = vars(self.module)
        names = names_set_by(changed.before) | names_set_by(changed.after)
        before = {name: space.get(name, MISSING) for name in names}
        imports = any(step.opname == "IMPORT_NAME" for step in dis.get_instructions(changed.after))
        if not imports and not all(map(is_plain_value, before.values())):
            raise LoadsAnew(", ".join(sorted(names)))
        self._replaced += [(space, name, value) for name, value in before.items()]
        try:
            exec(changed.after, space)
        except Exception as error:
            if imports:
                raise
            # What it needs may be gone.
            raise LoadsAnew(", ".join(sorted(names))) from error
        others = [name for name, value in before.items() if value is not MISSING and space.get(name) is not value]
        self.is_stale |= self._is_used(others, changed.place + 1)
        self._bind({name: space[name] for name in names if name in space})

    def _set(self, change: SetName) -> None:
        """Have a name of the module, or of a class, stand for something else."""
        is_special = change.name.startswith("__")
        self.is_stale |= change.is_function or is_special or self._is_used([change.name])
        owner = vars(self.module) if change.owner is None else change.owner
        self._replaced.append((owner, change.name, vars(change.owner or self.module).get(change.name, MISSING)))
        _put(owner, change.name, change.value)
        if change.owner is None:
            self._bind({change.name: change.value})
        elif is_plainly(change.value, cached_property):
            change.value.__set_name__(change.owner, change.name)

    def _bind(self, values: dict[str, Any]) -> None:
        """Have these names of the module stand for these values where others have imported them."""
        for other, name, source in self._bindings.names:
            if source in values:
                self._replaced.append((other, name, other.get(name, MISSING)))
                _put(other, name, values[source])


class _FunctionParts(NamedTuple):
    """What a function does, and with which defaults; all else of it stays."""

    code: CodeType
    defaults: tuple[Any, ...] | None
    by_keyword: dict[str, Any] | None

    @staticmethod
    def of(function: FunctionType) -> _FunctionParts:
        return _FunctionParts(function.__code__, function.__defaults__, function.__kwdefaults__)

    def give(self, function: FunctionType) -> None:
        function.__code__, function.__defaults__, function.__kwdefaults__ = self


def _put(owner: Namespace | type, name: str, value: Any) -> None:
    """Have a name in a namespace or class stand for a value; MISSING for nothing."""
    if not isinstance(owner, dict):
        if value is not MISSING:
            setattr(owner, name, value)
        elif name in vars(owner):
            delattr(owner, name)
    elif value is not MISSING:
        owner[name] = value
    else:
        owner.pop(name, None)
