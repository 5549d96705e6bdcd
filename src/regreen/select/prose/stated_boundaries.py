"""What prose says of boundaries, "at least 5000" or "no more than `width`", and whether a program draws them so.

A boundary is a cut between two neighbouring numbers: "at least 18", "under 18" and `age >= 18` cut below 18, "more than
18", "up to and including 18" and `age <= 18` above it. Which of the two sides a sentence then speaks of, and whether it
negates, does not matter, so that no sentence has to be understood as a whole.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

from regreen.select.prose.sentences import EVERYWHERE, dotted_definitions, sentences_of
from regreen.syntax import ORDERS, Function, functions_of, nearest_float, parsed_or_none, walk, whole_number

_NEAR = 1.0
"""A cut so far from the one that prose names, in whole numbers, is another opinion about the same boundary."""
NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_NUMBER = rf"[$€£]?(?P<number>-?\d+(?:[,_]\d{{3}})*(?:\.\d+)?|\b(?:{'|'.join(NUMBER_WORDS)})\b)"
_NAME = r"(?P<name>`[A-Za-z_][\w.]*`|\b[A-Za-z_]\w*\b)"
_QUOTED = r"(?P<name>`[A-Za-z_][\w.]*`)"
_UP = r"(?:more|greater|higher|larger|bigger|longer|older|later|heavier|taller|newer|faster|warmer|hotter)"
_DOWN = r"(?:less|fewer|lower|smaller|shorter|younger|earlier|lighter|slower|colder|cheaper)"
_NUMBER_OR_NAME = rf"(?:{_NUMBER}|{_NAME})"
_NUMBER_OR_QUOTED = rf"(?:{_NUMBER}|{_QUOTED})"
_THE = r"(?:(?:the|a|an|its|their|this|that|given|own) ){0,2}"
"""Words before the name of a bound that say nothing of it."""
_Cuts = Mapping[str, Counter[tuple[str, float]]]
"""How often each definition draws each cut, relative to a name or to nothing."""


class Stand(IntEnum):
    """What a program does about a boundary that prose names."""

    AGREES = 0
    OPEN = 1
    """It draws no boundary there."""
    CONTRADICTS = 2


_BELOW, _ABOVE = -0.5, 0.5
_PHRASES: tuple[tuple[float, str], ...] = (
    (_BELOW, rf"\b(?:{_UP} than or equal to|at least|a minimum of|no {_DOWN} than) {_THE}{_NUMBER_OR_NAME}"),
    (_ABOVE, rf"\b(?:{_DOWN} than or equal to|at most|a maximum of|no {_UP} than) {_THE}{_NUMBER_OR_NAME}"),
    (_ABOVE, rf"\b(?:{_UP} than|exceeds?|exceeding) {_THE}{_NUMBER_OR_NAME}"),
    (_BELOW, rf"\b{_DOWN} than {_THE}{_NUMBER_OR_NAME}"),
    (_BELOW, rf"\bup to,? but (?:not including|excluding),? {_THE}{_NUMBER_OR_NAME}"),
    (_ABOVE, rf"\bup to and including {_THE}{_NUMBER_OR_NAME}"),
    (_ABOVE, rf"\b(?:above|beyond|after|up to) {_NUMBER_OR_QUOTED}(?! times\b)"),
    (_BELOW, rf"\b(?:below|before|starting (?:at|from|with)) {_NUMBER_OR_QUOTED}"),
    (_ABOVE, rf"\b(?:above|beyond) (?:the|its|their) {_NAME}"),
    (_BELOW, rf"\b(?:below|reach(?:es|ed|ing)?) (?:the|its|their) {_NAME}"),
    (_BELOW, rf"\breach(?:es|ed|ing)? {_NUMBER_OR_QUOTED}"),
    (_ABOVE, rf"\b(?:over|through) {_NUMBER}"),
    (_BELOW, rf"\b(?:under|from) {_NUMBER}"),
    (_BELOW, rf"{_NUMBER_OR_QUOTED}(?: \w+)? or (?:{_UP}|above|over|up|after)\b"),
    (_ABOVE, rf"{_NUMBER_OR_QUOTED}(?: \w+)? or (?:{_DOWN}|below|under|before)\b"),
    (_BELOW, rf"(?:>=|≥) ?{_NUMBER}"),
    (_ABOVE, rf"(?:<=|≤|=<) ?{_NUMBER}"),
    (_ABOVE, rf"(?<![-=<>])>(?!=) ?{_NUMBER}"),
    (_BELOW, rf"(?<![-=<>])<(?!=) ?{_NUMBER}"),
    (_BELOW, rf"{_NUMBER} ?(?:<=|≤)"),
    (_ABOVE, rf"{_NUMBER} ?<(?!=)"),
)
"""Where each phrase cuts, seen from the number, and the phrase; the first that fits a place decides."""
_SIGN = r"\s*(?:<=|≤|<)\s*"
_POWER = r"-?\d[\d_,.]*(?:\s*(?:\^|\*\*|\*)\s*\d+)*"
_CHAIN = rf"{_POWER}{_SIGN}[A-Za-z_`][\w\s,.`()\[\]]*?(?:{_SIGN}[A-Za-z_`][\w\s,.`()\[\]]*?)?{_SIGN}{_POWER}"
_CHAINS = re.compile(rf"\({_CHAIN}\)|{_CHAIN}")
_DOMAINS = (
    re.compile(r"\((?:`?\w+`?\s*(?:>=|≥|>)\s*[01]|[01]\s*(?:<=|≤|<)\s*`?\w+`?)\)"),
    re.compile(r"\b(?:at most|up to|no more than)\s+\d+\s*(?:\^|\*\*)\s*\d+"),
)
"""What a program may be given, as contests state it: `(1 <= n <= 500)`, `(k >= 1)`, "up to 10^5 roads"."""
_ACTS = re.compile(
    r"\b(?:return|rais|error|invalid|otherwise|unless|refus|reject|valid|allow|accept|else|if|must)", re.I
)
"""Words of sentences that say what becomes of what is outside."""
_BETWEEN = rf"(strictly )?\bbetween {_NUMBER} and {_NUMBER.replace('number', 'last')}(.{{0,24}})"
_COUNTED = re.compile(r" `?(?P<name>[A-Za-z_]\w*)")
"""What a number counts."""
_BOUND_NAME = re.compile(r"(?:^|_)(?:(?P<low>min|minimum|at_least)|(?P<high>max|maximum|at_most))(?:_|$)", re.I)


@dataclass(frozen=True, slots=True)
class StatedBoundary:
    """A cut that prose names."""

    anchor: str
    """The name that it is relative to; "" for a plain number."""
    cut: float
    """Between two whole numbers, e.g. 17.5."""
    scope: str
    """The dotted name of the definition that the sentence speaks of."""
    quote: str


@lru_cache(maxsize=16)
def stated_boundaries(program: str, statement: str = "") -> tuple[StatedBoundary, ...]:
    """What the prose of a program and its statement says of boundaries, and what names such as MIN_LENGTH say."""
    module = parsed_or_none(program)
    if module is None:
        return ()
    names = _names(module)
    unmeasured = names - _measured(module)
    found = [
        StatedBoundary(anchor, cut, sentence.scope, sentence.text)
        for sentence in sentences_of(program, statement)
        for anchor, cut in _read(_without_domains(sentence.text), names, unmeasured)
    ]
    found += [
        StatedBoundary(name, _BELOW if bound["low"] else _ABOVE, EVERYWHERE, name)
        for name in sorted(names)
        if (bound := _BOUND_NAME.search(name)) is not None
    ]
    kept = {(boundary.anchor, boundary.cut, boundary.scope): boundary for boundary in reversed(found)}
    # A statement often says over again what a docstring says.
    within = {(b.anchor, b.cut, b.quote) for b in found if b.scope != EVERYWHERE}
    once = (b for b in kept.values() if b.scope != EVERYWHERE or (b.anchor, b.cut, b.quote) not in within)
    return tuple(reversed(list(once)))


def _without_domains(text: str) -> str:
    """A sentence without what it says of possible inputs, unless it says what becomes of others."""
    chains = [found.group() for found in _CHAINS.finditer(text)]
    is_stated = len(chains) > 1 or any("^" in chain or "*" in chain or chain[0] == "(" for chain in chains)
    if is_stated and not _ACTS.search(text):
        text = _CHAINS.sub(" ", text)
    for domain in _DOMAINS:
        text = domain.sub(" ", text)
    return text


@cache
def _compiled() -> tuple[re.Pattern[str], tuple[tuple[float, re.Pattern[str]], ...]]:
    """_BETWEEN and _PHRASES. They take longer to compile than all other patterns of a search, and few programs have
    prose."""
    return re.compile(_BETWEEN, re.I), tuple((side, re.compile(phrase, re.I)) for side, phrase in _PHRASES)


def _read(text: str, names: set[str], unmeasured: set[str]) -> Iterator[tuple[str, float]]:
    """The anchors and cuts in one sentence.

    "Fewer than two words" is no boundary of a program that has `words` and compares nothing of them.
    """
    between, phrases = _compiled()
    for found in between.finditer(text):
        if found[1] or "exclu" in found[4].lower():
            yield from (("", _value(found["number"]) + _ABOVE), ("", _value(found["last"]) + _BELOW))
        elif "inclu" in found[4].lower():
            yield from (("", _value(found["number"]) + _BELOW), ("", _value(found["last"]) + _ABOVE))
    taken: set[int] = set()
    for side, phrase in phrases:
        for found in phrase.finditer(text):
            groups = found.groupdict()
            at = found.start("number") if groups.get("number") else found.start("name")
            if at in taken:
                continue
            if groups.get("number"):
                taken.add(at)
                counted = _COUNTED.match(text, found.end())
                if counted is None or counted["name"] not in unmeasured:
                    yield "", _value(groups["number"]) + side
            elif (name := groups["name"].strip("`").rpartition(".")[2]) in names:
                taken.add(at)
                yield name, side


def _measured(module: ast.Module) -> set[str]:
    """The names that stand in a comparison or a range."""
    nodes = (node for node in walk(module) if isinstance(node, ast.Compare) or _is_range(node))
    return {name for node in nodes for name in _names(node)}


def _is_range(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _value(written: str) -> float:
    word = written.lower()
    return float(NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else float(re.sub("[,_]", "", written))


def _names(module: ast.AST) -> set[str]:
    """Parameters, variables and attributes."""
    found: set[str] = set()
    for node in walk(module):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found


def stands(boundaries: Sequence[StatedBoundary], program: str) -> list[Stand]:
    """What a program does about each of these boundaries; OPEN for all where it does not parse."""
    cuts = _cuts_by_scope(program)
    return [_stand(boundary, cuts) for boundary in boundaries]


def _stand(boundary: StatedBoundary, cuts: _Cuts) -> Stand:
    """By the definition that the sentence speaks of, or by the whole program where that draws no such boundary."""
    for scope in (boundary.scope, EVERYWHERE):
        near = [cut for anchor, cut in cuts.get(scope, ()) if anchor == boundary.anchor]
        if boundary.cut in near:
            return Stand.AGREES
        if any(abs(cut - boundary.cut) <= _NEAR for cut in near):
            return Stand.CONTRADICTS
    return Stand.OPEN


def moved_cuts(boundaries: Sequence[StatedBoundary], before: str, after: str) -> int:
    """How many boundaries a program draws less often as prose says, and more often right beside that, than before."""
    old, new = _cuts_by_scope(before), _cuts_by_scope(after)
    return sum(_is_moved(boundary, old, new) for boundary in boundaries)


def _is_moved(boundary: StatedBoundary, before: _Cuts, after: _Cuts) -> bool:
    old, new = before.get(boundary.scope, Counter()), after.get(boundary.scope, Counter())
    beside = [(boundary.anchor, boundary.cut + step) for step in (-_NEAR, _NEAR)]
    is_less = new[boundary.anchor, boundary.cut] < old[boundary.anchor, boundary.cut]
    return is_less and any(new[cut] > old[cut] for cut in beside)


@lru_cache(maxsize=256)
def _cuts_by_scope(program: str) -> _Cuts:
    """The cuts that the comparisons and ranges of each definition make, and those of the whole program."""
    module = parsed_or_none(program)
    if module is None:
        return {}
    values, leaves_room = _constants(module), _leaving_room(module)
    scopes: list[tuple[str, ast.AST]] = [(EVERYWHERE, module), *dotted_definitions(module)]
    return {name: Counter(_cuts(node, values, leaves_room)) for name, node in scopes}


def _cuts(scope: ast.AST, values: Mapping[str, float], leaves_room: Set[ast.expr]) -> Iterator[tuple[str, float]]:
    for node in walk(scope):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for place, operator in enumerate(node.ops):
                if isinstance(operator, ORDERS):
                    left_is_larger = isinstance(operator, ast.Gt | ast.GtE)
                    is_strict = isinstance(operator, ast.Lt | ast.Gt)
                    # `y >= x` and `y < x` cut below x, `y > x` and `y <= x` above it.
                    for at, is_larger in ((place, left_is_larger), (place + 1, not left_is_larger)):
                        other = operands[2 * place + 1 - at]
                        if _split(other)[0] == "":
                            # A comparison with a number draws the boundary at that number.
                            continue
                        side = _BELOW if is_larger == is_strict else _ABOVE
                        # `if len(calls) >= limit: return` before `calls.append(now)` keeps at most `limit`.
                        yield from _at(operands[at], values, side + (1.0 if other in leaves_room else 0.0))
        elif isinstance(node, ast.Call) and _is_range(node):
            for bound in node.args[:2]:
                yield from _at(bound, values, _BELOW)


def _leaving_room(module: ast.Module) -> set[ast.expr]:
    """The sides of comparisons that are asked before one is added to them, in `if` without `else`."""
    found: set[ast.expr] = set()
    for function in functions_of(module):
        growing = _growing(function)
        questions = (node for node in walk(function) if isinstance(node, ast.If) and not node.orelse and growing)
        asked = (part for question in questions for part in walk(question.test) if isinstance(part, ast.Compare))
        sides = (side for comparison in asked for side in (comparison.left, *comparison.comparators))
        found |= {side for side in sides if side.lineno < growing.get(ast.unparse(side), 0)}
    return found


def _growing(function: Function) -> dict[str, int]:
    """What grows by one in a function, as a comparison names it, and in which line: `len(calls)`, `self.count`."""
    found: dict[str, int] = {}
    for node in walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and whole_number(node.value) == 1:
            # A variable may as well count what comes next.
            if isinstance(node.target, ast.Attribute):
                found[ast.unparse(node.target)] = node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
            found[f"len({ast.unparse(node.func.value)})"] = node.lineno
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found[f"len({ast.unparse(node.value)})"] = node.lineno
    return found


_ADDING: Final = frozenset({"add", "append", "appendleft", "insert", "put"})


def _at(operand: ast.expr, values: Mapping[str, float], side: float) -> Iterator[tuple[str, float]]:
    """A cut beside an operand: relative to its name, and to the number behind that."""
    name, offset = _split(operand)
    if name is None:
        return
    if not name:
        yield "", offset + side
        return
    yield name, offset + side
    if name in values:
        yield "", values[name] + offset + side


def _split(node: ast.expr) -> tuple[str | None, float]:
    """An operand as a name and what is added to it; no name for a number, None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        name, offset = _split(node.operand)
        return ("", -offset) if name == "" else (None, 0.0)
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "", nearest_float(value)
    if isinstance(node, ast.Name):
        return node.id, 0.0
    if isinstance(node, ast.Attribute):
        return node.attr, 0.0
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        name, offset = _split(node.left)
        added, more = _split(node.right)
        if name is not None and added == "":
            return name, offset + (more if isinstance(node.op, ast.Add) else -more)
    return None, 0.0


def _constants(module: ast.Module) -> dict[str, float]:
    """Names that hold one number throughout: assigned once, or given as the default of a parameter."""
    found: dict[str, list[float]] = {}
    for node in walk(module):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name, value = _split(node.value)
            found.setdefault(node.targets[0].id, []).append(value if name == "" else float("nan"))
        elif isinstance(node, ast.arguments):
            plain = [*node.posonlyargs, *node.args]
            given = [*zip(plain[len(plain) - len(node.defaults) :], node.defaults, strict=True)]
            given += [(a, d) for a, d in zip(node.kwonlyargs, node.kw_defaults, strict=True) if d is not None]
            for argument, default in given:
                name, value = _split(default)
                if name == "":
                    found.setdefault(argument.arg, []).append(value)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and values[0] == values[0]}
