"""A program that stays loaded while its changes are tried: a changed function is given its new code where it is.

A web framework keeps the functions and classes that it was told of, and tests keep what they made of a program while
they were imported: a program that is loaded anew is another one to them. Whoever holds a function calls its code,
whatever that is by then. So a change within functions needs nothing loaded anew; nor does one of an import, or of a
plain value of the module.
"""

from __future__ import annotations

import dis
import gc
import marshal
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from regreen.sandbox.guest.runner.lazy_values import is_plainly
from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew
from regreen.sandbox.guest.runner.projects.rebinding import ModuleBindings, Namespace

_KIND: Final = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR | CO_VARARGS | CO_VARKEYWORDS
"""What decorators may have asked a function about."""
_PLAIN_MODULES: Final = frozenset(
    "builtins re datetime decimal fractions collections pathlib _decimal zoneinfo uuid ipaddress".split()
)
"""Where the classes of plain values are from: nobody tells one of them from another that is equal."""
_NO_REFERENCES: Final = 2
"""The version of `marshal` that writes equal values alike, whoever else refers to them."""
_MISSING: Final = object()


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


class ChangedFunction(NamedTuple):
    """The code of a function, with the one in its place."""

    before: CodeType
    after: CodeType | None
    """None where there is none: no such function may be there."""
    does_otherwise: bool = True
    """Whether it does something else itself, and not only the functions that it makes."""


@dataclass(frozen=True)
class CodeChanges:
    """What has to be done for a program to be another one."""

    functions: list[ChangedFunction] = field(default_factory=list)
    statements: list[tuple[int, CodeType]] = field(default_factory=list)
    """Statements to be run in the module's namespace, by their places."""


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
        self._functions: dict[int, list[FunctionType]] = {}
        for function in gc.get_objects():
            if type(function) is FunctionType and function.__code__.co_filename == called.filename:
                self._functions.setdefault(id(function.__code__), []).append(function)
        self._swapped: list[tuple[FunctionType, CodeType]] = []
        self._replaced: list[tuple[Namespace, str, Any]] = []

    def change_into(self, codes: Sequence[CodeType]) -> None:
        """Have it do what these codes of its statements say, until the next change; all else stays as it is.

        Raises LoadsAnew where that takes more than new code in its functions, new imports and new values; and what the
        imports raise.
        """
        self.put_back()
        changes = changes_between(self._codes, codes)
        for place, _ in changes.statements:
            self._refuse_what_is_used(place)
        swaps = [swap for changed in changes.functions for swap in self._swaps(changed)]
        try:
            for _, statement in changes.statements:
                self._run(statement)
            for function, code in swaps:
                self._swapped.append((function, function.__code__))
                function.__code__ = code
        except BaseException:
            self.put_back()
            raise

    def put_back(self) -> None:
        """Have it do what it did at first."""
        for function, code in self._swapped:
            function.__code__ = code
        for space, name, value in reversed(self._replaced):
            if value is _MISSING:
                space.pop(name, None)
            else:
                space[name] = value
        self._swapped, self._replaced = [], []

    def _swaps(self, changed: ChangedFunction) -> Iterator[tuple[FunctionType, CodeType]]:
        if changed.does_otherwise and self._has_run(changed.before):
            raise LoadsAnew(changed.before.co_qualname)
        for function in self._functions.get(id(changed.before), ()):
            if changed.after is None:
                raise LoadsAnew(changed.before.co_qualname)
            yield function, changed.after

    def _has_run(self, code: CodeType) -> bool:
        """Whether something may have been made of what it did, before any test was run."""
        return id(code) in self._called or not self._lines.isdisjoint(line for *_, line in code.co_lines())

    def _refuse_what_is_used(self, place: int) -> None:
        """Raise LoadsAnew where a later statement, or another module, has made something of what this one sets."""
        names = names_set_by(self._codes[place])
        later = self._codes[place + 1 :]
        if self._is_read or any(not names.isdisjoint(_names_at_loading(code)) for code in later):
            raise LoadsAnew(", ".join(sorted(names)))

    def _run(self, statement: CodeType) -> None:
        """Run a statement that sets names, also where others have imported them."""
        space = vars(self.module)
        names = names_set_by(statement)
        before = {name: space.get(name, _MISSING) for name in names}
        imports = any(step.opname == "IMPORT_NAME" for step in dis.get_instructions(statement))
        if not imports and not all(map(_is_plain_value, before.values())):
            raise LoadsAnew(", ".join(sorted(names)))
        self._replaced += [(space, name, value) for name, value in before.items()]
        exec(statement, space)
        for other, name, source in self._bindings.names:
            if source in names:
                self._replaced.append((other, name, other.get(name, _MISSING)))
                other[name] = space[source]


def changes_between(before: Sequence[CodeType], after: Sequence[CodeType]) -> CodeChanges:
    """What makes another program of one, both as codes of their statements. Raises LoadsAnew where it is more."""
    if len(before) != len(after):
        raise LoadsAnew("other statements")
    changes = CodeChanges()
    for place, (one, other) in enumerate(zip(before, after, strict=True)):
        if one is other:
            continue
        if _sets_names(one) and _sets_names(other):
            changes.statements.append((place, other))
        else:
            changes.functions.extend(_changed_functions(one, other))
    return changes


def names_set_by(statement: CodeType) -> frozenset[str]:
    """The names that a statement of a module sets."""
    return frozenset(step.argval for step in dis.get_instructions(statement) if step.opname == "STORE_NAME")


def _changed_functions(before: CodeType, after: CodeType) -> list[ChangedFunction]:
    if before is after or _does_the_same(before, after):
        return []
    if before.co_flags & CO_OPTIMIZED and after.co_flags & CO_OPTIMIZED:
        if _asked_about(before) != _asked_about(after):
            raise LoadsAnew(before.co_qualname)
        changed = ChangedFunction(before, after, does_otherwise=_steps(before) != _steps(after))
        return [changed, *_changed_within(before, after)]
    if _steps(before) != _steps(after):
        raise LoadsAnew(before.co_name)
    pairs = zip(_inner(before), _inner(after), strict=True)
    return [found for one, other in pairs for found in _changed_functions(one, other)]


def _does_the_same(one: CodeType, other: CodeType) -> bool:
    """Whether two pieces of code differ in nothing but their lines."""
    pairs = zip(_inner(one), _inner(other), strict=False)
    return _steps(one) == _steps(other) and all(each is after or _does_the_same(each, after) for each, after in pairs)


def _changed_within(before: CodeType, after: CodeType) -> list[ChangedFunction]:
    """The functions that one function makes, with those that the other one makes in their places."""
    mine, others = _inner(before), _inner(after)
    if [code.co_name for code in mine] == [code.co_name for code in others]:
        return [found for one, other in zip(mine, others, strict=True) for found in _changed_or_gone(one, other)]
    return [found for code in mine for found in _gone(code)]


def _changed_or_gone(before: CodeType, after: CodeType) -> list[ChangedFunction]:
    try:
        return _changed_functions(before, after)
    except LoadsAnew:
        return _gone(before)


def _gone(code: CodeType) -> list[ChangedFunction]:
    return [ChangedFunction(code, None), *(found for inner in _inner(code) for found in _gone(inner))]


def _inner(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if type(value) is CodeType]


def _asked_about(code: CodeType) -> tuple[Any, ...]:
    """What others may go by that have been handed a function: its parameters and its kind, and what it closes over."""
    count = code.co_argcount + code.co_kwonlyargcount
    shape = code.co_posonlyargcount, code.co_argcount, code.co_kwonlyargcount, code.co_flags & _KIND
    return *shape, code.co_varnames[:count], code.co_freevars


def _steps(code: CodeType) -> tuple[Any, ...]:
    """What a piece of code does while it is run, but for what the functions and classes in it do."""
    values = tuple(
        "code" if type(value) is CodeType else marshal.dumps(value, _NO_REFERENCES) for value in code.co_consts
    )
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code, code.co_exceptiontable, code.co_flags, values, names, _asked_about(code)


def _sets_names(statement: CodeType) -> bool:
    """Whether a statement of a module does nothing but to set names, in a row."""
    if _inner(statement):
        return False
    steps = list(dis.get_instructions(statement))
    before = ""
    for step in steps:
        drops_answer = step.opname == "POP_TOP" and before.startswith("CALL")
        if drops_answer or "JUMP" in step.opname or step.opname.startswith(_BEYOND_NAMES):
            return False
        before = step.opname
    return any(step.opname == "STORE_NAME" for step in steps)


_BEYOND_NAMES: Final = (
    "FOR_ITER", "STORE_SUBSCR", "STORE_ATTR", "STORE_SLICE", "DELETE_", "RAISE", "SETUP_", "PUSH_EXC", "BEFORE_WITH",
    "IMPORT_STAR",
)  # fmt: skip
"""How steps begin that do more than to set a name."""


def _names_at_loading(code: CodeType) -> Iterator[str]:
    """The names that a statement uses while the module is loaded, in bodies of classes too."""
    yield from code.co_names
    for inner in _inner(code):
        if not inner.co_flags & CO_OPTIMIZED:
            yield from _names_at_loading(inner)


def _is_plain_value(value: Any) -> bool:
    if value is _MISSING or is_plainly(value, ModuleType):
        return True
    return type(value).__module__ in _PLAIN_MODULES and not issubclass(type(value), (type, FunctionType))
