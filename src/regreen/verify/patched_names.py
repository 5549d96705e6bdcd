"""What tests replace for a while, by pytest's `monkeypatch` or by `unittest.mock.patch`: in a program, or around it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from regreen.syntax import FUNCTIONS, Function, walk_scope
from regreen.verify.bindings import Bindings, dotted
from regreen.verify.mock_uses import is_plain_patch, mock_names, replacing_call
from regreen.verify.program_facts import ProgramFacts

_OF_THE_WORLD = frozenset({"setenv", "delenv", "chdir", "undo"})
_METHODS = frozenset({"setattr", "delattr"})
_MIRRORED: dict[str, tuple[str, ...]] = {
    "builtins": ("input", "print"),
    "time": ("time", "sleep"),
    "random": (),
    "secrets": (),
    "uuid": (),
    "getpass": (),
    "platform": (),
    "webbrowser": (),
    "urllib.request": ("urlopen",),
}
"""Modules of Python's library -> what is replaced in both processes; () for all that they have.

Nothing that runs the checks uses any of it.
"""


class Owners(NamedTuple):
    """By what names tests may say where something is that they replace."""

    modules: frozenset[str]
    """Those that stand for the program's module: in the tests, and as it is called itself."""
    classes: Mapping[str, str]
    """Those of its classes, plain or dotted -> theirs: what is replaced in one of these counts as the class."""
    library: Mapping[str, str]
    """Those of modules of Python's library -> theirs."""


def owners_of(
    nodes: Iterable[ast.AST], bound: Bindings, program: ProgramFacts, module: str | None, *, one_namespace: bool
) -> Owners:
    """What may be replaced by tests with these bindings that may import the program as `module`."""
    modules = bound.modules | ({module} if module else set())
    seen = program.names if one_namespace else program.star_names() if bound.own_star else set()
    known = {name: name for name in seen if name not in bound.own} | bound.aliases
    classes = {name: there for name, there in known.items() if there in program.classes}
    classes |= {f"{name}.{there}": there for name in modules for there in program.classes}
    aliases = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    library = {name: name for name in _MIRRORED} | {a.asname or a.name: a.name for a in aliases if a.name in _MIRRORED}
    for name, text in program.imports.items():
        library |= {f"{there}.{name}": known for known in _MIRRORED if imports_module(text, known) for there in modules}
    return Owners(frozenset(modules), classes, library)


def imports_module(statement: str, module: str) -> bool:
    """Whether an import statement binds this module, and nothing in it."""
    return statement == f"import {module}" or statement.startswith(f"import {module} as ")


def patched_names(nodes: Sequence[ast.AST], owners: Owners) -> dict[ast.AST, str]:
    """The nodes of each call that replaces something for a while (the function, what names the owner) -> its name.

    It is a name of the program or, with the module before it, of Python's library ("time.sleep").
    """
    found: dict[ast.AST, str] = {}
    mocks = mock_names(nodes)
    owners = owners._replace(classes={**_instances(nodes, owners.classes), **owners.classes})
    for node in nodes:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        replacing = _replacing(node, mocks)
        if replacing is not None and (name := _patched(node.args, owners)):
            found |= dict.fromkeys([replacing, node.args[0]], name)
    return found


def _instances(nodes: Sequence[ast.AST], classes: Mapping[str, str]) -> dict[str, str]:
    """The names that stand for instances of the program's classes alone, wherever tests bind them -> the class.

    What is replaced in an instance is replaced in the program: its stand-in asks for it.
    """
    found: dict[str, set[str]] = {}
    makers = {node.name: _made(node, classes) for node in nodes if isinstance(node, FUNCTIONS)}
    stored: dict[ast.AST, ast.expr] = {}
    stored |= {node.targets[0]: node.value for node in nodes if isinstance(node, ast.Assign) and len(node.targets) == 1}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found.setdefault(dotted(node), set()).add(_class_of(stored.get(node), classes))
        elif isinstance(node, ast.arg):
            # A fixture gives what it makes to the parameter of its name.
            found.setdefault(node.arg, set()).add(makers.get(node.arg, ""))
        elif isinstance(node, ast.alias):
            found.setdefault(node.asname or node.name.partition(".")[0], set()).add("")
    return {name: min(kinds) for name, kinds in found.items() if len(kinds) == 1 and "" not in kinds}


def _made(function: Function, classes: Mapping[str, str]) -> str:
    """The class of what a fixture gives; empty where that is no instance of one, or may be another."""
    named = [dotted(d.func if isinstance(d, ast.Call) else d) for d in function.decorator_list]
    own = (node for part in function.body for node in walk_scope(part))
    given = [node.value for node in own if isinstance(node, ast.Return | ast.Yield)]
    kinds = {_class_of(value, classes) for value in given}
    return kinds.pop() if len(kinds) == 1 and any(name.endswith("fixture") for name in named) else ""


def _class_of(value: ast.expr | None, classes: Mapping[str, str]) -> str:
    return classes.get(dotted(value.func), "") if isinstance(value, ast.Call) else ""


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


def _patched(args: Sequence[ast.expr], owners: Owners) -> str:
    texts = [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else "" for arg in args]
    owner, _, name = texts[0].rpartition(".")
    if not texts[0]:
        owner, name = dotted(args[0]), texts[1] if len(texts) > 1 else ""
    if not name or name.startswith("__"):
        return ""
    if owner in owners.library:
        served = _MIRRORED[owners.library[owner]]
        return f"{owners.library[owner]}.{name}" if name in served or not served else ""
    return name if owner in owners.modules else owners.classes.get(owner, "")
