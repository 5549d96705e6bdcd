"""Calls that a change brings in or drops, and nobody means: a question that takes away, letters in place of a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import UNPARSABLE, Function, callee_name, functions_of, nodes_of, tree, walk

_TAKING: Final = frozenset({"pop", "popleft", "popitem"})
_RARE_SPELLINGS: Final = frozenset({"title", "capitalize", "swapcase"})
_WORDS_FOR_THEM: Final = ("title", "capital", "swap")
_SPREADING: Final = frozenset({"extend", "update", "extendleft"})


def taking_questions(before: str, after: str) -> int:
    """How many conditions of `after` take away what they ask about, and of `before` not: `if left.pop(key, 0) > 0:`.

    A stack that nothing else takes from is asked so: `if stack.pop() != opened:`. 0 where one is no program.
    """
    return signs_gained(before, after, _taking)


@lru_cache(maxsize=64)
def _taking(source: str) -> tuple[str, ...]:
    tests = (node.test for node in walk(tree(source)) if isinstance(node, ast.If | ast.IfExp))
    calls = (call for test in tests for call in walk(test) if _takes(call))
    return tuple(ast.unparse(call) for call in calls if not _takes_from_stack(call, source))


def _takes_from_stack(call: ast.AST, source: str) -> bool:
    """Whether a call is the only one that takes the last item of what is appended to."""
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Attribute)
    stack = ast.unparse(call.func.value)
    is_last = call.func.attr == "pop" and not call.args
    return is_last and f"{stack}.append(" in source and source.count(f"{stack}.pop(") == 1


def _takes(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING


def undone_writing(before: str, after: str) -> int:
    """How many calls `after` has that read back what `before` writes: `unescape` in a program with `"&amp;"` in it, or
    with a function of its own that escapes. 0 where one is no program."""
    gained = signs_gained(before, after, _read_back)
    return gained if gained and _WRITTEN.search(before) and not _READS.search(before) else 0


_READS: Final = re.compile(r"un(?:escape|quote)")
_WRITTEN: Final = re.compile(r"\b(?:escape|quote)\(|&(?:amp|lt|gt|quot);|%20")


@lru_cache(maxsize=64)
def _read_back(source: str) -> tuple[str, ...]:
    return tuple(name for name in map(callee_name, nodes_of(tree(source), ast.Call)) if name and _READS.match(name))


def escaped_bars(before: str, after: str) -> int:
    """How many patterns of alternatives `after` escapes as a whole, `re.escape("|".join(words))`, and `before` not: the
    bars between the words stand for themselves then. 0 where one is no program."""
    return signs_gained(before, after, _escaped_whole)


@lru_cache(maxsize=64)
def _escaped_whole(source: str) -> tuple[str, ...]:
    parts = nodes_of(tree(source), ast.Assign)
    joined = {ast.unparse(part.targets[0]) for part in parts if _joins_by_bars(part.value)}
    calls = (call for call in nodes_of(tree(source), ast.Call) if callee_name(call) == "escape" and call.args)
    given = (call.args[0] for call in calls)
    return tuple(ast.unparse(part) for part in given if _joins_by_bars(part) or ast.unparse(part) in joined)


def _joins_by_bars(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value="|"), attr="join")):
            return True
    return False


def rare_spellings(before: str, after: str) -> int:
    """How many texts `after` spells with `title`, `capitalize` or `swapcase`, of which `before` says nothing.

    0 where one is no program.
    """
    if any(word in before.lower() for word in _WORDS_FOR_THEM):
        return 0
    return signs_gained(before, after, _rarely_spelt)


@lru_cache(maxsize=64)
def _rarely_spelt(source: str) -> tuple[str, ...]:
    calls = (node for node in nodes_of(tree(source), ast.Call) if not node.args)
    return tuple(name for name in map(callee_name, calls) if name in _RARE_SPELLINGS)


def spread_items(before: str, after: str) -> int:
    """How many collections `after` adds the parts of an item to, which it looks up or compares as a whole.

    `path.extend(name)` in place of `path.append(name)`: checks with names of one letter cannot tell.
    """
    return signs_gained(before, after, _spread)


@lru_cache(maxsize=64)
def _spread(source: str) -> tuple[str, ...]:
    functions = functions_of(tree(source))
    return tuple(text for function in functions for text in _spread_in(function))


def _spread_in(function: Function) -> Iterator[str]:
    whole = {name for node in walk(function) for name in _used_as_item(node)}
    for node in walk(function):
        if isinstance(node, ast.Call) and callee_name(node) in _SPREADING and len(node.args) == 1:
            item = node.args[0]
            if isinstance(item, ast.Name) and item.id in whole:
                yield ast.unparse(node)


def _used_as_item(node: ast.AST) -> Iterator[str]:
    """The names that are a key here, or asked for in a collection."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        yield node.slice.id
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        yield from (node.left.id,) if isinstance(node.left, ast.Name) else ()


def dropped_calls(before: str, after: str) -> int:
    """How many functions of `before` called one of the program's own on a line by itself, and in `after` do not.

    Where another function calls it since, the call was only in the wrong place. 0 where one is no program.
    """
    try:
        called = _own_calls(after)
        come = {callee for _, callee in called - _own_calls(before)}
        return sum(callee not in come for _, callee in _own_calls(before, on_lines=True) - called)
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _own_calls(source: str, *, on_lines: bool = False) -> frozenset[tuple[str, str]]:
    """Each function with each of the program's own that it calls, anywhere or on a line by itself."""
    functions = functions_of(tree(source))
    own = {function.name for function in functions}
    found: set[tuple[str, str]] = set()
    for function in functions:
        nodes = walk(function)
        values = [node.value for node in nodes if isinstance(node, ast.Expr)] if on_lines else nodes
        calls = (value for value in values if isinstance(value, ast.Call))
        found |= {(function.name, name) for call in calls if (name := callee_name(call)) in own}
    return frozenset(found)
