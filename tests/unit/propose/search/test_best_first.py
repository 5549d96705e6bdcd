"""The search: best first, lazily, without repeats, and led by what screening says."""

from __future__ import annotations

import ast
import functools
import logging
import time
import tracemalloc
from collections.abc import Collection, Iterator
from typing import Literal

import pytest

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import Clues
from regreen.propose.search.mutation import SYNTHESISED, Mutation, ScreenedMutation, WeightedEdits, splice_edits
from regreen.propose.search.mutation_cursors import FurtherEditCursor
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.raising_places import RaisedException
from regreen.propose.search.scope import Scope
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates import TEMPLATES
from regreen.types import Edit, Site

PROGRAM = '''"""Ä module."""
import math

LIMIT = 10


class Box:
    """Holds things."""

    def __init__(self, items=[]):
        self.items = items  # ünïcode
        self.size = len(items)

    def add(self, item):
    \tself.items.append(item)
    \treturn self.size


def total(xs, start=0):
    """Sums `xs` up to LIMIT."""
    result = start
    for index, x in enumerate(xs):
        if x > 0 and (index < LIMIT or
                      not x):
            result += x * 2
        elif x: continue
        else:
            result = max(result, 0); break
    while result > 100: result //= 2
    return f"{result}" if result else str(math.floor(-1.5))
'''
SOURCES = (
    PROGRAM,
    "def f(a, b):\n    return [x for x in a if x not in b][::-1]\n",
    "async def f(q):\n    async for x in q:\n        yield await x.get('k', 1)",
    "def f(n):\n    try:\n        return f(n - 1) + f(n - 2)\n    except (KeyError, OSError) as e:\n        raise e\n",
)


@functools.cache
def everything(source: str, n: int = 30_000) -> list[Mutation]:
    """The mutations of a program, all of them unless a number is given; whoever asks for them changes none."""
    return BestFirstSearch(source, [], Clues(numbers=("7",), exceptions=("ValueError",))).next_batch(n)


@pytest.mark.parametrize("source", SOURCES)
def test_every_mutation_changes_the_text_and_nearly_all_parse(source: str) -> None:
    """A candidate that is the program itself, or no Python, is a run wasted."""
    mutations = everything(source)
    broken = 0
    for mutation in mutations:
        text = splice_edits(source, mutation.edits)
        assert text != source
        try:
            ast.parse(text)
        except SyntaxError:
            broken += 1
    assert len(mutations) > 300
    assert broken <= len(mutations) // 200


@pytest.mark.parametrize("source", SOURCES)
def test_edits_are_sorted_and_never_overlap(source: str) -> None:
    """What `apply` asks for holds for every mutation, and no two mutations are the same."""
    seen = set()
    for mutation in everything(source):
        assert mutation.edits
        assert all(one.end <= two.start for one, two in zip(mutation.edits, mutation.edits[1:], strict=False))
        assert all(0 <= e.start <= e.end <= len(source) for e in mutation.edits)
        assert mutation.note
        assert mutation.edits not in seen
        seen.add(mutation.edits)


@pytest.mark.parametrize("source", SOURCES)
def test_the_order_is_the_same_for_the_same_seed(source: str) -> None:
    """Same seed, same mutations, however large the batches are."""
    search = BestFirstSearch(source, [], Clues(), seed=3)
    pieces = [m for _ in range(20) for m in search.next_batch(7)]
    assert pieces == BestFirstSearch(source, [], Clues(), seed=3).next_batch(140)


def test_scores_fall() -> None:
    """The best come first."""
    scores = [mutation.score for mutation in everything(PROGRAM, 500)]
    assert scores == sorted(scores, reverse=True)


def test_suspicious_lines_come_first_and_lines_that_never_ran_not_at_all() -> None:
    """The localiser leads; a suspicion of zero rules lines out."""
    source = "def f(a, b):\n    x = a + 1\n    y = b + 1\n    z = a + b\n    return x + y + z\n"
    sites = [Site(3, 3, 0.9), Site(4, 4, 0.1), Site(2, 2, 0.0)]
    search = BestFirstSearch(source, sites, Clues(), templates=[t for t in TEMPLATES if t.name == "swap_operator"])
    lines = [mutation.line for mutation in search.next_batch(40)]
    assert lines[:3] == [3, 3, 3]
    assert 2 not in lines
    assert {4, 5} <= set(lines)


def test_what_is_imported_and_not_read_comes_early() -> None:
    """And once: what is foreseen is dropped in its turn. What is read elsewhere, or told to others, is no sign."""
    source = "from itertools import zip_longest\n\n\ndef f(xs, ys):\n    return [x + y for x, y in zip(xs, ys)]\n"

    def place(program: str) -> int:
        search = BestFirstSearch(program, [], Clues())
        wanted = program.replace("zip(xs, ys)", "zip_longest(xs, ys, fillvalue=0)")
        texts = [splice_edits(program, mutation.edits) for mutation in search.next_batch(2_000)]
        assert texts.count(wanted) == 1
        return texts.index(wanted)

    for use in ("\n\npairs = zip_longest\n", '\n\n__all__ = ["f", "zip_longest"]\n'):
        assert place(source) < place(source + use)


@pytest.mark.parametrize(
    "imports",
    ["from math import *\n", "import os.path\n", "from re import sub as b, match\n", "import a, b as c\n"],
)
def test_whatever_is_imported_and_not_read_ends_no_search(imports: str) -> None:
    """All names of a module at once, parts of one, and other names for them."""
    source = f"{imports}\n\ndef f(x: match):\n    return x + 1\n"
    assert BestFirstSearch(source, [], Clues()).next_batch(50)


def test_attributes_and_names_of_the_module_have_a_kind() -> None:
    """Where all that sets them agrees; a parameter or a variable of the same name is something else."""
    source = (
        "TABLE = {'a': 1}\nrow = [1]\n\n\nclass Box:\n    size: int\n\n    def __init__(self, name: str):\n"
        "        self.name = name\n        self.items = []\n        self.mixed = 1\n\n"
        "    def f(self, row, *args, **options):\n        self.mixed = ''\n        return row\n"
    )
    program = ParsedProgram(source)
    scope = Scope(program, program.functions[1])
    kinds = {
        text: scope.kind(ast.parse(text, mode="eval").body)
        for text in ("TABLE", "row", "self.name", "self.items", "self.mixed", "self.size", "args", "options")
    }
    assert kinds == {
        **{"TABLE": "dict", "row": "", "self.name": "str", "self.items": "list", "self.mixed": "", "self.size": "int"},
        **{"args": "tuple", "options": "dict"},
    }


def test_only_the_functions_in_play_are_touched() -> None:
    """Functions that are not named stay as they are."""
    source = "def f(a):\n    return a + 1\n\n\ndef g(b):\n    return b + 1\n"
    lines = {m.line for m in BestFirstSearch(source, [], Clues(), functions=["g"]).next_batch(400)}
    assert lines
    assert lines <= {1, 5, 6}


def test_equal_candidates_are_dropped_and_counted() -> None:
    """Two templates that say the same cost one run."""
    search = BestFirstSearch("def f(a):\n    return a + 1\n", [], Clues())
    texts = [splice_edits(search.source, m.edits) for m in search.next_batch(5_000)]
    assert len(texts) == len(set(texts))
    assert search.duplicates > 0


def test_what_is_made_of_expected_values_is_gone_on_from_less_than_what_templates_make() -> None:
    """Both win the same check: the one of a template is followed by more mutations."""
    source = "def f(a, b):\n    x = a - b\n    y = a + b\n    return x * y\n"
    search = BestFirstSearch(source, [], Clues())
    search.baseline({"1"}, 0.8)
    at = source.index("x * y")
    made = Mutation((Edit(at, at + len("x * y"), "a * a"),), SYNTHESISED, 0.1, 4, source)
    search.offer([made])
    first = search.next_batch(100)
    better = next(mutation for mutation in first if mutation.template == "swap_operator")
    won = {mutation.edits for mutation in (made, better)}
    results = []
    for mutation in first:
        passed, distance = (frozenset("12"), 0.5) if mutation.edits in won else (frozenset("1"), 0.9)
        results.append(ScreenedMutation(mutation, "failed", passed, distance))
    search.learn(results)
    following = [mutation.template.split("+")[0] for mutation in search.next_batch(400) if "+" in mutation.template]
    assert 0 < following.count(SYNTHESISED) < following.count("swap_operator")


@pytest.mark.parametrize("status", ["failed", "hung"])
def test_a_change_that_made_things_better_is_gone_on_from(status: Literal["failed", "hung"]) -> None:
    """Two slips, each of which lifts the number of passed checks: the pair is found soon after the first is.

    So it is where the second one hangs as soon as the first is gone.
    """
    source = "def f(a, b):\n    x = a - b\n    y = a + b\n    return x * y\n\n\ndef g(a):\n    return a > 3\n"
    goal = source.replace("a - b", "a + b").replace("a > 3", "a >= 3")
    half = source.replace("a - b", "a + b")
    search = BestFirstSearch(source, [], Clues())
    search.baseline({"1"}, 0.8)
    tried = 0
    while tried < 3_000:
        batch = search.next_batch(20)
        assert batch
        results = []
        for mutation in batch:
            tried += 1
            text = splice_edits(source, mutation.edits)
            if text == goal:
                assert mutation.template == "swap_operator+swap_comparison"
                return
            better = text == half
            passed, distance = (frozenset("12"), 0.5) if better else (frozenset("1"), 0.9)
            results.append(ScreenedMutation(mutation, status if better else "failed", passed, distance))
        search.learn(results)
    pytest.fail("the pair was not found")


def first_pair_with(got_past: float) -> int:
    """After how many mutations a pair comes that holds `a + b`, which gets so far and wins no check."""
    source = "def f(a, b):\n    x = a - b\n    y = a + b\n    return x * y\n\n\ndef g(a):\n    return a > 3\n"
    search, tried = BestFirstSearch(source, [], Clues()), 0
    search.baseline({"1"}, 0.8, 0.25)
    while batch := search.next_batch(20):
        results = []
        for mutation in batch:
            tried += 1
            is_nearer = "x = a + b" in splice_edits(source, mutation.edits)
            if is_nearer and "+" in mutation.template:
                return tried
            share, distance = (got_past, 0.5) if is_nearer else (0.25, 0.9)
            results.append(ScreenedMutation(mutation, "failed", frozenset("1"), distance, share))
        search.learn(results)
    return tried


def test_who_gets_past_an_assertion_is_gone_on_from_sooner() -> None:
    """As near by its answers, but further in the test: the first of two faults has been found."""
    assert first_pair_with(0.5) < first_pair_with(0.25)


def pair_behind_others(distance_of_others: float) -> int:
    """After how many mutations a pair comes that holds `a + b`, which wins a check as everything before it does."""
    source = "def f(a, b):\n    x = a - b\n    y = a + b\n    return x * y\n\n\ndef g(a):\n    return a > 3\n"
    search, tried, is_found = BestFirstSearch(source, [], Clues()), 0, False
    search.baseline({"1"}, 0.8)
    while batch := search.next_batch(1):
        tried += 1
        half = "x = a + b" in splice_edits(source, batch[0].edits)
        if half and "+" in batch[0].template:
            return tried
        wins = half or not is_found
        is_found |= half
        passed, distance = (frozenset("12"), 0.5 if half else distance_of_others) if wins else (frozenset("1"), 0.9)
        search.learn([ScreenedMutation(batch[0], "failed", passed, distance)])
    return tried


def test_of_many_that_do_alike_the_later_are_gone_on_from_later() -> None:
    """What does as others did before it is less likely to be half of the repair than what does something else."""
    assert pair_behind_others(0.501) < pair_behind_others(0.5)


def test_what_was_changed_can_be_changed_again() -> None:
    """An edit that helps may itself need an edit: `x` becomes `abs(x)`, then `abs(x) + 1`."""
    source = "def f(x):\n    y = 1\n    return x\n"
    search = BestFirstSearch(source, [], Clues())
    search.baseline((), 0.9)
    for _ in range(200):
        batch = search.next_batch(20)
        texts = [splice_edits(source, mutation.edits) for mutation in batch]
        if any("abs(x) + 1" in text for text in texts):
            return
        search.learn(
            [
                ScreenedMutation(m, "failed", distance=0.2 if "abs(x)" in t else 0.95)
                for m, t in zip(batch, texts, strict=True)
            ]
        )
    pytest.fail("the base was not edited again")


LOOPS = (
    "def f(n, x):\n    out = []\n"
    "    for i in range(n, 0):\n        if i == x:\n            out += [i]\n    return out\n"
)
ENDED = "def f(n, xs):\n    out = n - xs\n    if out == xs:\n        return n\n    return out\n"


@pytest.mark.parametrize(
    ("source", "never_ran", "raised", "first", "then"),
    [
        (LOOPS, {4, 5}, (), "range(n, 0, -1)", "i >= x"),
        (ENDED, {3, 4, 5}, (RaisedException("TypeError", "", 2, 1.0),), "out = n + xs", "out >= xs"),
    ],
)
def test_what_runs_for_the_first_time_is_suspected(
    source: str, never_ran: Collection[int], raised: tuple[RaisedException, ...], first: str, then: str
) -> None:
    """A loop went through nothing, or an exception came before: the second fault is in a line that nothing had run."""
    lines = range(1, source.count("\n") + 1)
    sites = [Site(line, line, 0.0 if line in never_ran else 1.0) for line in lines]
    search = BestFirstSearch(source, sites, Clues(raised=raised))
    search.baseline((), 1.0)
    for _ in range(100):
        batch = search.next_batch(40)
        texts = [splice_edits(source, mutation.edits) for mutation in batch]
        if any(first in text and then in text for text in texts):
            return
        found = zip(batch, texts, strict=True)
        search.learn([ScreenedMutation(m, "failed", distance=0.2 if first in text else 1.0) for m, text in found])
    pytest.fail("what runs now was not edited")


def test_pairs_from_one_program_never_overlap_and_are_never_given_twice() -> None:
    """Ideas shared by many bases are put together in every order, and each outcome is given once."""
    source = SOURCES[1]
    search = BestFirstSearch(source, [], Clues())
    search.baseline((), 0.9)
    texts: list[str] = []
    for _ in range(30):
        batch = search.next_batch(40)
        search.learn([ScreenedMutation(mutation, "failed", distance=0.5) for mutation in batch])
        for mutation in batch:
            pairs = zip(mutation.edits, mutation.edits[1:], strict=False)
            assert all(one.end <= two.start for one, two in pairs)
            texts.append(splice_edits(source, mutation.edits))
    assert any("+" in mutation.template for mutation in batch)
    assert len(texts) == len(set(texts))


def test_what_is_no_better_than_the_program_itself_is_gone_on_from_late() -> None:
    """Gains are measured against the program as it is, so that single edits come before pairs that promise nothing."""
    search = BestFirstSearch(SOURCES[1], [], Clues())
    search.baseline({"1"}, 0.4)
    templates = []
    for _ in range(30):
        batch = search.next_batch(10)
        templates += [mutation.template for mutation in batch]
        search.learn([ScreenedMutation(mutation, "failed", frozenset("1"), 0.4) for mutation in batch])
    assert sum("+" in template for template in templates) < 30


def test_what_makes_nothing_better_behind_what_did_is_gone_on_from_once_more() -> None:
    """Of three faults, the second may show only when the third is mended; of two that make nothing better, none may."""
    source = "def f(a, b):\n    return a - b\n"
    search = BestFirstSearch(source, [], Clues())
    search.baseline({"1"}, 0.9)
    triples: list[str] = []
    for _ in range(100):
        batch = search.next_batch(50)
        texts = [splice_edits(source, mutation.edits) for mutation in batch]
        triples += [text for mutation, text in zip(batch, texts, strict=True) if mutation.template.count("+") == 2]
        search.learn(
            [
                ScreenedMutation(mutation, "failed", frozenset("1"), 0.1 if "a + b" in text else 0.9)
                for mutation, text in zip(batch, texts, strict=True)
            ]
        )
    assert triples
    assert all("a + b" in text for text in triples)


def test_of_two_faults_one_may_hide_the_other() -> None:
    """The likeliest first edit is gone on from though it loses a check; what comes of it and loses, too, is not."""
    source = "def f(n):\n    return sum(i for i in range(n + 1) if i % 3 == 0 and i % 5 == 0)\n"
    wanted = source.replace(" and ", " or ").replace("n + 1", "n")
    search = BestFirstSearch(source, [], Clues())
    search.baseline({"1"}, 0.2)
    tried: list[Mutation] = []
    while len(tried) < 1_000:
        batch = search.next_batch(50)
        tried += batch
        search.learn([ScreenedMutation(mutation, "failed", frozenset(), 0.4) for mutation in batch])
    assert wanted in [splice_edits(source, mutation.edits) for mutation in tried]
    assert all(mutation.template.count("+") < 2 for mutation in tried)


LONG_NUMBER = "0x" + "f" * 6_000
"""Python reads it, and refuses to write it in digits."""
ODD_PROGRAMS = [
    *("", "\n", "# only a comment\n", "x", "import os\n", "x = 1; y = 2"),
    f"class A:\n    def __init__(self):\n        self.n = {LONG_NUMBER}\n    def m(self):\n        self.n += 1\n",
    f"def f(x):\n    if x < {LONG_NUMBER}:\n        return {LONG_NUMBER} + {LONG_NUMBER}\n",
    "def f(ﬁ):\n    return fi + missing\n",
]


@pytest.mark.parametrize("source", ODD_PROGRAMS)
def test_odd_programs_are_no_trouble(source: str) -> None:
    """Nothing to change is an empty batch, never an error."""
    batch = BestFirstSearch(source, [Site(1, 99, 0.5)], Clues()).next_batch(300)
    assert all(splice_edits(source, mutation.edits) != source for mutation in batch)


def test_a_huge_program_yields_soon() -> None:
    """Two thousand lines begin to yield within a second on an idle machine; ten times that here, for busy ones."""
    source = "\n".join(PROGRAM.replace("class Box", f"class Box{n}").replace("total", f"total{n}") for n in range(65))
    started = time.perf_counter()
    batch = BestFirstSearch(source, [Site(900, 920, 1.0)], Clues()).next_batch(20)
    assert time.perf_counter() - started < 10
    assert sum(880 < m.line < 940 for m in batch) > 10


def test_what_waits_in_a_cursor_takes_little_memory() -> None:
    """Thousands of changed programs wait for their turn, each with hundreds of mutations that it has passed."""
    mutations = BestFirstSearch(PROGRAM, [], Clues())._mutations
    mutations.at(2_000)
    bases = [mutations.at(index) for index in range(50)]
    tracemalloc.start()
    try:
        cursors = [FurtherEditCursor(mutations, b.mutation.edits, b.mutation.template, b.mutation.line) for b in bases]
        given = [[cursor.pop() for _ in range(40)] for cursor in cursors]
        del given
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held / len(cursors) < 6_000


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the queue logs, which would fail any other test."""
    messages: list[str] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lambda record: messages.append(record.getMessage()))
    monkeypatch.setattr(logging.getLogger("regreen.propose.search.mutation_queue"), "handlers", [handler])
    return messages


def test_a_template_that_fails_ends_no_search(told: list[str]) -> None:
    """The others go on, and what failed where is told."""

    def failing(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
        yield context.put(context.program.tree.body[0], "nothing")
        raise KeyError(node)

    templates = [Template("nudge_number", (ast.Return,), failing), *(t for t in TEMPLATES if t.name == "told_number")]
    search = BestFirstSearch("def f():\n    return 1\n", [], Clues(numbers=("7",)), templates=templates)
    assert [edit.text for mutation in search.next_batch(9) for edit in mutation.edits] == ["7"]
    (message,) = told
    assert "nudge_number failed in line 2 (KeyError" in message
