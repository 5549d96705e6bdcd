"""Statements and guards of other functions that lack here, where all that they speak of is known here, too.

Much of what mends a program stands in it already: M. Martinez, W. Weimer, M. Monperrus, "Do the fix ingredients already
exist?", ICSE Companion 2014; E. Barr et al., "The plastic surgery hypothesis", FSE 2014.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from regreen.propose.search.constants import HALF, MAX_COPIED_CHARACTERS, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.insertions import INSERTION_POINTS, in_loop
from regreen.syntax import Function, names_within

_MOST_DONORS: Final = 16
"""Statements and guards that one function is offered."""
_BEGINNINGS: Final = ("__init__", "__post_init__", "clear", "reset")


class _Donor(NamedTuple):
    """What a function says that another one may say, too."""

    lines: tuple[str, ...]
    names: frozenset[str]
    weight: float


def donate_statement(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.hits += 1` is followed by `self.entries.move_to_end(key)`, as another method of the class says it.

    A condition without an `else` gains one that says it.
    """
    is_last = context.program.block(node)[-1] is node
    for lines, _, weight in context.cached("donors", lambda: list(islice(_donors(context), _MOST_DONORS))):
        if lines[-1] == "\tcontinue" and not in_loop(node, context):
            continue
        yield from context.before(node, lines, weight)
        if is_last and not isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue):
            yield from context.after(node, lines, weight)
        if isinstance(node, ast.If) and not node.orelse and len(lines) == 1:
            yield from context.after(node, ("else:", f"\t{lines[0]}"), weight * PROBABLE)


def _donors(context: TemplateContext) -> Iterator[_Donor]:
    """What other functions say and this one may say, too: those of its own class first."""
    here, scope = context.scope.function, context.scope
    if here is None:
        return
    everywhere = {*scope.globals, *PYTHON_BUILTINS}
    known, own = {*scope.locals, *everywhere}, context.text(here)
    owner = context.program.class_of(here)
    donors = context.cached_of_program("donors of all functions", lambda: _all_donors(context))
    others = [function for function in context.program.functions if function is not here]
    offered: set[tuple[str, ...]] = set()
    for function in sorted(others, key=lambda function: context.program.class_of(function) is not owner):
        for donor in donors[function]:
            of_itself = bool(scope.receiver) and scope.receiver in donor.names
            if not donor.names - everywhere or not donor.names <= known or donor.lines in offered:
                continue
            if donor.lines[0] not in own and (context.program.class_of(function) is owner or not of_itself):
                offered.add(donor.lines)
                yield donor if of_itself else donor._replace(weight=donor.weight * PROBABLE)


def _all_donors(context: TemplateContext) -> dict[Function, list[_Donor]]:
    """By function: its plain statements and its guards of one statement."""
    return {
        function: [donor for part in context.program.below(function) for donor in _donor_of(part, function, context)]
        for function in context.program.functions
    }


def _donor_of(part: ast.AST, function: Function, context: TemplateContext) -> Iterator[_Donor]:
    """A statement or a guard as a donor, if it may be one; what a constructor begins with seldom lacks elsewhere."""
    begins = function.name in _BEGINNINGS
    lines: tuple[str, ...] = ()
    if isinstance(part, ast.If) and not part.orelse and len(part.body) == 1:
        lines = (f"if {context.text(part.test)}:", f"\t{context.text(part.body[0])}")
        weight = VERY_LIKELY if isinstance(part.body[0], ast.Return | ast.Raise | ast.Continue) else POSSIBLE
    elif _may_be_given(part, begins=begins):
        lines, weight = (context.text(part),), HALF if begins else 1.0
    if lines and all("\n" not in line and len(line) <= MAX_COPIED_CHARACTERS for line in lines):
        yield _Donor(lines, frozenset(names_within(part)), weight)


def _may_be_given(part: ast.AST, *, begins: bool) -> bool:
    """Whether a statement changes something that outlives its function; of a constructor, what it begins with."""
    if isinstance(part, ast.Expr):
        return isinstance(part.value, ast.Call)
    if isinstance(part, ast.Assign):
        is_first = isinstance(part.value, ast.Constant | ast.List | ast.Dict | ast.Set | ast.Call)
        return isinstance(part.targets[0], ast.Attribute | ast.Subscript) and (is_first or not begins)
    return isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Attribute | ast.Subscript)


TEMPLATES = (Template("donate_statement", INSERTION_POINTS, donate_statement, ("content", "none", "index")),)
