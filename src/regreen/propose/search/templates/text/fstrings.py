"""Wrong f-strings: a lost `f`, a lost or wrong format."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from regreen.propose.search.constants import (
    ALMOST_SURE,
    FAST_DECLINE,
    GENTLE_DECLINE,
    HALF,
    MAX_FORMATS,
    PROBABLE,
    SLOW_DECLINE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import TEST, Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.restricted_syntax import fstring_fields
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.library_use.standard_library import related_directives
from regreen.syntax import whole_number
from regreen.types import Edit

_FIELD = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)[^{}]*\}(?!\})")
_SPECS = {
    "int": (":02d", ":,", ":03d", ":d", ":.2f", ":2", ":>2", ":3", ":b", ":x", ":+d", ":08b", ":02x", ":04d", ":.1f"),
    "float": (":.2f", ":.1f", ":.0f", ":,", ":.3f", ":,.2f", ":g", ":.1%", ":.0%", ":+.2f"),
    "str": ("!r", ":>10", ":<10", ":^10", ":s"),
    "": (":02d", ":.2f", ":,", ":02", ":.1f", ":03d", "!r", ":,.2f", ":d", ":.0f", ":x", ":b", ":04d", ":2", ":3"),
}


def lost_prefix(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"{name}"` becomes `f"{name}"` where there is such a name."""
    if not isinstance(node.value, str):
        return
    parent, text = context.parent(node), context.text(node)
    if isinstance(parent, ast.Expr | ast.Attribute) or text[:1] not in "'\"":
        return
    if any(name in context.scope.visible for name in _FIELD.findall(node.value)):
        yield context.replace(*context.program.spans[node], f"f{text}")


def other_format(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{x}` in an f-string becomes `{x:02d}`, `{x:.2f}`, ..., and `{x:.2f}` becomes `{x:.1f}` or `{x}`."""
    start, text = context.program.spans[node][0], context.text(node)
    values = {
        context.program.spans[v][0]: v for v in node.values if isinstance(v, ast.FormattedValue) and _known(v, context)
    }
    for field in fstring_fields(text):
        value = values.get(start + field.start - 1)
        kind = context.kind(value.value) if value is not None else ""
        old = text[field.end : field.close]
        for at, letter in related_directives(old):
            yield context.replace(start + field.end + at, start + field.end + at + 1, letter)
        for digit in re.finditer(r"\d+", old):
            for other in (int(digit.group()) + 1, int(digit.group()) - 1):
                spec = old[: digit.start()] + str(max(0, other)).zfill(len(digit.group())) + old[digit.end() :]
                yield context.replace(start + field.end, start + field.close, spec)
        if old:
            yield context.replace(start + field.end, start + field.close, "", PROBABLE)
            turned = old.translate(_TURNED)
            if turned != old:
                yield context.replace(start + field.end, start + field.close, turned, VERY_LIKELY)
            if re.search(r"\.\d$", old):
                yield context.replace(start + field.end, start + field.close, f"{old}f")
            if old[-1] in "f%":
                formatted = old[:-1] + ("%" if old[-1] == "f" else "f")
                yield context.replace(start + field.end, start + field.close, formatted, VERY_LIKELY)
        elsewhere = context.cached("formats", lambda: _formats_used(context))
        specs = dict.fromkeys((*elsewhere, *_SPECS.get(kind, _SPECS[""]), *_SPECS[""]))
        for rank, spec in enumerate(specs):
            if spec != old:
                yield context.replace(start + field.end, start + field.close, spec, ALMOST_SURE - GENTLE_DECLINE * rank)


def _formats_used(context: TemplateContext) -> list[str]:
    """The formats of the function's f-strings, the most frequent first: fields that stand together look alike."""
    texts = [context.text(node) for node in context.scope.nodes if isinstance(node, ast.JoinedStr)]
    found = Counter(text[field.end : field.close] for text in texts for field in fstring_fields(text))
    return [spec for spec, _ in found.most_common(MAX_FORMATS) if spec]


_TURNED = str.maketrans("<>", "><")


def _known(value: ast.FormattedValue, context: TemplateContext) -> bool:
    return value in context.program.spans


def between_fields(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The plain text of an f-string loses or gains a blank, a comma, a colon, or changes its case."""
    start, text = context.program.spans[node][0], context.text(node)
    found = list(fstring_fields(text))
    if not found:
        return
    edges = [
        text.index(text[-1]) + 1,
        *(at for field in found for at in (field.start - 1, field.close + 1)),
        len(text) - 1,
    ]
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        old = text[low:high]
        tweaks = [old.strip(), old.lower(), old.upper(), f"{old} ", f" {old}", old[:-1], old[1:]]
        tweaks += [old.replace(one, two) for one, two in _SIGNS if one in old]
        tweaks += (
            [", ", ":", "-", " ", ".", "/", ": ", "_", ""] if len(old) <= 2 else [old.title(), f"{old}.", f"{old}s"]
        )
        for rank, new in enumerate(t for t in dict.fromkeys(tweaks) if t != old):
            yield context.replace(start + low, start + high, new, max(UNLIKELY, ALMOST_SURE - SLOW_DECLINE * rank))


_SIGNS = ((" ", ""), (",", ", "), (",", ";"), (":", ": "), (":", "-"), ("-", "/"), ("-", ":"), (".", ","), ("/", "-"))


def clock_fields(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{h}:{m}"` becomes `f"{h:02d}:{m:02d}"`, or `f"{h % 24:02d}:{m % 60:02d}"`: a clock has two digits, and goes
    round."""
    start, text = context.program.spans[node][0], context.text(node)
    fields = list(fstring_fields(text))
    between = [text[one.close + 1 : other.start - 1] for one, other in pairwise(fields)]
    if len(fields) not in (2, 3) or set(between) != {":"}:
        return
    names = [text[field.start : field.end] for field in fields]
    begin, end = start + fields[0].start - 1, start + fields[-1].close + 1
    plain = [f"{{{names[0]}}}", *(f"{{{name}:02d}}" for name in names[1:])]
    two_digits = [f"{{{name}:02d}}" for name in names]
    rests = [f"{{{_rest_by(name, 60)}:02d}}" for name in names[1:]]
    for first in ([f"{{{_rest_by(names[0], 24)}:02d}}"], two_digits[:1], plain[:1]):
        yield context.replace(begin, end, ":".join((*first, *rests)))
    yield from (context.replace(begin, end, ":".join(shown)) for shown in (two_digits, plain))


def _rest_by(value: str, size: int) -> str:
    return value if value.endswith(f"% {size}") else f"{value} % {size}"


def shown_decimals(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"Total: " + round(x, 2)` and `str(round(x, 2))` become `f"{x:.2f}"`: 7.5 is shown as 7.50."""
    if context.text(node.func) != "round" or len(node.args) != 2 or whole_number(node.args[1]) is None:
        return
    around = context.parent(node)
    is_read = isinstance(around, ast.Call) and context.text(around.func) == "str" and len(around.args) == 1
    is_joined = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add)
    shown = around if is_read else node
    value = context.text(node.args[0])
    if (is_read or is_joined) and '"' not in value and "\\" not in value:
        assert isinstance(shown, ast.expr)
        yield context.put(shown, f'f"{{{value}:.{context.text(node.args[1])}f}}"')


def printed_decimals(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`print(x)` becomes `print(f"{x:.2f}")`, where prose tells of two decimals: 7.5 is printed as 7.50."""
    call = node.value
    if not isinstance(call, ast.Call) or context.text(call.func) != "print" or len(call.args) != 1:
        return
    (shown,) = call.args
    if isinstance(shown, ast.Call) and context.text(shown.func) == "round" and len(shown.args) > 1:
        shown = shown.args[0]
    value = context.text(shown)
    if isinstance(shown, ast.Constant | ast.JoinedStr | ast.Starred) or '"' in value or "\\" in value:
        return
    for found in _DECIMALS.finditer(context.clues.prose):
        places = _PLACES.get(found[1].lower(), found[1])
        yield context.put(call.args[0], f'f"{{{value}:.{places}f}}"')


_PLACES = {"one": "1", "two": "2", "three": "3", "four": "4", "six": "6"}
_DECIMALS = re.compile(
    rf"\b(\d|{'|'.join(_PLACES)}) (?:decimals?\b|decimal places|digits after the (?:decimal )?point)", re.IGNORECASE
)


def other_text_format(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"%d:%d" % ...` becomes `"%d:%02d" % ...`, and `"{:<5}".format(x)` becomes `"{:>5}".format(x)`."""
    parent = context.parent(node)
    is_percent = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.left is node
    is_method = isinstance(parent, ast.Attribute) and parent.attr == "format"
    if not isinstance(node.value, str) or not (is_percent or is_method):
        return
    start, written = context.program.spans[node][0], context.text(node)
    changes = _PERCENT_FORMATS if is_percent else _BRACE_FORMATS
    for old, *others in changes:
        places = [found.start() for found in re.finditer(re.escape(old), written)]
        for at in reversed(places):
            for rank, new in enumerate(others):
                yield context.replace(start + at, start + at + len(old), new, 1.0 - FAST_DECLINE * rank)
        if len(places) > 1:
            yield WeightedEdits(tuple(Edit(start + at, start + at + len(old), others[0]) for at in places))


_PERCENT_FORMATS = (("%d", "%02d", "%s"), ("%s", "%r", "%d"), ("%f", "%.2f"), ("%.1f", "%.2f"), ("%.2f", "%.1f"))
_BRACE_FORMATS = (("{}", "{:02}", "{:.2f}"), (":<", ":>", ":^"), (":>", ":<", ":^"), (":^", ":<", ":>"))


def prefix_if_there(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{prefix}.{key}"` becomes `f"{prefix}.{key}" if prefix else key`: nothing stands before the first."""
    fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    plain = [part for part in node.values if isinstance(part, ast.Constant)]
    if len(fields) != 2 or len(plain) != 1 or node.values[1] is not plain[0] or any(f.format_spec for f in fields):
        return
    if not all(_known(field, context) for field in fields):
        return
    first, last = (context.text(field.value) for field in fields)
    if isinstance(fields[0].value, ast.Name | ast.Attribute):
        yield context.put(node, Expression(f"{context.text(node)} if {first} else {last}", TEST))
    if isinstance(fields[1].value, ast.Name | ast.Attribute):
        yield context.put(node, Expression(f"{context.text(node)} if {last} else {first}", TEST), HALF)


def sign_of_amount(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{cents // 100}.{cents % 100:02d}"` becomes `f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) %
    100:02d}"`: of what is below 0 the parts are those of the amount."""
    fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    parts = [field.value for field in fields if isinstance(field.value, ast.BinOp)]
    amounts = {context.text(part.left): part.left for part in parts if isinstance(part.op, ast.FloorDiv)}
    for amount, first in amounts.items():
        halves = [part for part in parts if context.text(part.left) == amount]
        if not any(isinstance(part.op, ast.Mod) for part in halves) or not isinstance(first, ast.Name | ast.Attribute):
            continue
        whole = next(field for field in fields if field.value in halves)
        at, quote = context.program.spans[whole][0], '"' if "'" in context.text(node)[:2] else "'"
        sign = Edit(at, at, f"{{{quote}-{quote} if {amount} < 0 else {quote}{quote}}}")
        edits = [context.edit(part.left, Expression(f"abs({amount})")) for part in halves]
        yield WeightedEdits((sign, *sorted(edits, key=edit_position)))


TEMPLATES = (
    Template("sign_of_amount", (ast.JoinedStr,), sign_of_amount, ("negative", "content")),
    Template("prefix_if_there", (ast.JoinedStr,), prefix_if_there, ("content", "longer")),
    Template("other_text_format", (ast.Constant,), other_text_format, ("content", "shorter", "longer")),
    Template("shown_decimals", (ast.Call,), shown_decimals, ("content", "shorter", "type")),
    Template("printed_decimals", (ast.Expr,), printed_decimals, ("content", "longer", "shorter")),
    Template("clock_fields", (ast.JoinedStr,), clock_fields, ("content",)),
    Template("lost_prefix", (ast.Constant,), lost_prefix),
    Template("other_format", (ast.JoinedStr,), other_format, ("space", "content", "shorter", "longer")),
    Template("between_fields", (ast.JoinedStr,), between_fields, ("space", "case")),
)
