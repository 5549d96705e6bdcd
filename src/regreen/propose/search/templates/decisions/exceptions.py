"""Wrong exceptions: another class, too narrow a handler, raised where it should be returned."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    DECLINE,
    HALF,
    IMPROBABLE,
    MAX_EXCEPTIONS,
    MAX_HANDLED_PAIRS,
    PROBABLE,
    SLOW_DECLINE,
    UNLIKELY,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import at_depth
from regreen.syntax import CHANGING_METHODS, walk

_COMMON = (
    *(
        "ValueError",
        "TypeError",
        "KeyError",
        "IndexError",
        "ZeroDivisionError",
        "AttributeError",
        "Exception",
        "LookupError",
    ),
    *(
        "RuntimeError",
        "OSError",
        "FileNotFoundError",
        "StopIteration",
        "NotImplementedError",
        "ArithmeticError",
        "OverflowError",
    ),
)


_BROAD = ("Exception", "BaseException")


def _names(context: TemplateContext) -> tuple[str, ...]:
    """Exception classes, those named by the checks and the failures first."""
    raised = [word.split(":")[0] for word in context.clues.details.splitlines()]
    named = [name for name in (*context.clues.exceptions, *raised) if name in context.scope.visible]
    return tuple(dict.fromkeys((*named, *_COMMON)))


def other_handler(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except A` becomes `except B`, `except (A, B)`, `except Exception`."""
    if node.type is None:
        return
    if isinstance(node.type, ast.Tuple):
        yield from _one_more_caught(node.type, context)
        return
    old = context.text(node.type)
    for rank, name in enumerate(_names(context)):
        if name != old:
            yield context.put(node.type, name, IMPROBABLE if name in _BROAD else 1.0 - SLOW_DECLINE * rank)
    for name in _names(context)[:MAX_HANDLED_PAIRS]:
        if name != old:
            yield context.put(node.type, f"({old}, {name})", PROBABLE)


def _one_more_caught(kinds: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except (A, B)` becomes `except (A, B, C)`: whoever lists some means to list all. And `except C`, hardly ever."""
    caught = [context.text(kind) for kind in kinds.elts]
    for rank, name in enumerate(_names(context)):
        if name not in (*caught, *_BROAD):
            yield context.put(kinds, f"({', '.join((*caught, name))})", 1.0 - SLOW_DECLINE * rank)
            yield context.put(kinds, name, IMPROBABLE)


def other_exception(node: ast.Raise, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`raise A(...)` becomes `raise B(...)`."""
    target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if not isinstance(target, ast.Name):
        return
    own = [s.name for s in context.program.tree.body if isinstance(s, ast.ClassDef)]
    for rank, name in enumerate(dict.fromkeys((*context.clues.exceptions, *own, *_COMMON))):
        if name != target.id and name in (*context.scope.globals, *PYTHON_BUILTINS):
            yield context.put(target, name, max(IMPROBABLE, 1.0 - DECLINE * rank))


def raise_or_return(node: ast.Raise | ast.Return | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`raise E` becomes `return None`; an exception that is created, kept or returned is raised."""
    span = context.program.spans[node]
    if isinstance(node, ast.Raise):
        yield from (
            context.replace(*span, f"return {value}", HALF)
            for value in ("None", "False", "0", "[]", "''", "-1", "True")
        )
        yield context.replace(*span, "pass", UNLIKELY)
        if node.exc is not None:
            yield context.replace(*span, "raise", UNLIKELY)
        return
    value = node.value
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id.endswith(("Error", "Exception"))
    ):
        yield context.replace(*span, f"raise {context.text(value)}")
    elif isinstance(node, ast.Return):
        if isinstance(value, ast.Name) and value.id in _kept_exceptions(context):
            yield context.replace(*span, f"raise {value.id}")
        for name in context.clues.exceptions[:MAX_EXCEPTIONS]:
            yield context.replace(*span, f"raise {name}", HALF)


def _kept_exceptions(context: TemplateContext) -> set[str]:
    """The variables that handlers keep an exception in, for later: `last = error`."""
    handlers = [part for part in context.scope.nodes if isinstance(part, ast.ExceptHandler) and part.name]
    kept = {handler.name for handler in handlers if handler.name}
    for handler in handlers:
        for part in ast.walk(handler):
            if isinstance(part, ast.Assign) and context.text(part.value) == handler.name:
                kept |= {target.id for target in part.targets if isinstance(target, ast.Name)}
    return kept


def handler_body(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The one statement of a handler becomes `raise`, `return None`, `continue`, ..."""
    if len(node.body) != 1:
        return
    span = context.program.spans[node.body[0]]
    for rank, text in enumerate(
        ("raise", "return None", "continue", "pass", "return False", "return 0", "break", "return", "return []")
    ):
        yield context.replace(*span, text, 1.0 - DECLINE * rank)


def raise_own(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except KeyError: return None` becomes `except KeyError: raise NoAccount(owner) from None`, of the module."""
    if len(node.body) != 1 or not isinstance(node.body[0], ast.Return | ast.Pass | ast.Continue | ast.Expr):
        return
    raised = {part.id for part in context.program.nodes if isinstance(part, ast.Name)}
    looked_up = list(_looked_up(context.parent(node), context))
    for name in _own_classes(context):
        weight = 1.0 if name not in raised else UNLIKELY
        for arguments in (*looked_up, ""):
            line = f"raise {name}({arguments}) from None"
            yield from context.restate(node.body[0], (line,), weight * (1.0 if arguments else HALF))


def _own_classes(context: TemplateContext) -> Iterator[str]:
    """The exception classes of the module, those that the checks name first."""
    known = {name for name in PYTHON_BUILTINS if name.endswith(("Error", "Exception"))}
    own = []
    for part in context.program.tree.body:
        if isinstance(part, ast.ClassDef) and any(context.text(base) in known for base in part.bases):
            known.add(part.name)
            own.append(part.name)
    yield from sorted(own, key=lambda name: name not in context.clues.exceptions)


def _looked_up(block: ast.AST, context: TemplateContext) -> Iterator[str]:
    """The key of the first lookup, or the first argument of a call, in what a `try` holds."""
    for statement in block.body if isinstance(block, ast.Try) else ():
        for part in ast.walk(statement):
            inner = part.slice if isinstance(part, ast.Subscript) else None
            inner = part.args[0] if isinstance(part, ast.Call) and part.args else inner
            if isinstance(inner, ast.Name):
                yield context.text(inner)
                return


def catch(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement that raises is put in a `try`, and its handler returns a value or raises another exception."""
    if node.lineno not in context.clues.raised_lines or not context.program.alone(node) or "\n" in context.text(node):
        return
    text = context.text(node)
    raised = [n.split(":")[0].strip() for n in context.clues.details.splitlines() if ":" in n]
    counts = any(
        "range(" in context.text(loop.iter) for loop in context.loops_around(node) if isinstance(loop, ast.For)
    )
    for name in dict.fromkeys(n for n in raised if n in PYTHON_BUILTINS):
        # A loop over places that goes too far is to end earlier.
        share = UNLIKELY if counts and name == "IndexError" else 1.0
        for other in _others(name, context):
            yield from context.restate(node, ("try:", f"\t{text}", f"except {name}:", f"\traise {other} from None"))
        for result in (
            *(f"return {name}" for name in context.scope.parameters if name in context.scope.unused),
            "return None",
            "return False",
            "return 0",
            "continue",
            "pass",
            "return []",
            "return ''",
            "return -1",
        ):
            yield from context.restate(node, ("try:", f"\t{text}", f"except {name}:", f"\t{result}"), share)


def _others(name: str, context: TemplateContext) -> Iterator[str]:
    """Exceptions to raise in place of `name`."""
    function = context.scope.function
    if function is not None and function.name == "__getattr__" and name != "AttributeError":
        yield f"AttributeError({', '.join(context.scope.parameters[1:2])})"
    yield from (other for other in context.clues.exceptions[:MAX_EXCEPTIONS] if other != name)


def at_last(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Statements after a `yield` run in any case: `try: yield` and `finally:` with the rest."""
    block = context.program.block(node)
    rest = block[block.index(node) + 1 :]
    if not isinstance(node.value, ast.Yield) or not rest or not all(map(context.program.alone, (node, *rest))):
        return
    indent = context.program.indent(node)
    deeper = indent + context.program.unit
    (start, middle), (_, end) = map(context.program.lines, (node, rest[-1]))
    held, after = (at_depth(span, context, indent, deeper) for span in ((start, middle), (middle, end)))
    text = f"{indent}try:\n{held}{indent}finally:\n{after}"
    yield context.replace(start, end, text, 1.0 if _is_context(context) else UNLIKELY)


def _is_context(context: TemplateContext) -> bool:
    """Whether the function is decorated as a context manager."""
    function = context.scope.function
    return function is not None and any("contextmanager" in context.text(d) for d in function.decorator_list)


def raise_at_last(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """What is caught in each round of `for attempt in range(1, n + 1)` goes through in the last."""
    loop = next(context.loops_around(node), None)
    counted = loop.iter if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else None
    if not isinstance(counted, ast.Call) or context.text(counted.func) != "range" or not counted.args:
        return
    if "raise" in context.text(node):
        return
    last = f"{context.text(counted.args[-1])} - 1".replace(" + 1 - 1", "")
    assert isinstance(loop, ast.For)
    yield from context.before(node.body[0], (f"if {context.text(loop.target)} == {last}:", "\traise"))


def raise_for_break(node: ast.Break, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not ready: break` becomes `if not ready: raise ValueError`, which prose speaks of and nothing raises."""
    if not isinstance(context.parent(node), ast.If):
        return
    for name in dict.fromkeys(re.findall(r"\b[A-Z]\w*Error\b", context.clues.prose)):
        if f"raise {name}" not in context.program.source:
            yield from context.restate(node, (f"raise {name}",))


def until_end_of_input(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`line = input()` in an endless loop ends it where there is no further line: `except EOFError: break`."""
    loop = next(context.loops_around(node), None)
    is_endless = isinstance(loop, ast.While) and context.text(loop.test) in ("True", "1")
    if is_endless and "input(" in context.text(node.value) and not isinstance(context.parent(node), ast.Try):
        yield from context.restate(node, ("try:", f"\t{context.text(node)}", "except EOFError:", "\tbreak"))


def raise_again(
    node: ast.Break | ast.Continue | ast.Pass | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if tries > limit: break` in a handler becomes `if tries > limit: raise`: what went wrong goes through."""
    is_empty = not isinstance(node, ast.Return) or node.value is None or isinstance(node.value, ast.Constant)
    handled = next((part for part in context.around(node) if isinstance(part, ast.ExceptHandler)), None)
    if is_empty and handled is not None and handled is not context.parent(node):
        yield context.replace(*context.program.spans[node], "raise")


def keep_going(node: ast.Expr | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A call of each turn of a loop is put in a `try`, and what it raises is kept: `errors.append(exc)`,
    `results[name] = exc`. The others have their turn all the same."""
    text, call = context.text(node), node.value.value if isinstance(node.value, ast.Await) else node.value
    loop = context.parent(node)
    if not isinstance(call, ast.Call) or not isinstance(loop, ast.For | ast.AsyncFor | ast.While) or "\n" in text:
        return
    if (isinstance(call.func, ast.Attribute) and call.func.attr in CHANGING_METHODS) or not context.program.alone(node):
        return
    share = 1.0 if node.lineno in context.clues.raised_lines else UNLIKELY
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    kept = [f"{context.text(target)} = exc"] if isinstance(target, ast.Subscript) else []
    kept += context.cached("kept errors", lambda: list(_kept_errors(context)))
    for line in dict.fromkeys(line.format(item) for line in kept for item in _items_of(loop, context)):
        yield from context.restate(node, ("try:", f"\t{text}", "except Exception as exc:", f"\t{line}"), share)
    yield from context.restate(node, ("try:", f"\t{text}", "except Exception:", "\tcontinue"), share * HALF)


def _items_of(loop: ast.For | ast.AsyncFor | ast.While, context: TemplateContext) -> list[str]:
    """What each turn of a loop is about: its variables, or those that its body binds, the last one first."""
    parts = loop.body if isinstance(loop, ast.While) else [loop.target]
    bound = [part for statement in parts for part in ast.walk(statement) if isinstance(part, ast.Name)]
    names = list(dict.fromkeys(part.id for part in bound if isinstance(part.ctx, ast.Store)))
    return names[::-1] if isinstance(loop, ast.While) else names


def _kept_errors(context: TemplateContext) -> Iterator[str]:
    """How an exception may be kept in the empty lists and dictionaries that a function begins with, by their names."""
    for part in context.scope.nodes:
        name = context.text(part.targets[0]) if isinstance(part, ast.Assign) else ""
        if isinstance(part, ast.Assign) and name.isidentifier() and re.search("err|fail|problem|exc|bad", name):
            if isinstance(part.value, ast.List) and not part.value.elts:
                yield f"{name}.append(exc)"
            elif isinstance(part.value, ast.Dict) and not part.value.keys:
                yield f"{name}[{{}}] = exc"


def catch_raised_too(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except (KeyError, IndexError)` becomes `except (KeyError, IndexError, TypeError)`, where a failing check raised
    one in what the `try` holds."""
    block = context.parent(node)
    if node.type is None or not isinstance(block, ast.Try):
        return
    handled = [handler.type for handler in block.handlers if handler.type is not None]
    known = {part.id for kind in handled for part in walk(kind) if isinstance(part, ast.Name)}
    own = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    names = ", ".join(map(context.text, own))
    begin, end = block.body[0].lineno, block.body[-1].end_lineno or block.body[-1].lineno
    for raised in context.clues.raised:
        if begin <= raised.line <= end and raised.name in PYTHON_BUILTINS and raised.name not in known:
            yield context.put(node.type, f"({names}, {raised.name})", raised.share)


def catch_as_told(node: ast.ExceptHandler, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except Exception as error` becomes `except transient as error` for a parameter that nobody reads."""
    if node.type is None or context.text(node.type) not in _BROAD:
        return
    for name in (one for one in context.scope.parameters if one in context.scope.unused):
        yield context.put(node.type, name)


def keep_unconverted(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row[name] = float(field)` becomes `try: row[name] = float(field)` and `except ValueError: row[name] = field`:
    what is no number stays a text."""
    match node:
        case ast.Assign(
            targets=[target], value=ast.Call(func=ast.Name(id="int" | "float"), args=[ast.expr() as given])
        ):
            lines = ("try:", f"\t{context.text(node)}", "except ValueError:", f"\t{context.text(target)} = {{}}")
            if not isinstance(context.parent(node), ast.Try) and "\n" not in context.text(node):
                kept = lines[-1].format(context.text(given))
                yield from context.restate(
                    node, (*lines[:-1], kept if context.text(target) != context.text(given) else "\tpass")
                )


def raise_in_last_try(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In a handler of `while failed < tries:`, `if failed < tries: wait()` gains `else: raise`: the last time, it goes
    through."""
    loop, handler = next(context.loops_around(node), None), context.parent(node)
    if not isinstance(loop, ast.While) or not isinstance(handler, ast.ExceptHandler) or node.orelse:
        return
    if context.text(loop.test) == context.text(node.test):
        yield from context.after(node, ("else:", "\traise"))


TEMPLATES = (
    Template("raise_in_last_try", (ast.If,), raise_in_last_try, ("none",)),
    Template("keep_unconverted", (ast.Assign,), keep_unconverted, ("value", "convert")),
    Template("catch_as_told", (ast.ExceptHandler,), catch_as_told, ("raises", "type", "content")),
    Template("catch_raised_too", (ast.ExceptHandler,), catch_raised_too),
    Template("keep_going", (ast.Expr, ast.Assign), keep_going, ("value", "type", "key")),
    Template("raise_again", (ast.Break, ast.Continue, ast.Pass, ast.Return), raise_again, ("none",)),
    Template("raise_at_last", (ast.ExceptHandler,), raise_at_last, ("none",)),
    Template("raise_for_break", (ast.Break,), raise_for_break),
    Template("until_end_of_input", (ast.Assign,), until_end_of_input),
    Template(
        "other_handler", (ast.ExceptHandler,), other_handler, ("key", "index", "type", "value", "zero", "attribute")
    ),
    Template("other_exception", (ast.Raise,), other_exception, ("value", "type")),
    Template("raise_or_return", (ast.Raise, ast.Return, ast.Expr), raise_or_return),
    Template("handler_body", (ast.ExceptHandler,), handler_body, ("none",)),
    Template("raise_own", (ast.ExceptHandler,), raise_own, ("none",)),
    Template("at_last", (ast.Expr,), at_last),
    Template(
        "catch", (ast.Assign, ast.AugAssign, ast.Expr, ast.Return), catch, ("key", "index", "zero", "value", "type")
    ),
)
