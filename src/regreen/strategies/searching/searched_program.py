"""The program whose mutations a search tries, given or with its syntax mended, and what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from regreen.propose.search.mutation import Mutation, compose_edits, splice_edits
from regreen.propose.search.signatures import ImportedSignatures, read_signatures
from regreen.types import Candidate, Suite, Task

_MOST_BYTES = 1 << 20
"""A larger module is not read."""

_Dotted = tuple[str, ...]


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


def signatures_beside(task: Task, suite: Suite) -> ImportedSignatures:
    """What is known of the functions that the program of a task imports from the modules beside it."""
    name = tuple(task.module.split("."))
    modules = {_dotted(path): text for path, text in task.companions.items()}
    if suite.project is not None:
        folders = PurePosixPath(suite.project.target).parents
        modules |= _modules_below(suite.project.files, folders[min(len(name), len(folders)) - 1])
    # A package's own module is called `package.__init__`, so that what it imports from starts there, too.
    return read_signatures(task.source, name[:-1], modules)


def _modules_below(files: Mapping[str, bytes], root: PurePosixPath) -> dict[_Dotted, str]:
    """Dotted name, as seen from a folder -> text, of the modules in it."""
    prefix = "" if str(root) == "." else f"{root}/"
    inside = ((path.removeprefix(prefix), content) for path, content in files.items() if path.startswith(prefix))
    return {
        _dotted(path): content.decode("utf-8", "replace")
        for path, content in inside
        if path.endswith(".py") and len(content) <= _MOST_BYTES
    }


def _dotted(path: str) -> _Dotted:
    """The name of the module in a file."""
    parts = PurePosixPath(path).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts
