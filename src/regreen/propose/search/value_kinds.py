"""The kind of value that names and expressions seem to have, inferred from annotations, literals, loops and use."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import Any, Final

from regreen.propose.search.constants import (
    CONTAINERS_FIT,
    NUMBERS_FIT,
    SEQUENCES_FIT,
    UNKNOWN_KIND_FIT,
    UNKNOWN_KINDS_FIT,
    UNRELATED_KINDS_FIT,
)
from regreen.syntax import FUNCTIONS, Function

_HINTS: Final = {
    "int": "int",
    "float": "float",
    "complex": "float",
    "str": "str",
    "bytes": "str",
    "bool": "bool",
    "list": "list",
    "List": "list",
    "Sequence": "list",
    "Iterable": "list",
    "tuple": "tuple",
    "Tuple": "tuple",
    "dict": "dict",
    "Dict": "dict",
    "Mapping": "dict",
    "set": "set",
    "Set": "set",
    "FrozenSet": "set",
    "frozenset": "set",
}
_CALLS: Final = {
    **dict.fromkeys(("len", "int", "ord", "hash", "id"), "int"),
    **dict.fromkeys(("sum", "abs", "round", "pow"), "int"),
    **dict.fromkeys(("float", "sqrt"), "float"),
    **dict.fromkeys(("str", "chr", "repr", "hex", "bin", "oct", "input", "format", "ascii"), "str"),
    **dict.fromkeys(("list", "sorted"), "list"),
    **dict.fromkeys(("set", "frozenset"), "set"),
    **dict.fromkeys(("dict", "defaultdict", "Counter", "OrderedDict"), "dict"),
    **dict.fromkeys(("bool", "isinstance", "all", "any", "callable", "hasattr"), "bool"),
    **dict.fromkeys(("tuple",), "tuple"),
    **dict.fromkeys(("deque", "range", "reversed", "enumerate", "zip", "map", "filter"), "list"),
}
_METHODS: Final = {
    **dict.fromkeys(("split", "rsplit", "splitlines", "keys", "values", "items", "most_common", "findall"), "list"),
    **dict.fromkeys(
        ("join", "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "replace", "format"), "str"
    ),
    **dict.fromkeys(("swapcase", "casefold", "zfill", "ljust", "rjust", "center", "decode", "group"), "str"),
    **dict.fromkeys(("count", "index", "find", "rfind", "rindex", "bit_length"), "int"),
    **dict.fromkeys(("startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isupper"), "bool"),
    **dict.fromkeys(("islower", "isnumeric", "isdecimal", "issubset", "issuperset", "isdisjoint"), "bool"),
    **dict.fromkeys(("union", "intersection", "difference", "symmetric_difference"), "set"),
}
_GIVING_TEXTS: Final = frozenset(
    ("split", "splitlines", "rsplit", "partition", "rpartition", "splitext", "groups", "findall", "listdir")
)
"""Of which each item is a text."""
_USED_AS: Final = {
    **dict.fromkeys(("append", "extend", "insert", "sort", "reverse"), "list"),
    **dict.fromkeys(("items", "keys", "values", "setdefault", "get", "popitem"), "dict"),
    **dict.fromkeys(("add", "discard", "union", "intersection"), "set"),
    **dict.fromkeys(
        ("lower", "upper", "split", "strip", "startswith", "endswith", "isdigit", "isalpha", "join"), "str"
    ),
}
_NUMBERS: Final = frozenset({"int", "float", "bool"})
_SEQUENCES: Final = frozenset({"list", "tuple", "str"})
_CONTAINERS: Final = frozenset({"list", "tuple", "set", "dict", "str"})


def kind_fit(one: str, other: str) -> float:
    """How well a value of one kind stands in for another, in (0, 1]."""
    if one == other:
        return 1.0 if one else UNKNOWN_KINDS_FIT
    if not one or not other:
        return UNKNOWN_KIND_FIT
    for family, share in ((_NUMBERS, NUMBERS_FIT), (_SEQUENCES, SEQUENCES_FIT), (_CONTAINERS, CONTAINERS_FIT)):
        if one in family and other in family:
            return share
    return UNRELATED_KINDS_FIT


class ValueKinds:
    """The kinds of the names in one function, beginning with those of what is around it: functions, or the module."""

    def __init__(
        self,
        function: Function | None,
        nodes: Collection[ast.AST],
        around: ValueKinds | None,
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {argument.arg for argument in parameters_of(function)} if function is not None else set()
        self.names: dict[str, str] = _without(around.names, own) if around else {}
        self.items: dict[str, str] = _without(around.items, own) if around else {}
        """The kind of what iterating over a name gives."""
        self.attributes: Mapping[str, str] = attributes or {}
        """The kind of an attribute, whichever object has it."""
        for argument in parameters_of(function) if function is not None else ():
            self._hint(argument.arg, argument.annotation)
        if function is not None:
            starred = ((function.args.vararg, "tuple"), (function.args.kwarg, "dict"))
            self.names |= {argument.arg: kind for argument, kind in starred if argument is not None}
        for _ in range(2):
            for node in nodes:
                self._learn(node)

    def kind(self, node: ast.AST | None) -> str:
        """The kind of value that an expression seems to give; empty where nothing tells."""
        rule = _KIND_RULES.get(type(node)) if node is not None else None
        return "" if rule is None else rule(self, node)

    def item_kind(self, node: ast.AST | None) -> str:
        """The kind of value that iterating over the expression gives; empty where nothing tells."""
        if isinstance(node, ast.Name):
            return self.items.get(node.id, "str" if self.names.get(node.id) == "str" else "")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                return "int"
            if node.func.id in {"sorted", "reversed", "list", "set", "tuple"} and node.args:
                return self.item_kind(node.args[0])
            return ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return "str" if node.func.attr in _GIVING_TEXTS else ""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self.item_kind(node.value)
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and node.elts:
            return self.kind(node.elts[0])
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return self.kind(node.elt)
        return "str" if self.kind(node) == "str" else ""

    def _hint(self, name: str, hint: ast.expr | None) -> None:
        if isinstance(hint, ast.Subscript):
            inner = hint.slice.elts[0] if isinstance(hint.slice, ast.Tuple) and hint.slice.elts else hint.slice
            self._hint(name, hint.value)
            item = hinted_kind(inner)
            if item:
                self.items.setdefault(name, item)
        kind = hinted_kind(hint)
        if kind:
            self.names.setdefault(name, kind)

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._bind(node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self._hint(node.target.id, node.annotation)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            self._bind_loop(node.target, node.iter)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            kind = _USED_AS.get(node.attr, "")
            if kind:
                self.names.setdefault(node.value.id, kind)
        elif isinstance(node, ast.BinOp | ast.Compare):
            self._learn_from_operands(node)

    def _learn_from_operands(self, node: ast.BinOp | ast.Compare) -> None:
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.left, node.comparators[0])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Mult):
            return
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            return
        for one, other in (sides, sides[::-1]):
            kind = self.kind(other)
            if isinstance(one, ast.Name) and kind in {"int", "float", "str"}:
                self.names.setdefault(one.id, kind)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for name, part in zip(target.elts, value.elts, strict=True):
                self._bind(name, part)
        elif isinstance(target, ast.Name):
            kind, item = self.kind(value), self.item_kind(value)
            if kind:
                self.names.setdefault(target.id, kind)
            if item:
                self.items.setdefault(target.id, item)

    def _bind_loop(self, target: ast.expr, iterable: ast.expr) -> None:
        function = iterable.func.id if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) else ""
        if isinstance(target, ast.Tuple) and isinstance(iterable, ast.Call) and iterable.args:
            if function == "enumerate" and len(target.elts) == 2:
                self._set(target.elts[0], "int")
                self._set(target.elts[1], self.item_kind(iterable.args[0]))
            elif function == "zip":
                for name, source in zip(target.elts, iterable.args, strict=False):
                    self._set(name, self.item_kind(source))
        else:
            self._set(target, self.item_kind(iterable))

    def _set(self, target: ast.expr, kind: str) -> None:
        if isinstance(target, ast.Name) and kind:
            self.names.setdefault(target.id, kind)


def _without(kinds: Mapping[str, str], names: Set[str]) -> dict[str, str]:
    return {name: kind for name, kind in kinds.items() if name not in names}


def kinds_of_attributes(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The kind of each attribute that the functions and classes among the nodes set, where it is always the same.

    What constructors are handed has the kind of its annotation; None beside another kind says nothing.
    """
    found: dict[str, set[str]] = {}
    for owner in nodes:
        if isinstance(owner, FUNCTIONS):
            inside = tuple(ast.walk(owner))
            kinds = ValueKinds(owner, inside, None)
            for node in inside:
                for target, value in _bound(node):
                    if isinstance(target, ast.Attribute) and (kind := kinds.kind(value)):
                        found.setdefault(target.attr, set()).add(kind)
        elif isinstance(owner, ast.ClassDef):
            fields = [field for field in owner.body if isinstance(field, ast.AnnAssign)]
            for field in fields:
                if isinstance(field.target, ast.Name) and (kind := hinted_kind(field.annotation)):
                    found.setdefault(field.target.id, set()).add(kind)
    return {name: min(kinds) for name, kinds in found.items() if len(kinds) == 1}


def _bound(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target of an assignment with its value."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value


def parameters_of(function: Function | ast.Lambda) -> list[ast.arg]:
    """The parameters of a function or a lambda, starred ones last."""
    spec = function.args
    starred = [a for a in (spec.vararg, spec.kwarg) if a is not None]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *starred]


_Rule = Callable[[ValueKinds, Any], str]


def hinted_kind(hint: ast.AST | None) -> str:
    """The kind of value that an annotation speaks of; empty where it says none."""
    if isinstance(hint, ast.Subscript):
        return hinted_kind(hint.value)
    if isinstance(hint, ast.Attribute):
        return _HINTS.get(hint.attr, "")
    if isinstance(hint, ast.Constant):
        return _HINTS.get(str(hint.value), "")
    return _HINTS.get(hint.id, "") if isinstance(hint, ast.Name) else ""


def _kind_of_constant(_kinds: ValueKinds, node: ast.Constant) -> str:
    return {"int": "int", "float": "float", "str": "str", "bytes": "str", "bool": "bool"}.get(
        type(node.value).__name__, ""
    )


def _kind_of_operation(kinds: ValueKinds, node: ast.BinOp) -> str:
    sides = {kinds.kind(node.left), kinds.kind(node.right)}
    for kind in ("str", "list", "tuple", "set", "float"):
        if kind in sides:
            return kind
    if isinstance(node.op, ast.Div):
        return "float"
    return "int" if sides & {"int", "bool"} or not isinstance(node.op, ast.Add) else ""


def _kind_of_call(kinds: ValueKinds, node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        name = node.func.id
        if name in {"min", "max"} and node.args:
            return kinds.kind(node.args[0]) if len(node.args) > 1 else kinds.item_kind(node.args[0])
        return _CALLS.get(name, "")
    if isinstance(node.func, ast.Attribute):
        return _METHODS.get(node.func.attr, _CALLS.get(node.func.attr, ""))
    return ""


def _kind_of_subscript(kinds: ValueKinds, node: ast.Subscript) -> str:
    if isinstance(node.slice, ast.Slice):
        return kinds.kind(node.value)
    return kinds.item_kind(node.value)


def _kind_of_unary(kinds: ValueKinds, node: ast.UnaryOp) -> str:
    return "bool" if isinstance(node.op, ast.Not) else kinds.kind(node.operand)


def _kind_of_choice(kinds: ValueKinds, node: ast.IfExp) -> str:
    return kinds.kind(node.body) or kinds.kind(node.orelse)


def _always(kind: str) -> _Rule:
    return lambda _kinds, _node: kind


_KIND_RULES: Final[dict[type[ast.AST], _Rule]] = {
    ast.Constant: _kind_of_constant,
    ast.Name: lambda kinds, node: kinds.names.get(node.id, ""),
    ast.Attribute: lambda kinds, node: kinds.attributes.get(node.attr, ""),
    ast.BinOp: _kind_of_operation,
    ast.Call: _kind_of_call,
    ast.Subscript: _kind_of_subscript,
    ast.UnaryOp: _kind_of_unary,
    ast.IfExp: _kind_of_choice,
    ast.JoinedStr: _always("str"),
    ast.List: _always("list"),
    ast.ListComp: _always("list"),
    ast.GeneratorExp: _always("list"),
    ast.Tuple: _always("tuple"),
    ast.Set: _always("set"),
    ast.SetComp: _always("set"),
    ast.Dict: _always("dict"),
    ast.DictComp: _always("dict"),
    ast.Compare: _always("bool"),
    ast.BoolOp: _always("bool"),
}
