"""The mutations of one program in order, generated lazily."""

from __future__ import annotations

import ast
import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import NamedTuple

from regreen.propose.search.clues import Clues
from regreen.propose.search.constants import (
    OTHER_CODE_WEIGHT,
    PRIOR_SPREAD,
    SCORE_JITTER,
    SIGNATURE_WEIGHT,
    SYMPTOM_BOOST,
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

_LOG = logging.getLogger(__name__)

MutationPriors = Mapping[Template, float]
"""For each template the prior of one of its mutations, given the clues."""


class _NodeGroup(NamedTuple):
    """The nodes of one kind that a template has still to be applied to, likely ones first."""

    kind: type[ast.AST]
    at: int
    """The index of the next node."""
    share: float
    """The score of a mutation at a node of weight 1."""


class _Surroundings(NamedTuple):
    """What a node inherits from the nodes around it."""

    function: Function | None
    in_entry_point: bool
    in_play: bool
    """Whether mutations of the node are wanted."""


def mutation_priors(templates: Collection[Template], clues: Clues) -> MutationPriors:
    """The prior of one mutation of each template: its share of the template's, raised by symptoms and hints."""
    signs = clues.symptoms | clues.hints
    return {
        t: t.prior.share / t.prior.mutations * (1.0 if signs.isdisjoint(t.helps) else SYMPTOM_BOOST) for t in templates
    }


class MutationQueue:
    """All mutations of one program, best first; templates are applied to nodes only as far as needed."""

    def __init__(
        self,
        program: ParsedProgram,
        suspicion: LineSuspicion,
        clues: Clues,
        priors: MutationPriors,
        *,
        rng: Random,
        functions: Collection[str] | None = None,
        lines: Collection[int] | None = None,
    ) -> None:
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
        self._surroundings: dict[ast.AST, _Surroundings] = {}
        self._nodes = self._grouped()
        self._count = 0
        self._heap: list[tuple[float, int, Template, _NodeGroup | None, WeightedEdits | None]] = []
        """Negative score, order of arrival, template, and either nodes to apply it to or one of its mutations."""
        self._fill(priors)

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
            key, _, template, group, weighted = heappop(self._heap)
            if weighted is not None:
                return self._mutation(weighted.edits, template, -key)
            if group is not None:
                self._expand(-key, template, group)
        return None

    def _mutation(self, edits: tuple[Edit, ...], template: Template, score: float) -> Mutation:
        if len(edits) > 1:
            edits = tuple(sorted(edits, key=edit_position))
        line = self._program.line_of(edits[0].start) if edits else 0
        return Mutation(edits, template.name, score, line, self._program.source)

    def _expand(self, score: float, template: Template, group: _NodeGroup) -> None:
        """Applies a template to the next node of a group."""
        nodes = self._nodes[group.kind]
        node = nodes[group.at][1]
        restricted = self._program.restricted
        for weighted in self._made(template, node):
            if restricted:
                edits = fit_restricted(self._program.source, restricted, weighted.edits)
                if edits is None:
                    continue
                weighted = WeightedEdits(edits, weighted.weight)
            jitter = 1.0 - SCORE_JITTER * self._rng.random()
            self._push(-score * min(weighted.weight, 1.0) * jitter, template, None, weighted)
        following = group._replace(at=group.at + 1)
        if following.at < len(nodes):
            self._push(-group.share * nodes[following.at][0], template, following, None)

    def _made(self, template: Template, node: ast.AST) -> list[WeightedEdits]:
        """What a template makes of a node; nothing where it fails, which is told: a fault of ours ends no repair."""
        try:
            return list(template.function(node, self._context(node)))
        except Exception as error:  # noqa: BLE001  a fault of ours, whatever it is
            told = f"the template {template.name} failed in line {getattr(node, 'lineno', 1)} ({error!r})"
            _LOG.warning("A fault of Regreen's own: %s; what it would have changed there is left out.", told)
            return []

    def _push(self, key: float, template: Template, group: _NodeGroup | None, weighted: WeightedEdits | None) -> None:
        self._count += 1
        heappush(self._heap, (key, self._count, template, group, weighted))

    def _fill(self, priors: MutationPriors) -> None:
        """Queues every template once for each kind of node that it takes, with the score of the likeliest node."""
        sums = {kind: sum(weight for weight, _ in nodes) for kind, nodes in self._nodes.items()}
        for template, prior in priors.items():
            kinds = [kind for kind in template.nodes if kind in sums]
            if not kinds:
                continue
            share = prior / max(1.0, sum([sums[kind] for kind in kinds])) ** PRIOR_SPREAD
            for kind in kinds:
                self._count += 1
                key = -share * self._nodes[kind][0][0]
                self._heap.append((key, self._count, template, _NodeGroup(kind, 0, share), None))
        heapify(self._heap)

    def _context(self, node: ast.AST) -> TemplateContext:
        function, within = self._surroundings[node].function, self._program.lambda_of(node)
        if (function, within) not in self._contexts:
            scope = Scope(self._program, function, within)
            self._contexts[function, within] = TemplateContext(self._program, scope, self._clues)
        return self._contexts[function, within]

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
