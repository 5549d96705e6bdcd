"""Paths and addresses that are put together: separators that lack, or stand there twice, suffixes, names of files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import ALMOST_SURE, HALF, LIKELY, UNLIKELY
from regreen.propose.search.expressions import ATOM, SUM, Expression, added_terms, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit

_FOLDER: Final = re.compile(r"path|dir|folder|root|base|home|prefix|parent|dest|target|output|location", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"ur[li]|base|host|root|prefix|server|endpoint|address|origin|domain|path", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(r"[fF](['\"])\{(\w+(?:\.\w+)*)\}/\{(\w+(?:\.\w+)*)\}(.*)\1")
"""`f"{base}/{path}"`, whatever stands behind it."""


def join_path(node: ast.BinOp | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`folder + name + ".log"`, `folder + "/" + name` and `f"{folder}/{name}"` become `os.path.join(folder, ...)`."""
    parts = _parts(node, context)
    if parts and _FOLDER.search(parts[0].text):
        join, imports = _os_path_join(context)
        yield WeightedEdits((*imports, context.edit(node, Expression(f"{join}({parts[0].text}, {parts[1].text})"))))


def _os_path_join(context: TemplateContext) -> tuple[str, tuple[Edit, ...]]:
    if "os" in context.scope.globals:
        return "os.path.join", ()
    return context.member_of("os.path", "join")


def one_slash(node: ast.BinOp | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base + path` and `base + "/" + path` become `base.rstrip("/") + "/" + path.lstrip("/")`, or half of that."""
    parts = _parts(node, context)
    if not parts or not _ADDRESS.search(parts[0].text):
        return
    before, behind = parts[0].at(ATOM), parts[1].at(SUM)
    bare = f'{parts[1].at(ATOM)}.lstrip("/")'
    for text, weight in (
        (f'{before}.rstrip("/") + "/" + {bare}', 1.0),
        (f'{before}.rstrip("/") + "/" + {behind}', ALMOST_SURE),
        (f'{before} + "/" + {bare}', LIKELY),
        (f'{before}.rstrip("/") + {behind}', HALF),
    ):
        yield context.put(node, Expression(text, SUM), weight)


def _parts(node: ast.BinOp | ast.JoinedStr, context: TemplateContext) -> tuple[Expression, Expression] | None:
    """What a path begins with, and all that comes behind it, but for the slash between them."""
    if isinstance(node, ast.JoinedStr):
        found = _PLACEHOLDER.fullmatch(context.text(node))
        if found is None:
            return None
        rest = f"f{found[1]}{{{found[3]}}}{found[4]}{found[1]}" if found[4] else found[3]
        return Expression(found[2]), Expression(rest)
    first, *rest_parts = added_terms(node)
    if isinstance(context.parent(node), ast.BinOp) or not isinstance(first, ast.Name | ast.Attribute | ast.Call):
        return None
    if isinstance(rest_parts[0], ast.Constant) and rest_parts[0].value == "/":
        rest_parts = rest_parts[1:]
    if not rest_parts:
        return None
    behind = " + ".join(context.expression(part).at(SUM) for part in rest_parts)
    return context.expression(first), Expression(behind, SUM) if len(rest_parts) > 1 else context.expression(
        rest_parts[0]
    )


def keep_suffix(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`path.with_suffix(".bak")`, which takes the old suffix away, becomes `path.with_name(path.name + ".bak")`; or
    back."""
    match node:
        case ast.Call(func=ast.Attribute(value=path, attr="with_suffix"), args=[suffix]):
            owner = context.expression(path).at(ATOM)
            whole = binary_operation(Expression(f"{owner}.name"), "+", context.expression(suffix))
            yield context.put(node, f"{owner}.with_name({whole.text})")
        case ast.Call(func=ast.Attribute(value=path, attr="with_name"), args=[ast.BinOp(op=ast.Add(), right=suffix)]):
            yield context.put(node, f"{context.expression(path).at(ATOM)}.with_suffix({context.text(suffix)})", LIKELY)


def name_on_any_system(node: ast.Call | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Path(name).name` and `os.path.basename(name)`, which know one kind of slash, become
    `name.replace("\\\\", "/").rsplit("/", 1)[-1]`: names that users send may be of another system."""
    match node:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="Path" | "PurePath"), args=[given]), attr="name"):
            pass
        case ast.Call(func=ast.Attribute(attr="basename") | ast.Name(id="basename"), args=[given]):
            pass
        case _:
            return
    text = context.expression(given).at(ATOM)
    weight = 1.0 if any("\\" in told for told in context.clues.strings) else UNLIKELY
    yield context.put(node, f'{text}.replace("\\\\", "/").rsplit("/", 1)[-1]', weight)


def decode_after_parting(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for piece in unquote(text).split("&")` becomes `for piece in text.split("&")`, with `unquote(name)` and
    `unquote(value)` where they are kept: what is decoded first has signs that part nothing."""
    match node.iter:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=ast.Name(id=decode), args=[coded]) as decoded, attr="split" | "partition"
            )
        ) if decode.startswith(("unquote", "unescape", "decode")):
            for part in (part for step in node.body for part in ast.walk(step)):
                names = part.elts if isinstance(part, ast.Tuple) and isinstance(part.ctx, ast.Load) else []
                if names and all(isinstance(name, ast.Name) for name in names):
                    edits = [context.edit(name, Expression(f"{decode}({context.text(name)})")) for name in names]
                    yield WeightedEdits((context.edit(decoded, context.expression(coded)), *edits))


TEMPLATES = (
    Template("decode_after_parting", (ast.For,), decode_after_parting, ("content", "longer", "shorter")),
    Template("keep_suffix", (ast.Call,), keep_suffix, ("content", "attribute")),
    Template("name_on_any_system", (ast.Call, ast.Attribute), name_on_any_system, ("content", "longer")),
    Template("join_path", (ast.BinOp, ast.JoinedStr), join_path, ("content", "shorter", "longer")),
    Template("one_slash", (ast.BinOp, ast.JoinedStr), one_slash, ("content", "shorter", "longer")),
)
