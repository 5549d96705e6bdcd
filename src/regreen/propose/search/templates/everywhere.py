"""The same slip in several places, undone in all of them at once."""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import pairwise

from regreen.propose.search.code import ATOM, COMPARISONS, FACTOR, Code
from regreen.propose.search.kinds import fit
from regreen.propose.search.place import Place
from regreen.propose.search.scope import BUILTINS
from regreen.propose.search.template import Draft, Drafts, Template
from regreen.syntax import FUNCTIONS, Function
from regreen.types import Edit


def rename_everywhere(node: Function, place: Place) -> Drafts:
    """One variable is read where another belongs, all through the function; or two are swapped."""
    reads = _reads(place)
    for name, places in reads.items():
        if len(places) < 2 or len(places) > 12:
            continue
        kind = place.scope.kinds.get(name, "")
        for other in place.scope.locals:
            if other not in (name, place.scope.receiver):
                edits = tuple(place.edit(n, Code(other)) for n in places)
                yield Draft(edits, 0.8 * fit(kind, place.scope.kinds.get(other, "")))
                if name < other and other in reads and len(reads[other]) <= 12:
                    back = tuple(place.edit(n, Code(name)) for n in reads[other])
                    yield Draft((*edits, *back), fit(kind, place.scope.kinds.get(other, "")))


def _reads(place: Place) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = defaultdict(list)
    for node in place.scope.nodes:
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id in BUILTINS:
            continue
        if node.id in place.scope.locals and node.id != place.scope.receiver:
            found[node.id].append(node)
    return found


def swap_parameters(node: Function, place: Place) -> Drafts:
    """Two parameters of a function change places."""
    names = [a for a in node.args.args if a.arg != place.scope.receiver]
    for one, two in pairwise(names):
        if one.annotation is None and two.annotation is None:
            yield Draft((Edit(*place.program.spans[one], two.arg), Edit(*place.program.spans[two], one.arg)))


def constant_everywhere(node: Function, place: Place) -> Drafts:
    """The same wrong constant, all through the function."""
    groups: dict[str, list[ast.Constant]] = defaultdict(list)
    for part in place.scope.nodes:
        if (
            isinstance(part, ast.Constant)
            and type(part.value) in (int, float, str)
            and not isinstance(place.parent(part), ast.Expr)
        ):
            groups[place.text(part)].append(part)
    for text, places in groups.items():
        if not 2 <= len(places) <= 8 or not text[0].isdigit():
            continue
        value = ast.literal_eval(text)
        for other in dict.fromkeys(
            (repr(value + 1), repr(value - 1), "0", "1", *place.scope.numbers[:4], *place.evidence.numbers[:4])
        ):
            if other != text:
                yield Draft(tuple(place.edit(n, Code(other, FACTOR if other[0] == "-" else ATOM)) for n in places))


def operator_everywhere(node: Function, place: Place) -> Drafts:
    """The same wrong comparison, all through the function; each one turned to its neighbour or round."""
    groups: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for part in place.scope.nodes:
        if isinstance(part, ast.Compare):
            left: ast.expr = part.left
            for operator, right in zip(part.ops, part.comparators, strict=True):
                gap = place.program.gap(place.program.spans[left][1], place.program.spans[right][0])
                groups[COMPARISONS[type(operator)]].append(gap)
                left = right
    for symbol, others in _TURNS.items():
        if len(groups[symbol]) >= 2:
            yield from (Draft(tuple(Edit(*gap, other) for gap in groups[symbol])) for other in others)
    for one, two in (("<", ">"), ("<=", ">="), ("==", "!=")):
        if groups[one] and groups[two]:
            yield Draft((*(Edit(*gap, two) for gap in groups[one]), *(Edit(*gap, one) for gap in groups[two])))


_TURNS = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",)}


def word_everywhere(node: Function, place: Place) -> Drafts:
    """The same wrong method or function, all through the function."""
    groups: dict[str, list[int]] = defaultdict(list)
    for part in place.scope.nodes:
        if isinstance(part, ast.Attribute):
            groups[part.attr].append(place.program.spans[part][1])
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            groups[part.id].append(place.program.spans[part][1])
    for one, two in _PAIRS:
        if len(groups[one]) + len(groups[two]) >= 2:
            edits = [Edit(end - len(one), end, two) for end in groups[one]]
            edits += [Edit(end - len(two), end, one) for end in groups[two]]
            yield Draft(tuple(edits))


_PAIRS = (
    ("min", "max"),
    ("lower", "upper"),
    ("True", "False"),
    ("any", "all"),
    ("islower", "isupper"),
    ("left", "right"),
    ("floor", "ceil"),
)


def truth_everywhere(node: Function, place: Place) -> Drafts:
    """`True` and `False` change places in everything that the function hands back."""
    found = [n.value for n in place.scope.nodes if isinstance(n, ast.Return) and isinstance(n.value, ast.Constant)]
    flags = [value for value in found if isinstance(value.value, bool)]
    if len(flags) >= 2:
        yield Draft(tuple(place.edit(flag, Code(repr(not flag.value))) for flag in flags))


TEMPLATES = (
    Template("rename_everywhere", FUNCTIONS, 0.03, rename_everywhere, 12),
    Template("swap_parameters", FUNCTIONS, 0.008, swap_parameters, 1),
    Template("constant_everywhere", FUNCTIONS, 0.02, constant_everywhere, 5, ("off_by_one",)),
    Template("operator_everywhere", FUNCTIONS, 0.03, operator_everywhere, 2, ("negated", "reversed", "order")),
    Template("word_everywhere", FUNCTIONS, 0.02, word_everywhere, 1),
    Template("truth_everywhere", FUNCTIONS, 0.05, truth_everywhere, 1, ("negated",)),
)
