"""The drafts of one program, lazily and best first."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import Final, NamedTuple

from regreen.propose.search.clues import Clues
from regreen.propose.search.line_suspicion import LineSuspicion
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.restricted_syntax import fit_restricted
from regreen.propose.search.scope import Scope
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function

_SPREAD: Final = 0.45
"""How much the prior of a template is shared among the nodes that it applies to: 0 not at all, 1 wholly."""
_HELP: Final = 3.0
"""How much likelier a symptom makes the templates that it speaks for."""
_ELSEWHERE: Final = 0.4
"""The weight of code outside the function that is to be repaired, where one is named."""
_HEAD: Final = 0.7
"""The weight of a function's head: parameters and defaults."""

Priors = Mapping[Template, float]
"""The prior of one draft of each template, given the evidence."""


class QueuedMutation(NamedTuple):
    """A draft with the template that made it and its score."""

    score: float
    template: Template
    draft: WeightedEdits


class _Group(NamedTuple):
    """The nodes of one kind that a template has still to look at, likely ones first."""

    kind: type[ast.AST]
    at: int
    share: float
    """The score of a draft at a node of weight 1."""


class _Standing(NamedTuple):
    """What a node inherits from the nodes around it."""

    owner: Function | None
    wanted: bool
    """Whether it is part of what is to be repaired."""
    in_play: bool


def template_priors(templates: Collection[Template], clues: Clues) -> Priors:
    """The priors of single drafts: shared among the drafts of a node, raised by symptoms and hints."""
    said = clues.symptoms | clues.hints
    return {t: t.prior / t.width * (1.0 if said.isdisjoint(t.helps) else _HELP) for t in templates}


class MutationQueue:
    """Every draft of one program, best first. Nothing is generated before it is needed."""

    def __init__(
        self,
        program: ParsedProgram,
        suspicion: LineSuspicion,
        clues: Clues,
        priors: Priors,
        *,
        rng: Random,
        functions: Collection[str] | None = None,
        lines: Collection[int] | None = None,
    ) -> None:
        self._program = program
        self._suspicion = suspicion
        self._clues = clues
        self._entry = (clues.entry_point or "").rpartition(".")[2]
        self._rng = rng
        self._functions = functions
        self._lines = lines
        """The only lines in play, where some are named."""
        self._places: dict[tuple[Function | None, ast.Lambda | None], TemplateContext] = {}
        self._standings: dict[ast.AST, _Standing] = {}
        self._nodes = self._grouped()
        self._count = 0
        self._heap: list[tuple[float, int, Template, _Group | None, WeightedEdits | None]] = []
        self._fill(priors)

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return -self._heap[0][0] if self._heap else 0.0

    def pop(self) -> QueuedMutation | None:
        """The best draft that is left."""
        while self._heap:
            key, _, template, group, draft = heappop(self._heap)
            if draft is not None:
                return QueuedMutation(-key, template, draft)
            if group is not None:
                self._expand(-key, template, group)
        return None

    def _expand(self, score: float, template: Template, group: _Group) -> None:
        nodes = self._nodes[group.kind]
        node = nodes[group.at][1]
        restricted = self._program.restricted
        for draft in template.function(node, self._place(node)):
            if restricted:
                edits = fit_restricted(self._program.source, restricted, draft.edits)
                if edits is None:
                    continue
                draft = WeightedEdits(edits, draft.weight)
            jitter = 1.0 - 0.01 * self._rng.random()
            self._push(-score * min(draft.weight, 1.0) * jitter, template, None, draft)
        following = group._replace(at=group.at + 1)
        if following.at < len(nodes):
            self._push(-group.share * nodes[following.at][0], template, following, None)

    def _push(self, key: float, template: Template, group: _Group | None, draft: WeightedEdits | None) -> None:
        self._count += 1
        heappush(self._heap, (key, self._count, template, group, draft))

    def _fill(self, priors: Priors) -> None:
        """Queues every template once for each kind of node that it takes."""
        sums = {kind: sum(weight for weight, _ in nodes) for kind, nodes in self._nodes.items()}
        for template, prior in priors.items():
            kinds = [kind for kind in template.nodes if kind in sums]
            if not kinds:
                continue
            share = prior / max(1.0, sum([sums[kind] for kind in kinds])) ** _SPREAD
            for kind in kinds:
                self._count += 1
                key = -share * self._nodes[kind][0][0]
                self._heap.append((key, self._count, template, _Group(kind, 0, share), None))
        heapify(self._heap)

    def _place(self, node: ast.AST) -> TemplateContext:
        function, within = self._standings[node].owner, self._program.lambda_of(node)
        if (function, within) not in self._places:
            scope = Scope(self._program, function, within)
            self._places[function, within] = TemplateContext(self._program, scope, self._clues)
        return self._places[function, within]

    def _grouped(self) -> dict[type[ast.AST], Sequence[tuple[float, ast.AST]]]:
        """Nodes in play by kind, with their weights, heavy ones first."""
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
        self._standings[tree] = _Standing(None, not named, True)
        yield tree
        for node in self._program.nodes:
            around = self._standings.get(self._program.parents[node])
            if around is None or _is_out_of_play(node):
                continue
            self._standings[node] = standing = self._standing(node, around)
            if standing.in_play:
                yield node

    def _standing(self, node: ast.AST, around: _Standing) -> _Standing:
        if isinstance(node, ast.ClassDef):
            return around._replace(wanted=around.wanted or node.name == self._entry)
        if not isinstance(node, FUNCTIONS):
            return around
        wanted = around.wanted or node.name == self._entry
        chosen = self._functions is None or node.name in self._functions
        return _Standing(node, wanted, chosen or (around.owner is not None and around.in_play))

    def _weight(self, node: ast.AST) -> float:
        line: int = getattr(node, "lineno", 0)
        if not line:
            return 1.0 if self._lines is None else 0.0
        if self._lines is not None and line not in self._lines:
            return 0.0
        weight = self._suspicion_of(node, line)
        if not self._standings[node].wanted:
            weight *= _ELSEWHERE
        return weight

    def _suspicion_of(self, node: ast.AST, line: int) -> float:
        if isinstance(node, FUNCTIONS):
            return self._suspicion.at(line, node.end_lineno)
        owner = self._standings[node].owner
        if owner is not None and line < owner.body[0].lineno:
            return _HEAD * self._suspicion.at(line, owner.end_lineno)
        compound = isinstance(getattr(node, "body", None), list)
        return self._suspicion.at(line, line if compound else getattr(node, "end_lineno", line))


def _is_out_of_play(node: ast.AST) -> bool:
    """Docstrings, imported names and the block that runs a script."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.ImportFrom | ast.alias):
        return True
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"
