"""Questions that the program has words of its own for (`is_open(day)`, `entry.expired`, `self.may(user, what)`), and
that nobody asks where the answer matters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from regreen.propose.search.constants import HALF, LIKELY, MAX_NUMBER_RESULTS, MAX_REPLACING_NUMBERS, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import AND, COMPARISON, Expression, bool_operation, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import bound_by, class_fields
from regreen.propose.search.templates.decisions.guards import likely_results, places_of_guards, unsaid_texts
from regreen.propose.search.templates.decisions.raise_lines import raise_lines
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within, walk


class _Question(NamedTuple):
    """Something of the program that answers yes or no."""

    name: str
    owner: str
    """The class that it is of; empty for a function."""
    members: frozenset[str]
    """All names that the class has."""
    parameters: int
    """How many it cannot do without; -1 for an attribute."""
    is_asked: bool
    """Whether the program asks it anywhere."""


_Text = tuple[str, float]


def filter_by_question(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs]` becomes `[x for x in xs if is_open(x)]` or `if not x.closed`; so does what has a filter."""
    for text, weight in _questions_of(bound_by(node.target), context):
        asked = Expression(text)
        for code in (asked, unary_operation("not", asked)):
            if node.ifs:
                old = context.expression(node.ifs[-1])
                yield context.put(node.ifs[-1], bool_operation(old, "and", code), weight * HALF)
                yield context.put(node.ifs[-1], bool_operation(old, "or", code), weight * POSSIBLE)
            else:
                end = context.outer(node.iter)[1]
                yield context.replace(end, end, f" if {code.text}", weight)


def ask_besides(node: ast.If | ast.While | ast.IfExp | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a` becomes `if a and is_open(x)`, `if a or x.closed`, ...; so does a truth value that is returned."""
    test = node.value if isinstance(node, ast.Return) else node.test
    if (
        test is None
        or isinstance(test, ast.Constant)
        or (isinstance(node, ast.Return) and context.kind(test) != "bool")
    ):
        return
    old = context.expression(test)
    read = names_within(test)
    names = sorted(_variables(context), key=lambda name: name not in read)
    for text, weight in (*_questions_of(names, context), *_of_itself(context)):
        if text not in old.text:
            asked = Expression(text)
            for code in (asked, unary_operation("not", asked)):
                yield context.put(test, bool_operation(old, "and", code), weight)
                yield context.put(test, bool_operation(old, "or", code), weight * PROBABLE)


def refuse_by_question(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function begins with `if not self.may(user): raise Refused(user)`, `if self.closed: return None`, ..."""
    if node.name.startswith("__"):
        return
    results = likely_results(context)[:MAX_NUMBER_RESULTS]
    ways = [*((line, 1.0) for line in raise_lines(context)), *((f"return {result}", POSSIBLE) for result in results)]
    parameters = [name for name in context.scope.parameters if name != context.scope.receiver]
    for text, weight in (*_questions_of(parameters, context), *_of_itself(context)):
        if text not in context.program.source[slice(*context.program.spans[node])]:
            for place, likely in places_of_guards(node):
                for test in (text, f"not {text}"):
                    for line, share in ways:
                        yield from context.before(place, (f"if {test}:", f"\t{line}"), weight * share * likely)


def skip_by_question(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A round begins with `if x.closed: continue` or `if not is_open(x): continue`."""
    first = node.body[0]
    for text, weight in _questions_of(bound_by(node.target), context):
        if text not in context.text(node):
            for test in (text, f"not {text}"):
                yield from context.before(first, (f"if {test}:", "\tcontinue"), weight)


def _variables(context: TemplateContext) -> list[str]:
    return [name for name in context.scope.locals[:_MOST_VARIABLES] if name != context.scope.receiver]


def _of_itself(context: TemplateContext) -> Iterator[_Text]:
    """What a method can ask of its own object, with nothing handed over."""
    receiver, around = context.scope.receiver, context.program.class_of(context.scope.function or context.program.tree)
    if not receiver or around is None:
        return
    for question in _all_questions(context):
        if question.owner == around.name and question.parameters <= 0 and not _is_this(question, context):
            brackets = "" if question.parameters < 0 else "()"
            yield f"{receiver}.{question.name}{brackets}", _weight(question)


def _questions_of(names: list[str], context: TemplateContext) -> Iterator[_Text]:
    """What the program can ask of variables, likely questions first for each."""
    receiver = context.scope.receiver
    around = context.program.class_of(context.scope.function) if context.scope.function is not None else None
    questions = [question for question in _all_questions(context) if not _is_this(question, context)]
    attributes = context.cached("attributes read", lambda: _attributes_read(context))
    for name in names:
        others = [other for other in context.scope.parameters if other not in (name, receiver)][:_OTHERS]
        read = attributes.get(name, frozenset())
        for question in questions:
            weight = _weight(question)
            if not question.owner or (around is not None and question.owner == around.name and receiver):
                function = f"{receiver}.{question.name}" if question.owner else question.name
                if question.parameters == 1:
                    yield f"{function}({name})", weight
                elif question.parameters == 2:
                    for other in others:
                        yield f"{function}({name}, {other})", weight * PROBABLE
                        yield f"{function}({other}, {name})", weight * PROBABLE
            if question.owner and read <= question.members and not context.scope.kinds.get(name, ""):
                if question.parameters < 0:
                    yield f"{name}.{question.name}", weight
                elif question.parameters == 0:
                    yield f"{name}.{question.name}()", weight
                elif question.parameters == 1:
                    yield from ((f"{name}.{question.name}({other})", weight * PROBABLE) for other in others)


_OTHERS = 3
_MOST_VARIABLES = 8


def _weight(question: _Question) -> float:
    return 1.0 if not question.is_asked else LIKELY


def _is_this(question: _Question, context: TemplateContext) -> bool:
    """Whether a question is the function that is looked at: it does not ask itself."""
    function = context.scope.function
    return function is not None and function.name == question.name


def _attributes_read(context: TemplateContext) -> dict[str, frozenset[str]]:
    """By variable: the attributes that the function reads of it."""
    found: dict[str, frozenset[str]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            found[part.value.id] = found.get(part.value.id, frozenset()) | {part.attr}
    return found


def _all_questions(context: TemplateContext) -> tuple[_Question, ...]:
    return context.cached_of_program("own questions", lambda: tuple(_gathered(context)))


def _gathered(context: TemplateContext) -> Iterator[_Question]:
    program = context.program
    asked = {callee_name(part) for part in program.nodes if isinstance(part, ast.Call)}
    read = {part.attr for part in program.nodes if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load)}
    for statement in program.tree.body:
        if isinstance(statement, ast.FunctionDef) and _says_yes_or_no(statement):
            count = len(statement.args.args) - len(statement.args.defaults)
            yield _Question(statement.name, "", frozenset(), count, statement.name in asked)
        if isinstance(statement, ast.ClassDef):
            yield from _of_class(statement, asked | read, context)


def _of_class(owner: ast.ClassDef, asked: set[str], context: TemplateContext) -> Iterator[_Question]:
    """The flags of a class, and its methods and properties that answer yes or no."""
    methods = [part for part in owner.body if isinstance(part, FUNCTIONS)]
    members = frozenset((*class_fields(owner), *(method.name for method in methods)))
    for name in _flags_of(owner):
        yield _Question(name, owner.name, members, -1, name in asked)
    for method in methods:
        if not method.name.startswith("__") and _says_yes_or_no(method):
            is_property = any(context.text(decorator) == "property" for decorator in method.decorator_list)
            needed = -1 if is_property else len(method.args.args) - len(method.args.defaults) - 1
            yield _Question(method.name, owner.name, members, needed, method.name in asked)


def _says_yes_or_no(function: Function) -> bool:
    """Whether a function gives nothing but truth values, as far as its hint or its text tells."""
    parts = walk(function)
    if any(_changes(part) for part in parts):
        return False
    if isinstance(function.returns, ast.Name):
        return function.returns.id == "bool"
    assigned = [part for part in parts if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)]
    flags = {ast.unparse(part.targets[0]) for part in assigned if _is_bool(part.value)}
    flags -= {ast.unparse(part.targets[0]) for part in assigned if not _is_truth(part.value)}
    returned = [part.value for part in parts if isinstance(part, ast.Return)]
    return bool(returned) and all(
        value is not None and (_is_truth(value) or (isinstance(value, ast.Name) and value.id in flags))
        for value in returned
    )


def _changes(part: ast.AST) -> bool:
    """Whether a part of a function stores in an object, or takes something from it: that is no mere question."""
    if isinstance(part, ast.Attribute | ast.Subscript) and not isinstance(part.ctx, ast.Load):
        return True
    return isinstance(part, ast.Call) and callee_name(part) in _CHANGING


_CHANGING = frozenset(("pop", "popleft", "popitem", "append", "add", "remove", "discard", "clear", "update", "insert"))


def _is_truth(value: ast.expr) -> bool:
    if isinstance(value, ast.BoolOp):
        return any(_is_truth(part) for part in value.values)
    if isinstance(value, ast.Call):
        return callee_name(value) in _TRUTHS or callee_name(value).startswith(("is", "has"))
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    return isinstance(value, ast.Compare) or _is_bool(value)


def _is_bool(value: ast.expr) -> bool:
    """Whether an expression is `True` or `False`."""
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


_TRUTHS = frozenset(("any", "all", "bool", "callable", "startswith", "endswith", "exists"))


def _flags_of(owner: ast.ClassDef) -> list[str]:
    """The attributes of a class that are True or False from the beginning."""
    hinted = (part for part in owner.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name))
    fields = [ast.unparse(part.target) for part in hinted if ast.unparse(part.annotation) == "bool"]
    begun = (part for part in ast.walk(owner) if isinstance(part, ast.Assign) and _is_bool(part.value))
    targets = (part.targets[0] for part in begun)
    return list(dict.fromkeys((*fields, *(target.attr for target in targets if isinstance(target, ast.Attribute)))))


_CONDITIONAL = (ast.If, ast.While, ast.IfExp, ast.Return)


def only_at_the_end(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ch == "X"` in `for i, ch in enumerate(digits)` becomes `ch == "X" and i == len(digits) - 1`: that sign may stand
    at the end alone; or at the beginning."""
    loop = next(context.loops_around(node), None)
    if not isinstance(loop, ast.For) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return
    match loop.target, loop.iter:
        case ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=sign)]), ast.Call(args=[items]):
            is_sign = isinstance(node.comparators[0], ast.Constant) and isinstance(node.comparators[0].value, str)
            if callee_name(loop.iter) == "enumerate" and context.text(node.left) == sign and is_sign:
                asked = context.expression(node)
                for where in (f"{place} == len({context.text(items)}) - 1", f"{place} == 0"):
                    yield context.put(node, bool_operation(asked, "and", Expression(where, COMPARISON)))


def both_hold(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: return x` and `if b: return y` come after `if a and b: return "z"`, of a text that the prose names and
    that the function gives nowhere."""
    block = context.program.block(node)
    texts = unsaid_texts(context)[:MAX_REPLACING_NUMBERS]
    for other in block[block.index(node) + 1 :]:
        if not isinstance(other, ast.If) or not isinstance(other.body[-1], ast.Return) or not texts:
            return
        if isinstance(node.body[-1], ast.Return) and not node.orelse:
            both = f"if {context.expression(node.test).at(AND)} and {context.expression(other.test).at(AND)}:"
            for text in texts:
                yield from context.before(node, (both, f"\treturn {text}"))


TEMPLATES = (
    Template("both_hold", (ast.If,), both_hold, ("content",)),
    Template("only_at_the_end", (ast.Compare,), only_at_the_end, ("negated", "raises")),
    Template("filter_by_question", (ast.comprehension,), filter_by_question, ("longer", "content")),
    Template("ask_besides", _CONDITIONAL, ask_besides, ("content", "negated")),
    Template("refuse_by_question", FUNCTIONS, refuse_by_question, ("content", "negated")),
    Template("skip_by_question", (ast.For,), skip_by_question, ("longer", "content")),
)
