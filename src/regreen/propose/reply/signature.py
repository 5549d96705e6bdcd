"""Checks that callers of the old function can call the new one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from regreen.syntax import Function

_SHOWN: Final = 200


def signature_problem(old: Function, new: Function, *, is_method: bool = False) -> str | None:
    """Why the new function cannot stand in for the old one, in words; None when it can.

    Parameters keep their names, order and kind, and those with a default keep one. Further ones may be added if they
    can be left out. Annotations and the values of defaults are free; so is the name of a method's first parameter.
    """
    if isinstance(new, ast.AsyncFunctionDef) and isinstance(old, ast.FunctionDef):
        return f"`{old.name}` must not be async: its callers do not await it."
    problem = _positional(old, new, is_method) or _named(old.args, new.args) or _starred(old.args, new.args)
    return f"{problem[0].upper()}{problem[1:]} Keep `{_heading(old)}`." if problem else None


def lost_signature(
    before: Mapping[str, Function], after: Mapping[str, Function], entry_point: str | None
) -> str | None:
    """Why callers cannot call a function any more: the entry point, or any function where there is none."""
    asked = [name for name in before if name.rpartition(".")[2] == entry_point] or list(before)
    for name in asked:
        if name not in after:
            return f"`{name}` is gone. Keep it."
        if problem := signature_problem(before[name], after[name], is_method="." in name):
            return problem
    return None


def _heading(function: Function) -> str:
    """The first line of a function, without annotations."""
    try:
        text = f"def {function.name}({ast.unparse(_bare(function.args))})"
    except (RecursionError, ValueError):
        text = f"def {function.name}(...)"
    text = f"async {text}" if isinstance(function, ast.AsyncFunctionDef) else text
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _bare(args: ast.arguments) -> ast.arguments:
    def plain(argument: ast.arg) -> ast.arg:
        return ast.arg(argument.arg)

    return ast.arguments(
        posonlyargs=[plain(a) for a in args.posonlyargs],
        args=[plain(a) for a in args.args],
        vararg=plain(args.vararg) if args.vararg else None,
        kwonlyargs=[plain(a) for a in args.kwonlyargs],
        kw_defaults=args.kw_defaults,
        kwarg=plain(args.kwarg) if args.kwarg else None,
        defaults=args.defaults,
    )


def _positional(old: Function, new: Function, is_method: bool) -> str | None:
    before, after = [*old.args.posonlyargs, *old.args.args], [*new.args.posonlyargs, *new.args.args]
    free = is_method and bool(before) and bool(after)
    names, renamed = [a.arg for a in before[free:]], [a.arg for a in after[free:]]
    if renamed[: len(names)] != names or len(after) < len(before):
        return f"`{new.name}` takes ({', '.join(renamed)}) where ({', '.join(names)}) is expected."
    allowed, required = len(before) - len(old.args.defaults), len(after) - len(new.args.defaults)
    if late := [argument.arg for argument in after[allowed:required] if argument.arg not in _required(old.args)]:
        return f"the parameter `{late[0]}` of `{new.name}` has no default, so callers that leave it out would fail."
    if len(new.args.posonlyargs) > len(old.args.posonlyargs) + free:
        return f"`{new.name}` takes by place alone what its callers may pass by name."
    return None


def _named(old: ast.arguments, new: ast.arguments) -> str | None:
    known = {a.arg for a in (*new.kwonlyargs, *new.args)}
    for argument in old.kwonlyargs:
        if argument.arg not in known and new.kwarg is None:
            return f"the parameter `{argument.arg}` is gone."
    if more := sorted(_required(new) - _required(old)):
        return f"the parameter `{more[0]}` has no default, so callers that leave it out would fail."
    return None


def _required(arguments: ast.arguments) -> set[str]:
    """Keyword-only parameters without a default."""
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {argument.arg for argument, default in pairs if default is None}


def _starred(old: ast.arguments, new: ast.arguments) -> str | None:
    if old.vararg is not None and new.vararg is None:
        return f"`*{old.vararg.arg}` is gone."
    if old.kwarg is not None and new.kwarg is None:
        return f"`**{old.kwarg.arg}` is gone."
    return None
