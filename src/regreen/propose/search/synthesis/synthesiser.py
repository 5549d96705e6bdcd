"""Mutations that put new expressions into a program: what is returned, conditions, new branches, lost accumulations."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final, NamedTuple

from regreen.propose.search.clues import Clues
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import SYNTHESISED, Mutation, WeightedEdits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.scope import Scope
from regreen.propose.search.synthesis.goals import ValueGoal, condition_goal, distinct_visits, return_goals
from regreen.propose.search.synthesis.term_values import UnknownValue, bounded, value_of
from regreen.propose.search.synthesis.terms import ELEMENT, POSITION, Term, TermPool, conditions, reaching, values_key
from regreen.propose.search.synthesis.text_terms import text_results
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import Function, callee_name, parse, parsed_or_none
from regreen.types import Edit, Site, Visit

_SCORE: Final = 0.002
_SCORE_OF_SIZE: Final = 0.8
"""Score of an expression of size 0, and what each further operand leaves of it: such changes come late in the order."""
_POOL_SIZE: Final = 4
_MOST_ATOMS: Final = 32
_MOST_ATOM_CHARACTERS: Final = 40
_MOST_REPLACING: Final = 24
"""Expressions that are tried for one goal."""
_MOST_BRANCH_PARTS: Final = 6
"""Conditions, and results, that are tried for one new branch."""
_MOST_GATHERED_TOGETHER: Final = 4
"""Lines for each of several variables that one loop should gather."""
_MOST_LINES: Final = 40
_MOST_MUTATIONS: Final = 400
_MOST_GATHERED: Final = 1e300
_Gathering = Callable[[Any, Sequence[Any]], Any]


class ForcedCondition(NamedTuple):
    """A condition with the edits that make it always true, and always false."""

    test: ast.expr
    edits: tuple[tuple[Edit, ...], tuple[Edit, ...]]


class Synthesiser:
    """What may be synthesised in one program, and what has to be known for it."""

    def __init__(self, source: str, sites: Sequence[Site], clues: Clues) -> None:
        self.program = ParsedProgram(source)
        self.clues = clues
        self._suspected = {line for s in sites if s.suspicion > 0 for line in range(s.first_line, s.last_line + 1)}
        self._contexts: dict[Function, TemplateContext] = {}
        self._pools: dict[tuple[Function | None, tuple[int, ...]], TermPool] = {}
        """By function and the identity of the visits, which live as long as one call of `mutations`."""

    @cached_property
    def lines(self) -> frozenset[int]:
        """The lines at which values are to be recorded."""
        nodes: list[ast.stmt | ast.expr] = [*self._returns, *self._tests, *(last for _, last in self._loops)]
        return frozenset(list(dict.fromkeys(node.lineno for node in nodes))[:_MOST_LINES])

    @cached_property
    def forced(self) -> tuple[ForcedCondition, ...]:
        """The conditions whose checks are to be run with them always true, and always false."""
        found = []
        for test in self._tests:
            context = self._context(test)
            found.append(ForcedCondition(test, (context.put(test, "True").edits, context.put(test, "False").edits)))
        return tuple(found)

    def mutations(
        self, visits: Sequence[Visit], passes: Mapping[ast.expr, tuple[frozenset[str], frozenset[str]]]
    ) -> list[Mutation]:
        """The likeliest mutations first; `passes` has the checks that pass with each forced condition."""
        self._pools.clear()
        by_line: dict[int, list[Visit]] = defaultdict(list)
        for visit in visits:
            by_line[visit.line].append(visit)
        found: dict[tuple[Edit, ...], float] = {}
        for edits, size in self._all(by_line, passes):
            score = _SCORE * _SCORE_OF_SIZE**size
            found[edits] = max(score, found.get(edits, 0.0))
        ordered = sorted(found.items(), key=lambda pair: -pair[1])[:_MOST_MUTATIONS]
        program = self.program
        return [Mutation(e, SYNTHESISED, score, program.line_of(e[0].start), program.source) for e, score in ordered]

    def _all(
        self,
        visits: Mapping[int, Sequence[Visit]],
        passes: Mapping[ast.expr, tuple[frozenset[str], frozenset[str]]],
    ) -> Iterator[tuple[tuple[Edit, ...], int]]:
        for node in self._returns:
            known = [visit for visit in _last_of_calls(visits.get(node.lineno, ())) if visit.should_return]
            if any(visit.is_red for visit in known):
                yield from self._returned(node, distinct_visits(known))
        for test, (if_true, if_false) in passes.items():
            wanted, goal = condition_goal(test, distinct_visits(visits.get(test.lineno, ())), if_true, if_false)
            if len(set(goal)) == 2:
                for term in conditions(self._pool(test, wanted), goal)[:_MOST_REPLACING]:
                    yield self._context(test).put(test, term.code).edits, term.size
        for loop, last in self._loops:
            yield from self._accumulated(loop, last, visits.get(last.lineno, ()))

    def _returned(self, node: ast.Return, visits: Sequence[Visit]) -> Iterator[tuple[tuple[Edit, ...], int]]:
        for goal in return_goals(node, visits):
            yield from self._replaced(goal)
        red, green = [v for v in visits if v.is_red], [v for v in visits if not v.is_red]
        if len(red) > 1 and green:
            yield from self._branched(node, red, green)

    def _replaced(self, goal: ValueGoal) -> Iterator[tuple[tuple[Edit, ...], int]]:
        """The expression replaced by what gives the goal's values."""
        pool = self._pool(goal.node, goal.visits)
        texts = text_results(pool.terms, goal.values)
        for term in (*reaching(pool, goal.values)[:_MOST_REPLACING], *texts[:_MOST_REPLACING]):
            yield self._context(goal.node).put(goal.node, term.code).edits, term.size

    def _branched(
        self, node: ast.Return, red: Sequence[Visit], green: Sequence[Visit]
    ) -> Iterator[tuple[tuple[Edit, ...], int]]:
        """`if condition: return value` before a `return` that is right for the green checks alone."""
        context = self._context(node)
        results = reaching(self._pool(node, red), tuple(visit.should_return[0] for visit in red))
        if not results:
            return
        tests = conditions(self._pool(node, (*red, *green)), [True] * len(red) + [False] * len(green))
        for result in results[:_MOST_BRANCH_PARTS]:
            for test in tests[:_MOST_BRANCH_PARTS]:
                lines = (f"if {test.code.text}:", f"\treturn {result.code.text}")
                yield from _sized(context.before(node, lines), result.size + test.size)

    def _accumulated(
        self, loop: ast.For, last: ast.stmt, visits: Sequence[Visit]
    ) -> Iterator[tuple[tuple[Edit, ...], int]]:
        """`total += x * y`, `found.append(x)`, ... in a loop whose function returns what it gathers."""
        calls: dict[tuple[str, int], list[Visit]] = defaultdict(list)
        for visit in visits:
            if visit.should_return:
                calls[visit.check, visit.call].append(visit)
        if not any(call[0].is_red for call in calls.values()):
            return
        for gathered in self._returned_names(last):
            found = [self._folded(last, name, place, list(calls.values())) for name, place in gathered]
            wrong = [lines for lines in found if lines is not None]
            for together in product(*(lines[:_MOST_GATHERED_TOGETHER] if wrong[1:] else lines for lines in wrong)):
                if together:
                    yield from self._inserted(last, [line for line, _ in together], sum(size for _, size in together))

    def _folded(
        self, last: ast.stmt, name: str, place: int | None, calls: Sequence[Sequence[Visit]]
    ) -> list[tuple[str, int]] | None:
        """The lines that gather what each call should return in `name`; None where the loop does so already."""
        if not all(len({repr(visit.values.get(name)) for visit in call}) == 1 for call in calls):
            return None
        ends = [_part_of(call[0].should_return[0], place) for call in calls]
        if not all(end and name in call[0].values for call, end in zip(calls, ends, strict=True)):
            return []
        pool = self._pool(last, [visit for call in calls for visit in call])
        return list(_folds(name, pool, calls, [end[0] for end in ends]))

    def _inserted(self, last: ast.stmt, lines: Sequence[str], size: int) -> Iterator[tuple[tuple[Edit, ...], int]]:
        """The lines at the end of a loop: in the place of `pass`, or behind what sets a variable that they use."""
        context = self._context(last)
        if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
            value, name = context.text(last.value), last.targets[0].id
            if any(value in line for line in lines):
                yield from _sized(context.after(last, [line.replace(value, name) for line in lines]), size)
        yield from _sized(context.before(last, lines), size)
        yield from _sized(context.restate(last, lines) if isinstance(last, ast.Pass) else (), size)

    def _returned_names(self, node: ast.stmt) -> list[tuple[tuple[str, int | None], ...]]:
        """The variables that a `return` gives, each with its place where it gives several."""
        function = self.program.function(node)
        below = () if function is None else self.program.below(function)
        values = [part.value for part in below if isinstance(part, ast.Return)]
        return list(dict.fromkeys(filter(None, map(_names_given, values))))

    def _pool(self, node: ast.AST, visits: Sequence[Visit]) -> TermPool:
        key = self.program.function(node), tuple(map(id, visits))
        if key not in self._pools:
            self._pools[key] = TermPool(self._atoms(node, visits), _POOL_SIZE)
        return self._pools[key]

    def _atoms(self, node: ast.AST, visits: Sequence[Visit]) -> Iterator[Term]:
        """Names, small numbers and those of the prose, and expressions of the function whose values all visits tell."""
        context = self._context(node)
        positions = context.cached("positions", lambda: _positions(context))
        names = [name for name in visits[0].values if all(name in visit.values for visit in visits)]
        for name in names[:_MOST_ATOMS]:
            role = POSITION if name in positions else ""
            yield Term(Expression(name), tuple(visit.values[name] for visit in visits), 1, role)
        for text in dict.fromkeys(("0", "1", "2", *filter(_is_plain_number, self.clues.numbers))):
            yield Term(Expression(text), (ast.literal_eval(text),) * len(visits), 1)
        for code in self._expressions(context)[:_MOST_ATOMS]:
            values = _evaluated(code.text, visits)
            if values is not None:
                yield Term(code, values, 1, _role_of(parse(code.text).body[0], positions))

    def _expressions(self, context: TemplateContext) -> list[Expression]:
        parts = (n for n in context.scope.nodes if isinstance(n, ast.BinOp | ast.Subscript | ast.Call | ast.Constant))
        read = (n for n in parts if isinstance(getattr(n, "ctx", ast.Load()), ast.Load))
        codes = (context.expression(n) for n in read if not isinstance(context.parent(n), ast.Expr | ast.JoinedStr))
        short = (c for c in codes if len(c.text) <= _MOST_ATOM_CHARACTERS and "\n" not in c.text)
        return list(dict.fromkeys(short))

    def _context(self, node: ast.AST) -> TemplateContext:
        function = self.program.function(node)
        assert function is not None
        if function not in self._contexts:
            self._contexts[function] = TemplateContext(self.program, Scope(self.program, function), self.clues)
        return self._contexts[function]

    @cached_property
    def _nodes(self) -> tuple[ast.AST, ...]:
        """The nodes of the functions in which a line is suspected."""
        functions = [f for f in self.program.functions if self._is_suspected(f)]
        inner = [part for function in functions for part in self.program.below(function)]
        return tuple(dict.fromkeys(inner))

    def _is_suspected(self, function: Function) -> bool:
        return not self._suspected.isdisjoint(range(function.lineno, (function.end_lineno or function.lineno) + 1))

    @cached_property
    def _returns(self) -> tuple[ast.Return, ...]:
        found = (node for node in self._nodes if isinstance(node, ast.Return) and node.value is not None)
        return tuple(node for node in found if _is_on_one_line(node))

    @cached_property
    def _tests(self) -> tuple[ast.expr, ...]:
        tests = (node.test for node in self._nodes if isinstance(node, ast.If))
        return tuple(test for test in tests if _is_on_one_line(test))

    @cached_property
    def _loops(self) -> tuple[tuple[ast.For, ast.stmt], ...]:
        """Loops with the last statement of their bodies."""
        loops = [node for node in self._nodes if isinstance(node, ast.For)]
        return tuple((loop, loop.body[-1]) for loop in loops if _is_on_one_line(loop.body[-1]))


def _positions(context: TemplateContext) -> frozenset[str]:
    """The names of a function that stand in an index, and those that these are computed from."""
    indices = [node.slice for node in context.scope.nodes if isinstance(node, ast.Subscript)]
    found = {part.id for index in indices for part in ast.walk(index) if isinstance(part, ast.Name)}
    for node in context.scope.nodes:
        if (
            isinstance(node, ast.Assign)
            and context.text(node.targets[0]) in found
            and isinstance(node.value, ast.BinOp)
        ):
            found |= {part.id for part in (node.value.left, node.value.right) if isinstance(part, ast.Name)}
    return frozenset(found)


def _role_of(node: ast.AST, positions: Collection[str]) -> str:
    """Whether an expression seems to give a position or an element; empty where nothing tells."""
    if isinstance(node, ast.Expr):
        return _role_of(node.value, positions)
    if isinstance(node, ast.Name):
        return POSITION if node.id in positions else ""
    if isinstance(node, ast.BinOp):
        return _role_of(node.left, positions) or _role_of(node.right, positions)
    if isinstance(node, ast.Subscript):
        return "" if isinstance(node.slice, ast.Slice) else ELEMENT
    if isinstance(node, ast.Call) and callee_name(node) in ("len", "index", "find"):
        return POSITION
    return ELEMENT if isinstance(node, ast.Call) and callee_name(node) in ("sum", "max", "min") else ""


def _is_on_one_line(node: ast.stmt | ast.expr) -> bool:
    return node.lineno == node.end_lineno


def _is_plain_number(text: str) -> bool:
    """Whether a number of the prose is one in Python as it stands: `08` is none."""
    tree = parsed_or_none(text)
    return tree is not None and len(tree.body) == 1


def _sized(found: Iterable[WeightedEdits], size: int) -> Iterator[tuple[tuple[Edit, ...], int]]:
    for weighted in found:
        yield weighted.edits, size


def _last_of_calls(visits: Sequence[Visit]) -> Collection[Visit]:
    """The last visit of each call: a statement of several lines is come to more than once."""
    return {(visit.check, visit.call): visit for visit in visits}.values()


def _evaluated(text: str, visits: Sequence[Visit]) -> tuple[Any, ...] | None:
    node = ast.parse(text, mode="eval").body
    try:
        return tuple(value_of(node, visit.values) for visit in visits)
    except UnknownValue:
        return None


def _names_given(value: ast.expr | None) -> tuple[tuple[str, int | None], ...]:
    """The variables of `return total` or `return total, count`, the latter with their places; none of other values."""
    if isinstance(value, ast.Name):
        return ((value.id, None),)
    parts = value.elts if isinstance(value, ast.Tuple) else []
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return tuple((name, place) for place, name in enumerate(names)) if len(names) == len(parts) else ()


def _part_of(result: Any, place: int | None) -> tuple[Any, ...]:
    """What one part of a result should be, in a tuple; empty where the result has no such part."""
    if place is None:
        return (result,)
    return result[place : place + 1] if isinstance(result, tuple) else ()


def _folds(
    name: str, pool: TermPool, calls: Sequence[Sequence[Visit]], ends: Sequence[Any]
) -> Iterator[tuple[str, int]]:
    """The lines that gather what each call should leave in the variable `name`, with their sizes."""
    starts = [call[0].values[name] for call in calls]
    for term in pool.terms:
        if term.code.text != name:
            values = iter(term.values)
            grouped = [[next(values) for _ in call] for call in calls]
            for line, gather in _GATHERINGS:
                if _gathers(gather, starts, grouped, ends):
                    yield line.format(name=name, value=term.code.text), term.size + 1


def _gathers(gather: _Gathering, starts: Sequence[Any], grouped: Sequence[Sequence[Any]], ends: Sequence[Any]) -> bool:
    for start, values, end in zip(starts, grouped, ends, strict=True):
        try:
            reached = gather(start, values)
        except (TypeError, UnknownValue):
            return False
        if values_key((reached,)) != values_key((end,)):
            return False
    return True


def _appended(start: Any, values: Sequence[Any]) -> Any:
    if not isinstance(start, list):
        raise TypeError
    return [*start, *values]


def _added(start: Any, values: Sequence[Any]) -> Any:
    if not isinstance(start, set):
        raise TypeError
    return {*start, *values}


def _summed(start: Any, values: Sequence[Any]) -> Any:
    for value in values:
        start = _small(start + value)
    return start


def _multiplied(start: Any, values: Sequence[Any]) -> Any:
    for value in values:
        if not (isinstance(start, int | float) and isinstance(value, int | float)):
            # A text or a list times a number of the program's choice would fill all memory.
            raise TypeError
        start = _small(start * value)
    return start


def _small(value: Any) -> Any:
    """The value; raises UnknownValue for one that grows too large. A product may be larger than what is seen else."""
    if isinstance(value, int | float):
        if not abs(value) <= _MOST_GATHERED:
            raise UnknownValue
        return value
    return bounded(value)


_GATHERINGS: Final[tuple[tuple[str, _Gathering], ...]] = (
    ("{name} += {value}", _summed),
    ("{name}.append({value})", _appended),
    ("{name}.add({value})", _added),
    ("{name} = max({name}, {value})", lambda start, values: max([start, *values])),
    ("{name} = min({name}, {value})", lambda start, values: min([start, *values])),
    ("{name} *= {value}", _multiplied),
)
"""How values are gathered: the line, and what it makes of the first value and those of each turn."""
