"""Mutations of a program that does not parse: everything that mends its syntax, and which mendings to go on from."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from regreen.propose.search.constants import LEAST_NEARNESS
from regreen.propose.search.mutation import Mutation, ScreenedMutation, splice_edits
from regreen.propose.search.syntax_repair import repair_syntax
from regreen.syntax import UNPARSABLE, parse


@dataclass(frozen=True, slots=True)
class ScreenedMending:
    """A mutation that makes a program parse, and how the program does then."""

    mending: Mutation
    passed: frozenset[str]
    """Ids of the checks that pass."""
    distance: float
    """Mean distance of all checks from passing, in [0, 1]."""
    ends: bool
    """Whether the checks came to an end."""

    @property
    def worth(self) -> float:
        """How likely it is beside others that pass the same checks; none is ruled out by coming no nearer."""
        return self.mending.score * (1.0 + LEAST_NEARNESS - self.distance)


class SyntaxSearch:
    """The mendings of one program's syntax, those with fewer edits first; no two of them make the same program."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.duplicates = 0
        """How many equal programs were dropped."""
        self.screened: list[ScreenedMending] = []
        """Mendings that left some check red, in the order in which they were tried."""
        self._mendings = repair_syntax(source)
        self._seen: set[str] = set()

    def next_batch(self, n: int) -> list[Mutation]:
        """The `n` best mendings that have not been given yet; fewer when there are no more."""
        return list(islice(filter(self._is_new, self._mendings), n))

    def learn(self, results: Sequence[ScreenedMutation]) -> None:
        """Takes the results of screening."""
        for result in results:
            if result.status in ("failed", "hung"):
                ends = result.status == "failed"
                self.screened.append(ScreenedMending(result.mutation, result.passed, result.distance, ends))

    def best(self, most: int) -> list[ScreenedMending]:
        """The mendings to go on from: by the checks that pass, then by how likely each is and how near it comes."""
        return sorted(self.screened, key=lambda tried: (-len(tried.passed), -tried.worth))[:most]

    def _is_new(self, mending: Mutation) -> bool:
        try:
            form = ast.dump(parse(splice_edits(self.source, mending.edits)))
        except UNPARSABLE:
            return False
        if form in self._seen:
            self.duplicates += 1
            return False
        self._seen.add(form)
        return True
