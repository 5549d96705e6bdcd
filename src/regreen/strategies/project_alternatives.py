"""What else leaves no test of a project red, beside the changes that are handed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from regreen.select import change_in_words
from regreen.strategies.project_state import Finalist, OtherChanges, ProjectState, both_likely
from regreen.tasks.whole_project import WholeProject
from regreen.types import Alternative


def other_changes(
    whole: WholeProject, finalists: Sequence[Finalist], best: Finalist, handed: ProjectState
) -> Iterator[OtherChanges]:
    """All that does something else than the best finalist, the likeliest first; `handed` is what is left of that one.

    Each finalist is the likeliest change of its module, and knows of others there, which were judged by the tests that
    depend on this module alone.
    """
    known = [best.state.texts, handed.texts]
    found = [*_in_other_modules(finalists, best)]
    for finalist in finalists:
        found += [_instead(whole, finalist, other, _share(finalist, best)) for other in finalist.others]
    for other in sorted(found, key=lambda each: each.likelihood, reverse=True):
        if other.state.texts not in known:
            known.append(other.state.texts)
            yield other


def _in_other_modules(finalists: Iterable[Finalist], best: Finalist) -> Iterator[OtherChanges]:
    for finalist in finalists:
        if finalist is not best:
            yield OtherChanges(finalist.state, _share(finalist, best) * (finalist.state.likelihood or 0.0))


def _instead(whole: WholeProject, finalist: Finalist, other: Alternative, share: float) -> OtherChanges:
    """The finalist's state with another change of its module in the place of its own."""
    path, text = finalist.path, other.candidate.source
    texts = {**finalist.state.texts, path: text}
    notes = {**finalist.state.notes, path: change_in_words(whole.program(path).text, text)}
    likely = both_likely(finalist.origin.likelihoods.get(path, 1.0), other.likelihood)
    state = replace(finalist.state, texts=texts, notes=notes, likelihoods={**finalist.state.likelihoods, path: likely})
    return OtherChanges(state, share * (state.likelihood or 0.0))


def _share(finalist: Finalist, best: Finalist) -> float:
    """How likely the fault is in its module, beside the module of the best one, at most 1."""
    return min(1.0, _chance(finalist) / max(_chance(best), 1e-9))


def _chance(finalist: Finalist) -> float:
    return finalist.origin.chances.get(finalist.path, 1.0)
