"""Changes of a project that leave no test red, beside one another: the best of each module, and what else passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp

from regreen.select import change_in_words
from regreen.select.behaviour import TOKENS_PER_NAT
from regreen.strategies.whole_projects.file_search import FoundChange
from regreen.strategies.whole_projects.project_state import ProjectState, both_likely
from regreen.tasks.whole_project import WholeProject
from regreen.types import Alternative

_UNCOMPARED_COST = 10.0
"""In changed tokens, of a change that was compared with nothing in its module: chosen by hand."""
_LEAST_CHANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Finalist:
    """The best change of a module that leaves no test red, as far as the tests say that depend on it."""

    state: ProjectState
    """With the change."""
    origin: ProjectState
    """Without it."""
    change: FoundChange

    @property
    def path(self) -> str:
        """Of the module."""
        return self.change.path

    @property
    def weight(self) -> float:
        """How likely it is beside others: the chance of its module, and less for each token that it costs."""
        standing = self.change.standing
        cost = _UNCOMPARED_COST if standing is None else standing.cost
        return max(self.origin.chances.get(self.path, 1.0), _LEAST_CHANCE) * exp(-cost / TOKENS_PER_NAT)

    @property
    def weight_of_module(self) -> float:
        """The same of all that passes in its module."""
        standing = self.change.standing
        return self.weight / (1.0 if standing is None else standing.share)

    def likelihood(self, finalists: Sequence[Finalist]) -> float | None:
        """How likely the change is right, beside what passes in the modules of all finalists; None if none can tell."""
        standing = self.change.standing
        if standing is None:
            return self.change.likelihood
        return standing.likelihood(self.weight / sum(each.weight_of_module for each in finalists))


def best_first(finalists: Sequence[Finalist]) -> list[Finalist]:
    """The finalists, the likeliest first; those of which nobody can tell count as even odds."""

    def likely(finalist: Finalist) -> float:
        found = finalist.likelihood(finalists)
        return 0.5 if found is None else found

    return sorted(finalists, key=likely, reverse=True)


def beside_others(finalist: Finalist, finalists: Sequence[Finalist]) -> ProjectState:
    """Its state, with a likelihood that takes account of what passes in other modules."""
    return _with_likelihood(finalist, finalist.state, finalist.likelihood(finalists))


def other_changes(
    whole: WholeProject, finalists: Sequence[Finalist], best: Finalist, handed: ProjectState
) -> Iterator[ProjectState]:
    """All that does something else than the best finalist, the likeliest first; `handed` is what is left of that one.

    Each finalist knows of other changes of its module, which were judged by the tests that depend on this alone.
    """
    known = [best.state.texts, handed.texts]
    found = [beside_others(finalist, finalists) for finalist in finalists]
    for finalist in finalists:
        found += [_instead(whole, finalist, other, finalists) for other in finalist.change.others]
    for state in sorted(found, key=lambda each: each.likelihood or 0.0, reverse=True):
        if state.texts not in known:
            known.append(state.texts)
            yield state


def _instead(
    whole: WholeProject, finalist: Finalist, other: Alternative, finalists: Sequence[Finalist]
) -> ProjectState:
    """The finalist's state with another change of its module in the place of its own, as much less likely as that."""
    path, text, state = finalist.path, other.candidate.source, finalist.state
    note = change_in_words(whole.program(path).text, text)
    instead = replace(state, texts={**state.texts, path: text}, notes={**state.notes, path: note})
    kept = (finalist.likelihood(finalists) or 0.0) / (finalist.change.likelihood or 1.0)
    return _with_likelihood(finalist, instead, other.likelihood * min(kept, 1.0))


def _with_likelihood(finalist: Finalist, state: ProjectState, likelihood: float | None) -> ProjectState:
    """The state with this likelihood of its last change, which was made on top of those before."""
    path = finalist.path
    likely = both_likely(finalist.origin.likelihoods.get(path, 1.0), likelihood)
    return replace(state, likelihoods={**state.likelihoods, path: likely})
