"""The suspicion of each line, from the sites of the localiser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regreen.propose.search.constants import UNSUSPECTED_LINE_WEIGHT
from regreen.types import Edit, Site


class LineSuspicion:
    """Weights of lines in [0, 1]: 1 for the most suspicious line, 0 for one that never ran in a failing check."""

    def __init__(self, lines: Sequence[float]) -> None:
        self._lines = list(lines)

    @classmethod
    def of(cls, sites: Sequence[Site], lines: int) -> LineSuspicion:
        """Weights of `lines` lines from sites; 1 for all lines when no site is suspicious."""
        top = max((site.suspicion for site in sites), default=0.0)
        if top <= 0.0:
            return cls([1.0] * lines)
        weights: list[float | None] = [None] * lines
        for site in sites:
            for index in range(max(0, site.first_line - 1), min(lines, site.last_line)):
                weights[index] = max(weights[index] or 0.0, site.suspicion / top)
        return cls([UNSUSPECTED_LINE_WEIGHT if weight is None else weight for weight in weights])

    def at(self, first: int, last: int | None = None) -> float:
        """The highest weight among lines `first` to `last`, from 1, inclusive."""
        return max(self._lines[first - 1 : last or first], default=UNSUSPECTED_LINE_WEIGHT)

    def raised(self, lines: Iterable[int], weight: float) -> LineSuspicion:
        """The same with at least this weight for some lines, from 1."""
        weights = list(self._lines)
        for line in lines:
            weights[line - 1] = max(weights[line - 1], weight)
        return LineSuspicion(weights)

    def after(self, source: str, edits: Sequence[Edit], lines: int) -> LineSuspicion:
        """The weights for the edited text of `lines` lines: edited lines keep theirs, later lines move along."""
        weights = list(self._lines)
        for edit in reversed(edits):
            line = source.count("\n", 0, edit.start)
            removed, added = source.count("\n", edit.start, edit.end), edit.text.count("\n")
            if added > removed:
                weights[line + 1 : line + 1] = [weights[min(line, len(weights) - 1)]] * (added - removed)
            elif removed > added:
                del weights[line + 1 : line + 1 + removed - added]
        return LineSuspicion((weights + [UNSUSPECTED_LINE_WEIGHT] * lines)[:lines])
