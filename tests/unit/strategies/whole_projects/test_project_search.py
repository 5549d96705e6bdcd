"""What a search over a project hands over: no module is changed that the tests do not need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace

import pytest

from regreen.strategies.choosing.patch_selection import PatchStanding
from regreen.strategies.events import Event
from regreen.strategies.whole_projects.file_search import FileSearch, FoundChange
from regreen.strategies.whole_projects.finalists import Finalist, beside_others, best_first, other_changes
from regreen.strategies.whole_projects.project_search import ProjectSearch
from regreen.strategies.whole_projects.project_state import ProjectState
from regreen.types import Alternative, Budget, Candidate, CheckResult, Outcome, Verdict
from regreen.verify.project_survey import ProjectSurvey


class Surveyed(ProjectSearch):
    """A search whose one test is red unless certain modules are changed, and have certain lines."""

    def __init__(self, needed: set[str], lines: str = "", before: str = "x = 2\n") -> None:
        self.needed = needed
        self.lines = set(lines.split("\n"))
        self.whole = SimpleNamespace(program=lambda path: SimpleNamespace(text=before))  # type: ignore[assignment]
        self.runs = 0

    def _survey(self, texts: Mapping[str, str], tests: list[str]) -> ProjectSurvey:
        self.runs += 1
        has_lines = all(self.lines <= {*text.split("\n"), ""} for text in texts.values())
        outcome = Outcome.PASSED if self.needed <= texts.keys() and has_lines else Outcome.FAILED
        return ProjectSurvey(Verdict({"t.py::test": CheckResult(outcome)}))

    def _deciding(self, state: ProjectState) -> list[str]:
        return ["t.py::test"]


def changed(**likelihoods: float | None) -> ProjectState:
    """A state with these modules changed."""
    notes = dict.fromkeys(likelihoods, "a note")
    return ProjectState(dict.fromkeys(likelihoods, "x = 1\n"), notes, likelihoods, ProjectSurvey(), ())


@pytest.mark.parametrize(
    ("needed", "kept"), [({"b"}, {"b"}), ({"a", "c"}, {"a", "c"}), ({"a", "b", "c"}, {"a", "b", "c"}), (set(), {"c"})]
)
def test_a_change_that_no_test_needs_any_more_is_left_out(needed: set[str], kept: set[str]) -> None:
    """With what is said of it; one change always stays."""
    smallest = Surveyed(needed)._smallest(changed(a=0.5, b=0.5, c=0.5))
    assert smallest.texts.keys() == smallest.notes.keys() == smallest.likelihoods.keys() == kept
    assert smallest.likelihood == 0.5 ** len(kept)


TWO_CHANGES = "a = 1\n\n\ndef f():\n    return a\n\n\nb = 1\n"


@pytest.mark.parametrize(
    ("lines", "left"),
    [("a = 2", TWO_CHANGES.replace("a = 1", "a = 2")), ("b = 2", TWO_CHANGES.replace("b = 1", "b = 2"))],
)
def test_a_change_in_a_module_that_no_test_needs_any_more_is_undone(lines: str, left: str) -> None:
    """Each place of it is proven over all modules; what is said of the module is said of what is left."""
    after = TWO_CHANGES.replace("= 1", "= 2")
    state = ProjectState(
        {"a": after, "b": after}, {"a": "both", "b": "both"}, {"a": 0.5, "b": 0.5}, ProjectSurvey(), ()
    )
    smallest = Surveyed({"a", "b"}, lines, TWO_CHANGES)._smallest(state)
    assert smallest.texts == {"a": left, "b": left}
    assert "both" not in smallest.notes.values()


def test_a_change_that_is_needed_is_left_as_it_is_with_what_is_said_of_it() -> None:
    """One place in each module takes no run beyond those that leave a module out."""
    search = Surveyed({"a", "b"})
    smallest = search._smallest(changed(a=0.5, b=0.5))
    assert smallest.notes == {"a": "a note", "b": "a note"}
    assert search.runs == 2


def test_nobody_knows_how_likely_changes_are_that_a_model_wrote() -> None:
    """Even where others are known."""
    assert changed(a=0.5, b=None).likelihood is None


class Counting:
    """A search of one module that tells how many candidates it has tried."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self.tell = tell
        self.tried = 0

    def advance(self, candidates: int) -> list[FoundChange]:
        self.tried += candidates
        self.tell(Event("searching", candidates=self.tried))
        return []


class Turning(ProjectSearch):
    """A search whose modules only count."""

    def __init__(self, told: list[int]) -> None:
        self.resources = SimpleNamespace(clock=float, budget=Budget(candidates=10_000))  # type: ignore[assignment]
        self.timings = {"search": 0.0}
        self.on_event = lambda event: told.append(event.candidates)
        self.tried = 0

    def _opened(self, state: ProjectState, path: str) -> FileSearch:
        return Counting(self._relay)  # type: ignore[return-value]


def test_no_candidate_is_counted_twice_in_what_is_told() -> None:
    """Turns of several modules add up, whichever of them goes on."""
    told: list[int] = []
    search, state = Turning(told), changed()
    for path in ("a", "b", "a", "a", "b"):
        search._take_turn(state, path)
        assert told[-1] == search.tried == sum(each.tried for each in state.searches.values())
    assert told == sorted(told)


WHOLE = SimpleNamespace(program=lambda path: SimpleNamespace(text="x = 1\n"))


def other(text: str, likelihood: float) -> Alternative:
    """Another change of a module that its tests let pass."""
    return Alternative(Candidate(text, "search:test"), likelihood)


def finalist(
    path: str, chance: float, *others: Alternative, share: float = 1.0, cost: float = 2.0, most: float = 1.0
) -> Finalist:
    """The best change of one module: as likely as its share among all that passes, and `most` at most."""
    origin = replace(changed(), chances={path: chance})
    standing = PatchStanding(share, cost, lambda share: min(share, most))
    change = FoundChange(path, "x = 1\n", frozenset(), "a note", min(share, most), standing, others)
    return Finalist(changed(**{path: 0.9}), origin, change)


def test_the_likeliest_change_of_all_modules_is_the_best() -> None:
    """By the chance of its module and what it costs; what passes beside it in its own module takes none of it."""
    plain, dear, rare = finalist("a", 0.5, share=0.6), finalist("b", 0.5, cost=6.0), finalist("c", 0.1)
    assert [each.path for each in best_first([rare, dear, plain])] == ["a", "c", "b"]
    doubtful = finalist("d", 0.9, most=0.1)
    assert best_first([doubtful, plain])[0] is plain


def test_what_passes_in_another_module_makes_a_change_less_likely() -> None:
    """By as much as if all of it stood in one module."""
    first, second = finalist("a", 0.5, share=0.5), finalist("b", 0.5)
    assert beside_others(first, [first]).likelihood == pytest.approx(0.5)
    assert beside_others(first, [first, second]).likelihood == pytest.approx(1 / 3)
    assert beside_others(second, [first, second]).likelihood == pytest.approx(1 / 3)


def others_beside(*finalists: Finalist) -> list[tuple[str, str, float]]:
    """Path, text and likelihood of each other change than the first one's, in order."""
    best = finalists[0]
    found = other_changes(WHOLE, finalists, best, best.state)  # type: ignore[arg-type]
    return [(*next(iter(each.texts.items())), round(each.likelihood or 0.0, 3)) for each in found]


def test_what_else_passes_of_any_module_is_an_alternative_the_likeliest_first() -> None:
    """What the best one does itself is none."""
    first = finalist("a", 0.5, other("x = 3\n", 0.2), other("x = 1\n", 0.3), share=0.5)
    second = finalist("b", 0.5, other("x = 4\n", 0.1), share=0.5)
    assert others_beside(first, second) == [
        ("b", "x = 1\n", 0.25),
        ("a", "x = 3\n", 0.1),
        ("b", "x = 4\n", 0.05),
    ]


def test_an_alternative_in_a_second_module_keeps_the_change_of_the_first() -> None:
    """And both have to be right."""
    before = replace(changed(a=0.5), chances={"b": 1.0})
    change = replace(finalist("b", 1.0, other("x = 3\n", 0.2), share=0.8).change)
    best = Finalist(changed(a=0.5, b=0.8), before, change)
    (found,) = other_changes(WHOLE, [best], best, best.state)  # type: ignore[arg-type]
    assert found.texts == {"a": "x = 1\n", "b": "x = 3\n"}
    assert found.likelihood == pytest.approx(0.1)
    assert found.notes["b"] != "a note"
