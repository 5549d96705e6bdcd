"""What checks do with `unittest.mock`, and whether it is the same where the program is in another process."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence

from regreen.syntax import Function
from regreen.verify.bindings import dotted

_LIBRARY = "unittest.mock"
_SERVED = frozenset("Mock MagicMock NonCallableMock NonCallableMagicMock call ANY DEFAULT patch".split())
"""What of the module behaves alike from afar."""
_TELLING = frozenset({"spec", "spec_set", "autospec", "new_callable", "unsafe", "create"})
"""Keywords of `patch` that look into what is replaced."""
_EQUALITY = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __class__ __dict__ __code__".split())
"""What a mock may be told to answer, and its stand-in would answer itself."""


def mock_names(nodes: Iterable[ast.AST]) -> dict[ast.AST, str]:
    """The nodes by which tests name something of `unittest.mock` -> its name there."""
    nodes = list(nodes)
    modules, names = _imported(nodes)
    found: dict[ast.AST, str] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in names:
            found[node] = names[node.id]
        elif isinstance(node, ast.Attribute) and dotted(node.value) in modules:
            found[node] = node.attr
    return found


def _imported(nodes: Iterable[ast.AST]) -> tuple[set[str], dict[str, str]]:
    """The names of the module of mocks, and those of what it holds."""
    modules: set[str] = set()
    names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name for alias in node.names if alias.name == _LIBRARY}
        elif isinstance(node, ast.ImportFrom) and node.module == "unittest":
            modules |= {alias.asname or alias.name for alias in node.names if alias.name == "mock"}
        elif isinstance(node, ast.ImportFrom) and node.module == _LIBRARY:
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
    return modules, names


def replacing_call(call: ast.Call, mocks: Mapping[ast.AST, str]) -> tuple[ast.expr, bool] | None:
    """The node `patch` of a call that replaces something, and whether it is `patch.object`."""
    function = call.func
    if mocks.get(function) == "patch":
        return function, False
    if isinstance(function, ast.Attribute) and function.attr == "object" and mocks.get(function.value) == "patch":
        return function.value, True
    return None


def is_plain_patch(call: ast.Call) -> bool:
    """Whether a call of `patch` needs nothing of what it replaces."""
    return not any(keyword.arg in _TELLING for keyword in call.keywords)


def mocks_are_served(nodes: Sequence[ast.AST], patches: Collection[ast.AST]) -> bool:
    """Whether these tests have nothing of the module of mocks do what only the program's process could.

    `patches` are the nodes by which they replace names of the program, or of its classes.
    """
    for node, name in mock_names(nodes).items():
        if name not in _SERVED or (name == "patch" and node not in patches):
            return False
    return not any(isinstance(node, ast.Attribute) and node.attr in _EQUALITY for node in nodes)


def injected(definition: Function | ast.ClassDef, mocks: Mapping[ast.AST, str]) -> int:
    """How many parameters of a test are given by `patch`, as its decorator or as that of its class."""
    calls = [decorator for decorator in definition.decorator_list if isinstance(decorator, ast.Call)]
    return sum(_injects(call, replacing_call(call, mocks)) for call in calls)


def _injects(call: ast.Call, found: tuple[ast.expr, bool] | None) -> bool:
    if found is None:
        return False
    places = 2 if found[1] else 1
    return len(call.args) == places and not any(keyword.arg == "new" for keyword in call.keywords)
