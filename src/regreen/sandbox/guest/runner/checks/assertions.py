"""Rewriting of `assert`, so that a failed one can say what it expected and what it got.

`assert a == b` becomes `assert __regreen__.compare("==", a, b)`, and so for the other forms. Each operand is evaluated
once and in order, as before.

A *flipped* suite is a negative control: every assertion claims the opposite, and a check fails at its end when one of
them did not hold. A candidate that passes both has tampered with the checks.
"""

from __future__ import annotations

import ast
import operator
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any

_SCALARS = frozenset({type(None), bool, int, float, complex, str, bytes, bytearray, range})
"""Types whose `__eq__` is Python's own."""
_COLLECTIONS = frozenset({list, tuple, set, frozenset})
_PLAIN = _SCALARS | _COLLECTIONS | {dict}
_IMMUTABLE_TYPE = 1 << 8
"""The flag Py_TPFLAGS_IMMUTABLETYPE of a class: no program can make one, or change it."""
_OF_VALUES = frozenset({"datetime", "decimal"})
_IDENTITY = frozenset({"is", "is not"})
_ORDERS = ("<", ">=", ">", "<=")
_DEEPEST = 6
"""How deep in collections of a comparison that holds objects are looked for that claim to equal everything."""
_PROBES = (object(), -7919.000123, "\0regreen\0", [object()], {"\0regreen\0": object()})
"""Values that no honest answer equals."""
_EQUALITY_OF_MAPPINGS = Mapping.__eq__
RECORDER = "__regreen__"
"""The name under which rewritten code finds its `AssertionRecorder`."""

OPERATOR_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
COMPARATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}
OPPOSITE_METHODS = {
    "assertEqual": "assertNotEqual",
    "assertTrue": "assertFalse",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
    "assertIn": "assertNotIn",
    "assertIsInstance": "assertNotIsInstance",
    "assertAlmostEqual": "assertNotAlmostEqual",
    "assertGreater": "assertLessEqual",
    "assertLess": "assertGreaterEqual",
    "assertRegex": "assertNotRegex",
    "assertListEqual": "assertNotEqual",
    "assertDictEqual": "assertNotEqual",
    "assertTupleEqual": "assertNotEqual",
    "assertSetEqual": "assertNotEqual",
    "assertMultiLineEqual": "assertNotEqual",
}
# `assertSequenceEqual` has none: of a list and a tuple with the same items it holds, and so does `assertNotEqual`.
OPPOSITE_METHODS |= {opposite: method for method, opposite in tuple(OPPOSITE_METHODS.items())[:10]}


class AssertionRecorder:
    """Decides the assertions of a check, and records both sides of the one that failed."""

    __slots__ = (
        *("attribute", "consume", "defer", "denied", "ended", "faked", "genuine", "identity", "method", "origins"),
        "queries",
        "seen",
    )

    def __init__(self, origins: Iterable[str] = ()) -> None:
        self.origins = set(origins)
        """The file names of the checks' own code: what their own classes equal is theirs to say."""
        self.identity: Callable[[Any, Any], bool] = operator.is_
        """Whether two values are one object; where only stand-ins are here, that is not for Python to say."""
        self.method: Callable[..., Any] = call_method
        """Calls a method: of what stands for a live object, with one question."""
        self.consume: Callable[..., Any] = call_function
        """Calls a function that goes through its first argument to the end: what stands for one gives all at once."""
        self.defer: Callable[..., Any] = call_function
        """Calls a function of whose answer one thing alone is used next; a stand-in asks for both at once."""
        self.attribute: Callable[[Any, str], Any] = getattr
        """Reads an attribute of what `defer` gave."""
        self.genuine: Callable[[str, Any], bool] = _is_genuine
        """Whether a function by which checks decide is, by its name, what it was; in shared mode alone it is asked."""
        self.begin()

    def begin(self) -> None:
        """Forget the check before."""
        self.seen: tuple[str, Any, Any] | None = None
        self.denied = False
        """Whether the test of a flipped assertion was true, so that the opposite does not hold."""
        self.faked = ""
        """What was found about a value by which the check decides, and which says nothing; empty where all is well."""
        self.ended = False
        """Whether the test function has come to its end; in shared mode alone it tells."""
        self.queries: set[str] = set()
        """Where comparisons are handed to a query that is under way."""

    def compare(self, sign: str, left: Any, right: Any) -> bool:
        """Whether `left sign right` holds; remembers the operands when it does not."""
        if not (self.identical(sign, left, right) if sign in _IDENTITY else COMPARATORS[sign](left, right)):
            self.seen = (sign, left, right)
            return False
        if sign in _ORDERS and _is_all_at_once(left, right):
            self.faked = "a value that is less than another one, and greater"
        return True

    def identical(self, sign: str, left: Any, right: Any) -> bool:
        """Whether `left is right`, or with the sign "is not" the opposite."""
        return self.identity(left, right) is (sign == "is")

    def vet(self, value: Any, may_be_anything: bool, site: str = "") -> Any:
        """The value, which is an operand; notes where it claims to equal everything.

        Not by answers that are no truth values, where these are handed to a query at a `site` of the checks.
        """
        builds = site in self.queries
        if claims_all(value, but=_any() if may_be_anything else None, origins=self.origins, builds=builds):
            self.faked = "a value that equals everything"
        return value

    def asked(self, method: Any, site: str) -> Any:
        """The method, which the checks hand comparisons at a site; notes whether these may be conditions of a query.

        Not where it may ask for their truth itself, and decide the check by that: those of Python's own collections
        do, and so may functions of the checks and of the standard library.
        """
        if _is_of_a_library(method, self.origins):
            self.queries.add(site)
        else:
            self.queries.discard(site)
        return method

    def named(self, value: Any, name: str) -> Any:
        """The value, which a check calls to decide; notes where it is not what had this name before the program."""
        if not self.genuine(name, value):
            self.faked = f"`{name}`, which was replaced"
        return value

    def end(self, value: Any) -> Any:
        """The value, which a test function returns: it has come to its end."""
        self.ended = True
        return value

    def truth(self, value: Any) -> bool:
        """Whether the value is true; remembers it when it is not."""
        if not value:
            self.seen = ("true", value, True)
            return False
        return True

    def deny(self) -> None:
        """Record that a flipped assertion does not hold; the check continues, for the checks after it."""
        self.denied = True


def _is_of_a_library(method: Any, origins: Collection[str]) -> bool:
    """Whether a method's code is neither Python's own nor that of the checks."""
    code = getattr(getattr(method, "__func__", method), "__code__", None)
    if type(method) not in (MethodType, FunctionType) or type(code) is not CodeType or code.co_filename in origins:
        return False
    path = code.co_filename
    return not path.startswith(("<frozen", _STANDARD_LIBRARY)) or f"{os.sep}site-packages{os.sep}" in path


_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120  pathlib takes long to import


def _is_genuine(name: str, value: Any) -> bool:
    return True


class _NoEntries(Mapping[object, object]):
    """A mapping of no keys, of which the equality of all mappings can be asked."""

    def __getitem__(self, key: object) -> object:
        raise KeyError(key)

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __len__(self) -> int:
        return 0


def claims_all(
    value: Any, depth: int = _DEEPEST, *, but: Any = None, origins: Collection[str] = (), builds: bool = False
) -> bool:
    """Whether a value, or one in it, claims to equal things that nothing equals: then its `__eq__` says nothing.

    Not where that is `but`, or where its class compares by code of one of the files `origins`; nor, where a comparison
    `builds` something, by another answer than a truth value.
    """
    kind = type(value)
    if kind in _SCALARS or value is but:
        return False
    if kind is dict:
        value = [*value, *value.values()]
    elif kind not in _COLLECTIONS:
        if _is_of_values(kind):
            return False
        if getattr(kind, "__eq__", None) is _EQUALITY_OF_MAPPINGS:
            # It would read every entry, and a cache counts how often it is read.
            value = _NoEntries()
        return not _compares_in(origins, kind) and any(_equals(value, probe, builds=builds) for probe in _PROBES)
    if _SCALARS.issuperset(map(type, value)):
        return False
    return depth > 0 and any(claims_all(item, depth - 1, but=but, origins=origins, builds=builds) for item in value)


def _is_of_values(kind: type) -> bool:
    """Whether a class is one of Python's own, in C, whose values equal nothing but their like: checks compare dates in
    loops, and to ask each of them about values that nothing equals would take longer than all else."""
    return type(kind) is type and bool(kind.__flags__ & _IMMUTABLE_TYPE) and kind.__module__ in _OF_VALUES


def _compares_in(origins: Collection[str], kind: type) -> bool:
    code = getattr(getattr(kind, "__eq__", None), "__code__", None)
    return type(code) is CodeType and code.co_filename in origins


def _equals(value: Any, probe: Any, *, builds: bool) -> bool:
    try:
        answer = value == probe
        return (type(answer) is bool or not builds) and bool(answer)
    except Exception:  # noqa: BLE001  arrays and hostile objects raise here; they claim nothing
        return False


def _is_all_at_once(left: Any, right: Any) -> bool:
    """Whether an operand of a type of its own claims to be less than the other, and not to be, and so for greater."""
    if type(left) in _PLAIN and type(right) in _PLAIN:
        return False
    try:
        return all(COMPARATORS[sign](left, right) for sign in _ORDERS)
    except Exception:  # noqa: BLE001  what cannot be compared otherwise contradicts nothing
        return False


def _any() -> Any:
    """What a check itself writes where anything will do: `unittest.mock.ANY`."""
    mock = sys.modules.get("unittest.mock")
    return None if mock is None else mock.ANY


def rewrite_assertions(tree: ast.Module, *, flipped: bool = False) -> ast.Module:
    """Rewrite every assert in a tree, in place, and return it."""
    if flipped:
        _Flip().visit(tree)
    _rewrite_block(tree.body, flipped=flipped)
    return tree


def call_method(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method by its name."""
    return getattr(target, name)(*args, **kwargs)


def call_function(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function."""
    return function(*args, **kwargs)


def _rewrite_block(block: list[Any], *, flipped: bool) -> None:
    """Rewrite the asserts of a list of statements (or handlers, or cases), and of the blocks inside them."""
    rewritten = []
    for node in block:
        if type(node) is ast.Assert:
            rewritten.append(_rewritten(node, flipped=flipped))
            continue
        rewritten.append(node)
        if isinstance(node, _BLOCKS):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                _rewrite_block(getattr(node, field, []), flipped=flipped)
        if flipped and expects_an_exception(node):
            # Whoever comes here has seen the exception that was expected.
            rewritten.append(ast.Expr(ask_recorder("deny", [], place_of(node)), **place_of(node)))
    block[:] = rewritten


def expects_an_exception(statement: ast.stmt) -> bool:
    """Whether a statement is a `with` block that fails unless an exception is raised in it."""
    if not isinstance(statement, ast.With | ast.AsyncWith):
        return False
    managers = [item.context_expr for item in statement.items if isinstance(item.context_expr, ast.Call)]
    return any(getattr(call.func, "attr", getattr(call.func, "id", "")) in _EXPECTING for call in managers)


_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_BLOCKS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.Match,
    ast.ExceptHandler,
    ast.match_case,
)
"""What holds statements."""


class _Flip(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            node.attr = OPPOSITE_METHODS.get(node.attr, node.attr)
        return node


def _rewritten(node: ast.Assert, *, flipped: bool) -> ast.stmt:
    """`assert RECORDER.compare(...), message`, all of it placed where the assert stood.

    It stays an assert: no name of the program's stands for what that raises. Flipped, it is `if <the test>:
    RECORDER.deny()`: decided by the interpreter alone, with nothing of ours that a candidate could have replaced.
    """
    where = place_of(node)
    if flipped:
        return ast.If(node.test, [ast.Expr(ask_recorder("deny", [], where), **where)], [], **where)
    method, arguments = _question(node.test, where)
    node.test = ask_recorder(method, arguments, where)
    return node


def place_of(node: ast.AST) -> dict[str, Any]:
    """The place of a node, for another one that is to stand there."""
    return {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}


def ask_recorder(method: str, arguments: list[ast.expr], where: dict[str, Any]) -> ast.Call:
    """The call of a method of the recorder, as rewritten code makes it."""
    recorder = ast.Name(RECORDER, ast.Load(), **where)
    return ast.Call(ast.Attribute(recorder, method, ast.Load(), **where), arguments, [], **where)


def _question(test: ast.expr, where: dict[str, Any]) -> tuple[str, list[ast.expr]]:
    """The method of the recorder that decides a test, and its arguments."""
    if type(test) is ast.Compare and len(test.ops) == 1:
        sign = ast.Constant(OPERATOR_SIGNS[type(test.ops[0])], **where)
        return "compare", [sign, test.left, test.comparators[0]]
    return "truth", [test]
