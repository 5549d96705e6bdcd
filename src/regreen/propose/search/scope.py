"""What a function can see: its names, what kind of value each seems to hold, and the pieces that its text is made of."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from regreen.propose.search.code import Code
from regreen.propose.search.program import FUNCTIONS, Function, Program

BUILTINS: Final = frozenset(dir(builtins))

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
_USED_AS: Final = {
    **dict.fromkeys(("append", "extend", "insert", "sort", "reverse"), "list"),
    **dict.fromkeys(("items", "keys", "values", "setdefault"), "dict"),
    **dict.fromkeys(("add", "discard", "union", "intersection"), "set"),
    **dict.fromkeys(("lower", "upper", "split", "strip", "startswith", "endswith", "isdigit", "isalpha", "join"), "str"),
}
_NUMBERS: Final = frozenset({"int", "float", "bool"})
_SEQUENCES: Final = frozenset({"list", "tuple", "str"})
_CONTAINERS: Final = frozenset({"list", "tuple", "set", "dict", "str"})


def fit(one: str, other: str) -> float:
    """How well a value of one kind stands in for another, in (0, 1]."""
    if one == other:
        return 1.0 if one else 0.6
    if not one or not other:
        return 0.5
    for family, share in ((_NUMBERS, 0.7), (_SEQUENCES, 0.35), (_CONTAINERS, 0.25)):
        if one in family and other in family:
            return share
    return 0.1


class Scope:
    """What one function, or the module's own code, can see."""

    def __init__(self, program: Program, function: Function | None, within: ast.Lambda | None = None) -> None:
        self.program = program
        self.function = function
        self.within = within
        """The lambda whose parameters are in reach too."""
        self._root: ast.AST = function or program.tree
        self.kinds: dict[str, str] = {}
        self.items: dict[str, str] = {}
        """The kind of what iterating over a name gives."""
        self._infer()

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The nodes of the function, nested functions included; of the module, what is outside functions and classes."""
        return tuple(self._walk(self._root))

    def _walk(self, node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            if self.function is None and isinstance(child, (*FUNCTIONS, ast.ClassDef)):
                continue
            if child in self.program.parents:
                yield child
                yield from self._walk(child)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The function's parameters, in order."""
        return () if self.function is None else tuple(a.arg for a in arguments(self.function))

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that the function binds itself."""
        stored = (n.id for n in self.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
        inner = (n.name for n in self.nodes if isinstance(n, (*FUNCTIONS, ast.ClassDef)))
        caught = (n.name for n in self.nodes if isinstance(n, ast.ExceptHandler) and n.name)
        imported = (a.asname or a.name.split(".")[0] for a in self.nodes if isinstance(a, ast.alias))
        lambdas = (n.arg for n in self.nodes if isinstance(n, ast.arg))
        return frozenset((*stored, *inner, *caught, *imported, *lambdas))

    @cached_property
    def locals(self) -> tuple[str, ...]:
        """Parameters, names bound here, and names bound in the functions around, nearest first; `_` left out."""
        found = dict.fromkeys((*self._of_lambda, *self.parameters))
        for node in self.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id)
        for outer in self.enclosing:
            found.update(dict.fromkeys((*outer.parameters, *sorted(outer.assigned))))
        return tuple(name for name in found if name != "_")

    @cached_property
    def _of_lambda(self) -> tuple[str, ...]:
        return () if self.within is None else tuple(a.arg for a in self.within.args.args)

    @cached_property
    def enclosing(self) -> tuple[Scope, ...]:
        """The scopes of the functions around this one."""
        if self.function is None:
            return ()
        outer = self.program.function(self.program.parents[self.function])
        if outer is None:
            return ()
        around = Scope(self.program, outer)
        return (around, *around.enclosing)

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """Names bound at the top of the module: functions, classes, variables, imports."""
        return tuple(dict.fromkeys(_module_names(self.program.tree)))

    @cached_property
    def unused(self) -> frozenset[str]:
        """Parameters and variables of the function that nothing reads."""
        read = {n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        stored = {n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        texts = " ".join(self.program.text(n) for n in self.nodes if isinstance(n, ast.JoinedStr))
        inner = set(self._of_lambda) - {n.id for n in ast.walk(self.within or ast.Pass()) if isinstance(n, ast.Name)}
        idle = {n for n in {*self.parameters, *stored} - read if n not in texts}
        return frozenset((idle | inner) - {"_", "self", "cls"})

    @cached_property
    def visible(self) -> frozenset[str]:
        """Every name that means something here."""
        return frozenset((*self.locals, *self.assigned, *self.globals, *BUILTINS, "__file__", "__name__", "__class__"))

    @cached_property
    def receiver(self) -> str:
        """`self` in a method; empty elsewhere."""
        function = self.function
        if function is None or not isinstance(self.program.parents[function], ast.ClassDef):
            return self.enclosing[0].receiver if self.enclosing else ""
        decorators = {self.program.text(d) for d in function.decorator_list}
        return "" if "staticmethod" in decorators or not self.parameters else self.parameters[0]

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """Attributes that the methods of this class set or read on their receiver, and class variables."""
        owner = self.program.class_of(self._root) if self.function is not None else None
        if owner is None or not self.receiver:
            return ()
        found: dict[str, None] = {}
        for node in ast.walk(owner):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.receiver:
                found.setdefault(node.attr)
        return tuple(name for name in found if name not in self.methods)

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """Attributes of the receiver that methods of its class count with, as they are written."""
        owner = self.program.class_of(self._root) if self.function is not None else None
        if owner is None or not self.receiver:
            return ()
        updated = (n.target for n in ast.walk(owner) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Attribute))
        return tuple(dict.fromkeys(self.program.text(target) for target in updated))

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods of the class around this function."""
        owner = self.program.class_of(self._root) if self.function is not None else None
        return () if owner is None else tuple(s.name for s in owner.body if isinstance(s, FUNCTIONS))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Numbers written in the function, each once."""
        found = (n.value for n in self.nodes if isinstance(n, ast.Constant))
        return tuple(dict.fromkeys(repr(v) for v in found if type(v) in (int, float)))

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """Short strings written in the function, each once."""
        found = (n.value for n in self.nodes if isinstance(n, ast.Constant) and not self._is_docstring(n))
        return tuple(dict.fromkeys(v for v in found if isinstance(v, str) and len(v) <= 60))

    def _is_docstring(self, node: ast.AST) -> bool:
        return isinstance(self.program.parents[node], ast.Expr)

    @cached_property
    def expressions(self) -> dict[str, tuple[Code, str]]:
        """Expressions of the function worth copying, by their text, with their kind."""
        found: dict[str, tuple[Code, str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.BinOp | ast.Subscript | ast.Call | ast.Attribute | ast.UnaryOp):
                if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                    continue
                code = self.program.code(node)
                if len(code.text) <= 60 and "\n" not in code.text:
                    found.setdefault(code.text, (code, self.kind(node)))
        return found

    @cached_property
    def conditions(self) -> dict[str, Code]:
        """Conditions of the function, by their text."""
        found: dict[str, Code] = {}
        for node in self.nodes:
            if isinstance(node, ast.Compare | ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
                code = self.program.code(node)
                if len(code.text) <= 80 and "\n" not in code.text:
                    found.setdefault(code.text, code)
        return found

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Local names that seem to hold one of these kinds."""
        return tuple(name for name in self.locals if self.kinds.get(name, "") in kinds)

    def kind(self, node: ast.AST | None) -> str:
        """What kind of value an expression seems to give; empty where nothing tells."""
        rule = _KIND_RULES.get(type(node))
        return "" if rule is None else rule(self, node)

    def item_kind(self, node: ast.AST | None) -> str:
        """What kind of value iterating over the expression gives."""
        if isinstance(node, ast.Name):
            return self.items.get(node.id, "str" if self.kinds.get(node.id) == "str" else "")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                return "int"
            if node.func.id in {"sorted", "reversed", "list", "set", "tuple"} and node.args:
                return self.item_kind(node.args[0])
            return ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return "str" if node.func.attr in {"split", "splitlines", "rsplit"} else ""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self.item_kind(node.value)
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and node.elts:
            return self.kind(node.elts[0])
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return self.kind(node.elt)
        return "str" if self.kind(node) == "str" else ""

    def _infer(self) -> None:
        for outer in self.enclosing:
            self.kinds.update(outer.kinds)
            self.items.update(outer.items)
        if self.function is not None:
            for argument in arguments(self.function):
                self._hint(argument.arg, argument.annotation)
        for _ in range(2):
            for node in self.nodes:
                self._learn(node)

    def _hint(self, name: str, hint: ast.expr | None) -> None:
        if isinstance(hint, ast.Subscript):
            inner = hint.slice.elts[0] if isinstance(hint.slice, ast.Tuple) and hint.slice.elts else hint.slice
            self._hint(name, hint.value)
            item = _hint_name(inner)
            if item:
                self.items.setdefault(name, item)
        kind = _hint_name(hint)
        if kind:
            self.kinds.setdefault(name, kind)

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
                self.kinds.setdefault(node.value.id, kind)
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
                self.kinds.setdefault(one.id, kind)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for name, part in zip(target.elts, value.elts, strict=True):
                self._bind(name, part)
        elif isinstance(target, ast.Name):
            kind, item = self.kind(value), self.item_kind(value)
            if kind:
                self.kinds.setdefault(target.id, kind)
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
            self.kinds.setdefault(target.id, kind)


def arguments(function: Function) -> list[ast.arg]:
    """The parameters of a function, starred ones last."""
    spec = function.args
    starred = [a for a in (spec.vararg, spec.kwarg) if a is not None]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *starred]


def _module_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.split(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        else:
            yield from _module_names(node)


def _hint_name(hint: ast.AST | None) -> str:
    if isinstance(hint, ast.Subscript):
        return _hint_name(hint.value)
    if isinstance(hint, ast.Attribute):
        return _HINTS.get(hint.attr, "")
    if isinstance(hint, ast.Constant):
        return _HINTS.get(str(hint.value), "")
    return _HINTS.get(hint.id, "") if isinstance(hint, ast.Name) else ""


def _kind_of_constant(_scope: Scope, node: ast.Constant) -> str:
    return {"int": "int", "float": "float", "str": "str", "bytes": "str", "bool": "bool"}.get(type(node.value).__name__, "")


def _kind_of_operation(scope: Scope, node: ast.BinOp) -> str:
    kinds = {scope.kind(node.left), scope.kind(node.right)}
    for kind in ("str", "list", "tuple", "set", "float"):
        if kind in kinds:
            return kind
    if isinstance(node.op, ast.Div):
        return "float"
    return "int" if kinds & {"int", "bool"} or not isinstance(node.op, ast.Add) else ""


def _kind_of_call(scope: Scope, node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        name = node.func.id
        if name in {"min", "max"} and node.args:
            return scope.kind(node.args[0]) if len(node.args) > 1 else scope.item_kind(node.args[0])
        return _CALLS.get(name, "")
    if isinstance(node.func, ast.Attribute):
        return _METHODS.get(node.func.attr, _CALLS.get(node.func.attr, ""))
    return ""


def _kind_of_subscript(scope: Scope, node: ast.Subscript) -> str:
    if isinstance(node.slice, ast.Slice):
        return scope.kind(node.value)
    return scope.item_kind(node.value)


def _kind_of_unary(scope: Scope, node: ast.UnaryOp) -> str:
    return "bool" if isinstance(node.op, ast.Not) else scope.kind(node.operand)


def _kind_of_choice(scope: Scope, node: ast.IfExp) -> str:
    return scope.kind(node.body) or scope.kind(node.orelse)


def _always(kind: str) -> object:
    return lambda _scope, _node: kind


_KIND_RULES: Final = {
    ast.Constant: _kind_of_constant,
    ast.Name: lambda scope, node: scope.kinds.get(node.id, ""),
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
