"""Names that the checks ask for and the program spells differently: the definition is renamed, with all its uses."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from regreen.propose.search.constants import DEFINITIONS_LIKE_A_NAME, LEAST_LIKENESS_OF_NAMES, PROBABLE
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import DEFINITIONS
from regreen.types import Edit

_ASKED = re.compile(r"(?:cannot import name|has no attribute|defines no|\bname) '([A-Za-z_]\w*)'")
"""How a message tells of a name that the program does not have."""


def rename_definition(node: ast.Module, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`def line_totl` becomes `def line_total`, which the checks ask for: there, and wherever the program says it."""
    defined = {definition.name for definition in ast.walk(node) if isinstance(definition, DEFINITIONS)}
    defined |= {target.id for target in _assigned(node)}
    for asked in dict.fromkeys(_ASKED.findall(context.clues.details)):
        if asked not in defined:
            like = difflib.get_close_matches(asked, defined, DEFINITIONS_LIKE_A_NAME, LEAST_LIKENESS_OF_NAMES)
            unasked = [one.name for one in node.body if isinstance(one, DEFINITIONS) and _is_unasked(one.name, context)]
            for rank, name in enumerate(like or unasked[:DEFINITIONS_LIKE_A_NAME]):
                if edits := _renaming(node, context, name, asked):
                    yield WeightedEdits(tuple(edits), PROBABLE if rank or not like else 1.0)


def _is_unasked(name: str, context: TemplateContext) -> bool:
    """Whether no check says the name."""
    return name not in context.clues.keywords


def _assigned(tree: ast.Module) -> Iterator[ast.Name]:
    """The variables of the module."""
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        yield from (target for target in targets if isinstance(target, ast.Name))


def _renaming(tree: ast.Module, context: TemplateContext, name: str, asked: str) -> list[Edit]:
    """The edits of every place that has the name, in the order of the text; none where one cannot be told, as in some
    f-strings."""
    spans, source = context.program.spans, context.program.source
    edits = []
    for node in ast.walk(tree):
        if name in (getattr(node, "id", ""), getattr(node, "attr", "")) and node not in spans:
            return []
        if isinstance(node, ast.Name) and node.id == name:
            edits.append(Edit(*spans[node], asked))
        elif isinstance(node, ast.Attribute) and node.attr == name:
            edits.append(Edit(spans[node][1] - len(name), spans[node][1], asked))
        elif isinstance(node, DEFINITIONS) and node.name == name:
            found = re.compile(rf"\b(?:def|class)\s+({name})\b").search(source, spans[node][0])
            if found is not None:
                edits.append(Edit(*found.span(1), asked))
    return sorted(edits, key=edit_position)


TEMPLATES = (Template("rename_definition", (ast.Module,), rename_definition, ("name", "attribute")),)
