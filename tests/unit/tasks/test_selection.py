"""Choosing a part of a data set: by name, by label, by share; the same part everywhere."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import TaskError
from regreen.tasks.selection import Selection
from regreen.types import Case, Suite, SuiteKind, Task

NOTHING = Suite(SuiteKind.SCRIPT, "", ())


def case(name: str, **labels: str) -> Case:
    return Case(Task(name, "", None, NOTHING), NOTHING, "", labels=labels)


CASES = (
    case("set/a/0", bug_type="operator", topic="text"),
    case("set/a/1", bug_type="value", topic="text"),
    case("set/b/0", bug_type="operator", topic="dates"),
    case("set/median", bug_type="value misuse", topic="dates"),
)


def ids(selection: Selection) -> list[str]:
    return [case.task.id for case in selection.apply(CASES)]


def test_everything_is_chosen_by_default() -> None:
    """No selection, no loss."""
    assert Selection().apply(CASES) == CASES


@given(st.integers(0, 3), st.integers(1, 6))
def test_offset_and_limit_cut_a_slice(offset: int, limit: int) -> None:
    """As slices do."""
    assert Selection(offset=offset, limit=limit).apply(CASES) == CASES[offset : offset + limit]


def test_ids_may_be_short_where_they_are_clear() -> None:
    """The order is the data set's, whatever the order of asking."""
    assert ids(Selection(ids=("median", "a/1"))) == ["set/a/1", "set/median"]
    with pytest.raises(TaskError, match="several cases: set/a/0, set/b/0"):
        ids(Selection(ids=("0",)))


def test_an_unknown_id_is_answered_with_close_ones() -> None:
    """A slip of the keyboard is met with what was meant."""
    with pytest.raises(TaskError, match=r"no case 'medain'\. Did you mean set/median\?"):
        ids(Selection(ids=("medain",)))
    with pytest.raises(TaskError, match="Ids look like set/a/0"):
        ids(Selection(ids=("zzzzzzzzz",)))


def test_filters_choose_by_label() -> None:
    """Values of one label are alternatives; several labels must all hold."""
    assert ids(Selection(filters=("bug_type=operator",))) == ["set/a/0", "set/b/0"]
    assert ids(Selection(filters=("bug_type=value", "bug_type=value misuse"))) == ["set/a/1", "set/median"]
    assert ids(Selection(filters=("bug_type=operator", "topic = dates"))) == ["set/b/0"]
    assert ids(Selection(filters=("bug_type=operator",), offset=1)) == ["set/b/0"]


USELESS = {
    "no equals sign": (Selection(filters=("operator",)), "names no label.*bug_type, topic"),
    "an unknown label": (Selection(filters=("colour=red",)), "names no label.*bug_type, topic"),
    "an unknown value": (Selection(filters=("topic=cars",)), "no case has topic=cars.*dates, text"),
    "filters that exclude one another": (
        Selection(filters=("bug_type=value", "topic=dates")),
        "no case is left: 0 of 4 match",
    ),
    "too large an offset": (Selection(offset=4), "no case is left: 4 of 4 match"),
    "a negative offset": (Selection(offset=-1), "choose nothing"),
    "no limit at all": (Selection(limit=0), "choose nothing"),
}


@pytest.mark.parametrize("kind", USELESS)
def test_a_selection_of_nothing_is_refused_with_what_there_is(kind: str) -> None:
    """A run over no cases would look like a success."""
    selection, reason = USELESS[kind]
    with pytest.raises(TaskError, match=reason):
        selection.apply(CASES)


MANY = tuple(
    case(f"set/{kind}/{number}", **({"kind": kind} if kind else {}))
    for kind, count in (("rare", 3), ("common", 40), ("odd", 7), ("", 10))
    for number in range(count)
)
"""60 cases in four strata, one of them without the label."""


def strata(cases: tuple[Case, ...]) -> Counter[str]:
    return Counter(case.labels.get("kind", "(none)") for case in cases)


def test_a_share_keeps_the_share_of_each_stratum() -> None:
    """Largest remainders: 35 % of 3, 40, 7 and 10 are 1.05, 14, 2.45 and 3.5, and of all 21."""
    chosen = Selection(fraction=0.35, stratify="kind").apply(MANY)
    assert strata(chosen) == {"rare": 1, "common": 14, "odd": 2, "(none)": 4}
    assert strata(Selection(fraction=0.5, stratify="kind").apply(MANY)) == {
        "rare": 1,
        "common": 20,
        "odd": 4,
        "(none)": 5,
    }


def test_a_share_is_the_same_on_every_machine() -> None:
    """These very ids, drawn by a hash: neither Python's version nor the order of drawing has a say."""
    shelf = tuple(case(f"set/{number}") for number in range(12))
    assert ids_in(Selection(fraction=0.25).apply(shelf)) == ["set/2", "set/5", "set/11"]
    assert ids_in(Selection(fraction=0.25, seed=1).apply(shelf)) == ["set/2", "set/9", "set/11"]


def ids_in(cases: tuple[Case, ...]) -> list[str]:
    return [case.task.id for case in cases]


@given(st.fractions(min_value="1/100", max_value=1), st.integers(0, 5), st.sampled_from([None, "kind"]))
def test_a_share_is_as_large_as_it_says(fraction: object, seed: int, label: str | None) -> None:
    """To the nearest case, half a case rounded up, never none; and each stratum is off by less than one case."""
    share = float(str(round(float(fraction), 2)))  # type: ignore[arg-type]
    chosen = Selection(fraction=share, stratify=label, seed=seed).apply(MANY)
    assert len(chosen) == max(int(round(share * 100) * len(MANY) / 100 + 0.5), 1)
    assert list(chosen) == [case for case in MANY if case in chosen]
    if label:
        for name, count in strata(MANY).items():
            assert abs(strata(chosen)[name] - share * count) < 1 or len(chosen) == 1


@given(st.integers(0, 3))
def test_a_larger_share_holds_the_smaller(seed: int) -> None:
    """Without strata: a run that was begun on a part can be compared with one on more."""
    small, large = (Selection(fraction=share, seed=seed).apply(MANY) for share in (0.2, 0.6))
    assert set(ids_in(small)) < set(ids_in(large))


def test_a_share_is_taken_of_what_matches_and_before_the_slice() -> None:
    """Filters first, then the share, then offset and limit."""
    chosen = Selection(filters=("kind=common",), fraction=0.5, offset=5, limit=5).apply(MANY)
    assert chosen == Selection(filters=("kind=common",), fraction=0.5).apply(MANY)[5:10]


USELESS_SHARES = {
    "nothing": (Selection(fraction=0), "above 0 and at most 1"),
    "more than all": (Selection(fraction=1.5), "above 0 and at most 1"),
    "not a number": (Selection(fraction=float("nan")), "above 0 and at most 1"),
    "strata of nothing": (Selection(stratify="kind"), "Add --fraction"),
    "an unknown label": (Selection(fraction=0.5, stratify="color"), "names no label.*kind"),
}


@pytest.mark.parametrize("kind", USELESS_SHARES)
def test_a_useless_share_is_refused(kind: str) -> None:
    """With what would do."""
    selection, reason = USELESS_SHARES[kind]
    with pytest.raises(TaskError, match=reason):
        selection.apply(MANY)
