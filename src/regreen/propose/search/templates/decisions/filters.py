"""Comprehensions that take what they should leave out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    MAX_CONTAINERS_ASKED,
    MAX_LOCAL_NAMES,
    POSSIBLE,
    PROBABLE,
    VERY_LIKELY,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within

_PLACES = (0, 1)


def filter_by_field(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs]` becomes `[x for x in xs if x.owner == owner]`, where a parameter is called as a field is."""
    if node.ifs or not isinstance(node.target, ast.Name):
        return
    end, item = context.outer(node.iter)[1], node.target.id
    fields = fields_of_all(context)
    read = {part.attr for part in context.scope.nodes if isinstance(part, ast.Attribute)}
    for name in context.scope.locals[:MAX_LOCAL_NAMES]:
        share = 1.0 if name in context.scope.unused else HALF if name in context.scope.parameters else POSSIBLE
        if name in (item, context.scope.receiver):
            continue
        for field in sorted(fields):
            if field == name:
                yield context.replace(end, end, f" if {item}.{field} == {name}", share)
                yield context.replace(end, end, f" if {item}.{field} != {name}", share * HALF)
            elif field.startswith(name) or name.startswith(field):
                yield context.replace(end, end, f" if {name} in {item}.{field}", share * PROBABLE)
                yield context.replace(end, end, f" if {item}.{field} in {name}", share * PROBABLE)
            elif field in read:
                for sign in ("<", "<=", ">", ">=", "==", "!="):
                    yield context.replace(end, end, f" if {item}.{field} {sign} {name}", share * PROBABLE)
        if name in context.scope.parameters:
            # Of rows: what stands in the first or the second place.
            for place in _PLACES:
                for sign, likely in (("!=", 1.0), ("==", 1.0), ("is not", LIKELY), ("is", PROBABLE)):
                    weight = share * likely * PROBABLE
                    yield context.replace(end, end, f" if {item}[{place}] {sign} {name}", weight)
        if name in context.clues.strings or f'"{name}"' in context.program.source:
            yield context.replace(end, end, f' if {item}["{name}"] == {name}', share * PROBABLE)


def filter_what_is_taken(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[row[at] for row in rows]` becomes `[row[at] for row in rows if row[at] is not None]`: some have none."""
    around = context.parent(node)
    bound = bound_by(node.target)
    if node.ifs or not isinstance(around, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        return
    end = context.outer(node.iter)[1]
    taken = around.value if isinstance(around, ast.DictComp) else around.elt
    texts = [] if isinstance(taken, ast.Name) else [context.text(taken)]
    texts += bound if len(bound) > 1 else []
    for text in texts:
        if "\n" not in text and set(bound) & names_within(taken):
            yield context.replace(end, end, f" if {text} is not None", VERY_LIKELY)
            yield context.replace(end, end, f" if {text}", VERY_LIKELY)
            if text in bound:
                yield context.replace(end, end, f" if not {text}", POSSIBLE)
    if len(bound) > 1:
        for name in bound:
            for other in context.scope.locals[:MAX_CONTAINERS_ASKED]:
                if other not in (*bound, context.scope.receiver):
                    likely = 1.0 if other in context.scope.unused else HALF
                    for sign in ("!=", "not in", "in", "==", "<", "<=", ">", ">="):
                        yield context.replace(end, end, f" if {name} {sign} {other}", likely)


def skip_blank_lines(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A round of a loop through the lines of a text begins with `if not line.strip(): continue`: some are blank. Some
    are comments."""
    line = next(iter(reversed(bound_by(node.target))), "")
    if not line or not _gives_lines(node.iter, context) or f"not {line}" in context.text(node.body[0]):
        return
    blank, comment = f"not {line}.strip()", f'{line}.lstrip().startswith("#")'
    for test, weight in ((blank, 1.0), (f"{blank} or {comment}", LIKELY), (comment, LIKELY)):
        yield from context.before(node.body[0], (f"if {test}:", "\tcontinue"), weight)
    first = node.body[0]
    if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name) and len(node.body) > 1:
        cleaned = first.targets[0].id
        yield from context.after(first, (f"if not {cleaned}:", "\tcontinue"), LIKELY)
        asked = f'if not {cleaned} or {cleaned}.startswith("#"):'
        yield from context.after(first, (asked, "\tcontinue"), PROBABLE)


def skip_stated(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A round begins with `if cell == ".": continue`, where prose says that '.' is empty, missing or left out."""
    first = node.body[0]
    names = [(name, first, False) for name in bound_by(node.target)]
    if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name) and len(node.body) > 1:
        names.append((first.targets[0].id, first, True))
    blanks = context.cached_of_program("stated blanks", lambda: _stated_blanks(context))
    compared = {part.value for part in context.scope.nodes if isinstance(part, ast.Constant)} if blanks else set()
    for text in blanks:
        if text not in compared:
            for name, statement, is_behind in names:
                lines = (f"if {name} == {text!r}:", "\tcontinue")
                yield from context.after(statement, lines) if is_behind else context.before(statement, lines)


def _stated_blanks(context: TemplateContext) -> list[str]:
    """The texts that prose calls empty, missing or left out."""
    clues = context.clues
    return [text for text in clues.strings if text and _is_said_to_be_nothing(text, clues.prose)]


def _is_said_to_be_nothing(text: str, prose: str) -> bool:
    quoted = rf"""['"`]{re.escape(text)}['"`]"""
    nothing = r"\b(?:empty|blank|missing|unknown|absent|unset|free|skip\w*|ignor\w*|left out|no (?:value|entry|data))\b"
    near = r"[^.;\n'\"`]{0,40}"
    return re.search(f"{quoted}{near}{nothing}|{nothing}{near}{quoted}", prose, re.IGNORECASE) is not None


def _gives_lines(sequence: ast.expr, context: TemplateContext) -> bool:
    """Whether a loop goes through lines of a text, as far as its words tell."""
    text = context.text(sequence).lower()
    return "line" in text or 'split("\\n")' in text or "csv.reader" in text or "rows" in text


def bound_by(target: ast.expr) -> list[str]:
    """The names that a loop or comprehension binds."""
    return [part.id for part in ast.walk(target) if isinstance(part, ast.Name) and part.id != "_"]


def class_fields(owner: ast.ClassDef) -> set[str]:
    hinted = {
        part.target.id for part in owner.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    stored = (part for part in ast.walk(owner) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    return hinted | {part.attr for part in stored}


def fields_of_all(context: TemplateContext) -> frozenset[str]:
    """The fields of all classes of the program."""
    return context.cached_of_program("fields", lambda: _gathered_fields(context))


def _gathered_fields(context: TemplateContext) -> frozenset[str]:
    classes = (part for part in context.program.nodes if isinstance(part, ast.ClassDef))
    return frozenset(name for owner in classes for name in class_fields(owner))


def table_decides(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[job for job in waiting]`, of a table, becomes `[job for job in waiting if waiting[job] == 0]`, or `if
    waiting[job]`: what the table says of it decides."""
    if node.ifs or not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name | ast.Attribute):
        return
    table, key = context.text(node.iter), node.target.id
    if f"{table}[" in context.program.source and context.kind(node.iter) in ("dict", ""):
        end = context.outer(node.iter)[1]
        for question, weight in (("{} == 0", 1.0), ("{}", 1.0), ("not {}", LIKELY), ("{} > 1", PROBABLE)):
            yield context.replace(end, end, f" if {question.format(f'{table}[{key}]')}", weight)


TEMPLATES = (
    Template("skip_stated", (ast.For,), skip_stated, ("negated", "longer", "value", "key")),
    Template("table_decides", (ast.comprehension,), table_decides, ("longer",)),
    Template("filter_by_field", (ast.comprehension,), filter_by_field, ("longer", "content")),
    Template("skip_blank_lines", (ast.For,), skip_blank_lines, ("index", "value", "longer", "content")),
    Template("filter_what_is_taken", (ast.comprehension,), filter_what_is_taken, ("longer", "none", "type")),
)
