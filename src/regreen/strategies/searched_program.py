"""The program whose mutations a search tries: the given one, or one whose syntax was mended first."""

from __future__ import annotations

from dataclasses import dataclass

from regreen.propose.search.mutation import Mutation, compose_edits, splice_edits
from regreen.types import Candidate


@dataclass(frozen=True, slots=True)
class SearchedProgram:
    """The given program's text, and the mutation of it that is made before any other."""

    given: str
    mending: Mutation | None = None

    @property
    def source(self) -> str:
        """The text that mutations are of."""
        return splice_edits(self.given, self.mending.edits) if self.mending else self.given

    def whole(self, mutation: Mutation) -> Mutation:
        """The mutation of the given text that does what the mending and then `mutation` do."""
        if self.mending is None:
            return mutation
        edits = compose_edits(self.given, self.mending.edits, mutation.edits)
        line = self.given.count("\n", 0, edits[0].start if edits else 0) + 1
        name = f"{self.mending.template}+{mutation.template}"
        return Mutation(edits, name, self.mending.score * mutation.score, line, self.given)

    def candidate(self, mutation: Mutation) -> Candidate:
        """The whole program with a mutation applied."""
        return candidate_of(self.given, self.whole(mutation))


def candidate_of(source: str, mutation: Mutation) -> Candidate:
    """A program with a mutation of its text applied."""
    parent, text = Candidate(source, "given"), splice_edits(source, mutation.edits)
    return Candidate(text, f"search:{mutation.template}", parent=parent.id, note=mutation.note)
