"""Wrong queries: the order, a condition, a join, an aggregate or a column in a string that holds SQL."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import (
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_COLUMNS,
    MAX_QUERY_CHARACTERS,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.restricted_syntax import fstring_fields, fstring_quote
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import at_depth

_QUERY: Final = re.compile(r"\s*(?:select|insert|update|delete|with|replace)\s", re.IGNORECASE)
_SCHEMA: Final = re.compile(r"\s*create\s+table\s", re.IGNORECASE)
_KEY: Final = r"[\w.\"]+(?:\([^()]*\))?(?P<direction>\s+(?:asc|desc)\b)?"
"""A column or a call of a function by which rows are ordered."""
_ORDER: Final = re.compile(rf"\border\s+by\s+{_KEY}", re.IGNORECASE)
_NEXT_KEY: Final = re.compile(rf"\s*,\s*{_KEY}", re.IGNORECASE)
_OPERATOR: Final = re.compile(r"(?<![<>!=])(?:<=|>=|<>|!=|<|>|=)(?![<>=])")
_CONDITION: Final = re.compile(r"""[\w}"'] ?(?:=|!=|<|>|<=|>=|\bis|\blike) ?\?["']+$""", re.IGNORECASE)
"""The end of a literal that compares a column with a parameter: `"name = ?"`."""
_WORD: Final = re.compile(r"\b[a-z_]\w*\b", re.IGNORECASE)
_OTHER_OPERATORS: Final = {
    "<": ("<=", ">"),
    "<=": ("<", ">=", "="),
    ">": (">=", "<"),
    ">=": (">", "<=", "="),
    "=": ("!=", ">=", "<="),
    "!=": ("=",),
    "<>": ("=",),
}
_OTHER_WORDS: Final = (
    (r"and", "or", LIKELY),
    (r"or(?!\s+(?:replace|ignore)\b)", "and", LIKELY),
    (r"(?<!left )(?<!inner )(?<!outer )join", "left join", VERY_LIKELY),
    (r"left (?:outer )?join", "join", VERY_LIKELY),
    (r"inner join", "left join", VERY_LIKELY),
    (r"select(?!\s+distinct\b)", "select distinct", PROBABLE),
    (r"distinct ", "", HALF),
    (r"count\((?=\w)", "count(distinct ", HALF),
    (r"union all", "union", PROBABLE),
    (r"union(?! all)", "union all", PROBABLE),
    (r"is not null", "is null", PROBABLE),
    (r"is null", "is not null", PROBABLE),
    (r"not in", "in", PROBABLE),
    (r"(?<!not )in(?=\s*\()", "not in", UNLIKELY),
    (r"not like", "like", PROBABLE),
    (r"where", "having", IMPROBABLE),
    (r"having", "where", HALF),
    (r"insert into", "insert or replace into", HALF),
    (r"insert into", "insert or ignore into", HALF),
    (r"insert or replace", "insert or ignore", HALF),
    (r"insert or ignore", "insert or replace", HALF),
)
"""A pattern of words that stand alone, what takes their place, and its weight."""
_AGGREGATES: Final = ("sum", "count", "avg", "max", "min", "total")
_KEYWORDS: Final = frozenset(
    "select from where and or not in is null like between order by group having limit offset asc desc join left right "
    "inner outer full cross on as distinct union all insert into values update set delete create table primary key "
    "references integer text real blob numeric varchar char int unique default check foreign if exists case when then "
    "else end with replace ignore autoincrement collate cast coalesce ifnull length lower upper using".split()
)

_CONDITION_END: Final = r"(?=\s*(?:[\"']\s*[\"'])?\s*(?:\b(?:order|group|limit|having|union)\b|;|\)|[\"']+$))"
_GROUPS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\band\s+(?P<group>(?:(?!\band\b|\bwhere\b)[^()])+?\bor\b(?:(?!\band\b)[^()])+?){_CONDITION_END}",
        r"\bwhere\s+(?P<group>(?:(?!\band\b)[^()])+?\bor\b(?:(?!\band\b)[^()])+?)(?=\s+and\b)",
    )
)
"""Alternatives beside a condition: `a and b or c` is `(a and b) or c`."""

_Change = tuple[int, int, str, float]
"""Start, end, replacement and weight."""


def tweak_query(node: ast.Constant | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`order by age` becomes `order by age desc`, `>` becomes `>=`, `a and b or c` becomes `a and (b or c)`, ..."""
    text = context.text(node)
    if len(text) > MAX_QUERY_CHARACTERS or not _is_query(node, text):
        return
    begin = context.program.spans[node][0]
    fields = [(field.start - 1, field.close + 1) for field in fstring_fields(text)]
    found = sorted(_changes(text), key=lambda change: -change[3])
    found += [(start, end, other, UNLIKELY) for start, end, other in _other_columns(text, context)]
    for start, end, other, weight in found:
        if not any(low < end and start < high for low, high in fields):
            yield context.replace(begin + start, begin + end, other, weight)


def _is_query(node: ast.Constant | ast.JoinedStr, text: str) -> bool:
    """Whether a literal holds SQL: of an f-string, what begins it tells, or a condition on a parameter that ends it."""
    if _CONDITION.search(text):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(_QUERY.match(node.value))
    quote = fstring_quote(text)
    return bool(quote) and bool(_QUERY.match(text[text.index(quote) + len(quote) :]))


def _changes(text: str) -> Iterator[_Change]:
    yield from _directions(text)
    for group in _GROUPS:
        for found in group.finditer(text):
            yield *found.span("group"), f"({found['group']})", 1.0
    for found in _OPERATOR.finditer(text):
        for other in _OTHER_OPERATORS[found[0]]:
            yield *found.span(), other, VERY_LIKELY
    for found in re.finditer(r"(?<= )=(?= \?)", text):
        # Nothing equals NULL, and `IS` holds for it, too.
        yield *found.span(), "IS", PROBABLE
    for pattern, other, weight in _OTHER_WORDS:
        for found in re.finditer(rf"\b{pattern}", text, re.IGNORECASE):
            if not found[0][-1].isalpha() or not text[found.end() : found.end() + 1].isalnum():
                yield *found.span(), _in_case_of(found[0], other), weight
    for name in _AGGREGATES:
        for found in re.finditer(rf"\b{name}(?=\()", text, re.IGNORECASE):
            for other in _AGGREGATES:
                if other != name:
                    yield *found.span(), _in_case_of(found[0], other), PROBABLE if other != "total" else IMPROBABLE


def _directions(text: str) -> Iterator[_Change]:
    """The other direction of each key of each `order by`."""
    for clause in _ORDER.finditer(text):
        word = clause[0][:5]
        found: re.Match[str] | None = clause
        while found is not None:
            yield _other_direction(found, word)
            found = _NEXT_KEY.match(text, found.end())


def _other_direction(key: re.Match[str], word: str) -> _Change:
    start, end = key.span("direction")
    given = (key["direction"] or "").strip()
    if not given:
        return key.end(), key.end(), _in_case_of(word, " desc"), 1.0
    return start, end, "" if given.lower() == "desc" else " " + _in_case_of(given, "desc"), 1.0


def _in_case_of(like: str, text: str) -> str:
    return text.upper() if like.isupper() else text


def _other_columns(text: str, context: TemplateContext) -> Iterator[tuple[int, int, str]]:
    """Each name of the query in turn, as another name of it or of the program's tables."""
    names = context.cached("columns", lambda: _columns(context))
    for found in _WORD.finditer(text):
        if found[0] in names and found[0].lower() not in _KEYWORDS:
            yield from ((*found.span(), other) for other in names if other != found[0])


def _columns(context: TemplateContext) -> tuple[str, ...]:
    """The names in the program's SQL, in the order of the text."""
    texts = (n.value for n in context.program.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))
    queries = [
        text for text in texts if len(text) <= MAX_QUERY_CHARACTERS and (_QUERY.match(text) or _SCHEMA.match(text))
    ]
    words = (word for text in queries for word in _WORD.findall(text) if word.lower() not in (*_KEYWORDS, *_AGGREGATES))
    return tuple(dict.fromkeys(words))[:MAX_COLUMNS]


_LIMIT: Final = re.compile(r"\b(?:limit|offset)\s+(\d+)", re.IGNORECASE)


def other_limit(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`limit 10` becomes `limit 9`, `limit 11` or `limit 1`."""
    if not isinstance(node.value, str) or not _QUERY.match(node.value):
        return
    begin = context.program.spans[node][0]
    for found in _LIMIT.finditer(context.text(node)):
        number = int(found[1])
        for other, weight in ((number + 1, 1.0), (number - 1, 1.0), (1, POSSIBLE)):
            if other >= 0 and other != number:
                yield context.replace(begin + found.start(1), begin + found.end(1), str(other), weight)


def in_one_transaction(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Two statements `db.execute(...)` and what stands between them come into `with db:`: all of it, or nothing."""
    block = context.program.block(node)
    at, owner = block.index(node), _executes(node, context)
    if not owner or any(_executes(part, context) == owner for part in block[:at]):
        return
    ends = [place for place, part in enumerate(block) if place > at and _executes(part, context) == owner]
    if not ends or not all(map(context.program.alone, block[at : ends[-1] + 1])):
        return
    start, stop = context.program.lines(node)[0], context.program.lines(block[ends[-1]])[1]
    indent = context.program.indent(node)
    inner = at_depth((start, stop), context, indent, indent + context.program.unit)
    yield context.replace(start, stop, f"{indent}with {owner}:\n{inner}")


def _executes(statement: ast.stmt, context: TemplateContext) -> str:
    """What a statement calls `execute` of; empty where it does not."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_one = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "execute"
    return context.text(call.func.value) if is_one else ""  # type: ignore[union-attr]


def bracket_alternatives(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`" OR ".join(tests)` becomes `"(" + " OR ".join(tests) + ")"`: beside another condition, AND binds closer."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "join" else None
    if isinstance(owner, ast.Constant) and isinstance(owner.value, str) and owner.value.strip().upper() == "OR":
        yield context.put(node, Expression(f'"(" + {context.text(node)} + ")"', SUM))


TEMPLATES = (
    Template("bracket_alternatives", (ast.Call,), bracket_alternatives, ("content", "longer")),
    Template("in_one_transaction", (ast.Expr,), in_one_transaction, ("content",)),
    Template(
        "tweak_query", (ast.Constant, ast.JoinedStr), tweak_query, ("order", "content", "reversed", "longer", "shorter")
    ),
    Template("other_limit", (ast.Constant,), other_limit, ("longer", "shorter")),
)
