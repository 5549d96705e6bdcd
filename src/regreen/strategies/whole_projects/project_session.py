"""The repair of one project by a model: its files as they may be changed, and what its tests say of changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.errors import TaskError
from regreen.localise.project_suspects import suspect_functions
from regreen.propose.reply import same_code
from regreen.propose.reply.project_reply import EditableProject
from regreen.strategies.agents.agent_context import ModelContext
from regreen.strategies.events import Listener, ignore
from regreen.strategies.model_session import ModelSession
from regreen.strategies.resources import Resources
from regreen.strategies.whole_projects.change_proof import ChangeProof, judge_changes
from regreen.strategies.whole_projects.project_baseline import ProjectBaseline, evidence_of
from regreen.strategies.whole_projects.project_state import ProjectFindings
from regreen.tasks.whole_project import WholeProject
from regreen.types import Candidate, SuspectFunction, Verdict


class ProjectSession(ModelSession):
    """All that a strategy with a model works with while it repairs a project."""

    def __init__(
        self,
        resources: Resources,
        whole: WholeProject,
        baseline: ProjectBaseline,
        *,
        seed: int = 0,
        on_event: Listener = ignore,
        started: float | None = None,
        allowed: Sequence[str] = (),
    ) -> None:
        """`allowed` are patterns of files that may be changed beside the project's modules."""
        scope = f"project/{Path(whole.project.root).name}#{seed}"
        super().__init__(
            replace(resources, limits=baseline.limits), scope, seed=seed, on_event=on_event, started=started
        )
        self.whole = whole
        self.baseline = baseline
        self.allowed = tuple(allowed)
        self.editable = whole.programs | whole.matching(allowed)
        """Paths of the files that may be changed."""
        self.suspects: tuple[SuspectFunction, ...] = suspect_functions(
            evidence_of(baseline.survey, baseline.red, whole)
        )
        self.proofs: dict[str, ChangeProof] = {}
        """By the id of the candidate, for each that was judged."""
        self.searched: dict[str, ProjectFindings] = {}
        """By the id of the candidate, what searches found."""

    @property
    def total(self) -> int:
        """How many tests are red."""
        return len(self.baseline.red)

    def text(self, path: str, texts: Mapping[str, str]) -> str:
        """A file's text, with the changes `texts`. Raises TaskError where it cannot be decoded."""
        return texts[path] if path in texts else self.whole.program(path).text

    def readable(self, texts: Mapping[str, str], shown: Sequence[str] = ()) -> EditableProject:
        """The project with these changes, as replies are read against it."""
        current = _CurrentTexts(self, texts)
        return EditableProject(current, frozenset(self.whole.project.files), shown)

    def judge(self, candidate: Candidate) -> Verdict:
        """What the tests say of a candidate; kept, so that the same one is run once."""
        if candidate.id not in self.proofs:
            self.notify("proving")
            texts = changed_texts(candidate)
            self.proofs[candidate.id] = judge_changes(self.resources, self.whole, self.baseline, texts)
            verdict = self.proofs[candidate.id].verdict
            self.progress.candidates += 1
            self.progress.best_passed = max(self.progress.best_passed, verdict.checks_passed)
        return self.proofs[candidate.id].verdict


@dataclass(frozen=True)
class ProjectContext(ModelContext):
    """LangGraph's runtime context of the repair of a project."""

    session: ProjectSession


class _CurrentTexts(Mapping[str, str]):
    """Path -> current text of each file that may be changed, decoded when it is asked for."""

    def __init__(self, session: ProjectSession, texts: Mapping[str, str]) -> None:
        self._session = session
        self._texts = texts

    def __getitem__(self, path: str) -> str:
        if path not in self._session.editable:
            raise KeyError(path)
        try:
            return self._session.text(path, self._texts)
        except TaskError:
            raise KeyError(path) from None

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.get(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._session.editable)

    def __len__(self) -> int:
        return len(self._session.editable)


def changes_candidate(session: ProjectSession, texts: Mapping[str, str], origin: str, note: str = "") -> Candidate:
    """Changes of a project as a candidate, whose source is their JSON; files that are as they were are left out."""
    changed = {path: text for path, text in texts.items() if text != session.whole.program(path).text}
    return Candidate(json.dumps(changed, sort_keys=True), origin, note=note)


def changed_texts(candidate: Candidate) -> dict[str, str]:
    """Path -> text of the files that a project's candidate changes."""
    texts: dict[str, str] = json.loads(candidate.source)
    return texts


def same_changes(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two sets of changes say the same in every file, formatting and comments aside."""
    return one.keys() == other.keys() and all(
        text == other[path] or (path.endswith(".py") and same_code(text, other[path])) for path, text in one.items()
    )
