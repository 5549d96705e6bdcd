"""Conditions that are too weak, too strong, another one of the function, or under the wrong keyword."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    LIKELY,
    MAX_ATTRIBUTES_ASKED,
    MAX_CONTAINERS_ASKED,
    MAX_INTEGERS_COMPARED,
    MAX_LOCAL_NAMES,
    MAX_SEQUENCES_COMPARED,
    MAX_TEXTS_ASKED,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import (
    AND,
    ATOM,
    COMPARISON,
    OR,
    Expression,
    bool_operation,
    comparison,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit


def add_condition(
    node: ast.If | ast.While | ast.IfExp | ast.comprehension | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if a` becomes `if a and b` or `if a or b`, for conditions of the function and simple ones over its variables."""
    tests = (
        node.ifs if isinstance(node, ast.comprehension) else [node.value if isinstance(node, ast.Return) else node.test]
    )
    for test in tests:
        if (
            test is None
            or (isinstance(node, ast.Return) and context.kind(test) != "bool")
            or isinstance(test, ast.Constant)
        ):
            continue
        old = context.expression(test)
        for extra, weight in likely_conditions(context):
            if extra.text not in old.text:
                yield context.put(test, bool_operation(old, "and", extra), weight)
                yield context.put(test, bool_operation(old, "or", extra), weight * VERY_LIKELY)
                yield context.put(test, bool_operation(extra, "and", old), weight * PROBABLE)


def check_first(
    node: ast.If | ast.While | ast.IfExp | ast.comprehension | ast.BoolOp, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if xs[-1] == x` becomes `if xs and xs[-1] == x`, `if not xs or ...`: a check that the test can be made."""
    tests = (
        node.values[:1]
        if isinstance(node, ast.BoolOp)
        else node.ifs
        if isinstance(node, ast.comprehension)
        else [node.test]
    )
    for test in tests:
        old = context.expression(test)
        for base in dict.fromkeys(_prerequisites(test, context)):
            yield context.put(test, bool_operation(Expression(base), "and", old))
            yield context.put(test, bool_operation(unary_operation("not", Expression(base)), "or", old), ALMOST_SURE)
            yield context.put(test, bool_operation(Expression(f"{base} is not None", COMPARISON), "and", old), LIKELY)
            yield context.put(test, bool_operation(Expression(f"{base} is None", COMPARISON), "or", old), VERY_LIKELY)


def _prerequisites(test: ast.expr, context: TemplateContext) -> Iterator[str]:
    """The values that must not be empty or None for the test to be made."""
    for part in ast.walk(test):
        if (
            isinstance(part, ast.Subscript | ast.Attribute)
            and isinstance(part.value, ast.Name | ast.Attribute)
            and part.value in context.program.spans
        ):
            if context.text(part.value) not in (context.scope.receiver, *context.scope.globals):
                yield context.text(part.value)
        elif (
            isinstance(part, ast.Name)
            and part.id in context.scope.locals
            and context.scope.kinds.get(part.id, "") not in ("int", "bool")
        ):
            yield part.id


def other_condition(
    node: ast.If | ast.While | ast.IfExp | ast.comprehension, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """A condition becomes another one of the function, or a simple one over its variables."""
    tests = node.ifs if isinstance(node, ast.comprehension) else [node.test]
    for test in tests:
        for extra, weight in likely_conditions(context):
            if extra.text != context.text(test):
                yield context.put(test, extra, weight)


def likely_conditions(context: TemplateContext) -> list[tuple[Expression, float]]:
    """Conditions worth trying here, likely ones first; computed once for a function."""
    return context.cached("conditions", lambda: list(_gathered(context)))


def _gathered(context: TemplateContext) -> Iterator[tuple[Expression, float]]:
    yield from ((code, 1.0) for code in context.scope.conditions.values())
    # There is more than one between ends that may meet.
    yield from ((Expression(text, COMPARISON), PROBABLE) for text in _strict_conditions(context))
    names = [name for name in context.scope.locals if name != context.scope.receiver]
    kinds = context.scope.kinds
    for name in names:
        kind = kinds.get(name, "")
        share = 1.0 if name in context.scope.unused else PROBABLE
        if kind in ("int", "float", ""):
            yield from (
                (comparison(Expression(name), symbol, Expression(number)), share * HALF) for symbol, number in _TESTS
            )
        if kind not in ("int", "float"):
            yield Expression(name), share
            yield unary_operation("not", Expression(name)), share
        if kind not in ("int", "float", "bool"):
            yield Expression(f"{name} is not None", COMPARISON), share * PROBABLE
            yield Expression(f"{name} is None", COMPARISON), share * HALF
    integers = context.scope.of_kind("int")
    for name in integers[:MAX_INTEGERS_COMPARED]:
        for container in context.scope.of_kind("list", "str", "tuple")[:MAX_SEQUENCES_COMPARED]:
            yield comparison(Expression(name), "<", Expression(f"len({container})")), PROBABLE
        for other in integers[:MAX_INTEGERS_COMPARED]:
            if other != name:
                yield from (
                    (comparison(Expression(name), symbol, Expression(other)), POSSIBLE)
                    for symbol in ("<", "!=", "<=", "==")
                )
    for index, one in enumerate(names[:MAX_LOCAL_NAMES]):
        for other in names[index + 1 : MAX_LOCAL_NAMES]:
            if kinds.get(one, "") == kinds.get(other, "") != "int":
                yield from (
                    (comparison(Expression(one), symbol, Expression(other)), POSSIBLE)
                    for symbol in ("==", "!=", "<", ">")
                )
    for container in context.scope.of_kind("list", "set", "dict", "str")[:MAX_CONTAINERS_ASKED]:
        for name in names[:MAX_LOCAL_NAMES]:
            if name != container and kinds.get(name) not in ("list", "set", "dict"):
                yield Expression(f"{name} not in {container}", COMPARISON), HALF
                yield Expression(f"{name} in {container}", COMPARISON), POSSIBLE
    texts = [name for name in names if kinds.get(name) == "str"]
    for name in texts[:MAX_TEXTS_ASKED]:
        yield from (
            (Expression(f"{name}.{method}()"), POSSIBLE)
            for method in ("isdigit", "isalpha", "isupper", "islower", "isspace", "isalnum")
        )
    seen = context.scope.attributes[:MAX_ATTRIBUTES_ASKED]
    yield from ((Expression(f"{context.scope.receiver}.{name}"), POSSIBLE) for name in seen)
    yield from ((unary_operation("not", Expression(f"{context.scope.receiver}.{name}")), UNLIKELY) for name in seen)


def _strict_conditions(context: TemplateContext) -> Iterator[str]:
    """`left < right`, for each `left <= right` that a loop goes by."""
    for loop in (part for part in context.scope.nodes if isinstance(part, ast.While)):
        for test in ast.walk(loop.test):
            if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.LtE | ast.GtE):
                symbol = "<" if isinstance(test.ops[0], ast.LtE) else ">"
                yield f"{context.text(test.left)} {symbol} {context.text(test.comparators[0])}"


_TESTS = (
    (">", "0"),
    ("<", "0"),
    ("==", "0"),
    ("!=", "0"),
    (">", "1"),
    ("==", "1"),
    ("<=", "1"),
    (">=", "0"),
    ("% 2 ==", "0"),
    ("% 2 ==", "1"),
)


def behind_consonant(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word.endswith("y")` becomes `word.endswith("y") and word[-2:-1] not in "aeiou"`, where prose has consonants."""
    ending = node.args[0] if callee_name(node) == "endswith" and len(node.args) == 1 else None
    if not isinstance(ending, ast.Constant) or ending.value not in ("y", "o", "Y"):
        return
    if not re.search(r"consonant|vowel", context.clues.prose.lower()):
        return
    word = context.text(node.func.value)  # type: ignore[attr-defined]
    vowels = next((name for name in context.scope.globals if "vowel" in name.lower()), '"aeiou"')
    yield context.put(node, Expression(f"{context.text(node)} and {word}[-2:-1] not in {vowels}", AND))


def drop_filter(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs if c]` becomes `[x for x in xs]`."""
    before: ast.expr = node.iter
    source = context.program.source
    for test in node.ifs:
        start, end = context.outer(before)[1], context.outer(test)[1]
        if source[start:end].strip().startswith("if"):
            yield context.replace(start, end, "")
        before = test


def add_filter(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs]` becomes `[x for x in xs if x]`, or under a condition of the function."""
    if node.ifs or not isinstance(node.target, ast.Name):
        return
    end = context.outer(node.iter)[1]
    name = node.target.id
    found: list[tuple[str, float]] = [(name, 1.0), (f"not {name}", POSSIBLE), (f"{name} is not None", PROBABLE)]
    if context.scope.kinds.get(name, "") in ("int", "float", ""):
        found += [(f"{name} {symbol} {number}", HALF) for symbol, number in _TESTS]
    for other in context.scope.locals:
        if other not in (name, context.scope.receiver):
            found += [
                (f"{name} != {other}", HALF),
                (f"{name} not in {other}", HALF),
                (f"{name} in {other}", POSSIBLE),
                (f"{name} < {other}", UNLIKELY),
            ]
    if context.scope.kinds.get(name, "") in ("str", ""):
        found += [(f"{name}.{method}()", POSSIBLE) for method in ("strip", "isalpha", "isdigit", "isalnum")]
    found += [(code.at(OR), PROBABLE) for code in context.scope.conditions.values()]
    for text, weight in found:
        yield context.replace(end, end, f" if {text}", weight)


def other_keyword(node: ast.If | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if` becomes `while`, `while` becomes `if`, `elif` becomes `if`, and an `if` after an `if` becomes `elif`."""
    start = context.program.spans[node][0]
    source = context.program.source
    if isinstance(node, ast.While):
        yield context.replace(start, start + len("while"), "if", HALF)
        return
    if source.startswith("elif", start):
        if not node.orelse:
            yield context.replace(start, start + len("elif"), "if")
        return
    if not node.orelse and not isinstance(node.body[-1], ast.Return | ast.Break | ast.Continue | ast.Raise):
        # What leaves its block is no round of a loop.
        yield context.replace(start, start + len("if"), "while", PROBABLE)
    block = context.program.block(node)
    index = block.index(node)
    if index and isinstance(block[index - 1], ast.If) and not _last_else(block[index - 1]):
        yield context.replace(start, start + len("if"), "elif")


def _last_else(node: ast.stmt) -> bool:
    """Whether a chain of `if`s ends in an `else`."""
    while isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return isinstance(node, ast.If) and bool(node.orelse)


def swap_branches(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The bodies of `if` and `else`, or of two links of a chain, change places: one plain statement each."""
    chain: list[list[ast.stmt]] = [node.body]
    rest = node.orelse
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        chain.append(rest[0].body)
        rest = rest[0].orelse
    if rest:
        chain.append(rest)
    for index, one in enumerate(chain):
        for two in chain[index + 1 :]:
            if len(one) == len(two) == 1 and _is_simple(one[0]) and _is_simple(two[0]):
                first, second = context.text(one[0]), context.text(two[0])
                edits = (Edit(*context.program.spans[one[0]], second), Edit(*context.program.spans[two[0]], first))
                yield WeightedEdits(edits, 1.0 if two is rest or len(chain) == 2 else PROBABLE)


def _is_simple(node: ast.stmt) -> bool:
    return not isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.FunctionDef | ast.ClassDef)


_TESTED = (ast.If, ast.While, ast.IfExp)


def only_such_characters(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n > 2` becomes `if n > 2 and text[i].isalpha()`, where prose tells letters or digits from the rest."""
    asked = [test for word, test in _KINDS_OF_CHARACTER if word in context.clues.prose.lower()]
    inside = context.program.below(node)
    characters = dict.fromkeys(context.text(part) for part in inside if _is_character(part, context))
    for rank, character in enumerate(characters if asked else ()):
        for test in asked:
            if f"{character}.{test}()" not in context.text(node.test):
                code = bool_operation(context.expression(node.test), "and", Expression(f"{character}.{test}()", ATOM))
                yield context.put(node.test, code, LIKELY**rank)


def _is_character(part: ast.AST, context: TemplateContext) -> bool:
    """Whether an expression seems to be one character: of a text, at a place; or what a loop over a text gives."""
    if isinstance(part, ast.Subscript):
        return not isinstance(part.slice, ast.Slice) and context.kind(part.value) == "str"
    return isinstance(part, ast.Name) and any(
        isinstance(loop, ast.For) and context.text(loop.target) == part.id and context.kind(loop.iter) == "str"
        for loop in context.loops_around(part)
    )


_KINDS_OF_CHARACTER = (("letter", "isalpha"), ("digit", "isdigit"))


def ask_how_many_differ(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return code.isdigit()` becomes `return code.isdigit() and len(set(code)) > 1`, where prose says that not all are
    the same, or that none occurs twice."""
    value, prose = node.value, context.clues.prose.lower()
    if value is None or context.kind(value) not in ("bool", "") or isinstance(value, ast.Constant):
        return
    if not isinstance(value, ast.Call | ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Name):
        return
    for said, question in _HOW_MANY_DIFFER:
        if said.search(prose):
            for name in context.scope.of_kind("str", "list", "tuple"):
                asked = Expression(question.format(name), COMPARISON)
                yield context.put(value, bool_operation(context.expression(value), "and", asked))


_HOW_MANY_DIFFER = (
    (re.compile(r"\b(?:not|n't) all (?:be |are )?(?:the same|equal|alike|identical)"), "len(set({0})) > 1"),
    (re.compile(r"\ball (?:of them )?(?:be |are )?(?:different|distinct|unique)"), "len(set({0})) == len({0})"),
    (re.compile(r"\b(?:twice|repeat\w*|duplicates?|more than once)\b"), "len(set({0})) == len({0})"),
    (re.compile(r"\ball (?:of them )?(?:be |are )?(?:the same|equal|alike|identical)"), "len(set({0})) == 1"),
)


def leave_other_characters(node: ast.If | ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if c in known: shown += c` becomes `if not c.isalpha() or c in known`, where prose has characters that are no
    letters kept as they are."""
    said = _OTHERS_ARE_KEPT.search(" ".join(context.clues.prose.lower().split()))
    kind = next((test for word, test in _KINDS_OF_CHARACTER if said and word in said.group()), "")
    if not kind:
        return
    inside = context.program.below(node)
    for character in dict.fromkeys(context.text(part) for part in inside if _is_character(part, context)):
        asked = f"{character}.{kind}()"
        if asked not in context.text(node.test):
            other = unary_operation("not", Expression(asked, ATOM))
            yield context.put(node.test, bool_operation(other, "or", context.expression(node.test)))


_KEPT = r"[^.]*\b(?:always|kept|keeps?|shown|copied|stays?|remains?|unchanged|as (?:they|it) (?:are|is))\b"
_OTHERS_ARE_KEPT = re.compile(
    r"\b(?:characters?|everything|anything|signs?|all) (?:else )?(?:that |which )?(?:are |is )?"
    rf"(?:not|no|other than|but|except)(?: an?)? (?:letter|digit)s?{_KEPT}|\bnon-(?:letter|digit)s?{_KEPT}"
)


TEMPLATES = (
    Template("only_such_characters", (ast.If,), only_such_characters, ("content", "longer")),
    Template("leave_other_characters", (ast.If, ast.IfExp), leave_other_characters, ("content", "case", "space")),
    Template("ask_how_many_differ", (ast.Return,), ask_how_many_differ, ("negated",)),
    Template("add_condition", (*_TESTED, ast.comprehension, ast.Return), add_condition, ("negated", "index", "none")),
    Template(
        "check_first",
        (*_TESTED, ast.comprehension, ast.BoolOp),
        check_first,
        ("index", "attribute", "type", "none", "key"),
    ),
    Template("other_condition", (*_TESTED, ast.comprehension), other_condition),
    Template("behind_consonant", (ast.Call,), behind_consonant),
    Template("drop_filter", (ast.comprehension,), drop_filter, ("shorter",)),
    Template("add_filter", (ast.comprehension,), add_filter, ("longer", "repeats")),
    Template("other_keyword", (ast.If, ast.While), other_keyword),
    Template("swap_branches", (ast.If,), swap_branches, ("negated",)),
)
