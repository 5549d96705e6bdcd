"""Which statements of a program are suspected, in what order and why."""

from __future__ import annotations

from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from regreen.localise import localise
from regreen.types import AssertionRun, CheckResult, Outcome, Site

PASSED = CheckResult(Outcome.PASSED)
FAILED = CheckResult(Outcome.FAILED, expected="3", actual="4")


def program(text: str) -> str:
    return dedent(text).lstrip("\n")


def at(sites: tuple[Site, ...], line: int) -> Site | None:
    return next((site for site in sites if site.first_line <= line <= site.last_line), None)


MEDIAN = program(
    """
    LOW = 1


    def median(items):
        items = sorted(items)
        if len(items) % 2:
            return items[len(items) // 2]
        middle = len(items) // 2
        return (items[middle - 1] +
                items[middle]) // 2


    def unused(x):
        return x
    """
)


def test_the_branch_that_only_failing_checks_take_comes_first() -> None:
    """Coverage decides, and the reason counts the checks."""
    coverage = {"odd": frozenset({5, 6, 7}), "even": frozenset({5, 6, 8, 9, 10})}
    sites = localise(MEDIAN, coverage, {"odd": PASSED, "even": FAILED}, entry_point="median")
    assert [(site.first_line, site.last_line) for site in sites[:2]] == [(8, 8), (9, 10)]
    assert sites[1].reason == "run by the failing check and by no passing one"
    assert at(sites, 6)
    assert "by the passing one" in at(sites, 6).reason
    assert at(sites, 7) is None
    assert at(sites, 14) == Site(14, 14, 0.0, "not run by any check")


def test_reasons_count_failing_and_passing_checks() -> None:
    """The reader sees the numbers behind the suspicion."""
    coverage = {name: frozenset({5, 6}) for name in "abcd"} | {"e": frozenset({5})}
    results = {"a": FAILED, "b": FAILED, "c": PASSED, "d": PASSED, "e": PASSED}
    sites = localise(MEDIAN, coverage, results, entry_point="median")
    assert at(sites, 6).reason == "run by all 2 failing checks and by 2 of 3 passing ones"
    assert at(sites, 5).reason == "run by all 2 failing checks and by all 3 passing ones"


def test_each_assertion_of_a_failing_test_is_evidence_of_its_own() -> None:
    """What the failing one alone runs comes first, and what only later ones run is suspected at all."""
    runs = (
        AssertionRun(held=True, lines=frozenset({6, 7, 8})),
        AssertionRun(held=False, lines=frozenset({6, 7, 9, 10})),
        AssertionRun(held=False, lines=frozenset({14})),
    )
    coverage = {"test": frozenset({6, 7, 8, 9, 10})}
    plain = localise(MEDIAN, coverage, {"test": FAILED})
    assert at(plain, 8).suspicion == at(plain, 9).suspicion
    assert at(plain, 14).suspicion == 0.0
    sites = localise(MEDIAN, coverage, {"test": FAILED}, assertions={"test": runs})
    assert at(sites, 9).suspicion > at(sites, 7).suspicion > at(sites, 8).suspicion > 0.0
    assert at(sites, 14).suspicion > 0.0
    assert at(sites, 14).reason == "run by assertions behind the one that failed"
    assert at(sites, 9).reason == "run by the failing check"


TABLES = program(
    """
    def build(n):
        return list(range(n))

    TABLE = build(3)

    def look(i):
        return TABLE[i]

    def main():
        print(look(0))

    if __name__ == "__main__":
        main()
    """
)


def test_what_no_check_ran_is_cleared_unless_it_ran_at_import() -> None:
    """Loading the module is not watched: what it calls keeps the benefit of the doubt, a script's own part does not."""
    sites = localise(TABLES, {"a": frozenset({7})}, {"a": FAILED}, entry_point="look")
    assert at(sites, 2) is None
    assert at(sites, 4).reason == "run by the failing check"
    assert at(sites, 10).suspicion == 0.0


def test_nothing_is_cleared_while_a_failing_check_is_not_accounted_for() -> None:
    """A check that crashed before it told its lines may have run any of them."""
    results = {"a": FAILED, "b": CheckResult(Outcome.CRASHED)}
    sites = localise(MEDIAN, {"a": frozenset({5, 6, 7})}, results, entry_point="median")
    assert at(sites, 8) is None


def test_where_a_check_raised_is_suspected_before_the_rest() -> None:
    """Among lines that all checks ran, the traceback decides, and the exception is named."""
    source = program(
        """
        def head(items):
            size = len(items)
            first = items[size]
            return first
        """
    )
    result = CheckResult(Outcome.RAISED, detail="IndexError: list index out of range (line 3)")
    sites = localise(source, {"a": frozenset({2, 3})}, {"a": result}, {"a": (3,)}, entry_point="head")
    assert sites[0].first_line == 3
    assert sites[0].reason.startswith("IndexError was raised here; run by the failing check")
    after = at(sites, 4)
    assert after is not None
    assert after.suspicion < at(sites, 2).suspicion
    assert "never reached" in after.reason


def test_a_deliberate_raise_makes_its_condition_suspect() -> None:
    """The fault is seldom in the `raise` itself but in what led there."""
    source = program(
        """
        def root(x):
            y = x
            if x > 0:
                raise ValueError(x)
            return y ** 0.5
        """
    )
    result = CheckResult(Outcome.RAISED, detail="ValueError: 4")
    sites = localise(source, {"a": frozenset({2, 3, 4})}, {"a": result}, {"a": (4,)}, entry_point="root")
    assert [site.first_line for site in sites[:3]] == [4, 3, 2]
    assert "decides whether ValueError is raised" in sites[1].reason


def test_a_hung_check_makes_its_loop_suspect() -> None:
    """The line that ran last, the loop's condition and what the loop repeats come first, in this order."""
    source = program(
        """
        def count(n):
            total = 0
            while n != 0:
                total += 1
                n -= 2
            return total
        """
    )
    result = CheckResult(Outcome.TIMED_OUT)
    sites = localise(source, {}, {"a": result}, {}, {"a": (4,)}, "count")
    assert [site.first_line for site in sites[:3]] == [3, 4, 5]
    assert "did not end" in sites[0].reason
    assert "still running here" in sites[1].reason


def test_an_endless_recursion_makes_the_base_case_suspect() -> None:
    """A traceback full of one line points to the condition that should have stopped it."""
    source = program(
        """
        def fact(n):
            label = "!"
            if n == 0.5:
                return 1
            return n * fact(n - 1)
        """
    )
    result = CheckResult(Outcome.RAISED, detail="RecursionError: maximum recursion depth exceeded")
    sites = localise(source, {"a": frozenset({2, 3, 5})}, {"a": result}, {"a": (5,) * 900}, entry_point="fact")
    assert [site.first_line for site in sites[:2]] == [5, 3]
    assert "should end the recursion" in sites[1].reason


def test_without_coverage_all_that_the_entry_point_reaches_is_suspected_alike() -> None:
    """Functions that it calls count, others do not; constants that they read count less."""
    source = program(
        """
        LIMIT = 3
        OTHER = 4

        def helper(x):
            return x + LIMIT

        def entry(x):
            return helper(x)

        def bystander(x):
            return x
        """
    )
    sites = localise(source, {}, {"a": FAILED}, entry_point="entry")
    lines = {site.first_line: site.suspicion for site in sites}
    assert lines[5] == lines[8] == max(lines.values())
    assert 0 < lines[1] < lines[5]
    assert not {2, 10, 11} & set(lines)


def test_methods_are_reached_by_name() -> None:
    """A dotted entry point is one method; what it calls through an attribute counts too."""
    source = program(
        """
        class Stack:
            def push(self, x):
                self.grow(x)
            def grow(self, x):
                self.items = [x]
            def pop(self):
                return 1
        """
    )
    lines = {site.first_line for site in localise(source, {}, {"a": FAILED}, entry_point="Stack.push")}
    assert {3, 5} <= lines
    assert 7 not in lines
    everything = {site.first_line for site in localise(source, {}, {"a": FAILED}, entry_point="Stack")}
    assert {3, 5, 7} <= everything


def test_hints_refine_what_coverage_cannot_tell_apart() -> None:
    """An unread variable stands out among equals."""
    source = program(
        """
        def scale(x, factor):
            result = x
            scaled = x * factor
            return result
        """
    )
    sites = localise(source, {"a": frozenset({2, 3, 4})}, {"a": FAILED}, entry_point="scale")
    assert sites[0].first_line == 3
    assert "scaled is assigned here and never read" in sites[0].reason


def test_a_function_that_returned_nothing_is_suspected_at_its_end() -> None:
    """None where a value was expected points to a missing return."""
    source = program(
        """
        def double(x):
            y = x
            y = y * 2
        """
    )
    nothing = CheckResult(Outcome.FAILED, expected="4", actual="None")
    sites = localise(source, {"a": frozenset({2, 3})}, {"a": nothing}, entry_point="double")
    assert sites[0].first_line == 3
    assert "never returns a value" in sites[0].reason


def test_default_values_and_decorators_are_suspected_through_their_function() -> None:
    """A header runs at import, before any check is watched: it shares the coverage of its body, faded."""
    source = program(
        """
        @cache
        def add(x, seen=[]):
            seen.append(x)
            return seen
        """
    )
    sites = localise(source, {"a": frozenset({3, 4})}, {"a": FAILED}, entry_point="add")
    header = at(sites, 2)
    assert header is not None
    assert (header.first_line, header.last_line) == (1, 2)
    assert 0 < header.suspicion < at(sites, 3).suspicion


def test_a_name_missing_at_import_is_suspected_although_no_check_got_that_far() -> None:
    """Such a program fails every check before it starts."""
    source = "import os\nx = missing\n\ndef f():\n    return 1\n"
    sites = localise(source, {}, {"a": CheckResult(Outcome.RAISED)}, entry_point="f")
    assert "nothing defines the name missing" in at(sites, 2).reason


def test_when_nothing_is_red_the_lines_are_suspected_alike() -> None:
    """With passing checks only, the text is all there is."""
    sites = localise(MEDIAN, {"odd": frozenset({5, 6, 7})}, {"odd": PASSED}, entry_point="median")
    assert {5, 6, 7, 8, 9} <= {site.first_line for site in sites}
    without = localise(MEDIAN, {"odd": frozenset({5, 6, 7})}, {"odd": PASSED})
    assert 14 not in {site.first_line for site in without}


def test_a_syntax_error_is_a_site_of_its_own() -> None:
    """The parser's line comes first, the line before it second."""
    sites = localise("def f(x)\n    return x\n", {}, {})
    assert (sites[0].first_line, sites[0].suspicion) == (1, 1.0)
    assert "SyntaxError: expected ':'" in sites[0].reason
    second = localise("def f(x):\n\n    if x:\nreturn x\n", {}, {})
    assert [site.first_line for site in second] == [4, 3]


def test_odd_programs_still_get_a_site() -> None:
    """Nothing to go by is the whole text."""
    for source in ("", "\n\n", '"""Only words."""\n', "# a comment"):
        (site,) = localise(source, {}, {"a": FAILED}, entry_point="f")
        assert (site.first_line, site.suspicion) == (1, 0.5)
    assert localise("x = 1\0", {}, {}) != ()


def test_an_unknown_entry_point_suspects_the_module() -> None:
    """A function that should be there and is not may be any misnamed one."""
    sites = localise("def avg(x):\n    return x\n", {}, {"a": FAILED}, entry_point="average")
    assert {site.first_line for site in sites} == {1, 2}


lines = st.frozensets(st.integers(1, 16), max_size=8)
stacks = st.lists(st.integers(1, 16), max_size=4).map(tuple)
results = st.sampled_from([PASSED, FAILED, CheckResult(Outcome.RAISED, detail="KeyError: 1")])


@given(
    st.dictionaries(st.sampled_from("abcd"), lines),
    st.dictionaries(st.sampled_from("abcd"), results),
    st.dictionaries(st.sampled_from("abcd"), stacks),
    st.dictionaries(st.sampled_from("abcd"), stacks),
    st.sampled_from(["median", "unused", "absent", None]),
)
def test_sites_are_sorted_bounded_distinct_and_repeatable(
    coverage: dict[str, frozenset[int]],
    said: dict[str, CheckResult],
    raised: dict[str, tuple[int, ...]],
    hung: dict[str, tuple[int, ...]],
    entry_point: str | None,
) -> None:
    """Whatever the evidence: suspicion falls, stays in (0, 1], spans lie in the text, and a rerun agrees."""
    sites = localise(MEDIAN, coverage, said, raised, hung, entry_point)
    assert sites[0].suspicion > 0
    assert sites == localise(MEDIAN, coverage, said, raised, hung, entry_point)
    assert [s.suspicion for s in sites] == sorted((s.suspicion for s in sites), reverse=True)
    assert all(0 <= s.suspicion <= 1 and 1 <= s.first_line <= s.last_line <= 14 and s.reason for s in sites)
    assert len({(s.first_line, s.last_line) for s in sites}) == len(sites)
