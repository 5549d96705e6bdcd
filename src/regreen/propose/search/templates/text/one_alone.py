"""What is written of several, and not of one alone: counts, ranges, the `s` of a plural."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.restricted_syntax import fstring_fields
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number

_FIELDS: Final = 2
_MARKED_WORD: Final = re.compile(r"[,;]( (?:and|or|&) )")
_PLURAL: Final = re.compile(r" [a-z]+s\b")


def count_of_several(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`letter + str(count)` becomes `letter + (str(count) if count > 1 else "")`, everywhere or here."""
    edits = {
        part: context.edit(part.right, _if_several(part.right, context))
        for part in context.scope.nodes
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add) and _is_written_name(part.right)
    }
    yield from here_or_everywhere(node, edits)


def _is_written_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _is_text_of(node) and isinstance(node.args[0], ast.Name)


def _if_several(written: ast.expr, context: TemplateContext) -> Expression:
    assert isinstance(written, ast.Call)
    return Expression(f'{context.text(written)} if {context.text(written.args[0])} > 1 else ""', TEST)


def count_of_several_in_text(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{letter}{count}"` becomes `f"{letter}{count if count > 1 else ''}"`."""
    start, text = context.program.spans[node][0], context.text(node)
    fields = list(fstring_fields(text))
    if len(fields) == _FIELDS and fields[0].close + 2 == fields[1].start and fields[1].end == fields[1].close:
        nothing = "''" if text.endswith('"') else '""'
        count = text[fields[1].start : fields[1].end]
        yield context.replace(start + fields[1].end, start + fields[1].end, f" if {count} > 1 else {nothing}")


def power_of_one(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{prime}^{count}"` becomes `f"{prime}" if count == 1 else f"{prime}^{count}"`: once needs no number."""
    text = context.text(node)
    fields = list(fstring_fields(text))
    if len(fields) != _FIELDS or isinstance(context.parent(node), ast.IfExp) or text[:2] not in ("f'", 'f"'):
        return
    between, behind = text[fields[0].close + 1 : fields[1].start - 1], text[fields[1].close + 1 : -1]
    if between.strip() in _TIMES and not behind:
        count = text[fields[1].start : fields[1].end]
        alone = text[: fields[0].close + 1] + text[-1]
        yield context.put(node, Expression(f"{alone} if {count} == 1 else {text}", TEST))


_TIMES: Final = frozenset(("^", "**", "x", "*", "\N{MULTIPLICATION SIGN}"))
"""What stands between something and how often it is there."""


def range_of_one(node: ast.JoinedStr | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{first}-{last}"` becomes `str(first) if first == last else f"{first}-{last}"`: one alone is no range."""
    ends = _ends_of_range(node)
    if ends is None or isinstance(context.parent(node), ast.IfExp) or not context.program.spans.keys() >= set(ends):
        return
    first, last = map(context.text, ends)
    alone = f"str({first})" if context.kind(ends[0]) != "str" else first
    yield context.put(node, Expression(f"{alone} if {first} == {last} else {context.text(node)}", TEST))


def few_to_join(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return ", ".join(words[:-1]) + " and " + words[-1]` comes after `if len(words) < 2: return "".join(words)`: one
    word, or none, has nothing to be joined with."""
    text = context.text(node)
    for part in context.program.below(node):
        joined = part.args[0] if isinstance(part, ast.Call) and callee_name(part) == "join" and part.args else None
        if not isinstance(joined, ast.Subscript) or not isinstance(joined.slice, ast.Slice):
            continue
        words = context.text(joined.value)
        if f"{words}[-1]" in text or f"{words}[0]" in text:
            yield from context.before(node, (f"if len({words}) < 2:", f'\treturn "".join({words})'))
            for mark in _MARKED_WORD.findall(text):
                # Between two there is no comma.
                yield from context.before(node, (f"if len({words}) == 2:", f'\treturn "{mark}".join({words})'))


def last_one_by_a_word(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`", ".join(words)` becomes `", ".join(words[:-1]) + " and " + words[-1]` where there are two words, and one alone
    stays as it is."""
    if callee_name(node) != "join" or len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
        return
    separator = node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(separator, ast.Constant) or separator.value != ", ":
        return
    words, told = node.args[0].id, " ".join((*context.clues.output_strings, context.clues.prose, context.clues.details))
    for word in (" and ", " or ", " & ", ", and "):
        if word in told:
            several = f'", ".join({words}[:-1]) + "{word}" + {words}[-1]'
            yield context.put(node, Expression(f'{several} if len({words}) > 1 else "".join({words})', TEST))


def _ends_of_range(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What stands on both sides of a dash or an arrow; None where a text is not so made."""
    if isinstance(node, ast.JoinedStr):
        ends = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        between = [part.value for part in node.values if isinstance(part, ast.Constant)]
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.BinOp) and isinstance(node.left.right, ast.Constant):
        written = (node.left.left, node.right)
        ends = [part.args[0] for part in written if isinstance(part, ast.Call) and _is_text_of(part)]
        between = [node.left.right.value]
    else:
        return None
    return (ends[0], ends[1]) if len(ends) == _FIELDS and len(between) == 1 and _joins(between[0]) else None


def _is_text_of(call: ast.Call) -> bool:
    return callee_name(call) == "str" and len(call.args) == 1


def _joins(text: object) -> bool:
    return isinstance(text, str) and text.strip() in ("-", "->", "..", "…", "\u2013", "to")


def plural_of_several(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{count} days"` becomes `f"{count} day{'s' if count != 1 else ''}"`."""
    start, text = context.program.spans[node][0], context.text(node)
    quote = "'" if text.endswith('"') else '"'
    for field in fstring_fields(text):
        word = _PLURAL.match(text, field.close + 1)
        if word is not None:
            ending = f"{{{quote}s{quote} if {text[field.start : field.end]} != 1 else {quote}{quote}}}"
            yield context.replace(start + word.end() - 1, start + word.end(), ending)


def each_sign_twice(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`digits + digits` and `digits * 2` become `"".join(c * 2 for c in digits)`: each sign is doubled, and not the
    whole."""
    left, right = node.left, node.right
    is_twice = isinstance(node.op, ast.Add) and isinstance(left, ast.Name) and context.text(left) == context.text(right)
    is_twice = is_twice or (
        isinstance(node.op, ast.Mult) and isinstance(left, ast.Name) and whole_number(right) is not None
    )
    if is_twice and context.kind(left) in ("str", ""):
        times = context.text(right) if isinstance(node.op, ast.Mult) else "2"
        each = context.new_name("c", "sign")
        yield context.put(
            node, f'"".join({each} * {times} for {each} in {context.text(left)})', 1.0 if context.kind(left) else HALF
        )


TEMPLATES = (
    Template("each_sign_twice", (ast.BinOp,), each_sign_twice, ("content",)),
    Template("power_of_one", (ast.JoinedStr,), power_of_one, ("longer", "content")),
    Template("last_one_by_a_word", (ast.Call,), last_one_by_a_word, ("content", "longer")),
    Template("count_of_several", (ast.BinOp,), count_of_several, ("longer",)),
    Template("count_of_several_in_text", (ast.JoinedStr,), count_of_several_in_text, ("longer",)),
    Template("range_of_one", (ast.JoinedStr, ast.BinOp), range_of_one, ("longer",)),
    Template("few_to_join", (ast.Return,), few_to_join, ("index", "content", "longer")),
    Template("plural_of_several", (ast.JoinedStr,), plural_of_several, ("longer", "content")),
)
