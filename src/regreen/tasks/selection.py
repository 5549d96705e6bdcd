"""Chooses a part of a data set: the same part on every machine and in every version of Python."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from regreen.errors import TaskError
from regreen.types import Case

_NO_LABEL = "(none)"
"""The stratum of cases without the label."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The cases to take: those with the ids and labels, a fraction of these, then `limit` of them from `offset` on."""

    ids: tuple[str, ...] = ()
    """Full ids or their endings after a "/", e.g. "bundled/median" or "median"; all cases when empty."""
    filters: tuple[str, ...] = ()
    """Each "label=value"; values of one label are alternatives, different labels must all hold."""
    offset: int = 0
    limit: int | None = None
    fraction: float | None = None
    """The fraction to take, above 0 and at most 1; all when None."""
    stratify: str | None = None
    """The label whose values keep their proportions; None draws from all cases alike."""
    seed: int = 0
    """Seed of the draw for `fraction`."""

    def apply(self, cases: tuple[Case, ...]) -> tuple[Case, ...]:
        """The chosen cases in the data set's order. Raises TaskError for an unknown id, label or value, or no cases."""
        self._refuse_nonsense()
        chosen = _with_ids(cases, self.ids) if self.ids else cases
        for label, values in _values_by_label(self.filters, cases).items():
            chosen = tuple(case for case in chosen if case.labels.get(label) in values)
        matching = len(chosen)
        if self.fraction is not None:
            chosen = _fraction_of(chosen, self.fraction, self.stratify, self.seed)
        end = None if self.limit is None else self.offset + self.limit
        if part := chosen[self.offset : end]:
            return part
        raise TaskError(
            f"no case is left: {matching} of {len(cases)} match, and --offset passes over {self.offset}.",
            remedy="Choose fewer filters or a smaller --offset.",
        )

    def as_values(self) -> dict[str, Any]:
        """What is not left as it is by default, as plain data."""
        return {name: value for name, value in asdict(self).items() if value != getattr(EVERYTHING, name)}

    def _refuse_nonsense(self) -> None:
        if self.offset < 0 or (self.limit is not None and self.limit < 1):
            raise TaskError(
                f"--offset {self.offset} and --limit {self.limit} choose nothing.",
                remedy="An offset counts from 0 and a limit from 1.",
            )
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise TaskError(f"--fraction is {self.fraction}.", remedy="It has to be above 0 and at most 1, e.g. 0.35.")
        if self.stratify is not None and self.fraction is None:
            raise TaskError("--stratify says how to draw, and not how many.", remedy="Add --fraction, e.g. 0.35.")


EVERYTHING = Selection()


def _fraction_of(cases: tuple[Case, ...], fraction: float, label: str | None, seed: int) -> tuple[Case, ...]:
    """The fraction of the cases, and of each stratum as far as whole cases allow: at least one case in all."""
    strata = _strata(cases, label)
    quotas = _quotas({name: len(members) for name, members in strata.items()}, Fraction(str(fraction)))
    drawn = {
        case.task.id
        for name, members in strata.items()
        for case in sorted(members, key=lambda case: _drawing_key(seed, case.task.id))[: quotas[name]]
    }
    return tuple(case for case in cases if case.task.id in drawn)


def _strata(cases: Sequence[Case], label: str | None) -> dict[str, list[Case]]:
    known = sorted({name for case in cases for name in case.labels})
    if label is not None and label not in known:
        raise TaskError(f"--stratify {label!r} names no label.", remedy=f"There are: {', '.join(known) or 'none'}.")
    strata: dict[str, list[Case]] = {}
    for case in cases:
        strata.setdefault(case.labels.get(label, _NO_LABEL) if label else "", []).append(case)
    return strata


def _quotas(sizes: Mapping[str, int], fraction: Fraction) -> dict[str, int]:
    """Cases to take by stratum: what rounding down leaves over goes to the largest remainders."""
    exact = {name: fraction * size for name, size in sizes.items()}
    quotas = {name: int(share) for name, share in exact.items()}
    total = max(int(fraction * sum(sizes.values()) + Fraction(1, 2)), min(1, len(sizes)))
    by_remainder = sorted(sizes, key=lambda name: (quotas[name] - exact[name], name))
    for name in by_remainder[: total - sum(quotas.values())]:
        quotas[name] += 1
    return quotas


def _drawing_key(seed: int, task_id: str) -> bytes:
    """The sort key of a case in the draw: a hash, which is the same in every version of Python."""
    return hashlib.sha256(f"{seed}\0{task_id}".encode("utf-8", "surrogatepass")).digest()


def _with_ids(cases: tuple[Case, ...], ids: tuple[str, ...]) -> tuple[Case, ...]:
    names = {case.task.id: case for case in cases}
    wanted = {_full_id(name, names) for name in ids}
    return tuple(case for case in cases if case.task.id in wanted)


def _full_id(name: str, known: Mapping[str, Case]) -> str:
    if name in known:
        return name
    endings = [full for full in known if full.endswith(f"/{name}")]
    if len(endings) == 1:
        return endings[0]
    if endings:
        raise TaskError(
            f"the id {name!r} is that of several cases: {', '.join(endings[:5])}.", remedy="Write it in full."
        )
    tails = {full.partition("/")[2]: full for full in known}
    close = [tails.get(match, match) for match in difflib.get_close_matches(name, [*known, *tails], n=3)]
    question = (
        f"Did you mean {' or '.join(dict.fromkeys(close))}?" if close else f"Ids look like {next(iter(known), '')}."
    )
    raise TaskError(f"there is no case {name!r}.", remedy=question)


def _values_by_label(filters: tuple[str, ...], cases: tuple[Case, ...]) -> dict[str, set[str]]:
    """Accepted values by label."""
    wanted: dict[str, set[str]] = {}
    for text in filters:
        label, equals, value = (part.strip() for part in text.partition("="))
        values = sorted({case.labels[label] for case in cases if label in case.labels})
        if not equals or not values:
            labels = sorted({name for case in cases for name in case.labels})
            raise TaskError(
                f"the filter {text!r} names no label.", remedy=f"Write LABEL=VALUE with one of: {', '.join(labels)}."
            )
        if value not in values:
            raise TaskError(f"no case has {label}={value}.", remedy=f"There are: {', '.join(values[:40])}.")
        wanted.setdefault(label, set()).add(value)
    return wanted
