"""Which calls a suite will make, read from its text: they can be sent to the guest all at once.

Most suites are a row of assertions, each with one call of the program on literal arguments. Such calls do not depend on
any answer, so that the guest need not wait for the judge between two of them: the next call has been sent already. Each
answer is still received, timed and compared by its own check.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import Any, NamedTuple

from regreen.sandbox.guest.wire.fast_formats import plain_request

MOST_BYTES = 1 << 15
"""Bytes of calls sent ahead: well within a socket's buffer (socket(7), SO_SNDBUF), while nobody reads answers yet."""
_CONDITIONAL = (
    ast.BoolOp,
    ast.IfExp,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.NamedExpr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
)
"""Expressions that may evaluate their parts never, later or many times."""

_CHANGING_METHODS = frozenset(
    (
        "append appendleft extend extendleft insert remove pop popleft popitem clear sort reverse rotate add discard "
        "update setdefault subtract intersection_update difference_update symmetric_difference_update move_to_end "
        "__setitem__ __delitem__ __iadd__ __ior__ shuffle heappush heappop heapify heapreplace heappushpop insort "
        "insort_left insort_right"
    ).split()
)
"""Calls that may change an answer, and with it what the program keeps: then the next call must not be under way."""
_CHANGING_BUILTINS = frozenset({"setattr", "delattr", "exec", "eval", "next", "iter", "map", "filter", "vars"})


class PrefetchedCall(NamedTuple):
    """The one request that a check is sure to make."""

    check: str
    request: bytes


class CallPrefetch:
    """Collects the calls of a script's steps, up to the first step whose calls are not certain."""

    def __init__(self, functions: Sequence[str], module: str | None) -> None:
        self.names = {name: name for name in functions}
        """Names in the script that are functions of the program, and the function's own name."""
        self.module = module
        self.calls: list[PrefetchedCall] = []
        self.room = MOST_BYTES
        self.clear = True
        """Whether the calls of all steps so far are certain."""

    def add_step(self, tree: ast.Module, check: str | None) -> None:
        """Add the next step; `check` is None for preparation."""
        if self.clear:
            self.clear = self._asks(tree.body, check) if check is not None else all(map(self._prepares, tree.body))

    def _prepares(self, node: ast.stmt) -> bool:
        """Whether a statement calls nothing of the program and leaves the names of its functions as they are."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            own = isinstance(node, ast.ImportFrom) and node.module == self.module
            return own or not any((name.asname or name.name) in self.names for name in node.names)
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            return False
        target = node.targets[0].id
        if isinstance(node.value, ast.Name) and node.value.id in self.names:
            self.names[target] = self.names[node.value.id]
            return True
        return target not in self.names and not self._mentions(node.value)

    def _asks(self, body: list[ast.stmt], check: str) -> bool:
        """Collect the one call of an assertion; False where it is not certain."""
        if len(body) != 1 or not isinstance(body[0], ast.Assert):
            return False
        test, message = body[0].test, body[0].msg
        calls = self._mentions(test)
        if message is not None and self._mentions(message):
            return False
        if not calls:
            return True
        request = self._request(test) if len(calls) == 1 else None
        if request is None or len(request) > self.room:
            return False
        self.room -= len(request)
        self.calls.append(PrefetchedCall(check, request))
        return True

    def _mentions(self, node: ast.expr) -> list[ast.AST]:
        return [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in self.names]

    def _request(self, test: ast.expr) -> bytes | None:
        """The request of the one call in a test; None when it may not be made, or has arguments other than literals."""
        call = None
        for part in ast.walk(test):
            if isinstance(part, _CONDITIONAL) or (isinstance(part, ast.Compare) and len(part.ops) > 1):
                return None
            if not isinstance(part, ast.Call):
                continue
            if isinstance(part.func, ast.Name) and part.func.id in self.names:
                call = part
            elif _may_change(part.func):
                return None
        return self._packed(call) if call is not None else None

    def _packed(self, call: ast.Call) -> bytes | None:
        assert isinstance(call.func, ast.Name)
        try:
            args: tuple[Any, ...] = tuple(ast.literal_eval(argument) for argument in call.args)
            kwargs = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg}
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
        if len(kwargs) != len(call.keywords):
            return None
        return plain_request("call", self.names[call.func.id], args, kwargs)


def _may_change(function: ast.expr) -> bool:
    """Whether a call of this expression may change its arguments, or the object whose method it is."""
    if isinstance(function, ast.Attribute):
        return function.attr in _CHANGING_METHODS
    if not isinstance(function, ast.Name):
        return True
    return function.id in _CHANGING_METHODS | _CHANGING_BUILTINS or not hasattr(builtins, function.id)
