"""The names of a program that tests replace for a while, by pytest's `monkeypatch` or by `unittest.mock.patch`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from regreen.verify.bindings import dotted
from regreen.verify.mock_uses import is_plain_patch, mock_names, replacing_call

_OF_THE_WORLD = frozenset({"setenv", "delenv", "chdir", "undo"})
_METHODS = frozenset({"setattr", "delattr"})


def patched_names(
    nodes: Sequence[ast.AST], modules: Collection[str], module: str | None, classes: Mapping[str, str]
) -> dict[ast.AST, str]:
    """The nodes of each call that replaces a name of the program (the function, what names the owner) -> that name.

    `modules` are the names that stand for the program's module in the tests, `module` is its own, and `classes` are
    those by which its classes may be named -> theirs: what is replaced in one of these counts as the class.
    """
    found: dict[ast.AST, str] = {}
    mocks = mock_names(nodes)
    for node in nodes:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        replacing = _replacing(node, mocks)
        if replacing is not None and (name := _patched(node.args, modules, module, classes)):
            found |= dict.fromkeys([replacing, node.args[0]], name)
    return found


def _replacing(call: ast.Call, mocks: Mapping[ast.AST, str]) -> ast.expr | None:
    """What stands for `monkeypatch` or `patch` in a call by which something is replaced."""
    function = call.func
    if (found := replacing_call(call, mocks)) is not None:
        is_text = isinstance(call.args[0], ast.Constant)
        return found[0] if is_plain_patch(call) and is_text is not found[1] else None
    if isinstance(function, ast.Attribute) and function.attr in _METHODS and dotted(function.value) == "monkeypatch":
        return function.value
    return None


def world_patches(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes `monkeypatch` by which tests change variables and the working folder, or take back what they did."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _OF_THE_WORLD and dotted(node.value) == "monkeypatch":
            yield node.value


def _patched(args: Sequence[ast.expr], modules: Collection[str], module: str | None, classes: Mapping[str, str]) -> str:
    texts = [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else "" for arg in args]
    if texts[0]:
        return _patched_by_path(texts[0], module, classes)
    if len(texts) < 2 or not texts[1] or texts[1].startswith("__"):
        return ""
    owner = dotted(args[0])
    return texts[1] if owner in modules else classes.get(owner, "")


def _patched_by_path(path: str, module: str | None, classes: Mapping[str, str]) -> str:
    """The same for "program.name" and "program.Class.name"."""
    owner, _, name = path.rpartition(".")
    if not module or name.startswith("__"):
        return ""
    return name if owner == module else classes.get(owner, "")
