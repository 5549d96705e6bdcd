"""Wrong conditions: turned round, too weak, too strong, borrowed from elsewhere, or under the wrong keyword."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.code import COMPARE, COMPARISONS, OPPOSITE, OR, TEST, Code, both, compare, unary
from regreen.propose.search.place import Place
from regreen.propose.search.template import Draft, Drafts, Template
from regreen.types import Edit


def negation(node: ast.expr, place: Place) -> Code:
    """The opposite of a condition, as a person would write it."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return place.code(node.operand)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        symbol = OPPOSITE[COMPARISONS[type(node.ops[0])]]
        return compare(place.code(node.left), symbol, place.code(node.comparators[0]))
    return unary("not", place.code(node))


def negate_condition(node: ast.If | ast.While | ast.IfExp | ast.Assert, place: Place) -> Drafts:
    """`if a` becomes `if not a`, a whole `a and b` included."""
    yield place.put(node.test, negation(node.test, place))


def negate_part(node: ast.BoolOp, place: Place) -> Drafts:
    """`a and b` becomes `not a and b`."""
    for value in node.values:
        yield place.put(value, negation(value, place))


def negate_result(node: ast.Return | ast.Assign, place: Place) -> Drafts:
    """`return a in b` becomes `return a not in b`."""
    if node.value is not None and place.kind(node.value) == "bool" and not isinstance(node.value, ast.Constant):
        yield place.put(node.value, negation(node.value, place))


def look_before_answer(node: ast.Return, place: Place) -> Drafts:
    """`return True` becomes `return not xs`, `return n == 0`: what is left over at the end decides, too."""
    answer = node.value
    if not isinstance(answer, ast.Constant) or not isinstance(answer.value, bool):
        return
    for name in place.scope.of_kind("list", "set", "dict", "str", "tuple"):
        if name in place.scope.assigned:
            left = unary("not", Code(name)) if answer.value else compare(Code(f"len({name})"), ">", Code("0"))
            yield place.put(answer, left)
    for condition, weight in likely_conditions(place):
        yield place.put(answer, condition, weight * 0.5)


def negate_filter(node: ast.comprehension, place: Place) -> Drafts:
    """`... if c]` becomes `... if not c]`; also the body of a filter's lambda."""
    for test in node.ifs:
        yield place.put(test, negation(test, place))


def spread_not(node: ast.UnaryOp | ast.BoolOp, place: Place) -> Drafts:
    """`not a and b` becomes `not (a and b)`, `not (a and b)` becomes `not a and b` or `not a and not b`."""
    if isinstance(node, ast.BoolOp):
        first = node.values[0]
        word = "and" if isinstance(node.op, ast.And) else "or"
        if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not) and len(node.values) == 2:
            yield place.put(node, unary("not", both(place.code(first.operand), word, place.code(node.values[1]))))
        return
    inner = node.operand
    if isinstance(node.op, ast.Not) and isinstance(inner, ast.BoolOp) and len(inner.values) == 2:
        word = "and" if isinstance(inner.op, ast.And) else "or"
        left, right = (place.code(value) for value in inner.values)
        yield place.put(node, both(unary("not", left), word, right))
        yield place.put(node, both(unary("not", left), word, unary("not", right)))


def repeat_comparison(node: ast.BoolOp, place: Place) -> Drafts:
    """`x == a or b` becomes `x == a or x == b`, `a or b in xs` becomes `a in xs or b in xs`: prose that is no code."""
    tests = [n for n in node.values if isinstance(n, ast.Compare) and len(n.ops) == 1]
    bare = [n for n in node.values if isinstance(n, _BARE)]
    if len(tests) != 1 or not bare:
        return
    test, values = tests[0], [place.code(value) for value in bare]
    symbol = COMPARISONS[type(test.ops[0])]
    left, right = place.code(test.left), place.code(test.comparators[0])
    if test is node.values[0]:
        full = [compare(left, symbol, value) for value in values]
    elif test is node.values[-1]:
        full = [compare(value, symbol, right) for value in values]
    else:
        return
    edits = [place.edit(value, code) for value, code in zip(bare, full, strict=True)]
    yield Draft(tuple(edits))
    if test is node.values[0] and len(bare) + 1 == len(node.values) and symbol in _AMONG:
        choice = ", ".join(code.at(TEST) for code in (right, *values))
        yield place.put(node, Code(f"{left.at(COMPARE)} {_AMONG[symbol]} ({choice})", COMPARE))


_BARE = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript)
_AMONG = {"==": "in", "!=": "not in"}


def constant_condition(node: ast.If | ast.While | ast.IfExp, place: Place) -> Drafts:
    """`if c` becomes `if True` or `if False`; `while c` becomes `while True`."""
    if not isinstance(node.test, ast.Constant):
        yield place.put(node.test, "True")
        yield place.put(node.test, "False", 0.6)


def add_condition(node: ast.If | ast.While | ast.IfExp | ast.comprehension | ast.Return, place: Place) -> Drafts:
    """`if a` becomes `if a and b` or `if a or b`, for conditions of the function and simple ones over its variables."""
    tests = (
        node.ifs if isinstance(node, ast.comprehension) else [node.value if isinstance(node, ast.Return) else node.test]
    )
    for test in tests:
        if (
            test is None
            or (isinstance(node, ast.Return) and place.kind(test) != "bool")
            or isinstance(test, ast.Constant)
        ):
            continue
        old = place.code(test)
        for extra, weight in likely_conditions(place):
            if extra.text not in old.text:
                yield place.put(test, both(old, "and", extra), weight)
                yield place.put(test, both(old, "or", extra), weight * 0.8)
                yield place.put(test, both(extra, "and", old), weight * 0.6)


def check_first(node: ast.If | ast.While | ast.IfExp | ast.comprehension | ast.BoolOp, place: Place) -> Drafts:
    """`if xs[-1] == x` becomes `if xs and xs[-1] == x`, `if not xs or ...`: a look before the leap."""
    tests = (
        node.values[:1]
        if isinstance(node, ast.BoolOp)
        else node.ifs
        if isinstance(node, ast.comprehension)
        else [node.test]
    )
    for test in tests:
        old = place.code(test)
        for base in dict.fromkeys(_leaps(test, place)):
            yield place.put(test, both(Code(base), "and", old))
            yield place.put(test, both(unary("not", Code(base)), "or", old), 0.9)
            yield place.put(test, both(Code(f"{base} is not None", COMPARE), "and", old), 0.7)
            yield place.put(test, both(Code(f"{base} is None", COMPARE), "or", old), 0.8)


def _leaps(test: ast.expr, place: Place) -> Iterator[str]:
    """What must not be empty or None for the test to work."""
    for part in ast.walk(test):
        if (
            isinstance(part, ast.Subscript | ast.Attribute)
            and isinstance(part.value, ast.Name | ast.Attribute)
            and part.value in place.program.spans
        ):
            if place.text(part.value) not in (place.scope.receiver, *place.scope.globals):
                yield place.text(part.value)
        elif (
            isinstance(part, ast.Name)
            and part.id in place.scope.locals
            and place.scope.kinds.get(part.id, "") not in ("int", "bool")
        ):
            yield part.id


def other_condition(node: ast.If | ast.While | ast.IfExp | ast.comprehension, place: Place) -> Drafts:
    """A condition becomes another one of the function, or a simple one over its variables."""
    tests = node.ifs if isinstance(node, ast.comprehension) else [node.test]
    for test in tests:
        for extra, weight in likely_conditions(place):
            if extra.text != place.text(test):
                yield place.put(test, extra, weight)


def likely_conditions(place: Place) -> list[tuple[Code, float]]:
    """Conditions worth trying here, likely ones first; computed once for a function."""
    return place.cached("conditions", lambda: list(_gathered(place)))


def _gathered(place: Place) -> Iterator[tuple[Code, float]]:
    yield from ((code, 1.0) for code in place.scope.conditions.values())
    names = [name for name in place.scope.locals if name != place.scope.receiver]
    kinds = place.scope.kinds
    for name in names:
        kind = kinds.get(name, "")
        share = 1.0 if name in place.scope.unused else 0.6
        if kind in ("int", "float", ""):
            yield from ((compare(Code(name), symbol, Code(number)), share * 0.5) for symbol, number in _TESTS)
        if kind not in ("int", "float"):
            yield Code(name), share
            yield unary("not", Code(name)), share
        if kind not in ("int", "float", "bool"):
            yield Code(f"{name} is not None", COMPARE), share * 0.6
            yield Code(f"{name} is None", COMPARE), share * 0.5
    integers = place.scope.of_kind("int")
    for name in integers[:6]:
        for container in place.scope.of_kind("list", "str", "tuple")[:4]:
            yield compare(Code(name), "<", Code(f"len({container})")), 0.6
        for other in integers[:6]:
            if other != name:
                yield from ((compare(Code(name), symbol, Code(other)), 0.4) for symbol in ("<", "!=", "<=", "=="))
    for index, one in enumerate(names[:8]):
        for other in names[index + 1 : 8]:
            if kinds.get(one, "") == kinds.get(other, "") != "int":
                yield from ((compare(Code(one), symbol, Code(other)), 0.4) for symbol in ("==", "!=", "<", ">"))
    for container in place.scope.of_kind("list", "set", "dict", "str")[:5]:
        for name in names[:8]:
            if name != container and kinds.get(name) not in ("list", "set", "dict"):
                yield Code(f"{name} not in {container}", COMPARE), 0.5
                yield Code(f"{name} in {container}", COMPARE), 0.4
    texts = [name for name in names if kinds.get(name) == "str"]
    for name in texts[:4]:
        yield from (
            (Code(f"{name}.{method}()"), 0.4)
            for method in ("isdigit", "isalpha", "isupper", "islower", "isspace", "isalnum")
        )
    seen = place.scope.attributes[:6]
    yield from ((Code(f"{place.scope.receiver}.{name}"), 0.4) for name in seen)
    yield from ((unary("not", Code(f"{place.scope.receiver}.{name}")), 0.3) for name in seen)


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


def drop_filter(node: ast.comprehension, place: Place) -> Drafts:
    """`[x for x in xs if c]` becomes `[x for x in xs]`."""
    before: ast.expr = node.iter
    source = place.program.source
    for test in node.ifs:
        start, end = _outer(before, place)[1], _outer(test, place)[1]
        if source[start:end].strip().startswith("if"):
            yield place.replace(start, end, "")
        before = test


def add_filter(node: ast.comprehension, place: Place) -> Drafts:
    """`[x for x in xs]` becomes `[x for x in xs if x]`, or under a condition of the function."""
    if node.ifs or not isinstance(node.target, ast.Name):
        return
    end = _outer(node.iter, place)[1]
    name = node.target.id
    found: list[tuple[str, float]] = [(name, 1.0), (f"not {name}", 0.4), (f"{name} is not None", 0.6)]
    if place.scope.kinds.get(name, "") in ("int", "float", ""):
        found += [(f"{name} {symbol} {number}", 0.5) for symbol, number in _TESTS]
    for other in place.scope.locals:
        if other not in (name, place.scope.receiver):
            found += [
                (f"{name} != {other}", 0.5),
                (f"{name} not in {other}", 0.5),
                (f"{name} in {other}", 0.4),
                (f"{name} < {other}", 0.3),
            ]
    if place.scope.kinds.get(name, "") in ("str", ""):
        found += [(f"{name}.{method}()", 0.4) for method in ("strip", "isalpha", "isdigit", "isalnum")]
    found += [(code.at(OR), 0.6) for code in place.scope.conditions.values()]
    for text, weight in found:
        yield place.replace(end, end, f" if {text}", weight)


def _outer(node: ast.expr, place: Place) -> tuple[int, int]:
    """The span with the brackets around it."""
    start, end = place.program.spans[node]
    if place.program.bracketed(node):
        source = place.program.source
        return source.rindex("(", 0, start), source.index(")", end) + 1
    return start, end


def other_keyword(node: ast.If | ast.While, place: Place) -> Drafts:
    """`if` becomes `while`, `while` becomes `if`, `elif` becomes `if`, and an `if` after an `if` becomes `elif`."""
    start = place.program.spans[node][0]
    source = place.program.source
    if isinstance(node, ast.While):
        yield place.replace(start, start + 5, "if", 0.5)
        return
    if source.startswith("elif", start):
        if not node.orelse:
            yield place.replace(start, start + 4, "if")
        return
    if not node.orelse:
        yield place.replace(start, start + 2, "while", 0.6)
    block = place.program.block(node)
    index = block.index(node)
    if index and isinstance(block[index - 1], ast.If) and not _last_else(block[index - 1]):
        yield place.replace(start, start + 2, "elif")


def _last_else(node: ast.stmt) -> bool:
    """Whether a chain of `if`s ends in an `else`."""
    while isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return isinstance(node, ast.If) and bool(node.orelse)


def swap_branches(node: ast.If, place: Place) -> Drafts:
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
                first, second = place.text(one[0]), place.text(two[0])
                edits = (Edit(*place.program.spans[one[0]], second), Edit(*place.program.spans[two[0]], first))
                yield Draft(edits, 1.0 if two is rest or len(chain) == 2 else 0.6)


def _is_simple(node: ast.stmt) -> bool:
    return not isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.FunctionDef | ast.ClassDef)


_TESTED = (ast.If, ast.While, ast.IfExp)

TEMPLATES = (
    Template("negate_condition", (*_TESTED, ast.Assert), 0.05, negate_condition, 1, ("negated",)),
    Template("negate_part", (ast.BoolOp,), 0.02, negate_part, 2, ("negated",)),
    Template("negate_result", (ast.Return, ast.Assign), 0.03, negate_result, 1, ("negated",)),
    Template("look_before_answer", (ast.Return,), 0.03, look_before_answer, 10, ("negated",)),
    Template("negate_filter", (ast.comprehension,), 0.02, negate_filter, 1, ("shorter", "longer", "content")),
    Template("repeat_comparison", (ast.BoolOp,), 0.05, repeat_comparison, 2, ("negated",)),
    Template("spread_not", (ast.UnaryOp, ast.BoolOp), 0.015, spread_not, 2),
    Template("constant_condition", _TESTED, 0.01, constant_condition, 2),
    Template(
        "add_condition",
        (*_TESTED, ast.comprehension, ast.Return),
        0.03,
        add_condition,
        40,
        ("negated", "index", "none"),
    ),
    Template(
        "check_first",
        (*_TESTED, ast.comprehension, ast.BoolOp),
        0.04,
        check_first,
        5,
        ("index", "attribute", "type", "none", "key"),
    ),
    Template("other_condition", (*_TESTED, ast.comprehension), 0.015, other_condition, 30),
    Template("drop_filter", (ast.comprehension,), 0.02, drop_filter, 1, ("shorter",)),
    Template("add_filter", (ast.comprehension,), 0.03, add_filter, 20, ("longer", "repeats")),
    Template("other_keyword", (ast.If, ast.While), 0.03, other_keyword, 1),
    Template("swap_branches", (ast.If,), 0.04, swap_branches, 1, ("negated",)),
)
