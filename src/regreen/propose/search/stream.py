"""The drafts of one program, lazily and best first."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from heapq import heapify, heappop, heappush
from random import Random
from typing import Final, NamedTuple

from regreen.propose.search.evidence import Evidence
from regreen.propose.search.place import Place
from regreen.propose.search.program import FUNCTIONS, Function, Program
from regreen.propose.search.scope import Scope
from regreen.propose.search.suspicion import Suspicion
from regreen.propose.search.template import Draft, Template

_SPREAD: Final = 0.45
"""How much the prior of a template is shared among the nodes that it applies to: 0 not at all, 1 wholly."""
_HELP: Final = 3.0
"""How much likelier a symptom makes the templates that it speaks for."""
_ELSEWHERE: Final = 0.4
"""The weight of code outside the function that is to be repaired, where one is named."""
_PAGE: Final = 4_000
"""Nodes looked at before the first draft comes out; the less suspicious rest of a huge program follows later."""


class Found(NamedTuple):
    """A draft with the template that made it and its score."""

    score: float
    template: Template
    draft: Draft


class Stream:
    """Every draft of one program, best first. Nothing is generated before it is needed."""

    def __init__(
        self,
        program: Program,
        suspicion: Suspicion,
        evidence: Evidence,
        templates: Collection[Template],
        *,
        rng: Random,
        functions: Collection[str] | None = None,
        favour: Callable[[Template, int], float] | None = None,
    ) -> None:
        self._program = program
        self._suspicion = suspicion
        self._evidence = evidence
        self._rng = rng
        self._functions = functions
        self._favour = favour
        self._places: dict[tuple[Function | None, ast.Lambda | None], Place] = {}
        self._by_node: dict[type[ast.AST], list[tuple[Template, float]]] = defaultdict(list)
        for template in templates:
            for kind in template.nodes:
                self._by_node[kind].append((template, self._boosted(template)))
        named = (n for n in program.nodes if isinstance(n, (*FUNCTIONS, ast.ClassDef)))
        self._entries = {n for n in named if n.name == evidence.entry_point}
        self._pages = self._paged()
        self._heap: list[tuple[float, int, Template, ast.AST | None, Draft | None]] = []
        self._count = 0
        self._turn_page()

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return -self._heap[0][0] if self._heap else 0.0

    def pop(self) -> Found | None:
        """The best draft that is left."""
        while self._heap:
            score, _, template, node, draft = heappop(self._heap)
            if draft is not None:
                if not self._heap:
                    self._turn_page()
                return Found(-score, template, draft)
            if node is not None:
                self._expand(-score, template, node)
            if not self._heap:
                self._turn_page()
        return None

    def _expand(self, score: float, template: Template, node: ast.AST) -> None:
        for draft in template.function(node, self._place(node)):
            jitter = 1.0 - 0.01 * self._rng.random()
            self._push(-score * min(draft.weight, 1.0) * jitter, template, None, draft)

    def _push(self, key: float, template: Template, node: ast.AST | None, draft: Draft | None) -> None:
        self._count += 1
        heappush(self._heap, (key, self._count, template, node, draft))

    def _place(self, node: ast.AST) -> Place:
        function, within = self._owner(node), self._program.lambda_of(node)
        if (function, within) not in self._places:
            scope = Scope(self._program, function, within)
            self._places[function, within] = Place(self._program, scope, self._evidence)
        return self._places[function, within]

    def _owner(self, node: ast.AST) -> Function | None:
        return node if isinstance(node, FUNCTIONS) else self._program.function(node)

    def _boosted(self, template: Template) -> float:
        said = self._evidence.symptoms | self._evidence.hints
        return template.prior * (_HELP if any(help_ in said for help_ in template.helps) else 1.0) / template.width

    def _turn_page(self) -> None:
        """Queues every template for the nodes of the next page."""
        page = next(self._pages, None)
        if page is None:
            return
        totals: dict[str, float] = defaultdict(float)
        found = []
        for node, weight in page:
            for template, prior in self._by_node.get(type(node), ()):
                totals[template.name] += weight
                found.append((template, prior * weight, node))
        for template, score, node in found:
            key = score / max(1.0, totals[template.name]) ** _SPREAD
            if self._favour is not None:
                key *= self._favour(template, getattr(node, "lineno", 1))
            self._count += 1
            self._heap.append((-key, self._count, template, node, None))
        heapify(self._heap)

    def _paged(self) -> Iterator[list[tuple[ast.AST, float]]]:
        """Nodes in play with their weights, the most suspicious page first."""
        nodes = [(node, weight) for node in self._in_play() if (weight := self._weight(node)) > 0.0]
        if len(nodes) > _PAGE:
            nodes.sort(key=lambda pair: -pair[1])
        for start in range(0, len(nodes), _PAGE):
            yield nodes[start : start + _PAGE]

    def _in_play(self) -> Iterator[ast.AST]:
        skipped: set[ast.AST] = set()
        yield self._program.tree
        for node in self._program.nodes:
            parent = self._program.parents[node]
            if parent in skipped or _is_out_of_play(node):
                skipped.add(node)
            elif self._functions is None or self._is_chosen(node):
                yield node

    def _is_chosen(self, node: ast.AST) -> bool:
        owner = self._owner(node)
        while owner is not None:
            if self._functions is None or owner.name in self._functions:
                return True
            owner = self._program.function(self._program.parents[owner])
        return self._owner(node) is None

    def _weight(self, node: ast.AST) -> float:
        return self._suspicion_of(node) * (1.0 if self._is_wanted(node) else _ELSEWHERE)

    def _is_wanted(self, node: ast.AST) -> bool:
        """Whether the node is part of the function or class that is to be repaired."""
        if not self._entries:
            return True
        while node is not self._program.tree:
            if node in self._entries:
                return True
            node = self._program.parents[node]
        return False

    def _suspicion_of(self, node: ast.AST) -> float:
        first = getattr(node, "lineno", 0)
        if not first:
            return 1.0
        if isinstance(node, FUNCTIONS):
            return self._suspicion.at(first, node.end_lineno)
        owner = self._program.function(node)
        if owner is not None and first < owner.body[0].lineno:
            return 0.7 * self._suspicion.at(first, owner.end_lineno)
        body = getattr(node, "body", None)
        last = node.lineno if isinstance(body, list) else getattr(node, "end_lineno", first)  # type: ignore[attr-defined]
        return self._suspicion.at(first, last)


def _is_out_of_play(node: ast.AST) -> bool:
    """Docstrings, imports and the block that runs a script."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.ImportFrom | ast.alias):
        return True
    return isinstance(node, ast.If) and "__main__" in ast.dump(node.test) and "__name__" in ast.dump(node.test)
