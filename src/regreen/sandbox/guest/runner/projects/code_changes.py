"""What makes another program of one, as the codes of their statements: which functions, and which bodies, differ."""

from __future__ import annotations

import dis
import marshal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType
from typing import Any, Final, NamedTuple

from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew

_KIND: Final = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR | CO_VARARGS | CO_VARKEYWORDS
"""What decorators may have asked a function about."""
_NO_REFERENCES: Final = 2
"""The version of `marshal` that writes equal values alike, whoever else refers to them."""


class ChangedFunction(NamedTuple):
    """The code of a function, with the one in its place."""

    before: CodeType
    after: CodeType | None
    """None where there is none: no such function may be there."""
    does_otherwise: bool = True
    """Whether it does something else itself, and not only the functions that it makes."""


class ChangedBody(NamedTuple):
    """What a statement of the module does, or the body of a class, with what is in its place."""

    place: int
    """Of the statement, in the module."""
    before: CodeType
    after: CodeType


@dataclass(frozen=True)
class CodeChanges:
    """What has to be done for a program to be another one."""

    functions: list[ChangedFunction] = field(default_factory=list)
    statements: list[ChangedBody] = field(default_factory=list)
    """Statements that do nothing but to set names: to be run in the module's namespace."""
    definitions: list[ChangedBody] = field(default_factory=list)
    """Definitions of functions, and bodies of classes, that set something else than functions with another code."""


def changes_between(before: Sequence[CodeType], after: Sequence[CodeType]) -> CodeChanges:
    """What makes another program of one, both as codes of their statements. Raises LoadsAnew where it is more."""
    if len(before) != len(after):
        raise LoadsAnew("other statements")
    changes = CodeChanges()
    for place, (one, other) in enumerate(zip(before, after, strict=True)):
        if one is other:
            continue
        if _sets_names(one) and _sets_names(other):
            changes.statements.append(ChangedBody(place, one, other))
        elif not (inner_codes(one) and inner_codes(other)):
            raise LoadsAnew("a statement")
        else:
            _add_changes_of(ChangedBody(place, one, other), changes)
    return changes


def names_set_by(statement: CodeType) -> frozenset[str]:
    """The names that a statement of a module, or the body of a class, sets."""
    return frozenset(step.argval for step in dis.get_instructions(statement) if step.opname == "STORE_NAME")


def names_read_by(code: CodeType) -> Iterator[str]:
    """The names, and attributes, that a piece of code reads by itself."""
    for step in dis.get_instructions(code):
        if step.opname.startswith(("LOAD_NAME", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_FROM")):
            yield str(step.argval)


def names_at_loading(code: CodeType) -> Iterator[str]:
    """The names that a statement reads while the module is loaded, in bodies of classes too."""
    yield from names_read_by(code)
    for inner in inner_codes(code):
        if not is_function(inner):
            yield from names_at_loading(inner)


def does_the_same(one: CodeType, other: CodeType) -> bool:
    """Whether two pieces of code differ in nothing but their lines."""
    if one is other:
        return True
    pairs = zip(inner_codes(one), inner_codes(other), strict=False)
    return _steps(one) == _steps(other) and all(does_the_same(each, after) for each, after in pairs)


def changed_functions(before: CodeType, after: CodeType) -> list[ChangedFunction]:
    """A function with another code, and what differs of the functions in it."""
    changed = ChangedFunction(before, after, does_otherwise=_steps(before) != _steps(after))
    return [changed, *_changed_within(before, after)]


def is_function(code: CodeType) -> bool:
    """Whether a piece of code is that of a function: neither a statement of the module nor the body of a class."""
    return bool(code.co_flags & CO_OPTIMIZED)


def inner_codes(code: CodeType) -> list[CodeType]:
    """The functions and bodies of classes that a piece of code makes, in order."""
    return [value for value in code.co_consts if type(value) is CodeType]


def _add_changes_of(body: ChangedBody, changes: CodeChanges) -> None:
    """Add what differs in a statement of the module, or in the body of a class."""
    pairs = list(zip(inner_codes(body.before), inner_codes(body.after), strict=False))
    if _steps(body.before) != _steps(body.after) or any(map(_is_another_kind, pairs)):
        changes.definitions.append(body)
        return
    for one, other in pairs:
        if does_the_same(one, other):
            continue
        if is_function(one):
            changes.functions.extend(changed_functions(one, other))
        else:
            _add_changes_of(ChangedBody(body.place, one, other), changes)


def _is_another_kind(pair: tuple[CodeType, CodeType]) -> bool:
    """Whether others may tell by more than what it does that a function is another one."""
    one, other = pair
    return is_function(one) != is_function(other) or (is_function(one) and _asked_about(one) != _asked_about(other))


def _changed_within(before: CodeType, after: CodeType) -> list[ChangedFunction]:
    """The functions that one function makes, with those that the other one makes in their places."""
    mine, others = inner_codes(before), inner_codes(after)
    if [code.co_name for code in mine] == [code.co_name for code in others]:
        return [found for one, other in zip(mine, others, strict=True) for found in _changed_or_gone(one, other)]
    return [found for code in mine for found in _gone(code)]


def _changed_or_gone(before: CodeType, after: CodeType) -> list[ChangedFunction]:
    if does_the_same(before, after):
        return []
    if _is_another_kind((before, after)):
        return _gone(before)
    if is_function(before):
        return changed_functions(before, after)
    return _changed_within(before, after) if _steps(before) == _steps(after) else _gone(before)


def _gone(code: CodeType) -> list[ChangedFunction]:
    return [ChangedFunction(code, None), *(found for inner in inner_codes(code) for found in _gone(inner))]


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
    if inner_codes(statement):
        return False
    steps = list(dis.get_instructions(statement))
    if any(step.opname == "BINARY_OP" and step.argrepr.endswith("=") for step in steps):
        # `names += [...]` changes a list.
        return False
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
