"""Changes that come too early, or go by what was not gathered: what is set before it is known to be right."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import OR, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def set_behind_what_may_fail(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lines, self.lines = self.lines, []` becomes `lines = self.lines`, and `self.lines = []` comes behind the call or
    the loop that follows: where that fails, nothing is lost."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name() as kept, ast.Attribute() as changed])],
            value=ast.Tuple(elts=[old, new]),
        ) if context.text(old) == context.text(changed):
            pass
        case _:
            return
    block = context.program.block(node)
    later = f"{context.text(changed)} = {context.text(new)}"
    for first in context.restate(node, (f"{context.text(kept)} = {context.text(old)}",)):
        for place, step in enumerate(block[block.index(node) + 1 :], block.index(node) + 1):
            if not isinstance(step, ast.For) and not (isinstance(step, ast.Expr) and isinstance(step.value, ast.Call)):
                continue
            reset = [one for one in block[block.index(node) + 1 : place] if _begins_anew(one)]
            for moved in (reset, []) if reset else ([],):
                taken = [edit for one in moved for edit in context.delete(one).edits]
                for put in context.after(step, (later, *map(context.text, moved))):
                    yield WeightedEdits((*first.edits, *taken, *put.edits), 1.0 if moved == reset else HALF)


def _begins_anew(step: ast.stmt) -> bool:
    """Whether a statement gives an attribute a constant: `self.size = 0`."""
    match step:
        case ast.Assign(targets=[ast.Attribute()], value=ast.Constant()):
            return True
    return False


def other_choice_first(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found = table.get((ANY, event))` and `if found is None: found = table.get((state, event))` change places: what
    is meant for one alone goes before what is meant for all."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    match before, node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as first),
            ast.If(body=[ast.Assign(targets=[ast.Name(id=other)], value=ast.expr() as second)], orelse=[]),
        ) if name == other and name in names_within(node.test) and context.text(first) != context.text(second):
            yield context.swap(first, second)


def rounds_of_sums(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for sku, n in lines:`, behind a loop over the same lines that gathers `wanted[sku] += n`, becomes `for sku, n
    in wanted.items():`, where at most one thing else reads that."""
    if not isinstance(node.target, ast.Tuple) or len(node.target.elts) != _PAIR:
        return
    block = context.program.block(node)
    for earlier in block[: block.index(node)]:
        if isinstance(earlier, ast.For) and context.text(earlier.iter) == context.text(node.iter):
            for table in _filled(earlier):
                within = set(ast.walk(earlier))
                named = (part for part in context.scope.nodes if isinstance(part, ast.Name) and part.id == table)
                reads = [part for part in named if part not in within and isinstance(part.ctx, ast.Load)]
                if len(reads) <= 1:
                    yield context.put(node.iter, f"{table}.items()")


_PAIR: Final = 2


def _filled(loop: ast.For) -> Iterator[str]:
    """The variables of which a loop sets or adds to entries."""
    for part in ast.walk(loop):
        match part:
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=table))):
                yield table
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=table))]):
                yield table


def past_what_is_taken(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while is_weekend(day): day += one` before `kept.add(day)` becomes `while is_weekend(day) or day in kept:`."""
    block = context.program.block(node)
    moved = {context.text(step.target) for step in node.body if isinstance(step, ast.AugAssign)}
    for step in block[block.index(node) + 1 :]:
        match step:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=taken, attr="add" | "append"), args=[ast.Name(id=name)])
            ) if name in moved:
                asked = context.text(taken)
            case ast.Assign(targets=[ast.Subscript(value=taken, slice=ast.Name(id=name))]) if name in moved:
                asked = context.text(taken)
            case _:
                continue
        is_taken = Expression(f"{name} in {asked}", OR + 1)
        yield context.put(node.test, bool_operation(context.expression(node.test), "or", is_taken))


def pass_over_switched_off(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for one in waiting:` begins with `if not one.active: continue`, where a method sets `active` of another object
    to False: what was switched off meanwhile, or before, does nothing."""
    if not isinstance(node.target, ast.Name):
        return
    name = node.target.id
    for flag, is_off in context.cached_of_program("fields that are switched", lambda: tuple(_switched(context))):
        if f"{name}.{flag}" not in context.text(node):
            yield from context.before(node.body[0], (f"if {'' if is_off else 'not '}{name}.{flag}:", "\tcontinue"))


def _switched(context: TemplateContext) -> Iterator[tuple[str, bool]]:
    """The fields of other objects than `self` that are set to True or False, and to which."""
    for part in context.program.nodes:
        match part:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=owner), attr=flag)], value=ast.Constant(value=bool() as value)
            ) if owner not in ("self", "cls"):
                yield flag, value


def all_in_one_transaction(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for ...: self.move(...)` before `self.db.commit()` goes within `with self.db:`, which takes all of it back where
    one of them fails."""
    block = context.program.block(node)
    match block[block.index(node) + 1 :]:
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="commit"), args=[])) as commit, *_]:
            for put in context.below((f"with {context.text(owner)}:",), (node,)):
                yield WeightedEdits((*put.edits, *context.delete(commit).edits))


TEMPLATES: Final = (
    Template(
        "set_behind_what_may_fail",
        (ast.Assign,),
        set_behind_what_may_fail,
        ("content", "raises", "shorter", "empty", "value"),
    ),
    Template("other_choice_first", (ast.If,), other_choice_first, ("value", "content", "kind")),
    Template("rounds_of_sums", (ast.For,), rounds_of_sums, ("not_raised", "content", "larger", "smaller")),
    Template("past_what_is_taken", (ast.While,), past_what_is_taken, ("repeats", "shorter", "content")),
    Template("pass_over_switched_off", (ast.For,), pass_over_switched_off, ("longer", "larger", "content")),
    Template("all_in_one_transaction", (ast.For,), all_in_one_transaction, ("content", "raises", "smaller", "larger")),
)
