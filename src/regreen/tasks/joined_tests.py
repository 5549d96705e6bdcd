"""One text of tests made of two, of which each keeps what it defines."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Set

from regreen.syntax import DEFINITIONS, UNPARSABLE, tree

_TEST_FUNCTION = re.compile(r"^\s*(?:async\s+)?def test_", re.MULTILINE)
_SUFFIX = "_visible"


def joined_tests(visible: str, hidden: str) -> str:
    """Both, one behind the other.

    Test functions run when all is defined: what both define, and not alike, gets another name in the visible ones.
    Statements run one by one, and may set a variable anew.
    """
    if _TEST_FUNCTION.search(visible) and _TEST_FUNCTION.search(hidden):
        visible = _renamed(visible, _defined_otherwise(visible, hidden))
    return f"{visible.rstrip()}\n{hidden.lstrip()}"


def _defined_otherwise(visible: str, hidden: str) -> set[str]:
    """The names that both texts define, and not in the same way."""
    try:
        one, other = (dict(_definitions(text)) for text in (visible, hidden))
    except UNPARSABLE:
        return set()
    return {name for name in one.keys() & other.keys() if one[name] != other[name]}


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    """Each function, class and variable of a module, with what says how it is made."""
    for statement in tree(text).body:
        if isinstance(statement, DEFINITIONS):
            yield statement.name, ast.dump(statement)
        elif isinstance(statement, ast.Assign):
            names = (part for target in statement.targets for part in ast.walk(target))
            yield from ((name.id, ast.dump(statement.value)) for name in names if isinstance(name, ast.Name))


def _renamed(text: str, names: Set[str]) -> str:
    """The text with other names, but for attributes of the same name."""
    if not names:
        return text
    lines = text.splitlines(keepends=True)
    before = ""
    places = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string in names and before != ".":
            places.append(token.end)
        before = token.string
    for line, column in reversed(places):
        lines[line - 1] = lines[line - 1][:column] + _SUFFIX + lines[line - 1][column:]
    return "".join(lines)
