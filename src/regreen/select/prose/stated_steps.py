"""Steps and words that prose asks for and a program has nothing of: they tell apart what passes alike."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import Final

from regreen.plain_slips.void_expressions import grid_step
from regreen.select.inputs.side_effects import changes_what_is_given
from regreen.select.prose.sentences import dotted_definitions
from regreen.select.signs.gains import signs_gained
from regreen.select.signs.idle_code import moves_item
from regreen.syntax import UNPARSABLE, callee_name, constant_text, names_within, nodes_of, parsed_or_none, tree, walk

_CASES: Final = frozenset(
    {"lower", "upper", "casefold", "IGNORECASE", "swapcase", "capitalize", "title", "islower", "isupper"}
)
_CHARACTERS: Final = frozenset(
    {"isalnum", "isalpha", "isdigit", "isspace", "sub", "findall", "translate", "punctuation"}
)
_DISTINCT: Final = {"set", "frozenset", "fromkeys", "Counter", "seen", "In", "NotIn", "Set", "SetComp", "Dict"}
_ROUNDING: Final = frozenset(
    {"round", "quantize", "floor", "ceil", "trunc", "FormattedValue", "FloorDiv", "format", "isqrt", "0.5"}
)
_ANSWERS: Final[dict[str, frozenset[str]]] = {
    "case": _CASES,
    "blanks": _CHARACTERS | {"replace", "split", "strip", "lstrip", "rstrip", "' '"},
    "punctuation": _CHARACTERS | {"replace", "strip"},
    "letters": _CHARACTERS,
    "digits": _CHARACTERS,
    "alphanumeric": _CHARACTERS,
    "distinct": frozenset(_DISTINCT),
    "order": frozenset({"sorted", "sort", "heapq", "heappush", "heapify", "insort", "nlargest", "nsmallest"}),
    "product": frozenset({"Mult", "prod", "Pow", "mul"}),
    "remainder": frozenset({"Mod", "divmod", "BitAnd", "gcd", "range", "FloorDiv", "round", "0.5"}),
    "ties": frozenset({"Eq", "sorted", "sort", "heapq", "heappush", "nsmallest", "nlargest", "compared Tuple"}),
    "copy": frozenset(
        {"copy", "deepcopy", "list", "dict", "set", "tuple", "sorted", "replace", "Slice", "Starred"}
        | {"ListComp", "DictComp", "SetComp"}
    ),
    "truncation": frozenset({"int", "trunc", "divmod", "fix", "abs"}),
    "absolute": frozenset({"abs", "fabs", "USub", "copysign"}),
    "rounding": _ROUNDING,
}
"""What a program has that does such a step: names, kinds of nodes, literals."""
_QUOTED: Final = re.compile(r"\"([^\"\n]{1,30})\"|'([^'\n]{1,30})'|`([^`\n]{1,30})`")


_ITEM: Final = r"(?:the |a |an )?[`A-Za-z_.()]+"
_BEFORE_FORBIDDEN: Final = (
    r"without(?: using| importing| calling)?|(?:do not|don't|must not|may not|never) (?:use|call|import)|not using|no"
)
_FORBIDDING: Final = re.compile(
    rf"\b(?:{_BEFORE_FORBIDDEN})\s+(?=({_ITEM}(?:(?:,| and| or| nor|, no|, or)\s+{_ITEM})*))", re.IGNORECASE
)
_TOOLS: Final = frozenset(
    {"sorted", "sort", "max", "min", "sum", "reversed", "reverse", "eval", "exec", "set", "len", "pow", "divmod", "zip"}
    | {"heapq", "re", "itertools", "collections", "Counter", "bisect", "datetime", "statistics", "math", "functools"}
    | {"replace", "split", "join", "index", "find", "count", "bin", "hex", "str", "abs", "round"}
)
"""What exercises forbid, and prose means where it says these words in a list of what is not to be used."""
_PLAIN_WORDS: Final = frozenset({"set", "index", "find", "count", "split", "join", "replace", "sum", "sort", "reverse"})
"""Those that are plain words too: they are meant where they are written as code, or are "not to be used"."""


def forbidden_names(sentence: str) -> frozenset[str]:
    """The functions and modules that a sentence says are not to be used: "without sorted", "do not use datetime"."""
    found: set[str] = set()
    for listed in _FORBIDDING.finditer(sentence):
        says_use = re.search(r"\b(?:us(?:e|ing)|call(?:ing)?|import(?:ing)?)\b", listed.group(0).lower()) is not None
        for word in re.findall(r"`?[A-Za-z_.]+(?:\(\))?`?", listed.group(1)):
            name = word.strip("`().").rpartition(".")[2]
            is_code = not word.isalpha()
            if name in _TOOLS and (is_code or says_use or name not in _PLAIN_WORDS):
                found.add(name)
    return frozenset(found)


def done_otherwise(forbidden: Set[str]) -> frozenset[str]:
    """The steps that are to be done without what usually does them: nothing shows whether a program does them."""
    return frozenset(step for step, words in _ANSWERS.items() if not words.isdisjoint(forbidden))


def forbidden_gained(names: Set[str], before: str, after: str) -> int:
    """How many of the names stand in `after` and not in `before`."""
    return len((names & _words(after)) - _words(before)) if names else 0


_ROUND: Final = re.compile(
    r"circ|cycl|rotat|\bring\b|wrap|around|wheel|clock|caesar|cipher|encrypt|shift|round.?robin|modulo|\bturns?\b"
)
"""Words for what goes on at its beginning."""


def speaks_of_rounds(text: str) -> bool:
    """Whether a text speaks of a ring, a wheel, or what goes round otherwise."""
    return _ROUND.search(text.lower()) is not None


def wrapped_places(before: str, after: str) -> int:
    """How many more indices `after` brings back by the length of what they are places of: `xs[(i + 1) % len(xs)]`."""
    return signs_gained(before, after, _wrapped)


@lru_cache(maxsize=64)
def _wrapped(source: str) -> tuple[str, ...]:
    places = (node.slice for node in nodes_of(tree(source), ast.Subscript))
    wrapped = (place for place in places if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Mod))
    return tuple(ast.unparse(place) for place in wrapped if "len(" in ast.unparse(place.right))


def unanswered(requirements: Set[str], program: str) -> int:
    """How many of the steps a program does nothing of; 0 where it does not parse."""
    words = _words(program)
    if not words:
        return 0
    lacking = sum(words.isdisjoint(_ANSWERS[name]) for name in requirements if name in _ANSWERS)
    lacking -= "ties" in requirements and words.isdisjoint(_ANSWERS["ties"]) and _leaves_equals_over(program)
    lacking -= "order" in requirements and words.isdisjoint(_ANSWERS["order"]) and _is_ordered_by_itself(program)
    lacking += "truncation" in requirements and bool(words & _ANSWERS["truncation"]) and not _cuts_off(program)
    lacking += "unchanged" in requirements and changes_what_is_given(program)
    return lacking + ("straight" in requirements and _has_diagonal_steps(program))


@lru_cache(maxsize=64)
def _leaves_equals_over(program: str) -> bool:
    """Whether a program asks `if a < b`, `elif a > b`, and does something else for what is equal."""
    for node in nodes_of(tree(program), ast.If):
        match node:
            case ast.If(
                test=ast.Compare(left=one, ops=[ast.Lt() | ast.Gt() as first], comparators=[other]),
                orelse=[
                    ast.If(
                        test=ast.Compare(left=same, ops=[ast.Lt() | ast.Gt() as second], comparators=[rest]),
                        orelse=[_, *_],
                    )
                ],
            ) if type(first) is not type(second):
                if (ast.dump(one), ast.dump(other)) == (ast.dump(same), ast.dump(rest)):
                    return True
    return False


@lru_cache(maxsize=64)
def _is_ordered_by_itself(program: str) -> bool:
    """Whether a program gives places as it comes to them, `found.append(i)`, takes out the least one again and again,
    or moves items about: what it gives is in order without being sorted."""
    words = _words(program)
    if words & {"min", "max"} and words & {"remove", "pop", "discard"}:
        return True
    module = tree(program)
    if any(moves_item(node) for node in nodes_of(module, ast.Assign)):
        return True
    rounds: list[tuple[ast.expr, ast.expr, ast.AST]] = [(f.target, f.iter, f) for f in nodes_of(module, ast.For)]
    listed = ((made.generators[0], made.elt) for made in nodes_of(module, ast.ListComp))
    rounds += [(loop.target, loop.iter, given) for loop, given in listed]
    return any(_gives(part, place) for target, through, part in rounds for place in _places(target, through))


def _places(target: ast.expr, through: ast.expr) -> Iterator[str]:
    """The variable that counts up while a loop runs: `i` of `for i in range(n)` and of `for i, x in enumerate(xs)`."""
    called = callee_name(through) if isinstance(through, ast.Call) else ""
    first = target.elts[0] if called == "enumerate" and isinstance(target, ast.Tuple) else target
    if called in ("range", "enumerate", "count") and isinstance(first, ast.Name):
        yield first.id


def _gives(part: ast.AST, place: str) -> bool:
    """Whether what a loop gathers, or a comprehension makes, is worked out from the place."""
    if isinstance(part, ast.expr):
        return place in names_within(part)
    given = [node.args[0] for node in nodes_of(part, ast.Call) if callee_name(node) == "append" and node.args]
    given += [node.value for node in nodes_of(part, ast.Yield) if node.value is not None]
    return any(place in names_within(one) for one in given)


@lru_cache(maxsize=64)
def _cuts_off(program: str) -> bool:
    """Whether a program cuts a result off, or works with amounts: a number that it reads from text, `int(word)`, does
    not count."""
    calls = nodes_of(tree(program), ast.Call)
    cut = (part for call in calls if callee_name(call) == "int" for part in call.args)
    is_worked_out = any(isinstance(node, ast.BinOp | ast.Call) for part in cut for node in walk(part))
    return is_worked_out or any(callee_name(call) in ("trunc", "divmod", "fix", "abs") for call in calls)


@lru_cache(maxsize=64)
def _has_diagonal_steps(program: str) -> bool:
    """Whether a program writes out steps to places that are beside one in both directions: `(1, -1)`."""
    steps = (grid_step(node) for node in walk(tree(program)) if isinstance(node, ast.Tuple | ast.List))
    return any(step is not None and {*map(abs, step)} == {1} for step in steps)


def misplaced(asked: Set[tuple[str, str]], program: str) -> int:
    """How many of the steps that the prose of one definition asks for are done elsewhere alone; 0 where it does not
    parse.

    `asked` are dotted names of definitions with names of steps. One that calls others of the program may leave its
    steps to them.
    """
    module = parsed_or_none(program)
    if module is None or not asked:
        return 0
    definitions = dict(dotted_definitions(module))
    own = {node.name for node in definitions.values()}
    found = 0
    for scope, step in asked:
        node = definitions.get(scope)
        if node is not None and step in _ANSWERS and not _words(program).isdisjoint(_ANSWERS[step]):
            inside = _words_in(walk(node))
            found += inside.isdisjoint(_ANSWERS[step]) and inside.isdisjoint(own - {node.name})
    return found


def quoted_texts(prose: str) -> frozenset[str]:
    """The texts that prose quotes."""
    return frozenset("".join(found) for found in _QUOTED.findall(prose))


def lost_texts(texts: Set[str], before: str, after: str) -> int:
    """How many of the texts stood in `before` and stand nowhere in `after`."""
    had = {text for text in texts if repr(text) in _words(before)}
    return sum(repr(text) not in _words(after) for text in had)


@lru_cache(maxsize=64)
def _words(program: str) -> frozenset[str]:
    """The names, the kinds of nodes and the literals of a program, docstrings left out."""
    try:
        return _words_in(walk(tree(program)))
    except UNPARSABLE:
        return frozenset()


def _words_in(nodes: Sequence[ast.AST]) -> frozenset[str]:
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    found = {type(node).__name__ for node in nodes}
    found |= {node.id for node in nodes if isinstance(node, ast.Name)}
    found |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    found |= {type(operator).__name__ for node in nodes if isinstance(node, ast.Compare) for operator in node.ops}
    found |= {"compared Tuple" for node in nodes if isinstance(node, ast.Compare) and isinstance(node.left, ast.Tuple)}
    found |= {"compared Tuple" for node in nodes if isinstance(node, ast.Lambda) and isinstance(node.body, ast.Tuple)}
    found |= {type(node.op).__name__ for node in nodes if isinstance(node, ast.UnaryOp | ast.BinOp)}
    return frozenset(
        found | {constant_text(n.value) for n in nodes if isinstance(n, ast.Constant) and id(n) not in prose}
    )
