"""Frames of pandas: groups, aggregates, alignment, time zones, and rows that are copies."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, PROBABLE, SLOW_DECLINE
from regreen.propose.search.expressions import ATOM
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.methods import relatives
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import callee_name

_IN_ORDER: Final = frozenset(
    (
        "diff",
        "cumsum",
        "cumprod",
        "cummax",
        "cummin",
        "cumcount",
        "shift",
        "ffill",
        "bfill",
        "rank",
        "pct_change",
        "rolling",
    )
)
"""Methods whose answer for one row depends on the rows before it."""
_AGGREGATES: Final = ("count", "size", "nunique", "sum", "mean", "median", "min", "max", "first", "last", "std")
_KIN: Final = (
    _AGGREGATES,
    ("loc", "iloc"),
    ("tz_localize", "tz_convert"),
    ("isin", "eq"),
    ("idxmax", "idxmin"),
    ("ffill", "bfill"),
    ("all", "any"),
    ("head", "tail"),
    ("transform", "agg", "apply"),
)
"""Methods and indexers that are taken for one another."""
_CHOICES: Final = (
    ("left", "right", "inner", "outer"),
    ("backward", "forward", "nearest"),
    ("first", "last"),
    ("index", "columns"),
    ("min", "max", "average", "dense", "first"),
)
"""What keywords such as `how=`, `direction=`, `keep=` and `method=` choose among."""
_KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    "cut": ("right=False", "include_lowest=True", "labels=False"),
    "qcut": ("labels=False", "duplicates='drop'"),
    "resample": ("closed='right'", "label='left'", "closed='right', label='left'", "closed='right', label='right'"),
    "rolling": ("min_periods=1", "center=True", "closed='left'"),
    "rank": ("ascending=False", "method='min'", "method='dense'", "pct=True"),
    "drop_duplicates": ("keep='last'", "keep=False", "ignore_index=True"),
    "duplicated": ("keep='last'", "keep=False"),
    "reindex": ("fill_value=0",),
    "unstack": ("fill_value=0",),
    "shift": ("fill_value=0",),
    "pivot_table": ("aggfunc='sum'", "fill_value=0"),
    "to_datetime": ("utc=True", "errors='coerce'", "dayfirst=True"),
    "to_numeric": ("errors='coerce'",),
    "sort_values": ("kind='stable'", "na_position='first'"),
    "explode": ("ignore_index=True",),
    "join": ("how='outer'", "how='inner'"),
    "crosstab": ("normalize='index'", "dropna=False"),
    "nlargest": ("keep='all'",),
    "corr": ("method='spearman'",),
}
"""Keywords that calls of these names often need."""
_MOST_KEYS: Final = 8
_ALIGNED: Final = {ast.Div: "div", ast.Mult: "mul", ast.Add: "add", ast.Sub: "sub"}


def _has_frames(context: TemplateContext) -> bool:
    """Whether a program imports pandas."""
    return bool(context.name_of_module("pandas"))


def in_each_group(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows["time"].diff()` becomes `rows.groupby("user")["time"].diff()`: no group goes on with the one before."""
    method = node.func
    if not _has_frames(context) or not isinstance(method, ast.Attribute) or method.attr not in _IN_ORDER:
        return
    column = method.value
    for rank, key in enumerate(context.cached("keys of groups", lambda: _keys_of_groups(context))):
        weight = 1.0 - SLOW_DECLINE * rank
        if isinstance(column, ast.Subscript) and "groupby" not in context.text(column):
            frame = context.text(column.value)
            grouped = f"{frame}.groupby({key})[{context.text(column.slice)}]"
            yield context.put(column, grouped, weight)
        elif isinstance(column, ast.Name | ast.Attribute):
            for frame in context.cached("frames", lambda: _frames(context)):
                yield context.put(column, f"{context.text(column)}.groupby({frame}[{key}])", weight * PROBABLE)


def _keys_of_groups(context: TemplateContext) -> list[str]:
    """What the program groups, sorts and indexes by, as source: what it groups by first."""
    grouped: dict[str, None] = {}
    read: dict[str, None] = {}
    for part in context.program.nodes:
        if isinstance(part, ast.Call) and callee_name(part) in ("groupby", "sort_values") and part.args:
            key = part.args[0]
            grouped[context.text(key)] = None
            for item in key.elts if isinstance(key, ast.List) else ():
                grouped[context.text(item)] = None
        elif isinstance(part, ast.Subscript) and isinstance(getattr(part.slice, "value", None), str):
            read[context.text(part.slice)] = None
    return list({**grouped, **read})[:_MOST_KEYS]


def _frames(context: TemplateContext) -> list[str]:
    """The variables of which columns are read by name."""
    columns = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
    named = (p for p in columns if isinstance(p.slice, ast.Constant) and isinstance(p.slice.value, str))
    return list(dict.fromkeys(part.value.id for part in named if isinstance(part.value, ast.Name)))


def along_rows(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table / table.sum(axis=1)` becomes `table.div(table.sum(axis=1), axis=0)`: row by row, not column by column."""
    method = _ALIGNED.get(type(node.op))
    if method and _has_frames(context) and isinstance(node.left, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        left, right = context.expression(node.left).at(ATOM), context.text(node.right)
        yield context.put(node, f"{left}.{method}({right}, axis=0)", 1.0 if "axis=1" in right else HALF)
        yield context.put(node, f"{left}.{method}({right}, fill_value=0)", HALF)


def other_aggregate(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`("orders", "size")` becomes `("orders", "count")`, `how="inner"` becomes `how="left"`: other words of a kind."""
    if not _has_frames(context) or not isinstance(node.value, str):
        return
    for other in dict.fromkeys(relatives(node.value, (_AGGREGATES, *_CHOICES))):
        yield context.put(node, quoted(other, context.text(node)))


def other_frame_method(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`.count()` becomes `.nunique()` or `.size()`, `.loc` becomes `.iloc`, `.tz_localize` `.tz_convert`."""
    if _has_frames(context):
        yield from (context.other_attribute(node, other) for other in relatives(node.attr, _KIN))


def frame_keyword(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pd.cut(x, bins)` becomes `pd.cut(x, bins, right=False)`, `.resample("D")` `.resample("D", closed="right")`."""
    if _has_frames(context):
        for text in _KEYWORDS.get(callee_name(node), ()):
            yield from context.with_keyword(node, text)


def behind_a_column(node: ast.Call | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` gains `.reset_index(drop=True)`, `.fillna(0)`, `.dropna()`, `.copy()`, `.shift(1)` or `.sort_index()`."""
    parent = context.parent(node)
    is_load = not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    if not _has_frames(context) or not is_load or not isinstance(parent, ast.Assign | ast.Return):
        return
    for rank, further in enumerate(_FURTHER):
        yield context.put(node, f"{context.text(node)}.{further}", 1.0 - SLOW_DECLINE * rank)


_FURTHER: Final = (
    *("reset_index(drop=True)", "fillna(0)", "copy()", "reset_index()", "dropna()", "sort_index()", "shift(1)"),
    *("drop_duplicates()", "astype(int)", "astype(float)", "tolist()", "to_dict()", "abs()", "cumsum()"),
)


def write_to_frame(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row["price"] = x` in `for i, row in frame.iterrows()` becomes `frame.loc[i, "price"] = x`: a row is a copy."""
    target = node.targets[0]
    loop = next(context.loops_around(node), None)
    if not isinstance(target, ast.Subscript) or not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Tuple):
        return
    if not isinstance(loop.iter, ast.Call) or callee_name(loop.iter) != "iterrows" or len(loop.target.elts) != 2:
        return
    place, row = map(context.text, loop.target.elts)
    frame = context.text(loop.iter.func.value) if isinstance(loop.iter.func, ast.Attribute) else ""
    if context.text(target.value) == row:
        frames = dict.fromkeys((frame, *context.cached("frames", lambda: _frames(context))))
        for rank, name in enumerate(name for name in frames if name != row):
            text = f"{name}.loc[{place}, {context.text(target.slice)}]"
            yield context.replace(*context.program.spans[target], text, 1.0 - SLOW_DECLINE * rank)


def in_order_first(node: ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows = rows.sort_values("time")` before what depends on the order of rows."""
    if not _has_frames(context) or not any(
        isinstance(part, ast.Attribute) and part.attr in (*_IN_ORDER, "first", "last", "merge_asof", "head", "tail")
        for part in ast.walk(node)
    ):
        return
    for frame in context.cached("frames", lambda: _frames(context)):
        for rank, key in enumerate(context.cached("keys of groups", lambda: _keys_of_groups(context))):
            yield from context.before(node, (f"{frame} = {frame}.sort_values({key})",), LIKELY - SLOW_DECLINE * rank)


TEMPLATES = (
    Template("in_each_group", (ast.Call,), in_each_group, ("content",)),
    Template("along_rows", (ast.BinOp,), along_rows, ("content",)),
    Template("other_aggregate", (ast.Constant,), other_aggregate, ("content",)),
    Template("other_frame_method", (ast.Attribute,), other_frame_method, ("content",)),
    Template("frame_keyword", (ast.Call,), frame_keyword, ("content", "longer", "shorter")),
    Template("behind_a_column", (ast.Call, ast.Subscript), behind_a_column, ("content", "index")),
    Template("write_to_frame", (ast.Assign,), write_to_frame, ("content",)),
    Template("in_order_first", (ast.Assign, ast.Return), in_order_first, ("order", "content")),
)
