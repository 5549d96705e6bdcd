"""Small expressions with the values that they have at each visit of a line: enumerated upwards, alike ones once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from regreen.propose.search.expressions import (
    Expression,
    binary_operation,
    bool_operation,
    comparison,
    function_call,
    subscript,
    unary_operation,
)
from regreen.propose.search.synthesis.term_values import OPERATORS, UnknownValue, bounded

_MOST_TERMS: Final = 1_000
"""Of one pool: pairs of them are looked at."""
_MOST_TRIES: Final = 15_000
_MOST_CONDITIONS: Final = 120
_MOST_FOUND: Final = 200
_FEW_CONDITIONS: Final = 24
"""Where fewer are found, three of them are joined, too."""
_MOST_COMPARED: Final = 2
"""Size of the smaller side of a comparison."""
_MOST_LEFT, _MOST_RIGHT = 100, 40
"""Terms that are compared with others, the smallest ones."""
Values = tuple[Any, ...]
POSITION: Final = "position"
ELEMENT: Final = "element"
_MIXED_ROLES: Final = 3
"""Added to the size where a position and an element are added or divided, or an element is taken for a position."""


class Term(NamedTuple):
    """An expression with its values at the visits, and its size."""

    code: Expression
    values: Values
    size: int
    role: str = ""
    """POSITION of an index or a length, ELEMENT of what a container holds; empty where nothing tells."""


def values_key(values: Iterable[Any]) -> tuple[Any, ...]:
    """Equal for equal values: 2 and 2.0 are, 1 and True are not."""
    return tuple(map(_key, values))


def _key(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return str(value), "word"
    return value if isinstance(value, int | float | str) else repr(value)


def applied(function: Callable[..., Any], *operands: Values) -> Values | None:
    """The values of a function of other values, visit by visit; None where one has none."""
    try:
        return tuple(bounded(function(*row)) for row in zip(*operands, strict=True))
    except (UnknownValue, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numbers(term: Term) -> bool:
    return all(map(_is_number, term.values))


def _integers(term: Term) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in term.values)


def _sequences(term: Term) -> bool:
    return all(isinstance(value, list | tuple | str) for value in term.values)


def _sized(term: Term) -> bool:
    return all(isinstance(value, list | tuple | str | set | dict) for value in term.values)


def _texts(term: Term) -> bool:
    return all(isinstance(value, str) for value in term.values)


def _is_number_text(term: Term) -> bool:
    """Whether a term is a number as it is written: what is computed of such alone, `2 ** 2`, nobody writes."""
    return term.code.text.replace(".", "").isdigit()


_ONE, _TWO = Expression("1"), Expression("2")
_Shape = tuple[Callable[[Term], bool], Callable[[Expression], Expression], Callable[[Any], Any], str | None]
_SHAPES: Final[tuple[_Shape, ...]] = (
    (_integers, lambda code: binary_operation(code, "-", _ONE), lambda value: value - 1, None),
    (_integers, lambda code: binary_operation(code, "+", _ONE), lambda value: value + 1, None),
    (_sized, lambda code: function_call("len", code), len, POSITION),
    (_sequences, lambda code: subscript(code, "0"), lambda value: value[0], ELEMENT),
    (_sequences, lambda code: subscript(code, "-1"), lambda value: value[-1], ELEMENT),
    (_sequences, lambda code: subscript(code, "1:"), lambda value: value[1:], ""),
    (_sequences, lambda code: subscript(code, ":-1"), lambda value: value[:-1], ""),
    (_sequences, lambda code: subscript(code, "::-1"), lambda value: value[::-1], ""),
    (_sized, lambda code: function_call("sum", code), sum, ELEMENT),
    (_sized, lambda code: function_call("max", code), max, ELEMENT),
    (_sized, lambda code: function_call("min", code), min, ELEMENT),
    (_sized, lambda code: function_call("sorted", code), sorted, ""),
    (_numbers, lambda code: binary_operation(code, "**", _TWO), lambda value: value * value, None),
    (_numbers, lambda code: binary_operation(code, "*", _TWO), lambda value: 2 * value, None),
    (_numbers, lambda code: function_call("abs", code), abs, None),
    (_integers, lambda code: binary_operation(code, "//", _TWO), lambda value: value // 2, None),
    (_integers, lambda code: binary_operation(code, "%", _TWO), lambda value: value % 2, None),
    (_texts, lambda code: Expression(f"{code.at(16)}.lower()"), str.lower, None),
    (_texts, lambda code: Expression(f"{code.at(16)}.strip()"), str.strip, None),
)
"""What makes a larger term of one: for which values, how it is written, what it gives, its role (None: the same)."""
_SIGNS: Final = (("+", ast.Add), ("-", ast.Sub), ("*", ast.Mult), ("//", ast.FloorDiv), ("%", ast.Mod), ("/", ast.Div))
_ORDERS: Final[tuple[tuple[str, type[ast.AST]], ...]] = (
    ("==", ast.Eq),
    ("<", ast.Lt),
    ("<=", ast.LtE),
    (">", ast.Gt),
    (">=", ast.GtE),
    ("!=", ast.NotEq),
)
_EQUALITIES: Final = (_ORDERS[0], _ORDERS[-1])
_MEMBERSHIPS: Final[tuple[tuple[str, type[ast.AST]], ...]] = (("in", ast.In), ("not in", ast.NotIn))


class TermPool:
    """Terms of growing size over some atoms, of each behaviour the smallest; limited in number, not in time."""

    def __init__(self, atoms: Iterable[Term], most_size: int, most: int = _MOST_TERMS) -> None:
        self.terms: list[Term] = []
        """The smallest first."""
        self.by_values: dict[tuple[Any, ...], list[Term]] = {}
        """Those with the same values have different roles: few checks do not tell an index from an element."""
        self._most = most
        self._tries = _MOST_TRIES
        for term in atoms:
            self._add(term)
        for size in range(2, most_size + 1):
            self._grow(size)

    def _grow(self, size: int) -> None:
        known = tuple(self.terms)
        for term in known:
            if term.size == size - 1 and not _is_number_text(term):
                for fits, written, function, role in _SHAPES:
                    if fits(term):
                        made = applied(function, term.values)
                        odd = int(term.role == ELEMENT and role is None)
                        self._add_values(written(term.code), made, size + odd, term.role if role is None else role)
        for left in known:
            for right in known:
                if left.size + right.size == size - 1 and not (_is_number_text(left) and _is_number_text(right)):
                    self._add_pair(left, right, size)
                    if self._is_full:
                        return
            if self._is_full:
                return

    @property
    def _is_full(self) -> bool:
        return len(self.terms) >= self._most or self._tries <= 0

    def _add_pair(self, left: Term, right: Term, size: int) -> None:
        if _sequences(left) and _integers(right):
            index = applied(lambda one, other: one[other], left.values, right.values)
            self._add_values(subscript(left.code, right.code.text), index, size + _cost_of_index(right), ELEMENT)
        elif all(isinstance(value, dict) for value in left.values):
            self._add_values(
                subscript(left.code, right.code.text), applied(_looked_up, left.values, right.values), size
            )
        elif _numbers(left) and _numbers(right):
            for sign, operation in _SIGNS:
                code = binary_operation(left.code, sign, right.code)
                cost, role = size + _cost_of_roles(left, right, sign), left.role or right.role
                self._add_values(code, applied(OPERATORS[operation], left.values, right.values), cost, role)
        elif (_texts(left) and _texts(right)) or (_sequences(left) and _sequences(right)):
            code = binary_operation(left.code, "+", right.code)
            self._add_values(code, applied(OPERATORS[ast.Add], left.values, right.values), size)

    def _add_values(self, code: Expression, values: Values | None, size: int, role: str = "") -> None:
        self._tries -= 1
        if values is not None:
            self._add(Term(code, values, size, role))

    def _add(self, term: Term) -> None:
        alike = self.by_values.setdefault(values_key(term.values), [])
        if len(self.terms) < self._most and all(other.role != term.role for other in alike):
            alike.append(term)
            self.terms.append(term)


def _cost_of_index(term: Term) -> int:
    return _MIXED_ROLES if term.role == ELEMENT else 0


def _cost_of_roles(left: Term, right: Term, sign: str) -> int:
    if sign in "*/":
        return 0
    if {left.role, right.role} == {POSITION, ELEMENT}:
        return _MIXED_ROLES
    return int(ELEMENT in (left.role, right.role) and (left.code.text.isdigit() or right.code.text.isdigit()))


def _looked_up(table: dict[Any, Any], key: Any) -> Any:
    return table[key]


def reaching(pool: TermPool, goal: Values) -> list[Term]:
    """The terms whose values are the goal's, the smallest first: of the pool, and one or two steps beyond it."""
    found = [term for term in pool.terms if values_key(term.values) == values_key(goal)]
    found += _one_step(pool, goal)
    if all(map(_is_number, goal)):
        found += _two_steps(pool, goal)
    return _smallest_first(found)


def _one_step(pool: TermPool, goal: Values) -> Iterator[Term]:
    wanted = values_key(goal)
    for term in pool.terms:
        for fits, written, function, _ in _SHAPES:
            if fits(term) and values_key(applied(function, term.values) or ()) == wanted:
                yield Term(written(term.code), goal, term.size + 1)


def _two_steps(pool: TermPool, goal: Values) -> Iterator[Term]:
    """`a + b`, `(a + b) / 2` and their like: for each `a` of the pool, the `b` that is missing is looked up."""
    doubled = tuple(2 * value for value in goal)
    ends: tuple[tuple[Values, Callable[[Expression], Expression], int], ...] = (
        (goal, lambda code: code, 0),
        (doubled, lambda code: binary_operation(code, "/", _TWO), 1),
    )
    count = 0
    for aim, written, further in ends:
        for left in pool.terms:
            for sign, right in _missing(pool, left, aim):
                code = written(binary_operation(left.code, sign, right.code))
                size = left.size + right.size + 1 + further + _cost_of_roles(left, right, sign)
                yield Term(code, goal, size)
                count += 1
            if count > _MOST_FOUND:
                return


def _missing(pool: TermPool, left: Term, aim: Values) -> Iterator[tuple[str, Term]]:
    if not _numbers(left):
        return
    for sign, operation, inverse in _INVERSES:
        values = applied(inverse, left.values, aim)
        for right in () if values is None else pool.by_values.get(values_key(values), ()):
            if _numbers(right) and not _is_idle(left, sign, right):
                reached = applied(OPERATORS[operation], left.values, right.values)
                if reached is not None and values_key(reached) == values_key(aim):
                    yield sign, right


def _is_idle(left: Term, sign: str, right: Term) -> bool:
    """Whether an operation does nothing, or is one of the pool's the other way round."""
    if {left.code.text, right.code.text} & {"0", "1"}:
        return True
    return sign in "+*" and (right.size, right.code.text) < (left.size, left.code.text)


_INVERSES: Final[tuple[tuple[str, type[ast.AST], Callable[[Any, Any], Any]], ...]] = (
    ("+", ast.Add, lambda left, aim: aim - left),
    ("-", ast.Sub, lambda left, aim: left - aim),
    ("*", ast.Mult, lambda left, aim: aim / left),
    ("/", ast.Div, lambda left, aim: left / aim),
)
"""Of an operator: what its right operand has to be."""


def conditions(pool: TermPool, goal: Sequence[bool]) -> list[Term]:
    """The conditions that hold at just these visits, the smallest first; `goal` holds both True and False."""
    found: list[Term] = []
    kept: dict[tuple[bool, ...], Term] = {}
    for term in _simple_conditions(pool):
        truth = tuple(bool(value) for value in term.values)
        if truth == tuple(goal):
            found.append(term)
        if len(set(truth)) == 2 and len(kept) < _MOST_CONDITIONS:
            kept.setdefault(truth, Term(term.code, truth, term.size))
    pairs = list(_joined(list(kept.values()), list(kept.values())))
    found += (pair for pair in pairs if pair.values == tuple(goal))
    if len(found) < _FEW_CONDITIONS:
        threes = _joined(_smallest_of_each(pairs)[:_MOST_CONDITIONS], list(kept.values()))
        found += (three for three in threes if three.values == tuple(goal))
    return _smallest_first(found)


def _simple_conditions(pool: TermPool) -> Iterator[Term]:
    for term in pool.terms[:_MOST_LEFT]:
        if _has_truth(term):
            yield term
            yield Term(unary_operation("not", term.code), tuple(not value for value in term.values), term.size + 1)
    small = [term for term in pool.terms if term.size <= _MOST_COMPARED][:_MOST_RIGHT]
    for left in pool.terms[:_MOST_LEFT]:
        for right in small:
            if left is not right and left.size >= right.size:
                yield from _comparisons(left, right)


def _has_truth(term: Term) -> bool:
    """Whether a term is a condition as it stands: a number is where it is a remainder."""
    return not _numbers(term) or (term.size == 2 and term.code.text.endswith(" % 2"))


def _comparisons(left: Term, right: Term) -> Iterator[Term]:
    kinds = {type(value) for value in (*left.values, *right.values)}
    if bool in kinds or (len(kinds) > 1 and not kinds <= {int, float}):
        signs: tuple[tuple[str, type[ast.AST]], ...] = ()
    else:
        signs = _ORDERS if kinds <= {int, float, str} else _EQUALITIES
    size = left.size + right.size + 1
    for sign, operation in signs:
        values = applied(OPERATORS[operation], left.values, right.values)
        if values is not None:
            yield Term(comparison(left.code, sign, right.code), values, size)
    if _sized(right) and not _sized(left):
        for sign, operation in _MEMBERSHIPS:
            values = applied(OPERATORS[operation], left.values, right.values)
            if values is not None:
                yield Term(comparison(left.code, sign, right.code), values, size)


def _joined(ones: Sequence[Term], others: Sequence[Term]) -> Iterator[Term]:
    """Two conditions with `and` or `or` between them, where that makes one of more than either."""
    for one in ones:
        for other in others:
            for word, join in (("and", all), ("or", any)):
                values = tuple(map(join, zip(one.values, other.values, strict=True)))
                if values not in (one.values, other.values):
                    yield Term(bool_operation(one.code, word, other.code), values, one.size + other.size + 1)


def _smallest_of_each(found: Sequence[Term]) -> list[Term]:
    """One term of each behaviour, the smallest first."""
    distinct: dict[Values, Term] = {}
    for term in sorted(found, key=lambda term: term.size):
        distinct.setdefault(term.values, term)
    return list(distinct.values())


def _smallest_first(found: Sequence[Term]) -> list[Term]:
    distinct = {term.code.text: term for term in sorted(found, key=lambda term: -term.size)}
    return sorted(distinct.values(), key=lambda term: (term.size, len(term.code.text), term.code.text))
