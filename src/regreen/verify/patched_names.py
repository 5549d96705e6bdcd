"""The names of a program that tests replace for a while, by pytest's `monkeypatch`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from regreen.verify.bindings import dotted

_OF_THE_WORLD = frozenset({"setenv", "delenv", "chdir", "undo"})
_METHODS = frozenset({"setattr", "delattr"})


def patched_names(nodes: Iterable[ast.AST], modules: Collection[str], module: str | None) -> dict[ast.AST, str]:
    """The nodes of each call that replaces a name of the program (`monkeypatch`, what names the module) -> that name.

    `modules` are the names that stand for the program's module in the tests, `module` is its own.
    """
    found: dict[ast.AST, str] = {}
    for node in nodes:
        if isinstance(node, ast.Call) and (name := _patched(node, modules, module)):
            assert isinstance(node.func, ast.Attribute)
            found |= dict.fromkeys([node.func.value, node.args[0]], name)
    return found


def world_patches(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes `monkeypatch` by which tests change variables and the working folder, or take back what they did."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _OF_THE_WORLD and dotted(node.value) == "monkeypatch":
            yield node.value


def _patched(call: ast.Call, modules: Collection[str], module: str | None) -> str:
    function = call.func
    if not (isinstance(function, ast.Attribute) and dotted(function.value) == "monkeypatch" and call.args):
        return ""
    texts = [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else "" for arg in call.args]
    if function.attr not in _METHODS:
        return ""
    if texts[0]:
        owner, _, name = texts[0].rpartition(".")
        return name if module and owner == module else ""
    named = dotted(call.args[0]) in modules and len(texts) > 1
    return texts[1] if named and not texts[1].startswith("__") else ""
