"""A project with some of its modules changed, as a search over it knows it, and what such a search comes to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from regreen.strategies.whole_projects.file_search import FileSearch
from regreen.types import Question, Stop, SuspectFunction
from regreen.verify.project_survey import ProjectSurvey


@dataclass
class ProjectState:
    """The project with some modules changed, and what its tests say then."""

    texts: Mapping[str, str]
    """Path -> text of each changed module."""
    notes: Mapping[str, str]
    likelihoods: Mapping[str, float | None]
    """Path -> that its change is right; None where a model wrote it, and nobody can tell."""
    survey: ProjectSurvey
    red: tuple[str, ...]
    suspects: tuple[SuspectFunction, ...] = ()
    chances: Mapping[str, float] = field(default_factory=dict)
    searches: dict[str, FileSearch] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)
    must_stay: set[str] = field(default_factory=set)
    """Green tests that a change has turned red which seemed to be enough: they decide from then on."""

    @property
    def likelihood(self) -> float | None:
        """That all changes are right, each of which was made on top of those before: the product of theirs."""
        known = [likelihood for likelihood in self.likelihoods.values() if likelihood is not None]
        return math.prod(known) if len(known) == len(self.likelihoods) else None

    @property
    def tried(self) -> int:
        """Candidates of all modules together."""
        return sum(search.tried for search in self.searches.values())

    def next_path(self) -> str | None:
        """The module whose turn it is: the one that has had the least, for its chance; None where all are done."""
        left = [path for path in self.chances if path not in self.searches or not self.searches[path].is_over]
        return min(left, key=lambda path: self._had(path) / self.chances[path], default=None)

    def _had(self, path: str) -> float:
        # Of those that have had nothing yet, the likeliest comes first.
        return self.searches[path].tried + 1.0 if path in self.searches else 1.0


@dataclass(frozen=True, slots=True)
class ProjectFindings:
    """What a search has come to."""

    stop: Stop
    state: ProjectState
    """The best one."""
    after: ProjectSurvey | None
    """The whole suite with its changes; None where there are none."""
    tried: int
    suspects: tuple[SuspectFunction, ...]
    """In the project as it was given, the most suspicious first."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds of each phase."""
    unproven: ProjectState | None = None
    """The best that an interrupted search had found, and that no run of the whole suite has proven."""
    questions: tuple[Question, ...] = ()
    """On what changes of the repaired module do not agree that pass."""
    others: tuple[ProjectState, ...] = ()
    """What passes the whole suite as well and does something else, the likeliest first; as many as are asked for."""


def both_likely(one: float | None, other: float | None) -> float | None:
    """That both are right; None where that of one is not known."""
    return None if one is None or other is None else one * other
