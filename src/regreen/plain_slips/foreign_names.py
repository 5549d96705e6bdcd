"""Functions, methods and words of other languages, behind which nothing stands: `Math.min`, `xs.push(x)`."""

from __future__ import annotations

import ast
import math
from collections import deque
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.given_kinds import kinds_given
from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.plain_slips.module_functions import new_line
from regreen.syntax import DEFINITIONS, FUNCTIONS, names_set
from regreen.types import Edit

_AROUND_ANY: Final = (
    *(ast.If, ast.While, ast.Return, ast.Assign, ast.AugAssign, ast.Expr, ast.Call, ast.keyword),
    *(ast.BoolOp, ast.comprehension),
)
"""What takes a comparison without brackets."""


def foreign_words(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`null`, `true` and `this.size`, where nothing of that name is."""
    for node in program.nodes:
        if not isinstance(node, ast.Name) or node.id not in program.unbound:
            continue
        if node.id in _WORDS:
            yield PlainSlip("foreign_word", program.put(node, _WORDS[node.id]))
        elif node.id == "this" and _is_in_method(node, program):
            yield PlainSlip("foreign_word", program.put(node, "self"))


_WORDS: Final = {
    **dict.fromkeys(("null", "nil", "NULL", "undefined", "nullptr", "none"), "None"),
    **dict.fromkeys(("true", "TRUE"), "True"),
    **dict.fromkeys(("false", "FALSE"), "False"),
    **dict.fromkeys(("Infinity", "INFINITY", "INT_MAX"), 'float("inf")'),
    "INT_MIN": 'float("-inf")',
    "NaN": 'float("nan")',
    "xrange": "range",
    "raw_input": "input",
    "unicode": "str",
    "parseInt": "int",
    "parseFloat": "float",
    "String": "str",
    "strlen": "len",
    "println": "print",
}


def _is_in_method(node: ast.AST, program: LocatedProgram) -> bool:
    """Whether the function around a node, or one around that, has a `self`."""
    around = program.parents.get(node)
    while around is not None:
        if isinstance(around, FUNCTIONS) and around.args.args and around.args.args[0].arg == "self":
            return True
        around = program.parents.get(around)
    return False


def foreign_functions(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`Math.min(a, b)`, `Math.floor(a / b)` and `Integer.MAX_VALUE`, where nothing is called `Math` or `Integer`."""
    is_imported = _imports_math(program)
    for node in program.nodes:
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if (owner := node.value.id) not in program.unbound:
            continue
        if (owner, node.attr) in _MEMBERS:
            yield PlainSlip("foreign_function", program.put(node, _MEMBERS[owner, node.attr]))
        elif owner == "Math" and node.attr in _OF_MATH:
            yield PlainSlip("foreign_function", program.put(node, node.attr))
        elif owner == "Math" and hasattr(math, node.attr.lower()):
            imported = () if is_imported else (new_line(program, "import math"),)
            is_imported = True
            yield PlainSlip("foreign_function", (*imported, *program.put(node, f"math.{node.attr.lower()}")))


_OF_MATH: Final = frozenset({"min", "max", "abs", "pow", "round"})
_MEMBERS: Final = {
    **{(name, "MAX_VALUE"): 'float("inf")' for name in ("Integer", "Number", "Long", "Double")},
    **{(name, "MIN_VALUE"): 'float("-inf")' for name in ("Integer", "Long")},
    ("Number", "MAX_SAFE_INTEGER"): 'float("inf")',
    ("Number", "POSITIVE_INFINITY"): 'float("inf")',
    ("Number", "NEGATIVE_INFINITY"): 'float("-inf")',
    ("Integer", "parseInt"): "int",
    ("Integer", "valueOf"): "int",
    ("Double", "parseDouble"): "float",
    ("String", "valueOf"): "str",
    ("Object", "keys"): "list",
    ("console", "log"): "print",
}


def _imports_math(program: LocatedProgram) -> bool:
    return any(
        isinstance(stmt, ast.Import) and any(alias.name == "math" and not alias.asname for alias in stmt.names)
        for stmt in program.module.body
    )


def foreign_lengths(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`xs.length`, and `xs.length()` and `xs.size()` of what is a container wherever it is given a value."""
    own = _own_names(program)
    asked = [node for node in program.nodes if isinstance(node, ast.Attribute) and node.attr in _LENGTHS - own]
    objects = _objects(program) if asked else frozenset()
    known = kinds_given(program.nodes, program) if asked else {}
    for node in asked:
        if not isinstance(node.ctx, ast.Load):
            continue
        kinds = known.get(program.text(node.value), {None})
        parent = program.parents[node]
        is_called = isinstance(parent, ast.Call) and parent.func is node and not parent.args and not parent.keywords
        is_bare = node.attr == "length" and not is_called
        is_surely = None not in kinds or (program.stands_alone and program.text(node.value) not in objects)
        if (is_bare and is_surely) or (is_called and None not in kinds):
            whole = parent if is_called and isinstance(parent, ast.Call) else node
            yield PlainSlip("foreign_length", program.put(whole, f"len({program.text(node.value)})"))


_LENGTHS: Final = frozenset({"length", "size", "len"})


def methods_of_other_languages(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`xs.push(x)`, `queue.pop_front()`, `text.charAt(i)` and `table.containsKey(k)`, where no class has such."""
    asked = [node for node in program.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    asked = [node for node in asked if _name_of(node) in _NAMES]
    if not asked or not program.stands_alone:
        return
    own, known, objects = _own_names(program), kinds_given(program.nodes, program), _objects(program)
    for node in asked:
        name, owner = _name_of(node), program.text(node.func.value)  # type: ignore[attr-defined]
        if (
            name in own
            or owner in objects
            or node.keywords
            or any(isinstance(argument, ast.Starred) for argument in node.args)
        ):
            continue
        kinds = known.get(owner, {None})
        kind = next(iter(kinds)) if len(kinds) == 1 else None
        meant = _OF_KINDS.get((kind, name, len(node.args)))
        if meant is not None or name in _SAME:
            meant = meant or _meant_method(name, len(node.args), kinds, program)
            if meant is not None:
                end = program.span(node.func)[1]
                closed = program.source.index("(", end) + 1
                yield PlainSlip("foreign_method", (Edit(end - len(name), closed, meant),))
        elif (text := _as_python(node, name, program)) is not None:
            yield PlainSlip("foreign_method", program.put(node, text))


def _objects(program: LocatedProgram) -> frozenset[str]:
    """What is asked for an attribute that no value of Python's own has, here or in another language."""
    reads = (node for node in program.nodes if isinstance(node, ast.Attribute))
    return frozenset(program.text(read.value) for read in reads if read.attr not in _OF_VALUES | _NAMES | _LENGTHS)


_OF_VALUES: Final = frozenset(name for kind in (list, dict, set, str, tuple, deque, int, float) for name in dir(kind))


def _name_of(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


_PUT_LAST: Final = frozenset("push push_back pushBack enqueue add_last addLast offer offerLast append_right".split())
_PUT_FIRST: Final = frozenset("push_front pushFront add_first addFirst offerFirst unshift append_left prepend".split())
_TAKE_FIRST: Final = frozenset(
    "pop_front popFront shift dequeue poll pollFirst removeFirst pop_left popLeft pop_first".split()
)
_TAKE_LAST: Final = frozenset("pop_back popBack pollLast removeLast pop_last pop_right".split())
_RENAMED: Final[dict[str, tuple[int, str]]] = {
    "toLowerCase": (0, "lower"),
    "to_lower": (0, "lower"),
    "lowercase": (0, "lower"),
    "toUpperCase": (0, "upper"),
    "to_upper": (0, "upper"),
    "uppercase": (0, "upper"),
    "trim": (0, "strip"),
    "trimStart": (0, "lstrip"),
    "trimEnd": (0, "rstrip"),
    "startsWith": (1, "startswith"),
    "starts_with": (1, "startswith"),
    "endsWith": (1, "endswith"),
    "ends_with": (1, "endswith"),
    "lastIndexOf": (1, "rfind"),
    "isDigit": (0, "isdigit"),
    "is_digit": (0, "isdigit"),
    "isAlpha": (0, "isalpha"),
    "is_alpha": (0, "isalpha"),
    "keySet": (0, "keys"),
    "entrySet": (0, "items"),
    "entries": (0, "items"),
    "iteritems": (0, "items"),
    "itervalues": (0, "values"),
    "iterkeys": (0, "keys"),
    "getOrDefault": (2, "get"),
    "addAll": (1, "extend"),
    "push_all": (1, "extend"),
    "append_all": (1, "extend"),
    "clone": (0, "copy"),
    "removeAt": (1, "pop"),
    "remove_at": (1, "pop"),
}
"""By method: how many arguments it is given, and the name of the method of Python's."""
_SAME: Final = frozenset({*_PUT_LAST, *_PUT_FIRST, *_TAKE_FIRST, *_TAKE_LAST, *_RENAMED})


def _meant_method(name: str, given: int, kinds: set[type | None], program: LocatedProgram) -> str | None:
    """The method of Python's that does the same, with its opening bracket; None where there is none."""
    is_queue = kinds == {deque} or (None in kinds and "deque" in program.source)
    if name in _PUT_LAST | _PUT_FIRST and given == 1:
        if kinds == {set}:
            return "add("
        last = "append("
        return last if name in _PUT_LAST else "appendleft(" if is_queue else "insert(0, "
    if name in _TAKE_FIRST | _TAKE_LAST and given == 0:
        return "pop(" if name in _TAKE_LAST else "popleft(" if is_queue else "pop(0"
    count, meant = _RENAMED.get(name, (-1, ""))
    return f"{meant}(" if count == given else None


FOREIGN_FORMS: Final[dict[str, str]] = {
    **dict.fromkeys(("charAt", "char_at", "elementAt"), "{x}[{0}]"),
    "substring": "{x}[{0}:{1}]",
    "charCodeAt": "ord({x}[{0}])",
    "indexOf": "{x}.find({0})",
    "concat": "{x} + {0}",
    "equals": "{x} == {0}",
    **dict.fromkeys(("containsKey", "hasOwnProperty", "has_key", "includes", "contains", "has"), "{0} in {x}"),
    **dict.fromkeys(("isEmpty", "is_empty", "empty"), "not {x}"),
    **dict.fromkeys(("peek", "top", "last"), "{x}[-1]"),
    **dict.fromkeys(("toString", "to_string"), "str({x})"),
}
"""By method of another language, how Python writes it: `{x}` is the value, `{0}` and `{1}` are the arguments."""


def arguments_in(form: str) -> int:
    """How many arguments a method is given that is written so."""
    return max((place + 1 for place in (0, 1) if f"{{{place}}}" in form), default=0)


_OF_KINDS: Final[dict[tuple[type | None, str, int], str]] = {
    (deque, "push", 1): "append(",
    (deque, "add", 1): "append(",
    (dict, "remove", 1): "pop(",
    (dict, "delete", 1): "pop(",
    (list, "discard", 1): "remove(",
    (list, "popleft", 0): "pop(0",
    (list, "appendleft", 1): "insert(0, ",
    (list, "update", 1): "extend(",
    (list, "addAll", 1): "extend(",
    (set, "extend", 1): "update(",
    (set, "addAll", 1): "update(",
    (set, "delete", 1): "discard(",
    (set, "pop", 1): "remove(",
}
"""By kind, method and number of arguments: the method of that kind that is meant, with its opening bracket."""
_STATEMENTS: Final[dict[tuple[str, int], str]] = {
    ("put", 2): "{x}[{0}] = {1}",
    ("set", 2): "{x}[{0}] = {1}",
    ("splice", 1): "del {x}[{0}:]",
    ("splice", 2): "del {x}[{0}:{0} + {1}]",
    ("truncate", 1): "del {x}[{0}:]",
    ("removeRange", 2): "del {x}[{0}:{1}]",
}
"""By method and number of arguments: the statement that does the same."""
_NAMES: Final = frozenset(
    {*_SAME, *FOREIGN_FORMS, *(name for _, name, _ in _OF_KINDS), *(name for name, _ in _STATEMENTS)}
)


def _as_python(node: ast.Call, name: str, program: LocatedProgram) -> str | None:
    """The whole call as Python writes it."""
    form = FOREIGN_FORMS.get(name, "")
    if isinstance(program.parents[node], ast.Expr):
        form = _STATEMENTS.get((name, len(node.args)), "")
    if not form or len(node.args) != arguments_in(form):
        return None
    owner = node.func.value  # type: ignore[attr-defined]
    is_plain = isinstance(owner, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    text = form.format(*map(program.text, node.args), x=program.text(owner) if is_plain else f"({program.text(owner)})")
    is_tight = form.endswith(("]", ")"))
    return text if is_tight or isinstance(program.parents[node], _AROUND_ANY) else f"({text})"


def _own_names(program: LocatedProgram) -> set[str]:
    """The names of what the program defines, and of the attributes that it sets."""
    stored = (
        node.attr for node in program.nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    )
    return {*(node.name for node in program.nodes if isinstance(node, DEFINITIONS)), *stored, *names_set(program.nodes)}


FOREIGN_NAMES: Final = (foreign_words, foreign_functions, foreign_lengths, methods_of_other_languages)
