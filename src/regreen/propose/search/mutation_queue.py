"""The mutations of one program in order, generated lazily."""

from __future__ import annotations

import ast
import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush, heapreplace
from random import Random
from typing import NamedTuple

from regreen.propose.search.clues import Clues
from regreen.propose.search.constants import (
    MAX_FORESEEN_NODES,
    OTHER_CODE_WEIGHT,
    PRIOR_SPREAD,
    SCORE_JITTER,
    SIGNATURE_WEIGHT,
    SYMPTOM_BOOST,
    UNREAD_IMPORT_BOOST,
)
from regreen.propose.search.line_suspicion import LineSuspicion
from regreen.propose.search.mutation import Mutation, WeightedEdits, edit_position
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.raising_places import raising_nodes
from regreen.propose.search.restricted_syntax import fit_restricted
from regreen.propose.search.scope import Scope
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function
from regreen.types import Edit
from regreen.unread_imports import unread_imports

_LOG = logging.getLogger(__name__)


class RankedTemplate(NamedTuple):
    """A template and how likely one of its mutations is, given the clues."""

    template: Template
    prior: float
    order: int
    """How many kinds of node the templates before it take, those that are taken twice counted twice."""


TemplatesByNodes = Mapping[tuple[type[ast.AST], ...], Sequence[RankedTemplate]]
"""The templates by the kinds of node that they take, likely ones first."""


class _UnusedTemplates:
    """The templates that take the same kinds of node and have not been applied to those of one kind, likely ones first.

    There are many more templates than are ever applied to a changed program, so one entry of the heap holds them all.
    """

    __slots__ = ("at", "divisor", "kind", "place", "ranked")

    def __init__(self, ranked: Sequence[RankedTemplate], kind: type[ast.AST], place: int, divisor: float) -> None:
        self.ranked = ranked
        self.kind = kind
        self.place = place
        """The index of the kind among those that the templates take."""
        self.divisor = divisor
        """What spreads the prior of a mutation over the nodes."""
        self.at = 0
        """The index of the next template."""

    @property
    def share(self) -> float:
        """The score of a mutation of the next template at a node of weight 1."""
        return self.ranked[self.at].prior / self.divisor

    @property
    def order(self) -> int:
        """Which of equally likely ones comes first: the one whose template stands first in the table."""
        return self.ranked[self.at].order + self.place


class _NodeGroup:
    """The nodes of one kind that a template has still to be applied to, likely ones first."""

    __slots__ = ("at", "nodes", "share", "template")

    def __init__(self, template: Template, nodes: Sequence[tuple[float, ast.AST]], share: float) -> None:
        self.template = template
        self.nodes = nodes
        self.share = share
        """The score of a mutation at a node of weight 1."""
        self.at = 0
        """The index of the next node."""


class _Made(NamedTuple):
    """A mutation that a template made."""

    template: Template
    edits: tuple[Edit, ...]


class _Surroundings(NamedTuple):
    """What a node inherits from the nodes around it."""

    function: Function | None
    in_entry_point: bool
    in_play: bool
    """Whether mutations of the node are wanted."""


def templates_by_nodes(templates: Iterable[Template], clues: Clues) -> TemplatesByNodes:
    """The templates with the priors of their mutations: shares of the templates', raised by symptoms and hints."""
    signs = clues.symptoms | clues.hints
    found: dict[tuple[type[ast.AST], ...], list[RankedTemplate]] = defaultdict(list)
    order = 0
    for template in templates:
        prior = template.prior.share / template.prior.mutations
        prior *= 1.0 if signs.isdisjoint(template.helps) else SYMPTOM_BOOST
        found[template.nodes].append(RankedTemplate(template, prior, order))
        order += len(template.nodes)
    for ranked in found.values():
        ranked.sort(key=lambda one: -one.prior)
    return found


class MutationQueue:
    """All mutations of one program, best first; templates are applied to nodes only as far as needed."""

    def __init__(
        self,
        program: ParsedProgram,
        suspicion: LineSuspicion,
        clues: Clues,
        templates: TemplatesByNodes,
        *,
        rng: Random,
        functions: Collection[str] | None = None,
        lines: Collection[int] | None = None,
        foresees: bool = False,
    ) -> None:
        """`foresees`: whether mutations that read a name which nothing reads are looked for ahead of their turn."""
        self._program = program
        self._suspicion = suspicion
        self._clues = clues
        self._raising = raising_nodes(program, clues.raised)
        self._entry = (clues.entry_point or "").rpartition(".")[2]
        self._rng = rng
        self._functions = functions
        self._lines = lines
        """The only lines that are mutated; None for all."""
        self._contexts: dict[tuple[Function | None, ast.Lambda | None], TemplateContext] = {}
        self._context_of_node: dict[ast.AST, TemplateContext] = {}
        self._surroundings: dict[ast.AST, _Surroundings] = {}
        self._nodes = self._grouped()
        self._heap: list[tuple[float, int, _UnusedTemplates | _NodeGroup | _Made]] = []
        """Negative score, order of arrival, and a mutation or what is still to be made."""
        self._count = 0
        self._fill(templates)
        unread = unread_imports(program.source) if foresees and len(program.nodes) <= MAX_FORESEEN_NODES else ()
        if unread:
            self._foresee(templates, re.compile(rf"\b(?:{'|'.join(sorted(unread))})\b"))

    @property
    def raising_spans(self) -> tuple[tuple[int, int], ...]:
        """Where what the exceptions of failing checks speak of begins and ends, in characters."""
        return tuple(self._program.spans[node] for node in self._raising if node in self._program.spans)

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return -self._heap[0][0] if self._heap else 0.0

    def pop(self) -> Mutation | None:
        """The best mutation that is left."""
        while self._heap:
            key, _, best = self._heap[0]
            if isinstance(best, _NodeGroup):
                self._expand(-key, best)
            elif isinstance(best, _UnusedTemplates):
                self._use(key, best)
            else:
                heappop(self._heap)
                return self._mutation(best.edits, best.template, -key)
        return None

    def _mutation(self, edits: tuple[Edit, ...], template: Template, score: float) -> Mutation:
        if len(edits) > 1:
            edits = tuple(sorted(edits, key=edit_position))
        line = self._program.line_of(edits[0].start) if edits else 0
        return Mutation(edits, template.name, score, line, self._program.source)

    def _use(self, key: float, unused: _UnusedTemplates) -> None:
        """Begins to apply the next of some templates, which stand first in the heap with this key."""
        nodes = self._nodes[unused.kind]
        group = _NodeGroup(unused.ranked[unused.at].template, nodes, unused.share)
        heapreplace(self._heap, (key, unused.order, group))
        unused.at += 1
        if unused.at < len(unused.ranked):
            heappush(self._heap, (-unused.share * nodes[0][0], unused.order, unused))

    def _expand(self, score: float, group: _NodeGroup) -> None:
        """Applies a template to the next node of a group, which stands first in the heap with this score."""
        template, nodes = group.template, group.nodes
        made = self._made(template, nodes[group.at][1])
        group.at += 1
        if group.at < len(nodes):
            self._count += 1
            heapreplace(self._heap, (-group.share * nodes[group.at][0], self._count, group))
        else:
            heappop(self._heap)
        for weighted in made:
            edits = self._fitting(weighted)
            if edits is not None:
                key = -score * min(weighted.weight, 1.0) * (1.0 - SCORE_JITTER * self._rng.random())
                self._push(key, template, edits)

    def _made(self, template: Template, node: ast.AST) -> list[WeightedEdits]:
        """What a template makes of a node; nothing where it fails, which is told: a fault of ours ends no repair."""
        try:
            return list(template.function(node, self._context(node)))
        except Exception as error:  # noqa: BLE001  a fault of ours, whatever it is
            told = f"the template {template.name} failed in line {getattr(node, 'lineno', 1)} ({error!r})"
            _LOG.warning("A fault of Regreen's own: %s; what it would have changed there is left out.", told)
            return []

    def _foresee(self, templates: TemplatesByNodes, unread: re.Pattern[str]) -> None:
        """Queues the mutations that read an unread name, likelier than they are by themselves and at most as likely as
        the likeliest without it; they come once more in their turn, and are dropped then."""
        best = self.peek()
        for template, node, score in self._all_applications(templates):
            for weighted in self._made(template, node):
                if any(unread.search(edit.text) for edit in weighted.edits):
                    edits = self._fitting(weighted)
                    if edits is not None:
                        share = score * min(weighted.weight, 1.0)
                        self._push(-min(share * UNREAD_IMPORT_BOOST, best), template, edits)

    def _all_applications(self, templates: TemplatesByNodes) -> Iterator[tuple[Template, ast.AST, float]]:
        """Every template with every node that it takes, and the score of what it makes there."""
        for kinds, ranked in templates.items():
            nodes = [pair for kind in kinds for pair in self._nodes.get(kind, ())]
            divisor = max(1.0, sum(weight for weight, _ in nodes)) ** PRIOR_SPREAD
            for one in ranked:
                yield from ((one.template, node, weight * one.prior / divisor) for weight, node in nodes)

    def _fitting(self, weighted: WeightedEdits) -> tuple[Edit, ...] | None:
        """The edits as they fit what may stand at their places; None where they do not."""
        restricted = self._program.restricted
        return fit_restricted(self._program.source, restricted, weighted.edits) if restricted else weighted.edits

    def _push(self, key: float, template: Template, edits: tuple[Edit, ...]) -> None:
        self._count += 1
        heappush(self._heap, (key, self._count, _Made(template, edits)))

    def _fill(self, templates: TemplatesByNodes) -> None:
        """Queues every template once for each kind of node that it takes, with the score of the likeliest node."""
        sums = {kind: sum(weight for weight, _ in nodes) for kind, nodes in self._nodes.items()}
        for kinds, ranked in templates.items():
            present = [(place, kind) for place, kind in enumerate(kinds) if kind in sums]
            divisor = max(1.0, sum([sums[kind] for _, kind in present])) ** PRIOR_SPREAD
            for place, kind in present:
                unused = _UnusedTemplates(ranked, kind, place, divisor)
                self._heap.append((-unused.share * self._nodes[kind][0][0], unused.order, unused))
            self._count += len(kinds) * len(ranked)
        heapify(self._heap)

    def _context(self, node: ast.AST) -> TemplateContext:
        found = self._context_of_node.get(node)
        if found is None:
            function, within = self._surroundings[node].function, self._program.lambda_of(node)
            found = self._contexts.get((function, within))
            if found is None:
                found = TemplateContext(self._program, Scope(self._program, function, within), self._clues)
                self._contexts[function, within] = found
            self._context_of_node[node] = found
        return found

    def _grouped(self) -> dict[type[ast.AST], Sequence[tuple[float, ast.AST]]]:
        """Nodes in play by kind, with their weights, highest first."""
        groups: dict[type[ast.AST], list[tuple[float, ast.AST]]] = defaultdict(list)
        for node in self._in_play():
            weight = self._weight(node)
            if weight > 0.0:
                groups[type(node)].append((weight, node))
        for nodes in groups.values():
            nodes.sort(key=lambda pair: -pair[0])
        return dict(groups)

    def _in_play(self) -> Iterator[ast.AST]:
        tree = self._program.tree
        entry = self._entry
        named = any(isinstance(n, (*FUNCTIONS, ast.ClassDef)) and n.name == entry for n in self._program.nodes)
        self._surroundings[tree] = _Surroundings(None, not named, True)
        yield tree
        for node in self._program.nodes:
            around = self._surroundings.get(self._program.parents[node])
            if around is None or _is_out_of_play(node):
                continue
            self._surroundings[node] = inherited = self._inherited(node, around)
            if inherited.in_play:
                yield node

    def _inherited(self, node: ast.AST, around: _Surroundings) -> _Surroundings:
        if isinstance(node, ast.ClassDef):
            return around._replace(in_entry_point=around.in_entry_point or node.name == self._entry)
        if not isinstance(node, FUNCTIONS):
            return around
        in_entry_point = around.in_entry_point or node.name == self._entry
        chosen = self._functions is None or node.name in self._functions
        return _Surroundings(node, in_entry_point, chosen or (around.function is not None and around.in_play))

    def _weight(self, node: ast.AST) -> float:
        line: int = getattr(node, "lineno", 0)
        if not line:
            return 1.0 if self._lines is None else 0.0
        if self._lines is not None and line not in self._lines:
            return 0.0
        weight = self._suspicion_of(node, line) * self._raising.get(node, 1.0)
        if not self._surroundings[node].in_entry_point:
            weight *= OTHER_CODE_WEIGHT
        return weight

    def _suspicion_of(self, node: ast.AST, line: int) -> float:
        if isinstance(node, FUNCTIONS):
            return self._suspicion.at(line, node.end_lineno)
        function = self._surroundings[node].function
        if function is not None and line < function.body[0].lineno:
            return SIGNATURE_WEIGHT * self._suspicion.at(line, function.end_lineno)
        compound = isinstance(getattr(node, "body", None), list)
        return self._suspicion.at(line, line if compound else getattr(node, "end_lineno", line))


def _is_out_of_play(node: ast.AST) -> bool:
    """Whether a node is never mutated: docstrings, imported names, and the block that runs a script."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.ImportFrom | ast.alias):
        return True
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"
