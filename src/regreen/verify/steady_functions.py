"""Which functions of a project answer the same call always alike, as far as their text can show it.

Steady is what keeps nothing from one call to the next and asks nothing of the world: no `global`, no change of what is
not its own, no mutable default, no clock, file, random number or unknown module. What cannot be followed is not steady.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from regreen.syntax import DEFINITIONS, FUNCTIONS, parsed_or_none

COMPUTING = frozenset(
    "__future__ abc bisect collections collections.abc copy dataclasses decimal enum fractions functools heapq "
    "itertools json math numbers operator re statistics string textwrap types typing "
    "typing_extensions unicodedata".split()
)
"""Modules that only compute."""
_DATES = "datetime"
_CLOCKS = frozenset({"now", "today", "utcnow", "fromtimestamp", "localtime", "astimezone"})
_UNSTEADY_BUILTINS = frozenset(
    "open input exec eval compile globals locals vars setattr delattr __import__ id hash object memoryview "
    "breakpoint help dir".split()
)
_PLAIN_DECORATORS = frozenset(
    "staticmethod classmethod property dataclass total_ordering cache lru_cache cached_property wraps unique final "
    "overload abstractmethod".split()
)
_MUTATING = frozenset(
    "add append clear discard extend insert pop popitem remove reverse setdefault sort update appendleft popleft "
    "rotate write writelines move_to_end subtract intersection_update difference_update".split()
)
_READING = frozenset({"get", "items", "keys", "values", "index", "count"})
_READING_CALLS = frozenset({"len", "sorted", "min", "max", "sum", "any", "all", "enumerate", "reversed", "zip"})
_IMMUTABLE_MAKERS = frozenset({"compile", "frozenset", "namedtuple", "Decimal", "Fraction", "date", "timedelta"})
_DEEPEST = 6


@dataclass
class SteadyFunctions:
    """The modules of one project; answers are kept."""

    files: Mapping[str, bytes]
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def is_steady(self, module: str, name: str, *, near: str = "") -> bool:
        """Whether the function or class that a file near `near` imports from a module answers always alike."""
        found = self._home(module, name, near, _DEEPEST)
        return found is not None and self._is_steady(*found)

    def _home(self, module: str, name: str, near: str, deepest: int) -> tuple[str, str] | None:
        """The file and the name under which something imported is defined."""
        path = self._path(module, near)
        tree = self._tree(path) if path else None
        if path is None or tree is None or deepest == 0:
            return None
        if any(isinstance(node, DEFINITIONS) and node.name == name for node in tree.body):
            return path, name
        origin = import_origins(tree).get(name)
        return self._home(origin[0], origin[1], path, deepest - 1) if origin and origin[1] else None

    def _path(self, module: str, near: str) -> str | None:
        """The only file that a module's dotted name can mean; None where there are several, or none."""
        level = len(module) - len(module.lstrip("."))
        parts = [part for part in module.lstrip(".").split(".") if part]
        if level:
            above = PurePosixPath(near).parents
            if level > len(above):
                return None
            base = PurePosixPath(above[level - 1], *parts)
            names = [f"{base}.py", f"{base}/__init__.py"]
            return next((name for name in names if name in self.files), None)
        ends = ("/".join(parts) + ".py", "/".join(parts) + "/__init__.py")
        alike = self._by_last_part.get(parts[-1], ()) if parts else ()
        found = [path for path in alike if path in ends or path.endswith(tuple(f"/{end}" for end in ends))]
        return found[0] if len(found) == 1 else None

    @functools.cached_property
    def _by_last_part(self) -> Mapping[str, list[str]]:
        """The last part of modules' names -> the files that may be meant."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            if path.endswith(".py"):
                name = PurePosixPath(path)
                found.setdefault(name.parent.name if name.stem == "__init__" else name.stem, []).append(path)
        return found

    def _tree(self, path: str) -> ast.Module | None:
        return parsed_or_none(self.files[path].decode(errors="replace"))

    def _is_steady(self, path: str, name: str) -> bool:
        key = (path, name)
        if key not in self._known:
            # A function that calls itself is steady where the rest of it is.
            self._known[key] = True
            self._known[key] = self._look(path, name)
        return self._known[key]

    def _look(self, path: str, name: str) -> bool:
        tree = self._tree(path)
        named = [] if tree is None else [n for n in tree.body if isinstance(n, DEFINITIONS) and n.name == name]
        if tree is None or len(named) != 1 or "*" in import_origins(tree):
            return False
        node = named[0]
        if not all(_is_plain_decorator(each) for inner in _definitions(node) for each in inner.decorator_list):
            return False
        return _keeps_nothing(node) and all(self._may_use(path, tree, used) for used in _free_names(node))

    def _may_use(self, path: str, tree: ast.Module, name: str) -> bool:
        """Whether what a name of the module stands for is steady too."""
        if any(isinstance(node, DEFINITIONS) and node.name == name for node in tree.body):
            return self._is_steady(path, name)
        origin = import_origins(tree).get(name)
        if origin is not None:
            return is_computing(origin[0]) or bool(origin[1] and self.is_steady(*origin, near=path))
        stored = [
            node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name and not _loads(node)
        ]
        if stored:
            return len(stored) == 1 and _bound_plainly(tree, name)
        return hasattr(builtins, name) and name not in _UNSTEADY_BUILTINS


def is_computing(module: str) -> bool:
    """Whether a module only computes, but for the clocks of `datetime`, whose names are looked for in the text."""
    return module in COMPUTING or module == _DATES


def asks_a_clock(node: ast.AST) -> bool:
    """Whether a text may ask what time it is."""
    return any(isinstance(each, ast.Attribute) and each.attr in _CLOCKS for each in ast.walk(node))


@functools.lru_cache(maxsize=256)
def import_origins(tree: ast.Module) -> Mapping[str, tuple[str, str]]:
    """Name -> the module and the name in it ("" for the module itself) that it is imported from at the top."""
    found: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            module = f"{'.' * node.level}{node.module or ''}"
            found.update({alias.asname or alias.name: (module, alias.name) for alias in node.names})
        elif isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or top] = (top, "")
    return found


def _definitions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    return (each for each in ast.walk(node) if isinstance(each, DEFINITIONS))


def _is_plain_decorator(node: ast.expr) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
    return name in _PLAIN_DECORATORS


def _keeps_nothing(node: ast.AST) -> bool:
    """Whether nothing of a definition outlives a call, as far as it changes things itself."""
    for each in ast.walk(node):
        if isinstance(each, ast.Global | ast.Nonlocal | ast.Import | ast.ImportFrom | ast.AsyncFunctionDef):
            return False
        if isinstance(each, ast.FunctionDef) and not all(map(_is_immutable, _defaults(each.args))):
            return False
        if isinstance(each, ast.ClassDef) and not _is_plain_class(each):
            return False
        if isinstance(each, ast.Attribute) and each.attr.startswith("__") and each.attr != "__init__":
            return False
    return not asks_a_clock(node) and not (_changed_roots(node) - _own_names(node))


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]


def _is_immutable(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_immutable, node.elts))
    return isinstance(node, ast.Constant | ast.Name | ast.UnaryOp | ast.BinOp | ast.Attribute)


def _is_plain_class(node: ast.ClassDef) -> bool:
    """Whether a class has nothing that its objects share and may change."""
    shared = [s.value for s in node.body if isinstance(s, ast.Assign | ast.AnnAssign) and s.value is not None]
    is_fixed = all(_is_immutable(value) or _is_field(value) for value in shared)
    keeps = any(
        isinstance(inner, FUNCTIONS)
        and any(getattr(each, "id", "") == "classmethod" for each in inner.decorator_list)
        and bool(_changed_roots(inner))
        for inner in node.body
    )
    return not node.keywords and is_fixed and not keeps


def _is_field(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and getattr(value.func, "id", getattr(value.func, "attr", "")) == "field"


def _own_names(node: ast.AST) -> set[str]:
    """Names that are bound within a definition: parameters, and what is assigned."""
    names = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not _loads(each)}
    names |= {each.name for each in ast.walk(node) if isinstance(each, (*DEFINITIONS, ast.ExceptHandler)) and each.name}
    return names - ({node.name} if isinstance(node, DEFINITIONS) else set())


def _free_names(node: ast.AST) -> set[str]:
    loaded = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and _loads(each)}
    return loaded - _own_names(node) - ({node.name} if isinstance(node, DEFINITIONS) else set())


def _loads(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _changed_roots(node: ast.AST) -> set[str]:
    """The names at the bottom of whatever is changed in place: `a` in `a.b[0] = 1`, and in `a.append(1)`."""
    return {root for each in ast.walk(node) if (root := _changed_root(each)) is not None}


def _changed_root(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return _root(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING:
        return _root(node.func)
    return None


def _root(node: ast.expr) -> str | None:
    """The name at the bottom of attributes, items and calls; "" where there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _bound_plainly(tree: ast.Module, name: str) -> bool:
    """Whether a name of the module gets one value, at its top, that nobody changes."""
    values = [
        node.value
        for node in tree.body
        for target in (node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)])
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) and target.id == name
    ]
    if len(values) != 1 or values[0] is None:
        return False
    value = values[0]
    if _is_immutable(value) or _makes_immutable(tree, value):
        return not any(isinstance(each, ast.Name) for each in ast.walk(value)) or isinstance(value, ast.Call)
    parts = [*value.keys, *value.values] if isinstance(value, ast.Dict) else getattr(value, "elts", [None])
    is_flat = all(part is not None and _is_immutable(part) for part in parts)
    return is_flat and name not in _changed_roots(tree) and _is_only_read(tree, name)


def _makes_immutable(tree: ast.Module, value: ast.expr) -> bool:
    """Whether a value is one that a call makes, and that nobody can change."""
    if not isinstance(value, ast.Call) or asks_a_clock(value):
        return False
    target = value.func
    name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
    origin = import_origins(tree).get(_root(target) or "")
    return name in _IMMUTABLE_MAKERS and (origin is None or is_computing(origin[0]))


def _is_only_read(tree: ast.Module, name: str) -> bool:
    """Whether a container is only looked into: one that is given away may be changed under another name."""
    readers = {id(node) for each in ast.walk(tree) for node in _read_in(each)}
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name and _loads(node)]
    return all(id(node) in readers for node in used)


def _read_in(node: ast.AST) -> list[ast.expr]:
    """The expressions that a node only looks into."""
    match node:
        case ast.Subscript(value):
            return [value]
        case ast.Attribute(value, attr) if attr in _READING:
            return [value]
        case ast.For(_, iterable) | ast.comprehension(_, iterable):
            return [iterable]
        case ast.Compare(_, ops, comparators):
            pairs = zip(ops, comparators, strict=True)
            return [right for op, right in pairs if isinstance(op, ast.In | ast.NotIn)]
        case ast.Call(ast.Name(called), arguments) if called in _READING_CALLS:
            return list(arguments)
    return []
