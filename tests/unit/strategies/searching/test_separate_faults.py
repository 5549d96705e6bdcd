"""Faults in different functions, told apart by what their checks run, and their repairs joined."""

from __future__ import annotations

from regreen.propose.search.mutation import Mutation, ScreenedMutation, splice_edits
from regreen.strategies.searching.search_findings import SearchFindings
from regreen.strategies.searching.searched_program import SearchedProgram
from regreen.strategies.searching.separate_faults import fault_parts, joined_repairs
from regreen.types import Edit

SOURCE = "def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\ndef h():\n    return f() + g()\n"


def mutation(old: str, new: str, score: float = 0.5) -> Mutation:
    """The mutation that puts `new` in the place of `old`."""
    start = SOURCE.index(old)
    line = SOURCE.count("\n", 0, start) + 1
    return Mutation((Edit(start, start + len(old), new),), "test", score, line, SOURCE)


def test_red_checks_that_run_the_same_functions_are_one_part():
    coverage = {"a": {2}, "b": {6}, "c": {2}, "d": {2, 6, 10}, "e": {1, 5, 9}}
    parts = fault_parts(SOURCE, ["d", "a", "b", "c", "e"], coverage)
    assert [part.checks for part in parts] == [("a", "c"), ("b",), ("d",)]


def test_a_program_that_does_not_parse_has_no_parts():
    assert fault_parts("def f(:\n", ["a"], {"a": {1}}) == []


def test_the_best_repairs_of_all_parts_come_first_and_those_that_overlap_are_left_out():
    ones = [mutation("return 1", "return 3"), mutation("1", "4")]
    twos = [mutation("2", "5"), mutation("1", "6")]
    made = [splice_edits(SOURCE, joined.edits) for joined in joined_repairs(SOURCE, [ones, twos])]
    assert made[0] == SOURCE.replace("return 1", "return 3").replace("2", "5")
    assert made[1:] == [SOURCE.replace("1", "4").replace("2", "5")]


def test_a_repair_of_two_parts_is_joined_with_itself():
    both = mutation("2", "5")
    (joined, *_) = joined_repairs(SOURCE, [[both], [both]])
    assert joined.edits == both.edits
    assert joined.template == "test"


def test_one_part_alone_is_nothing_to_join():
    assert list(joined_repairs(SOURCE, [[mutation("2", "5")]])) == []


def test_improvements_that_are_remembered_are_in_different_lines():
    findings = SearchFindings()
    passed = frozenset({"a"})
    for one in (mutation("1", "3"), mutation("1", "4"), mutation("2", "5")):
        findings.add_improvement(SearchedProgram(SOURCE), ScreenedMutation(one, "failed", passed, 0.1))
    assert [kept.line for kept in findings.improvements[passed]] == [2, 6]
