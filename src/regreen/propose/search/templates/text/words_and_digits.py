"""Words and digits of a text: numbers of several digits, capital first letters, words without their punctuation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, PROBABLE
from regreen.propose.search.expressions import (
    ATOM,
    COMPARISON,
    NOT,
    SUM,
    TERM,
    Expression,
    attribute_of,
    bool_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, body_after_docstring, callee_name
from regreen.types import Edit

_OF_A_RUN: Final = ("isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum")


def read_whole_run(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(text[i])`, where `text[i].isdigit()`, reads on to the last digit: `while text[i + 1].isdigit(): i += 1`."""
    statement = context.program.statement(node)
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.While)), None)
    if not isinstance(node.slice, ast.Name) or not isinstance(node.ctx, ast.Load) or loop is None:
        return
    text, place = context.text(node.value), node.slice.id
    tests = [part.test for part in context.program.below(loop) if isinstance(part, ast.If) and statement in part.body]
    asked = [method for method in _OF_A_RUN if any(f"{text}[{place}].{method}()" in context.text(t) for t in tests)]
    if not asked or not context.program.alone(statement):
        return
    start = context.new_name("start", "begin", "start_")
    at, indent = context.program.lines(statement)[0], context.program.indent(statement)
    reading = (
        f"{indent}{start} = {place}\n"
        f"{indent}while {place} + 1 < len({text}) and {text}[{place} + 1].{asked[0]}():\n"
        f"{indent}{context.program.unit}{place} += 1\n"
    )
    yield WeightedEdits((Edit(at, at, reading), context.edit(node, Expression(f"{text}[{start}:{place} + 1]"))))


def lines_of_text(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for line in text` becomes `for line in text.splitlines()`, and `for word in text`, `text.split()`: a text gives
    its characters."""
    name = context.text(node.target).lower()
    if context.kind(node.iter) not in ("str", "") or not isinstance(node.iter, ast.Name | ast.Attribute):
        return
    if "line" in name or "row" in name:
        yield context.put(node.iter, attribute_of(context.expression(node.iter), "splitlines()"))
    elif "word" in name or "token" in name or "part" in name:
        yield context.put(node.iter, attribute_of(context.expression(node.iter), "split()"))


def digits_as_numbers(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for d in str(n)` becomes `for d in map(int, str(n))`, where `d` is reckoned with."""
    if not isinstance(node.target, ast.Name) or context.text(node.iter).startswith(("map(", "range(", "enumerate(")):
        return
    digit, around = node.target.id, context.parent(node) if isinstance(node, ast.comprehension) else node
    parts = [part for part in context.program.below(around) if isinstance(part, ast.BinOp | ast.AugAssign)]
    sides = [side for part in parts for side in (getattr(part, "left", None), getattr(part, "right", None))]
    sides += [part.value for part in parts if isinstance(part, ast.AugAssign)]
    if context.kind(node.iter) == "str" and any(isinstance(side, ast.Name) and side.id == digit for side in sides):
        yield context.put(node.iter, f"map(int, {context.text(node.iter)})")


def keep_rest_of_word(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word.capitalize()`, which makes the others small, becomes `word[:1].upper() + word[1:]`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("capitalize", "title") or node.args:
        return
    word = context.text(node.func.value)
    if isinstance(node.func.value, ast.Name | ast.Attribute | ast.Subscript):
        yield context.put(node, Expression(f"{word}[:1].upper() + {word}[1:]", SUM))
        yield context.put(node, Expression(f"{word}[:1].lower() + {word}[1:]", SUM), HALF)
    if node.func.attr == "title":
        yield context.put(node, f'" ".join(word[:1].upper() + word[1:] for word in {word}.split(" "))')


def replace_last(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`name.rreplace(old, new, 1)`, which is no method, becomes `new.join(name.rsplit(old, 1))`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("rreplace", "replace_last", "replace"):
        return
    if len(node.args) not in (2, 3) or node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
        return
    old, new, *rest = map(context.expression, node.args)
    times = rest[0].text if rest else "1"
    parts = attribute_of(context.expression(node.func.value), f"rsplit({old.text}, {times})")
    yield context.put(node, attribute_of(new, f"join({parts.text})"))


def minus_in_front(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A text made of a number begins with `if n < 0: return "-" + f(-n)`: its minus stands before all else."""
    makes_text = any(
        isinstance(part, ast.Return)
        and isinstance(part.value, ast.JoinedStr | ast.BinOp | ast.Name)
        and (isinstance(part.value, ast.JoinedStr) or context.kind(part.value) == "str")
        for part in context.scope.nodes
    )
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    body = body_after_docstring(node)
    if not makes_text or not body or context.program.class_of(node) is not None:
        return
    for number in names:
        if context.scope.kinds.get(number, "") in ("int", "float", ""):
            handed = ", ".join(f"-{name}" if name == number else name for name in names)
            lines = (f"if {number} < 0:", f'\treturn "-" + {node.name}({handed})')
            yield from context.before(body[0], lines)


def read_counts_of_letters(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(0, len(text), 2)`, which reads `text[i]` as a count and `text[i + 1]`, reads counts of several
    digits: `for count, letter in re.findall(r"(\\d+)(\\D)", text)`."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Call):
        return
    place, steps = node.target.id, [context.text(part) for part in node.iter.args]
    measured = re.fullmatch(r"len\((\w+)\)(?: - 1)?", steps[1]) if len(steps) == len(("from", "to", "by")) else None
    if measured is None or (steps[0], steps[2]) != ("0", "2") or callee_name(node.iter) != "range":
        return
    text, edits = measured[1], []
    names = {f"{text}[{place}]": "count", f"{text}[{place} + 1]": "letter"}
    if "count" in context.scope.visible or "letter" in context.scope.visible:
        return
    for part in context.program.below(node):
        if isinstance(part, ast.Subscript) and context.text(part) in names:
            edits.append(context.edit(part, Expression(names[context.text(part)])))
    if len(edits) >= len(names):
        findall, imports = context.member_of("re", "findall")
        heads = (
            context.edit(node.target, Expression("count, letter")),
            context.edit(node.iter, Expression(f'{findall}(r"(\\d+)(\\D)", {text})')),
        )
        yield WeightedEdits((*imports, *heads, *edits))


def replace_each_once(node: ast.For | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for old, new in table.items(): text = text.replace(old, new)` replaces what it has put in, too, and becomes one
    look at each word, or each character: `" ".join(table.get(word, word) for word in text.split(" "))`.

    A chain of `replace` with single characters becomes one `translate`, and so does a loop over `zip(before, after)`.
    """
    if isinstance(node, ast.Call):
        yield from _translate_at_once(node, context)
        return
    step = node.body[0] if len(node.body) == 1 and isinstance(node.body[0], ast.Assign) else None
    if step is None or not isinstance(node.target, ast.Tuple) or not isinstance(node.iter, ast.Call):
        return
    call, text = step.value, context.text(step.targets[0])
    replaced = f"{text}.replace({', '.join(map(context.text, node.target.elts))})"
    if not isinstance(call, ast.Call) or context.text(call) != replaced:
        return
    if callee_name(node.iter) == "zip":
        both = ", ".join(map(context.text, node.iter.args))
        yield from context.restate(node, (f"{text} = {text}.translate(str.maketrans({both}))",))
    items = node.iter.func
    if not isinstance(items, ast.Attribute) or items.attr != "items":
        return
    table = context.text(items.value)
    for part, joined, parts in (("word", '" "', f'{text}.split(" ")'), ("ch", '""', text)):
        looked_up = f"{joined}.join({table}.get({part}, {part}) for {part} in {parts})"
        yield from context.restate(node, (f"{text} = {looked_up}",))
    if "re" in context.scope.globals:
        whole = f're.sub(r"\\w+", lambda match: {table}.get(match[0], match[0]), {text})'
        yield from context.restate(node, (f"{text} = {whole}",))


def _translate_at_once(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    around = context.parent(node)
    if isinstance(around, ast.Attribute) and around.attr == "replace":
        return
    pairs: list[tuple[str, str]] = []
    part: ast.expr = node
    while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "replace":
        given = [argument.value for argument in part.args if isinstance(argument, ast.Constant)]
        texts = [value for value in given if isinstance(value, str)]
        if len(part.args) != len(texts) or len(texts) != len(("old", "new")) or len(texts[0]) != 1:
            return
        pairs.append((texts[0], texts[1]))
        part = part.func.value
    replaced = {old for old, _ in pairs}
    if len(pairs) > 1 and any(new in replaced for _, new in pairs):
        table = ", ".join(f"{old!r}: {new!r}" for old, new in reversed(pairs))
        yield context.put(node, f"{context.expression(part).at(ATOM)}.translate(str.maketrans({{{table}}}))")


def ask_every_digit(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n % 2 == 1` becomes `all(int(digit) % 2 == 1 for digit in str(n))`, or `any(...)`, where prose says digit."""
    rest = node.left
    if (
        "digit" not in context.clues.prose.lower()
        or not isinstance(rest, ast.BinOp)
        or not isinstance(rest.op, ast.Mod)
    ):
        return
    if not isinstance(rest.left, ast.Name) or len(node.ops) != 1 or "digit" in rest.left.id:
        return
    digit = context.new_name("digit", "d", "digit_")
    start, end = context.program.spans[rest.left][1], context.program.spans[node][1]
    asked = f"int({digit}){context.program.source[start:end]}"
    for function in ("all", "any"):
        yield context.put(node, f"{function}({asked} for {digit} in str({rest.left.id}))")


def text_of_nothing(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return digits` becomes `return digits or "0"`, where a loop takes a number apart as long as it is not 0."""
    if not isinstance(node.value, ast.Name | ast.Subscript | ast.Call) or context.kind(node.value) not in ("str", ""):
        return
    texts = [
        part.value
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and context.text(part.value) in _EMPTY
    ]
    loops = [part for part in context.scope.nodes if isinstance(part, ast.While) and _takes_apart(part, context)]
    if texts and loops:
        yield context.put(node.value, bool_operation(context.expression(node.value), "or", Expression('"0"')))


def _takes_apart(loop: ast.While, context: TemplateContext) -> bool:
    """Whether a loop divides a number until nothing of it is left."""
    test = loop.test
    number = test.left if isinstance(test, ast.Compare) else test
    return isinstance(number, ast.Name) and any(
        isinstance(part, ast.AugAssign | ast.Assign) and re.match(rf"{number.id} (?://|>>)?= ", context.text(part))
        for part in context.program.below(loop)
    )


_EMPTY: Final = ('""', "''", "[]")


def several_marks(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.split(".")` becomes `re.split(r"[.!?]+", text)`, where prose or the checks have several such marks."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "split" or len(node.args) != 1 or node.keywords:
        return
    mark = node.args[0]
    if not isinstance(mark, ast.Constant) or not isinstance(mark.value, str) or len(mark.value) != 1:
        return
    family = next((marks for marks in (_ENDS, ",;|/ ", "-_ ") if mark.value in marks), "")
    # Prose is full of blanks and commas that it does not speak of.
    said = "".join((*context.clues.input_strings, *context.clues.strings, context.clues.prose * (family == _ENDS)))
    found = [other for other in family if other in said]
    if len(found) > 1 and mark.value in found:
        split, imports = context.member_of("re", "split")
        marks = "".join(sorted(found, key=lambda other: other == "-"))
        code = f'{split}(r"[{marks}]+", {context.text(node.func.value)})'
        yield WeightedEdits((*imports, context.edit(node, Expression(code))))


_ENDS: Final = ".!?"


def behind_first_digit(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rest + "0" * zeros` becomes `rest[:1] + "0" * zeros + rest[1:]`: the smallest that does not begin with 0."""
    if not isinstance(node.op, ast.Add):
        return
    for text, zeros in ((node.left, node.right), (node.right, node.left)):
        if isinstance(text, ast.Name) and _is_zeros(zeros, context):
            digits, middle = text.id, context.expression(zeros).at(TERM)
            yield context.put(node, Expression(f"{digits}[:1] + {middle} + {digits}[1:]", SUM))


def _is_zeros(node: ast.expr, context: TemplateContext) -> bool:
    is_repeated = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and '"0"' in context.text(node)
    return is_repeated or (isinstance(node, ast.Name) and "zero" in node.id.lower())


def clean_before(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tag.lstrip("#")` becomes `tag.strip().lstrip("#")`, `word.startswith("a")` becomes
    `word.lower().startswith("a")`: what is looked at has blanks before it, or is spelt otherwise."""
    method = node.func
    if not isinstance(method, ast.Attribute) or not isinstance(method.value, ast.Name):
        return
    text = context.expression(method.value)
    if context.kind(method.value) not in ("str", ""):
        return
    for cleaner, methods in (("strip", _AT_ENDS), ("lower", _BY_LETTERS)):
        if method.attr in methods and (method.attr != "strip" or node.args):
            yield context.put(method.value, attribute_of(text, f"{cleaner}()"))


_AT_ENDS: Final = frozenset(
    "strip lstrip rstrip removeprefix removesuffix startswith endswith isdigit isalpha isalnum isnumeric split "
    "partition rpartition title capitalize isidentifier".split()
)


_BY_LETTERS: Final = frozenset("startswith endswith count find index replace split removeprefix removesuffix".split())


def nothing_but_one_sign(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rest in ("", "*")` becomes `not rest.strip("*")`: it may stand there more than once."""
    among = node.comparators[0]
    if (
        not isinstance(among, ast.Tuple | ast.List | ast.Set)
        or len(node.ops) > 1
        or not isinstance(node.ops[0], ast.In)
    ):
        return
    values = [part.value for part in among.elts if isinstance(part, ast.Constant)]
    signs = {value for value in values if isinstance(value, str) and len(value) == 1}
    if "" in values and len(signs) == 1 and len(among.elts) == 2:
        yield context.put(node, Expression(f"not {context.expression(node.left).at(ATOM)}.strip({signs.pop()!r})", NOT))


def digits_with_sign(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word.isdigit()` becomes `word.lstrip("-").isdigit()`, where the word is read as a number: some are below 0."""
    if callee_name(node) not in _DIGIT_QUESTIONS or node.args or not isinstance(node.func, ast.Attribute):
        return
    word = node.func.value
    read = (
        part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) in ("int", "float")
    )
    if isinstance(word, ast.Name | ast.Subscript) and any(context.text(word) in context.text(part) for part in read):
        yield context.put(word, f'{context.text(word)}.lstrip("-")')


_DIGIT_QUESTIONS: Final = frozenset({"isdigit", "isdecimal", "isnumeric"})


def only_known_signs(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`char.isprintable()` becomes `char.isascii() and char.isprintable()`, `chr(code).isprintable()` becomes
    `32 <= code < 127`, and so do `isalpha`, `isalnum` and `isdigit`: those of other scripts are some."""
    asked = node.func.attr if isinstance(node.func, ast.Attribute) and not node.args else ""
    if asked not in ("isprintable", "isalpha", "isalnum", "isdigit"):
        return
    assert isinstance(node.func, ast.Attribute)
    held = node.func.value
    if asked == "isprintable" and isinstance(held, ast.Call) and callee_name(held) == "chr" and len(held.args) == 1:
        yield context.put(node, Expression(f"32 <= {context.expression(held.args[0]).at(SUM)} < 127", COMPARISON))
    plain = Expression(f"{context.expression(held).at(ATOM)}.isascii()")
    yield context.put(node, bool_operation(plain, "and", context.expression(node)), PROBABLE)


def sum_of_digits(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(text[:half])` becomes `sum(map(int, text[:half]))`, here or wherever characters are added up."""
    alike = context.cached("added characters", lambda: _added_characters(context))
    if node in alike:
        edits = {
            call: context.edit(added, Expression(f"map(int, {context.text(added)})")) for call, added in alike.items()
        }
        yield from here_or_everywhere(node, edits)


def _added_characters(context: TemplateContext) -> dict[ast.AST, ast.expr]:
    """The calls of `sum` whose only argument is a text, each with it."""
    found: dict[ast.AST, ast.expr] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and callee_name(part) == "sum" and len(part.args) == 1:
            added = part.args[0]
            if context.kind(added.value if isinstance(added, ast.Subscript) else added) == "str":
                found[part] = added
    return found


TEMPLATES = (
    Template("sum_of_digits", (ast.Call,), sum_of_digits, ("type",)),
    Template("only_known_signs", (ast.Call,), only_known_signs, ("content", "longer")),
    Template("digits_with_sign", (ast.Call,), digits_with_sign, ("content", "value")),
    Template("nothing_but_one_sign", (ast.Compare,), nothing_but_one_sign, ("negated", "content")),
    Template("clean_before", (ast.Call,), clean_before, ("space", "strip", "case")),
    Template("several_marks", (ast.Call,), several_marks, ("content", "longer", "shorter")),
    Template("behind_first_digit", (ast.BinOp,), behind_first_digit, ("content",)),
    Template("ask_every_digit", (ast.Compare,), ask_every_digit, ("negated", "content")),
    Template("text_of_nothing", (ast.Return,), text_of_nothing, ("empty", "zero", "shorter")),
    Template("lines_of_text", (ast.For, ast.comprehension), lines_of_text, ("longer", "content", "convert")),
    Template("digits_as_numbers", (ast.For, ast.comprehension), digits_as_numbers, ("type", "convert")),
    Template("read_counts_of_letters", (ast.For,), read_counts_of_letters),
    Template("replace_each_once", (ast.For, ast.Call), replace_each_once, ("content",)),
    Template("minus_in_front", FUNCTIONS, minus_in_front, ("content", "negative")),
    Template("read_whole_run", (ast.Subscript,), read_whole_run, ("longer", "shorter", "content")),
    Template("keep_rest_of_word", (ast.Call,), keep_rest_of_word, ("case",)),
    Template("replace_last", (ast.Call,), replace_last, ("attribute", "content")),
)
