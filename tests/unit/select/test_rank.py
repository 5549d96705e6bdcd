"""Which candidate is handed over first."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from regreen.select.cost import ranking_cost
from regreen.select.ngrams.naturalness import NgramScorer
from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.idle_code import idle_operations, unused_names
from regreen.types import Candidate

BEFORE = """
def clamp(x, low, high):
    if x < low:
        return low
    if x > low:
        return low
    return x
"""

EDITS = [
    ("if x > low:\n        return low\n", "if x > high:\n        return high\n"),
    ("if x > low", "if x > 9"),
    ("if x > low", "if x > high"),
    ("    return x\n", "    return x + 0\n"),
    ("    if x < low:\n", "    if x == 12:\n        return 9\n    if x < low:\n"),
    ("if x > low", "if False"),
]


def ranked(*edit: str, prior: float = 0.5, line: int = 5) -> RankedCandidate:
    return RankedCandidate(Candidate(BEFORE.replace(*edit, 1), "search:test"), prior, line)


def test_a_smaller_edit_comes_first() -> None:
    """Unless its template is far less often right."""
    small, large = ranked("x < low", "x <= low", prior=0.4), ranked("x < low", "abs(x) <= abs(low)")
    assert rank_candidates([large, small], BEFORE) == [small, large]
    unlikely = ranked("x < low", "x <= low", prior=0.05)
    assert rank_candidates([unlikely, large], BEFORE) == [large, unlikely]


def test_each_further_token_counts_less_than_the_one_before() -> None:
    """A long line that was lost is one slip."""
    sizes = [ranking_cost(BEFORE, BEFORE + "\n" + " + ".join("x" * n)) for n in (1, 2, 3, 12)]
    steps = [after - before for before, after in pairwise(sizes)]
    assert steps[0] > steps[1] > steps[2] / 9 > 0


def test_among_equals_the_prior_and_then_the_line_decide() -> None:
    """What is more often right comes first, then what stands earlier."""
    likely = ranked("x < low", "x <= low", prior=0.9, line=3)
    early = ranked("x > low", "x >= low", prior=0.1, line=5)
    late = ranked("x > low", "x != low", prior=0.1, line=6)
    assert rank_candidates([late, early, likely], BEFORE) == [likely, early, late]


def test_a_return_too_many_is_deleted_rather_than_moved_in_front_of_the_other() -> None:
    """Nothing would reach the second one."""
    before = "def f(xs):\n    s = 0\n    for x in xs:\n        s += x\n        return s\n    return s\n"
    moved, deleted = (
        RankedCandidate(Candidate(before.replace("        return s\n", text), "search:test"), prior)
        for text, prior in (("    return s\n", 0.9), ("", 0.2))
    )
    assert rank_candidates([moved, deleted], before) == [deleted, moved]


def test_a_change_that_does_it_alone_comes_before_two_that_do_it_together() -> None:
    """Two changes are easily there by chance."""
    two = RankedCandidate(Candidate(BEFORE.replace("x < low", "x <= low"), "search:one+other"), 0.5, 5)
    alone = ranked("x > low", "x >= -low")
    assert rank_candidates([two, alone], BEFORE) == [alone, two]
    by_model = RankedCandidate(Candidate(two.candidate.source, "model:a+b"), 0.5, 5)
    assert rank_candidates([alone, by_model], BEFORE) == [by_model, alone]


def test_what_was_made_of_the_values_of_checks_comes_after_what_was_not() -> None:
    """It passes by chance more often than any other change."""
    made = RankedCandidate(Candidate(BEFORE.replace("x > low", "x > high"), "search:synthesised"), 0.5, 5)
    plain = ranked("x > low", "x >= high")
    assert rank_candidates([made, plain], BEFORE) == [plain, made]


def test_a_special_case_comes_after_a_larger_honest_edit() -> None:
    """A literal of the checks in a comparison is worse than a few more tokens."""
    special = ranked("    if x < low:\n", "    if x == 12: return 9\n    if x < low:\n")
    honest = ranked("return low\n    return x", "return high\n    return x + min(0, 1, abs(2))")
    assert rank_candidates([special, honest], BEFORE, "assert clamp(12, 1, 9) == 9")[0] == honest


def test_an_edit_that_uses_a_forgotten_parameter_is_preferred() -> None:
    """The fix of a function with an unused parameter usually uses it."""
    uses, ignores = ranked("x > low", "x > high"), ranked("x > low", "x > x")
    assert rank_candidates([ignores, uses], BEFORE)[0] == uses
    assert unused_names(BEFORE) == {("clamp", "high")}


def test_an_operand_that_does_nothing_is_left_out_instead() -> None:
    """To turn the 1 of `- 1` into a 0 is the smaller edit, and nobody would write it."""
    before = "def mean(xs):\n    return sum(xs) / (len(xs) - 1)\n"
    edits = ["(len(xs) * 1)", "(len(xs) - 0)", "(len(xs))"]
    found = [RankedCandidate(Candidate(before.replace("(len(xs) - 1)", edit), edit), 0.5, 2) for edit in edits]
    assert rank_candidates(found, before)[0].candidate.source == "def mean(xs):\n    return sum(xs) / (len(xs))\n"


def test_operations_that_do_nothing_are_counted() -> None:
    """Where the number on the right is the operator's own, and is a number."""
    assert idle_operations("x + 0, y - 0, z * 1, a / 1, b // 1, c ** 1, d * 1.0") == 7
    assert idle_operations("x + 1, 0 - y, z * 0, a % 1, b | 0, c + '', d * True, e - i, f << 0") == 0
    assert idle_operations("x[::1], y[2:5:1]") == 2
    assert idle_operations("(-1) ** 2, 1 ** 7, (-1) ** n, 2 ** 2, (-2) ** 2") == 2
    assert idle_operations("x[::-1], y[1:], z[:1], w[1], v[::n]") == 0
    assert idle_operations("sum(x for x in xs), max(x for x, y in xs), min(x for x in xs if x)") == 1
    assert idle_operations("x + 0 +") == 0


def test_an_edit_that_adds_a_constant_yields_to_one_that_does_not() -> None:
    """Between two edits of one token, the one without a new number comes first."""
    number, operator = ranked("x > low", "x > 7"), ranked("x > low", "x >= low")
    assert rank_candidates([number, operator], BEFORE)[0] == operator


@given(st.lists(st.sampled_from(EDITS), max_size=6), st.integers())
def test_the_order_of_the_input_does_not_matter(edits: list[tuple[str, str]], seed: int) -> None:
    """Nothing is lost, nothing is added, and shuffling changes nothing."""
    candidates = [ranked(*edit, line=i % 2) for i, edit in enumerate(edits)]
    shuffled = random.Random(seed).sample(candidates, len(candidates))
    first, second = rank_candidates(candidates, BEFORE, "12 9"), rank_candidates(shuffled, BEFORE, "12 9")
    assert first == second
    assert sorted(map(repr, first)) == sorted(map(repr, candidates))


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_ranking_cost_is_never_negative_and_zero_for_no_change(before: str, after: str) -> None:
    """Any text can be compared with any other."""
    assert ranking_cost(before, after) >= 0.0
    assert ranking_cost(before, before) == 0.0


class LongestFirst:
    """A scorer that finds longer programs more probable, by so many nats a character."""

    def __init__(self, nats: float) -> None:
        self.nats = nats
        self.asked: list[Sequence[str]] = []

    def log_probabilities(self, programs: Sequence[str]) -> list[float]:
        self.asked.append(programs)
        return [self.nats * len(program) for program in programs]


class EachToken:
    """A scorer that finds each token as probable as any other."""

    def log_probabilities(self, programs: Sequence[str]) -> list[float]:
        return [-3.0 * len(program.split()) for program in programs]


def test_code_is_not_dropped_for_being_the_shorter_text() -> None:
    """The less there is, the more probable it is: that alone is no reason."""
    before = "def f ( a , b , rate ) :\n    return a < b * rate / 100\n"
    nudged, dropped = (
        RankedCandidate(Candidate(before.replace("a < b * rate / 100", text), "search:test"), 0.5, 2)
        for text in ("a <= b * rate / 100", "a < 100")
    )
    assert rank_candidates([dropped, nudged], before, "", EachToken())[0] is nudged


def test_text_that_reads_better_makes_up_for_a_larger_edit() -> None:
    """And only as far as it goes: what is longer is less probable as a rule, and has to read much better than that."""
    small, large = ranked("x < low", "x <= low"), ranked("x < low", "abs(x) <= abs(low)")
    for nats, first in [(-1.0, small), (5.0, large)]:
        assert rank_candidates([large, small], BEFORE, "", LongestFirst(nats))[0] is first


def test_only_what_has_a_rival_is_scored() -> None:
    """One candidate needs no model; of very many, those with the lowest cost are compared, and all are kept."""
    scorer = LongestFirst(1.0)
    assert len(rank_candidates([ranked("x < low", "x <= low")], BEFORE, "", scorer)) == 1
    assert scorer.asked == []
    many = [ranked("return x", f"return x + {n}", line=n) for n in range(100)]
    assert {r.line for r in rank_candidates(many, BEFORE, "", scorer)} == set(range(100))
    assert [len(programs) for programs in scorer.asked] == [60]


def test_the_round_boundary_comes_before_the_odd_one() -> None:
    """`50 <= x` and `49 < x` say the same of whole numbers; the prior of the template does not decide that."""
    program = "def f(x):\n    return 50 < x\n"
    odd, even = (Candidate(program.replace("50 <", text), "search:test") for text in ("49 <", "50 <="))
    found = rank_candidates([RankedCandidate(odd, 0.9), RankedCandidate(even, 0.2)], program)
    assert [r.candidate for r in found] == [even, odd]


def test_numbers_that_python_refuses_to_write_in_digits_are_ranked_too() -> None:
    """In attributes, in results and in conditions, before and after."""
    long = "0x" + "f" * 6_000
    program = (
        f"class A:\n    def __init__(self):\n        self.n = {long}\n    def m(self, x):\n        k = {long}\n"
        f"        k = {long}\n        return {long} if x == {long} else k\n"
    )
    changed = [program.replace(*edit) for edit in (("x ==", "x !="), ("else k", "else self.n"), (long, "0"))]
    found = rank_candidates([RankedCandidate(Candidate(text, "search:test")) for text in changed], program, "f(1) == 2")
    assert {ranked.candidate.source for ranked in found} == set(changed)


def test_the_shipped_model_tells_a_natural_repair_from_an_odd_one() -> None:
    """Both are one token away, and the odd one has the better prior."""
    before = "def total(items):\n    found = 1\n    for item in items:\n        found += item\n    return found\n"
    natural, odd = (
        RankedCandidate(Candidate(before.replace(*edit), "search:test"), prior)
        for edit, prior in ((("found = 1", "found = 0"), 0.27), (("found += item", "found -= item"), 0.3))
    )
    assert rank_candidates([natural, odd], before) == [odd, natural]
    assert rank_candidates([natural, odd], before, "", NgramScorer()) == [natural, odd]
