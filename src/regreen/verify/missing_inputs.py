"""Whether a program could do without a file or a variable that it asks for and that exists nowhere.

A missing input may be the user's to bring, or be the very bug: a name misspelt, a default forgotten, a file that the
program was to write. It is the user's only where nothing speaks for a bug: no file of a like name is there, neither
program nor check writes files, sets variables or mentions what is missing, and the check expects a value that is hardly
a default, since it is not empty and stands nowhere else in the check or the program.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import PurePath

from regreen.syntax import FUNCTIONS, callee_name, parsed_or_none
from regreen.types import Suite
from regreen.verify.check_causes import CheckCause
from regreen.verify.check_files import check_file

_ALIKE = 0.7
"""How like the name of a file that exists a missing one must be, by `difflib`, to be taken for a slip."""
_EXPECTS_ABSENCE = re.compile(
    r"\b(?:exists|is_file|is_dir|getenv|FileNotFoundError|OSError|IOError|KeyError|LookupError|raises|suppress|assertRaises\w*)\b"
    r"|missing|default|fallback|absent|without|no_such|nonexist"
)
"""Words of a program or a check that reckons with an input that is not there."""
_MAKES_INPUT = re.compile(
    r"\b(?:write\w*|mkdir|makedirs|touch|connect|dump|rename|replace_file|symlink\w*|copy(?:file|tree|2)?|NamedTemporaryFile"
    r"|mkstemp|mkdtemp|TemporaryDirectory|tmp_path\w*|tmpdir\w*|setenv|putenv|setitem|environb?\.update|patch|chdir)\b"
    r"|\bopen\([^)]*['\"][rbt]*[wax+][bt+]*['\"]|environ\[[^]]*\]\s*="
)
"""Words of a program or a check that may make files or set variables."""
_COMPARING_CALLS = frozenset("approx isclose len str int float round sorted list tuple set dict repr Decimal".split())
"""Calls whose arguments are compared as they are."""


def only_the_user_has_it(name: str, cause: CheckCause, program: str) -> bool:
    """Whether a red check needs the file or variable of this name, which nothing in `program`, a text, could bring."""
    check = _check_tree(cause.suite, cause.check)
    tree = parsed_or_none(program)
    if check is None or tree is None or _is_like_a_file_that_exists(name, cause.suite):
        return False
    reckons_with_it = any(
        words.search(text) for words in (_EXPECTS_ABSENCE, _MAKES_INPUT) for text in (program, ast.unparse(check))
    )
    return not reckons_with_it and _expects_more_than_a_default(check, tree)


def _check_tree(suite: Suite, check: str) -> ast.AST | None:
    """The test function, or the whole script of asserts; None where it cannot be told."""
    tree = parsed_or_none(check_file(suite, check)[1])
    if tree is None:
        return None
    name = re.split(r"::|\.", check.partition("[")[0])[-1]
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name == name]
    if len(functions) > 1:
        return None
    return functions[0] if functions else tree


def _is_like_a_file_that_exists(name: str, suite: Suite) -> bool:
    files = suite.project.files if suite.project is not None else ()
    known = {PurePath(path).name.lower() for path in files}
    return bool(difflib.get_close_matches(PurePath(name).name.lower(), known, 1, _ALIKE))


def _expects_more_than_a_default(check: ast.AST, program: ast.Module) -> bool:
    """Whether what the check compares with is not empty, and stands nowhere else in it or in the program."""
    expected = [constant for node in ast.walk(check) for constant in _compared_constants(node)]
    others = {*_constants(check), *_constants(program)} - {*expected}
    known = {constant.value for constant in others}
    return bool(expected) and not any(_is_a_usual_default(c.value) or c.value in known for c in expected)


def _is_a_usual_default(value: object) -> bool:
    return not value or value in (1, -1) or value is ...


def _compared_constants(node: ast.AST) -> Iterator[ast.Constant]:
    """The constants that an assertion compares with, without the arguments of the calls that it checks."""
    if isinstance(node, ast.Assert):
        yield from _open_constants(node.test)
    elif isinstance(node, ast.Call) and callee_name(node).startswith("assert"):
        for argument in node.args:
            yield from _open_constants(argument)


def _open_constants(node: ast.AST) -> Iterator[ast.Constant]:
    if isinstance(node, ast.Constant):
        yield node
    elif isinstance(node, ast.Subscript):
        yield from _open_constants(node.value)
    elif not isinstance(node, ast.Call) or callee_name(node) in _COMPARING_CALLS:
        for child in ast.iter_child_nodes(node):
            yield from _open_constants(child)


def _constants(tree: ast.AST) -> Iterator[ast.Constant]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
