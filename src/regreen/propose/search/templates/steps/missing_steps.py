"""Steps that are missing: a way out of a loop or a function, a condition around a statement, a step done again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    MAX_CALLS_REPEATED,
    MAX_NUMBER_RESULTS,
    MAX_RESULTS_AT_EXIT,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
)
from regreen.propose.search.expressions import unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.conditions import likely_conditions
from regreen.propose.search.templates.decisions.guards import likely_results
from regreen.propose.search.templates.decisions.raise_lines import raise_lines
from regreen.propose.search.templates.steps.insertions import INSERTION_POINTS, in_loop
from regreen.propose.search.templates.steps.last_groups import gathered_in
from regreen.syntax import callee_name


def insert_exit(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if c: continue` or `if c: break` before a statement of a loop; a bare `break` or `return x` after one."""
    block = context.program.block(node)
    if block[-1] is node and not isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
        if in_loop(node, context):
            yield from context.after(node, ("break",))
            yield from context.after(node, ("continue",), PROBABLE)
        for result in likely_results(context)[:MAX_RESULTS_AT_EXIT]:
            yield from context.after(node, (f"return {result}",), POSSIBLE)
    if not in_loop(node, context):
        return
    for condition, weight in likely_conditions(context):
        for exit_ in ("continue", "break"):
            yield from context.before(node, (f"if {condition.text}:", f"\t{exit_}"), PROBABLE * weight)


def look_on(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return c` at the end of a round becomes `if c: return True`: the other rounds are looked at, too.

    What a call of the function itself finds is returned where it is something: `found = item.find(name)` comes first.
    """
    block = context.parent(node)
    if node.value is None or isinstance(node.value, ast.Constant) or not in_loop(node, context):
        return
    if _is_own_call(node.value, context):
        yield from _return_if_found(node, context)
    if not isinstance(block, _LOOPS) or block.body[-1] is not node:
        return
    value, results = context.text(node.value), context.cached("constant results", lambda: _constant_results(context))
    # Of `return False` after the loop, the opposite is looked for in it.
    yield from context.restate(node, (f"if {value}:", "\treturn True"), 1.0 if "True" in results else HALF)
    negated = unary_operation("not", context.expression(node.value)).text
    yield from context.restate(node, (f"if {negated}:", "\treturn False"), HALF)
    if value.isidentifier():
        yield from context.restate(node, (f"if {value} is not None:", f"\treturn {value}"), HALF)
    yield from context.restate(node, (f"if {value}:", f"\treturn {value}"), POSSIBLE)


def _is_own_call(value: ast.expr, context: TemplateContext) -> bool:
    function = context.scope.function
    return isinstance(value, ast.Call) and function is not None and callee_name(value) == function.name


def _return_if_found(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    assert node.value is not None, "only what is returned can be found"
    name = "found" if "found" not in context.scope.visible else "found_"
    found = f"{name} = {context.text(node.value)}"
    results = context.cached("constant results", lambda: _constant_results(context))
    truth = LIKELY if {"True", "False"} & results.keys() else HALF
    undone = _undoing(node, context)
    if undone:
        # What was tried leaves no trace where it led nowhere.
        yield from context.restate(node, (f"if {context.text(node.value)}:", "\treturn True", *undone))
    yield from context.restate(node, (found, f"if {name} is not None:", f"\treturn {name}", *undone))
    yield from context.restate(node, (found, f"if {name}:", f"\treturn {name}", *undone), truth)


def _undoing(node: ast.stmt, context: TemplateContext) -> tuple[str, ...]:
    """What takes back the step before a statement: `del chosen[k]` of `chosen[k] = x`, `path.pop()` of
    `path.append(x)`; nothing where that is no plain step."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    match before:
        case ast.Assign(targets=[ast.Subscript() as entry]):
            return (f"del {context.text(entry)}",) if context.kind(entry.value) in ("dict", "") else ()
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"))):
            return (f"{context.text(owner)}.pop()",)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="add"), args=[item])):
            return (f"{context.text(owner)}.remove({context.text(item)})",)
    return ()


def lost_return(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A branch that ends without a way out ends with `return False` where the function says `return True` elsewhere."""
    results = context.cached("constant results", lambda: _constant_results(context))
    for block in (node.body, node.orelse):
        if block and not isinstance(block[-1], ast.Return | ast.Raise | ast.Continue | ast.Break | ast.If):
            for result, weight in results.items():
                yield from context.after(block[-1], (f"return {result}",), weight)


def _constant_results(context: TemplateContext) -> dict[str, float]:
    """The constants that the function returns, after their opposites; nothing where it returns no constant."""
    returned = (node.value for node in context.scope.nodes if isinstance(node, ast.Return))
    texts = dict.fromkeys(context.text(value) for value in returned if isinstance(value, ast.Constant))
    opposites = {_OPPOSITE[text]: 1.0 for text in texts if text in _OPPOSITE}
    return opposites | {text: PROBABLE for text in texts if text not in opposites}


_OPPOSITE = {"True": "False", "False": "True"}


def wrap_in_condition(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement runs only under a condition of the function or a simple one."""
    if not context.program.alone(node) or isinstance(node, ast.If) or "\n" in context.text(node):
        return
    text = context.text(node)
    for condition, weight in likely_conditions(context):
        yield from context.restate(node, (f"if {condition.text}:", f"\t{text}"), weight)


def fill_once(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop that fills `self.outgoing` runs only where that is empty: `if not self.outgoing:` around it."""
    if not context.program.alone(node) or node.orelse:
        return
    start, end = context.program.lines(node)
    lines = context.program.source[start:end].splitlines(keepends=True)
    indent, unit = context.program.indent(node), context.program.unit
    for name in sorted(gathered_in(node, context)):
        moved = "".join(unit + line if line.strip() else line for line in lines)
        # The lines of a long text stay where they are.
        if not any(quotes in moved for quotes in ('"""', "'''")):
            yield context.replace(start, end, f"{indent}if not {name}:\n{moved}")


_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)


_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def early_exit(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not xs: return None` or `if not xs: raise ValueError` before a statement that needs something in `xs`."""
    function = context.scope.function
    if function is None or statements_after_docstring(function)[0] is node:
        return
    raised = node.lineno in context.clues.raised_lines
    share = 1.0 if raised else UNLIKELY
    raises = raise_lines(context)
    elsewhere = [name for name in context.cached("names given", lambda: _names_given(context)) if name not in ("", "_")]
    results = (*elsewhere, *likely_results(context)[:MAX_NUMBER_RESULTS])
    returns = [f"return {result}" for result in results]
    numbers = context.cached("numbers", lambda: _numbers(context))
    for name in dict.fromkeys(_needed(node, context)):
        tests = [f"not {name}", f"len({name}) > 1", f"len({name}) < 2", f"{name} is None"]
        lines = [*raises, *returns]
        if name in numbers:
            tests = [f"{name} < 0", f"{name} == 0", f"{name} <= 0", f"{name} > 1"]
            lines.append(f"return {name}")
        for rank, test in enumerate(tests):
            for line in lines:
                yield from context.before(node, (f"if {test}:", f"\t{line}"), share * (1.0 if not rank else UNLIKELY))


def _names_given(context: TemplateContext) -> list[str]:
    """The variables that a function returns from within its loops."""
    given = (part.value for part in context.scope.nodes if isinstance(part, ast.Return))
    names = (value for value in given if isinstance(value, ast.Name))
    return list(dict.fromkeys(name.id for name in names if next(context.loops_around(name), None) is not None))


def _numbers(context: TemplateContext) -> frozenset[str]:
    """The variables of a function that are numbers: what is reckoned with them, or how they begin, says so."""
    found = {name for name, kind in context.scope.kinds.items() if kind in ("int", "float")}
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("max", "min", "abs"):
            found |= {arg.id for arg in part.args if len(part.args) > 1 and isinstance(arg, ast.Name)}
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub | ast.Mult | ast.Div | ast.FloorDiv):
            found |= {side.id for side in (part.left, part.right) if isinstance(side, ast.Name)}
    return frozenset(found & set(context.scope.locals))


def _needed(node: ast.stmt, context: TemplateContext) -> Iterator[str]:
    """The local variables and attributes that a statement reads."""
    for part in context.program.below(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in context.scope.locals:
            if part.id != context.scope.receiver:
                yield part.id
        elif isinstance(part, ast.Attribute) and context.text(part.value) == context.scope.receiver:
            yield context.text(part)


def call_again(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cells.remove(start)` is repeated elsewhere for another variable: `cells.remove(step)`."""
    for line in context.cached("again", lambda: list(_calls_again(context))):
        if line != context.text(node):
            yield from context.before(node, (line,))
            yield from context.after(node, (line,))


def _calls_again(context: TemplateContext) -> Iterator[str]:
    """The calls alone on a line, each with other variables as its argument."""
    names = [name for name in context.scope.locals if name != context.scope.receiver]
    given = {context.text(n) for n in context.scope.nodes if isinstance(n, ast.Expr)}
    seen: dict[str, None] = {}
    for node in context.scope.nodes:
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or len(node.value.args) != 1:
            continue
        function = context.text(node.value.func)
        for name in names:
            line = f"{function}({name})"
            if line not in given and not function.startswith(f"{name}."):
                seen.setdefault(line)
    yield from list(seen)[:MAX_CALLS_REPEATED]


def insert_clear(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.clear()` before `d.update(other)`."""
    value = node.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _FILLERS:
        yield from context.before(node, (f"{context.text(value.func.value)}.clear()",))


_FILLERS = frozenset(("update", "extend"))


TEMPLATES = (
    Template("lost_return", (ast.If,), lost_return, ("none",)),
    Template("look_on", (ast.Return,), look_on, ("negated", "none")),
    Template("insert_exit", INSERTION_POINTS, insert_exit, ("longer", "hang")),
    Template(
        "wrap_in_condition", (ast.Assign, ast.AugAssign, ast.Expr, ast.Return), wrap_in_condition, ("longer", "repeats")
    ),
    Template("fill_once", (ast.For, ast.While), fill_once, ("order", "repeats", "longer")),
    Template(
        "early_exit",
        (*_STATEMENTS, ast.For, ast.While, ast.If),
        early_exit,
        ("index", "value", "zero", "key", "type", "attribute", "iteration"),
    ),
    Template("call_again", _STATEMENTS, call_again, ("hang", "repeats", "longer")),
    Template("insert_clear", (ast.Expr,), insert_clear),
)
