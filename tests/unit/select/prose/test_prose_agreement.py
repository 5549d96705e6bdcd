"""Does prose decide among candidates?"""

from __future__ import annotations

import pytest

from regreen.select.prose.prose_agreement import NO_PROSE, decisive_quotes, prose_cost, read_prose
from regreen.select.prose.stated_steps import unanswered
from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.types import Candidate

QUOTE = "Orders of at least 5000 cents ship free."
BEFORE = f'def cost(total):\n    """{QUOTE} Others wait 2 hours."""\n    return 0 if total > 5000 else 490\n'
AGREES = BEFORE.replace("> 5000", ">= 5000")
CONTRADICTS = BEFORE.replace("> 5000", "> 5001")
OPEN = BEFORE.replace("total > 5000", "total")


def test_a_boundary_as_prose_has_it_comes_first() -> None:
    """Against the priors; and what draws none comes between what agrees and what contradicts."""
    prose = read_prose(BEFORE)
    agrees, open_, contradicts = (prose_cost(prose, BEFORE, after) for after in (AGREES, OPEN, CONTRADICTS))
    assert agrees < open_ < contradicts
    odd = BEFORE.replace("> 5000", "< 5000")
    other = BEFORE.replace("> 5000", "<= 5000")
    found = [RankedCandidate(Candidate(other, "search:a"), 0.5), RankedCandidate(Candidate(odd, "search:b"), 0.4)]
    assert rank_candidates(found, BEFORE)[0].candidate.source == other
    assert rank_candidates(found, BEFORE, prose=prose)[0].candidate.source == odd


def test_the_sentence_that_decided_is_quoted() -> None:
    """Where another candidate does not agree with it, and the chosen one does."""
    prose = read_prose(BEFORE)
    assert list(decisive_quotes(prose, AGREES, [CONTRADICTS, OPEN])) == [QUOTE]
    assert list(decisive_quotes(prose, AGREES, [AGREES])) == []
    assert list(decisive_quotes(prose, OPEN, [AGREES])) == []


def test_a_new_number_is_supported_by_prose_or_by_a_unit() -> None:
    """An hour has 3600 seconds, and 5000 cents are mentioned; 77 comes from nowhere."""
    prose = read_prose(BEFORE)
    costs = [prose_cost(prose, BEFORE, BEFORE.replace("490", new)) for new in ("3600", "5000", "2", "77")]
    assert costs[0] == costs[1] == costs[2] < costs[3]


def test_a_number_that_prose_says_stays() -> None:
    """In words, too; a small one may go, and one that prose does not say."""
    before = 'def f(xs):\n    """The best three of the first 40."""\n    return sorted(xs[1:40])[:3], 77\n'
    prose = read_prose(before)
    kept, *lost = [
        prose_cost(prose, before, before.replace(old, new))
        for old, new in (("77", "0"), ("[:3]", "[:-1]"), ("1:40", "1:"))
    ]
    assert min(lost) > kept == prose_cost(prose, before, before.replace("[1:", "[:"))


def test_without_prose_nothing_costs() -> None:
    """Of a program that does not parse, nothing is read but the statement's numbers."""
    assert prose_cost(NO_PROSE, BEFORE, CONTRADICTS) == 0.0
    assert read_prose("def f(:", "At least 7.").boundaries == ()


WORDS = '''\
def words_of(text):
    """The words of a text in lower case."""
    return text.split()


def search(pages, query):
    """Pages with all words of the query."""
    return [page for page in pages if all(word in words_of(page) for word in words_of(query))]
'''


def test_a_step_is_taken_where_prose_asks_for_it() -> None:
    """What one function leaves out is mended there, and not where its answers are used."""
    prose = read_prose(WORDS)
    inside = WORDS.replace("text.split()", "text.lower().split()")
    elsewhere = WORDS.replace("all(word in", "all(word.lower() in")
    handed_on = WORDS.replace("text.split()", "search(text, text)").replace("pages if", "pages.lower() if")
    costs = [prose_cost(prose, WORDS, program) for program in (inside, handed_on, elsewhere, WORDS)]
    assert costs == sorted(costs)
    assert costs[0] == costs[1] < costs[2] < costs[3]
    assert prose_cost(prose, WORDS, "def words_of(") >= 0


def test_what_prose_forbids_is_not_used() -> None:
    """Where it stood before, the exercise does not mind."""
    before = 'def order(xs):\n    """The items in order, without sorted and not using `heapq`."""\n    return xs\n'
    prose = read_prose(before)
    plain, forbidden = before.replace("return xs", "return xs[:]"), before.replace("return xs", "return sorted(xs)")
    assert prose.forbidden == {"sorted", "heapq"}
    assert prose_cost(prose, before, forbidden) > prose_cost(prose, before, plain)
    assert prose_cost(prose, forbidden, forbidden) == prose_cost(prose, before, plain)
    assert not read_prose('def f(xs):\n    """No more than max items, without a set of rules."""\n').forbidden


def test_only_a_ring_goes_on_at_its_beginning() -> None:
    """Of a plain list the last item has none behind it."""
    line = 'def pairs(xs, i):\n    """Whether two items side by side are equal."""\n    return xs[i] == xs[i + 1]\n'
    ring = line.replace("two items", "two items of a ring")
    costs = [prose_cost(read_prose(text), text, text.replace("i + 1", "(i + 1) % len(xs)")) for text in (line, ring)]
    assert costs[0] > costs[1]


READS_AND_DIVIDES = "def f(a, b):\n    a, b = int(a), int(b)\n    return a // b\n"


@pytest.mark.parametrize(
    ("quotient", "cuts_off"),
    [("int(a / b)", True), ("math.trunc(a / b)", True), ("abs(a) // abs(b)", True), ("-(-a // b)", False)],
)
def test_a_number_that_is_read_cuts_nothing_off(quotient: str, cuts_off: bool) -> None:
    """`int` of a text is no step towards zero."""
    prose = read_prose("", "Division rounds towards zero.")
    after = READS_AND_DIVIDES.replace("a // b", quotient)
    assert (prose_cost(prose, READS_AND_DIVIDES, after) == 0) == cuts_off


SWAPS = (
    "def f(xs):\n    for i in range(len(xs)):\n        for j in range(i):\n            if xs[j] > xs[j + 1]:\n"
    "                xs[j], xs[j + 1] = xs[j + 1], xs[j]\n    return xs\n"
)


def test_who_moves_items_about_has_them_in_order() -> None:
    """Nothing else needs to sort them; who only takes some has not."""
    asked = frozenset({"order"})
    assert unanswered(asked, SWAPS) == 0
    assert unanswered(asked, SWAPS.replace("xs[j + 1], xs[j]\n", "0, 0\n")) == 1


def test_what_is_neither_less_nor_greater_is_equal() -> None:
    """Where that is asked of the same two, and the rest has a branch of its own."""
    asked = frozenset({"ties"})
    three = (
        "def f(a, b):\n    if a < b:\n        return 1\n    elif a > b:\n        return 2\n"
        "    else:\n        return 3\n"
    )
    assert unanswered(asked, three) == 0
    assert unanswered(asked, three.replace("a > b", "a > 0")) == 1
    assert unanswered(asked, three.replace("    else:\n        return 3\n", "")) == 1
