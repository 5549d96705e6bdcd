"""Every strategy that asks a model keeps one contract: real sandboxes and graphs, a model that says what it is told."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from regreen.config import Settings, load_settings
from regreen.errors import BudgetSpent, ContextTooLong, ModelUnavailable, ToolsUnsupported
from regreen.evaluate.recorded_ends import RecordedEnd
from regreen.models import Finish, Reply, Request, ToolCall, Usage
from regreen.setting_table import STRATEGIES
from regreen.strategies import Strategy, open_strategy
from regreen.strategies.agents.checkpoints import open_checkpointer
from regreen.strategies.events import Event
from regreen.strategies.resources import Resources, borrow_resources
from regreen.types import Budget, Repair, Stop, Suite, SuiteKind, Task
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

PROGRAM = '''"""Prices."""

TAX = 20


def shipping(weight):
    return 5 + weight


def price(net, weight):
    """What the customer pays."""
    total = net * TAX / 100
    if weight > 10:
        total = total - shipping(weight)
    return round(total, 2)
'''
TESTS = """
assert price(100, 1) == 120.0
assert price(50, 2) == 60.0
assert price(100, 20) == 145.0
"""
RIGHT = '''def price(net, weight):
    """What the customer pays."""
    total = net * (100 + TAX) / 100
    if weight > 10:
        total = total + shipping(weight)
    return round(total, 2)
'''
CONVERSATIONAL = ("reflect", "tools", "react", "patch")
ASKING = ("single", *CONVERSATIONAL, "hybrid")


def wrong(number: int) -> str:
    """A version that is not right, and another one for each number."""
    return f"def price(net, weight):\n    return net + {number} * weight\n"


class Says:
    """A model that gives its answers in order, in the form that each strategy wants; the last one again and again."""

    name = "scripted:says"

    def __init__(self, *answers: str | Reply | Exception) -> None:
        self.answers = answers
        self.requests: list[Request] = []
        self.codes = 0

    def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        if request.node in ("thought", "critic"):
            return Reply("The sum is wrong." if request.node == "thought" else '{"accept": true, "reason": ""}')
        answer = self.answers[min(self.codes, len(self.answers) - 1)]
        self.codes += 1
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        return replace(self._formed(request, answer), usage=Usage(100, 10), usd=0.001)

    def _formed(self, request: Request, code: str) -> Reply:
        if request.tools:
            arguments = json.dumps({"code": code, "explanation": "the sum"})
            return Reply("", (ToolCall(f"call-{self.codes}", "run_code", arguments),), finish=Finish.TOOL_CALLS)
        if request.node == "patch":
            return Reply(json.dumps({"edits": [edit_of(request, code)]}))
        return Reply(f"The sum is wrong.\n\n```python\n{code}```\n")

    def close(self) -> None:
        pass


def edit_of(request: Request, code: str) -> dict[str, object]:
    """An edit of the last function that the prompt of a patch shows."""
    shown = re.findall(r"^ *(\d+)\| ?(.*)$", request.messages[-1].content, re.MULTILINE)
    first = max(i for i, (_, line) in enumerate(shown) if line.startswith("def "))
    old = "\n".join(line for _, line in shown[first:])
    return {
        "operation": "replace",
        "first_line": int(shown[first][0]),
        "last_line": len(shown),
        "old": old,
        "new": code,
    }


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for the whole module."""
    with borrow_resources(settings_for("search")) as opened:
        yield opened


def settings_for(strategy: str, **more: object) -> Settings:
    """Settings that no environment changes."""
    model = None if strategy == "search" else "scripted:says"
    return load_settings({"strategy": strategy, "model": model, "workers": 1, **more}, environ={})


@pytest.fixture
def repaired(resources: Resources) -> Callable[..., Repair]:
    """Runs a strategy with a model on the task."""

    def run(strategy: str, model: Says, task: Task | None = None, **more: object) -> Repair:
        now, budget = more.pop("clock", None), more.pop("budget", None)
        settings = settings_for(strategy, **more)
        budgeted = replace(resources, budget=budget if isinstance(budget, Budget) else settings.budget)
        if isinstance(now, list):
            budgeted = replace(budgeted, clock=lambda: now[0])
        elif callable(now):
            budgeted = replace(budgeted, clock=now)
        with open_strategy(settings, budgeted, model=model) as opened:
            return opened.repair(task or make_task(), 0)

    return run


def make_task() -> Task:
    """The prices, with their checks."""
    suite = read_suite(TESTS, program=PROGRAM, module="program", entry_point="price")
    return Task("prices", PROGRAM, "price", suite, "Net price plus tax, plus shipping for heavy parcels.")


def test_every_strategy_of_the_table_can_be_opened(resources: Resources) -> None:
    """And bears its own name."""
    for name in STRATEGIES:
        with open_strategy(settings_for(name), resources, model=Says(RIGHT)) as strategy:
            opened: Strategy = strategy
            assert opened.name == name


@pytest.mark.parametrize("strategy", ASKING)
def test_a_model_that_is_right_at_once_repairs_with_one_reply(repaired: Callable[..., Repair], strategy: str) -> None:
    """One candidate, proven, and the patch small: what the reply changes without need is undone."""
    model = Says(RIGHT)
    repair = repaired(strategy, model)
    assert repair.stop is Stop.FIXED, repair.explanation
    assert repair.chosen is not None
    assert repair.chosen.verdict.passed
    # A busy machine may end a hybrid's first search before it finds what its last one does.
    assert model.codes == 1 or (model.codes, repair.chosen.turn) == (0, None)
    assert "LIMIT" not in repair.chosen.candidate.source
    assert repair.chosen.candidate.source.startswith('"""Prices."""\n\nTAX = 20\n')


@pytest.mark.parametrize("turn", [2, 5, 10])
@pytest.mark.parametrize("strategy", CONVERSATIONAL)
def test_a_model_that_is_right_at_turn_k_is_asked_k_times(
    repaired: Callable[..., Repair], strategy: str, turn: int
) -> None:
    """Each failure is told, each version differs, and the last one is handed over."""
    model = Says(*(wrong(n) for n in range(1, turn)), RIGHT)
    repair = repaired(strategy, model, iters=10)
    assert repair.fixed, repair.explanation
    assert model.codes == turn
    assert len(repair.attempts) == turn
    assert repair.chosen is not None
    chosen = next(t for t in repair.turns if t.number == repair.chosen.turn)
    assert chosen.iteration == turn - 1


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
def test_the_budget_of_iterations_is_kept(repaired: Callable[..., Repair], strategy: str) -> None:
    """The draft and so many corrections, no more; the best partial result is there."""
    model = Says(*(wrong(n) for n in range(1, 9)))
    repair = repaired(strategy, model, iters=2)
    assert repair.stop is Stop.ITERATIONS
    assert model.codes == 3
    assert not repair.fixed


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
def test_no_iterations_are_the_draft_alone(repaired: Callable[..., Repair], strategy: str) -> None:
    """`--iters 0`."""
    model = Says(wrong(1))
    assert repaired(strategy, model, iters=0).stop is Stop.ITERATIONS
    assert model.codes == 1


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
def test_what_was_given_before_is_not_run_again(repaired: Callable[..., Repair], strategy: str) -> None:
    """The model is told so, and asked for something else."""
    model = Says(wrong(1), f"{wrong(1)}    # the same\n", RIGHT)
    repair = repaired(strategy, model)
    assert repair.fixed
    assert [turn.fault for turn in repair.turns if turn.node not in ("thought", "critic")] == ["", "repeat", ""]
    assert len(repair.attempts) == 2


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply("I cannot help with that.", finish=Finish.REFUSED), "refused"),
        (Reply(""), None),
        (Reply("def price(net, weight:\n    return"), None),
    ],
    ids=["a refusal", "nothing", "no Python"],
)
def test_a_reply_without_a_candidate_is_a_fault_of_its_own(
    repaired: Callable[..., Repair], strategy: str, reply: Reply, fault: str | None
) -> None:
    """Recorded apart, never as a failed candidate; the next reply may mend it."""
    repair = repaired(strategy, Says(reply, RIGHT))
    assert repair.fixed, repair.explanation
    assert len(repair.attempts) == 1
    faults = [turn.fault for turn in repair.turns if turn.fault]
    assert len(faults) == 1
    assert fault in (None, faults[0])


@pytest.mark.parametrize("strategy", ASKING)
def test_nothing_red_asks_nobody(repaired: Callable[..., Repair], strategy: str) -> None:
    """A program that passes costs nothing."""
    model = Says(wrong(1))
    suite = read_suite("assert price(0, 0) == 0", program=PROGRAM, module="program", entry_point="price")
    repair = repaired(strategy, model, replace(make_task(), suite=suite))
    assert repair.stop is Stop.NOTHING_RED
    assert model.requests == []


@pytest.mark.parametrize(
    ("strategy", "checks"),
    [*((strategy, "assert price(0, 0) == 0") for strategy in ASKING), ("react", ""), ("hybrid", "")],
)
def test_a_program_that_is_known_wrong_is_repaired_whatever_can_be_seen(
    repaired: Callable[..., Repair], strategy: str, checks: str
) -> None:
    """A benchmark's examples may all pass, or be missing: the model is asked, and its reply handed over as it is."""
    suite = (
        read_suite(checks, program=PROGRAM, module="program", entry_point="price")
        if checks
        else Suite(SuiteKind.SCRIPT, "", ())
    )
    model = Says(RIGHT)
    repair = repaired(strategy, model, replace(make_task(), suite=suite, known_wrong=True))
    assert (model.codes, repair.stop) == (1, Stop.FIXED if checks else Stop.ANSWERED)
    assert repair.chosen is not None
    assert "net * (100 + TAX)" in repair.chosen.candidate.source, "no check needs the change, and it is not undone"


def test_a_search_without_a_red_check_hands_over_nothing(resources: Resources) -> None:
    """It has nothing to go by: that is a result and no error, and nobody's fault."""
    blind = replace(make_task(), suite=Suite(SuiteKind.SCRIPT, "", ()), known_wrong=True)
    with open_strategy(settings_for("search"), resources) as search:
        repair = search.repair(blind, 0)
    assert (repair.stop, repair.chosen, repair.attempts) == (Stop.NOTHING_RED, None, ())


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
@pytest.mark.parametrize(
    ("problem", "stop"),
    [
        (BudgetSpent("the money is gone.", kind="usd"), Stop.MONEY),
        (BudgetSpent("the tokens are gone.", kind="tokens"), Stop.TOKENS),
        (ContextTooLong("too long."), Stop.CONTEXT),
    ],
    ids=["money", "tokens", "context"],
)
def test_a_limit_ends_the_repair_with_its_name(
    repaired: Callable[..., Repair], strategy: str, problem: Exception, stop: Stop
) -> None:
    """What was tried until then is kept."""
    repair = repaired(strategy, Says(wrong(1), problem))
    assert repair.stop is stop
    assert len(repair.attempts) == 1


@pytest.mark.parametrize("strategy", [*CONVERSATIONAL, "hybrid"])
def test_a_prompt_that_does_not_fit_is_told_and_shortened(repaired: Callable[..., Repair], strategy: str) -> None:
    """Tests and statement give way, program and failing check do not; the refusal is on record, and no call."""
    model = Says(ContextTooLong("4,000 tokens are too many."), ContextTooLong("still too many."), RIGHT)
    told = "Net price plus tax. " * 100
    task = replace(make_task(), statement=told)
    repair = repaired(strategy, model, task, max_candidates=40)
    asked = [request for request in model.requests if request.node not in ("thought", "critic")]
    lengths = [sum(len(message.content) for message in request.messages) for request in asked]
    assert repair.fixed
    assert lengths[0] > lengths[-1]
    assert all("def price" in request.messages[-1].content for request in asked)
    assert [turn.fault for turn in repair.turns if turn.was_refused] == ["context"] * 2
    assert [turn.number for turn in repair.turns] == list(range(len(repair.turns)))
    assert repair.cost.model_calls == len(repair.turns) - 2
    assert "shortened" in repair.explanation


def test_a_prompt_is_asked_no_more_often_than_it_can_be_shortened(repaired: Callable[..., Repair]) -> None:
    """The same words would be refused again: the repair ends and says why."""
    model = Says(ContextTooLong("4,000 tokens are too many."))
    repair = repaired("single", model)
    assert (repair.stop, len(model.requests), repair.cost.model_calls) == (Stop.CONTEXT, 2, 0)
    assert "4,000 tokens are too many" in repair.explanation


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
def test_a_reply_that_the_context_cut_off_shortens_the_next_prompt(
    repaired: Callable[..., Repair], strategy: str
) -> None:
    """No error came, but the window was full before the reply had the length that it was allowed."""
    half = Reply("```python\ndef price(net,", finish=Finish.LENGTH, usage=Usage(1_900, 148))
    model = Says(half, RIGHT)
    repair = repaired(strategy, model, iters=2)
    assert repair.fixed
    assert repair.turns[0].fault or strategy == "patch"
    assert "shortened" in repair.explanation


def test_the_time_of_a_model_is_none_of_the_search_s(repaired: Callable[..., Repair]) -> None:
    """A slow model is asked as often as it may be; a limit on its own time ends the repair, and is named."""

    class Slow(Says):
        def ask(self, request: Request) -> Reply:
            clock[0] += 100.0
            return super().ask(request)

    clock = [0.0]
    slow = Slow(wrong(1), wrong(2), wrong(3), RIGHT)
    assert repaired("reflect", slow, max_seconds=60, clock=clock).fixed
    slow = Slow(wrong(1), wrong(2), wrong(3), RIGHT)
    limited = repaired("reflect", slow, max_model_seconds=150, clock=clock)
    assert (limited.stop, limited.cost.model_calls) == (Stop.MODEL_SECONDS, 2)


def test_the_turn_of_a_model_in_plain_text_ends_before_the_observation(repaired: Callable[..., Repair]) -> None:
    """Each service is told where to stop."""
    model = Says(wrong(1), RIGHT)
    repaired("react", model)
    assert {request.stop for request in model.requests} == {("\nObservation:",)}


@pytest.mark.parametrize("strategy", CONVERSATIONAL)
def test_a_service_that_is_down_is_an_error_of_its_own(repaired: Callable[..., Repair], strategy: str) -> None:
    """Never a failed repair."""
    with pytest.raises(ModelUnavailable):
        repaired(strategy, Says(ModelUnavailable("down.")))


def blocks(*codes: str) -> Reply:
    """A reply in which each text stands in a block of its own."""
    return Reply("\nOr:\n".join(f"```python\n{code}```" for code in codes), usage=Usage(100, 10))


@pytest.mark.parametrize("strategy", ["reflect", "hybrid", "tools"])
def test_every_complete_block_of_a_reply_is_judged(repaired: Callable[..., Repair], strategy: str) -> None:
    """Until one passes: a model that spoils its first answer is believed all the same, and the block is on record."""
    model = Says(blocks(wrong(1), RIGHT, wrong(2)))
    repair = repaired(strategy, model, iters=0, max_candidates=50)
    own = [attempt for attempt in repair.attempts if attempt.turn == 0]
    assert repair.stop is Stop.FIXED
    assert len(model.requests) == 1
    assert [attempt.verdict.passed for attempt in own] == [False, True]
    assert ["block 3 of the reply" in own[0].candidate.note, "block 2 of the reply" in own[1].candidate.note] == [
        True,
        True,
    ]


def test_of_several_blocks_the_one_that_passes_most_is_corrected(repaired: Callable[..., Repair]) -> None:
    """Whichever place it has; blocks that say the same are one candidate, and one that was given before is none."""
    better = "def price(net, weight):\n    return round(net * 1.2, 2)\n"
    model = Says(blocks(wrong(1), better, wrong(2), wrong(2) + "# again\n"), blocks(better, wrong(3)))
    repair = repaired("reflect", model, iters=1)
    assert [attempt.candidate.source.count("1.2") for attempt in repair.attempts] == [0, 0, 1, 0]
    assert "1.2" in model.requests[1].messages[-1].content
    assert repair.attempts[-1].turn == 1


def test_the_blocks_of_a_reply_keep_to_the_budget(repaired: Callable[..., Repair]) -> None:
    """A candidate is a candidate, wherever it stands."""
    repair = repaired("reflect", Says(blocks(wrong(1), wrong(2), wrong(3))), iters=3, max_candidates=2)
    assert (len(repair.attempts), repair.stop) == (2, Stop.CANDIDATES)


def test_a_published_protocol_takes_one_block(repaired: Callable[..., Repair]) -> None:
    """The last one, whatever the others would be worth."""
    repair = repaired("single", Says(blocks(RIGHT, wrong(1))))
    assert [attempt.verdict.passed for attempt in repair.attempts] == [False]


@pytest.mark.parametrize("strategy", ASKING)
def test_the_same_replies_give_the_same_candidates(repaired: Callable[..., Repair], strategy: str) -> None:
    """In the same order, asked in the same words."""
    first, second = Says(wrong(1), wrong(2), RIGHT), Says(wrong(1), wrong(2), RIGHT)
    # Few candidates, so that a search leaves the model something to do.
    one, other = (repaired(strategy, model, max_candidates=200) for model in (first, second))
    assert [a.candidate.id for a in one.attempts] == [a.candidate.id for a in other.attempts]
    assert [r.key("m") for r in first.requests] == [r.key("m") for r in second.requests]


def test_a_single_reply_sees_no_test_result(repaired: Callable[..., Repair]) -> None:
    """OctoPack's protocol: the program, its tests or its statement, and one sentence."""
    tests, docstring = Says(wrong(1)), Says(wrong(1))
    repaired("single", tests)
    repaired("single", docstring, prompt_style="docstring")
    with_tests, with_words = (model.requests[0].messages[-1].content for model in (tests, docstring))
    assert "assert price(100, 1) == 120.0" in with_tests
    assert "assert" not in with_words
    assert "Net price plus tax" in with_words
    assert all(text.endswith("Fix bugs in price.") for text in (with_tests, with_words))
    assert len(tests.requests) == 1


@pytest.mark.parametrize(
    "code",
    [
        RIGHT.replace("net, weight", "amount, kilos").replace("net *", "amount *").replace("weight", "kilos"),
        "price = lambda n, w: round(n * (100 + TAX) / 100 + (shipping(w) if w > 10 else 0), 2)\n",
        "def price(*args):\n    n, w = args\n    return n * (100 + TAX) / 100 + (shipping(w) if w > 10 else 0)\n",
    ],
    ids=["renamed", "lambda", "starred"],
)
def test_a_single_reply_is_accepted_where_the_published_protocol_accepts_it(
    repaired: Callable[..., Repair], code: str
) -> None:
    """The checks are the only callers there; strategies that keep a project's callers whole still refuse it."""
    repair = repaired("single", Says(code))
    assert repair.fixed
    assert repair.chosen is not None
    assert repair.chosen.candidate.source.count("price") == 1
    assert not repaired("reflect", Says(code), iters=0).fixed


def test_a_critic_that_says_neither_yes_nor_no_has_not_consented(repaired: Callable[..., Repair]) -> None:
    """Its reply is a fault with a name, and the explanation says that the patch was run without a word of it."""

    class Mumbling(Says):
        def ask(self, request: Request) -> Reply:
            return Reply("Well, hm.") if request.node == "critic" else super().ask(request)

    repair = repaired("patch", Mumbling(RIGHT), critic=True)
    assert repair.fixed
    assert [turn.fault for turn in repair.turns if turn.node == "critic"] == ["unreadable"]
    assert "did not say whether" in repair.explanation


def test_the_form_of_a_patch_is_an_edit_that_fits_the_program(repaired: Callable[..., Repair]) -> None:
    """A small model that copies the form word for word changes nothing: it is no patch that does not fit."""

    class Copying(Says):
        def ask(self, request: Request) -> Reply:
            if request.node != "patch":
                return super().ask(request)
            (form,) = re.findall(r'^\{"edits":.*\}$', request.messages[-1].content, re.MULTILINE)
            return Reply(form)

    repair = repaired("patch", Copying(RIGHT), iters=0)
    (fault,) = [turn.fault for turn in repair.turns if turn.node == "patch"]
    assert fault == "repeat"


def test_where_no_check_may_be_run_the_one_reply_is_handed_over(repaired: Callable[..., Repair]) -> None:
    """Protocol `none`: whether it is right is for others to say."""
    blind = replace(make_task(), suite=Suite(SuiteKind.SCRIPT, TESTS, ()))
    repair = repaired("single", Says(wrong(7)), blind)
    assert repair.stop is Stop.ANSWERED
    assert repair.chosen is not None
    assert "net + 7 * weight" in repair.chosen.candidate.source
    assert repair.attempts == ()


def test_a_correction_sees_the_first_failing_check_and_its_own_last_version(repaired: Callable[..., Repair]) -> None:
    """And no other check, and no earlier version."""
    model = Says(wrong(1), wrong(2), RIGHT)
    repaired("reflect", model)
    told = model.requests[2].messages[-1].content
    assert "net + 2 * weight" in told
    assert "net + 1 * weight" not in told
    assert "expected 120.0, got 102" in told
    assert "price(50, 2)" not in told
    assert model.requests[0].temperature == 0.0
    assert [request.temperature for request in model.requests] == [0.0, 0.2, 0.4]


def test_a_model_that_repeats_itself_is_shown_what_it_repeats(repaired: Callable[..., Repair]) -> None:
    """The version that came back, not the one that was judged last; and the check that this very one fails."""
    model = Says(wrong(1), wrong(2), wrong(1), RIGHT)
    repair = repaired("reflect", model)
    told = model.requests[3].messages[-1].content
    assert "net + 1 * weight" in told
    assert "net + 2 * weight" not in told
    assert "expected 120.0, got 101" in told
    assert repair.turns[2].candidate_id == repair.attempts[0].candidate.id


def test_a_hybrid_s_model_is_not_told_that_it_gave_what_the_search_found(repaired: Callable[..., Repair]) -> None:
    """When it repeats itself, it is shown its own version, however near the search has come."""
    source = UNSEARCHABLE.replace("return text.upper()", "return text + text.upper()")
    suite = read_suite(ENCODE_TESTS, program=source, module="program", entry_point="encode")
    poor = "def encode(text):\n    return 'poor'\n"
    model = Says(poor)
    repair = repaired("hybrid", model, Task("encode", source, "encode", suite), max_candidates=300, iters=2)
    corrected, told = (request.messages[-1].content for request in model.requests[1:])
    assert [turn.node for turn in repair.turns] == ["consult", "correct", "repeat"]
    assert "text.upper()" in corrected
    assert "further from it; 0 of 4 checks pass with it:\n```python\ndef encode(text):" in corrected
    assert "return 'poor'" in told
    assert "text.upper()" not in told


def test_a_model_without_tools_is_asked_in_plain_text(repaired: Callable[..., Repair]) -> None:
    """The fall-back is said, and works."""
    model = Says(ToolsUnsupported("no tools."), wrong(1), RIGHT)
    repair = repaired("tools", model)
    assert repair.fixed, repair.explanation
    assert [bool(request.tools) for request in model.requests] == [True, False, False]
    assert "react" in repair.explanation


def test_a_tool_result_tells_expected_and_actual(repaired: Callable[..., Repair]) -> None:
    """As the answer to the call that it belongs to; a second call at once is answered, too."""
    calls = tuple(ToolCall(f"c{n}", "run_code", json.dumps({"code": wrong(n), "explanation": ""})) for n in (1, 2))
    model = Says(Reply("", calls, finish=Finish.TOOL_CALLS), RIGHT)
    repaired("tools", model)
    results = [message for message in model.requests[1].messages if message.role == "tool"]
    assert [message.tool_call_id for message in results] == ["c1", "c2"]
    assert "expected 120.0, got 101" in results[0].content
    assert "not run" in results[1].content


@pytest.mark.parametrize("arguments", ["{", "[]", '{"code": 5}', '{"cod": "x"}'])
def test_a_malformed_call_is_told_to_the_model(repaired: Callable[..., Repair], arguments: str) -> None:
    """It is no candidate, and no crash."""
    model = Says(Reply("", (ToolCall("c", "run_code", arguments),), finish=Finish.TOOL_CALLS), RIGHT)
    repair = repaired("tools", model)
    assert repair.fixed
    assert repair.turns[0].fault == "tool_call"


def test_a_critic_can_keep_a_patch_from_being_run(resources: Resources) -> None:
    """Its reason goes back to the one who plans."""

    class Strict(Says):
        def ask(self, request: Request) -> Reply:
            if request.node == "critic" and len(self.requests) < 4:
                self.requests.append(request)
                return Reply('{"accept": false, "reason": "shipping is still subtracted"}')
            return super().ask(request)

    model = Strict(wrong(1), RIGHT)
    with open_strategy(settings_for("patch", critic=True), resources, model=model) as strategy:
        repair = strategy.repair(make_task(), 0)
    assert repair.fixed, repair.explanation
    assert len(repair.attempts) == 1
    again = next(r for r in model.requests[3:] if r.node == "thought")
    assert "shipping is still subtracted" in again.messages[-1].content


def test_a_hybrid_asks_only_when_the_search_finds_nothing(repaired: Callable[..., Repair]) -> None:
    """What search can do costs no model call."""
    source = "def last(items):\n    return items[len(items)]\n"
    tests = "assert last([1, 2]) == 2\nassert last('abc') == 'c'\nassert last([5]) == 5\n"
    suite = read_suite(tests, program=source, module="program", entry_point="last")
    model = Says(RIGHT)
    repair = repaired("hybrid", model, Task("last", source, "last", suite))
    assert repair.fixed, repair.explanation
    assert model.requests == []


UNSEARCHABLE = '''def encode(text):
    """Run-length encoding: "aab" is "a2b1"."""
    return text.upper()
'''
ENCODE_TESTS = """
assert encode("") == ""
assert encode("aab") == "a2b1"
assert encode("abc") == "a1b1c1"
assert encode("zzzz") == "z4"
"""
NEARLY = '''def encode(text):
    """Run-length encoding: "aab" is "a2b1"."""
    result = ""
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        result += text[i] + str(j - i + 1)
        i = j
    return result
'''
ENCODES = '''def encode(text):
    """Run-length encoding: "aab" is "a2b1"."""
    import re

    runs = re.findall(r"((.)\\2*)", text)
    return "".join(letter + str(len(run)) for run, letter in runs)
'''
"""Right, and no part of it hangs without the rest, as the making of a smaller patch would try."""


def test_a_hybrid_searches_around_the_models_near_miss(repaired: Callable[..., Repair]) -> None:
    """The model brings the algorithm, the search the last character: neither could do it alone."""
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    model = Says(NEARLY)
    repair = repaired("hybrid", model, Task("encode", UNSEARCHABLE, "encode", suite), max_candidates=5000)
    assert repair.fixed, repair.explanation
    assert len(model.requests) == 1
    assert repair.chosen is not None
    assert repair.chosen.candidate.origin.startswith("search:")


def test_a_hybrid_tells_the_model_what_search_learnt(repaired: Callable[..., Repair]) -> None:
    """Which lines are suspicious, and what fails now."""
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    model = Says(wrong(1))
    repaired("hybrid", model, Task("encode", UNSEARCHABLE, "encode", suite), max_candidates=200, iters=0)
    told = model.requests[0].messages[-1].content
    assert "line 3: return text.upper()" in told
    assert "expected 'a2b1', got 'AAB'" in told


def test_a_hybrid_s_searches_keep_to_the_candidates_that_they_may_try(repaired: Callable[..., Repair]) -> None:
    """All of them together, however often the model gives them somewhere to look."""
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    task = Task("encode", UNSEARCHABLE, "encode", suite)
    nothing = [f"def encode(text):\n    return text + '{n}'\n" for n in range(3)]
    repair = repaired("hybrid", Says(*nothing), task, max_candidates=60, iters=2)
    by_search = repair.cost.candidates - len(repair.attempts)
    assert not repair.fixed
    assert 0 < by_search <= 60
    assert len(repair.turns) == 3


def test_a_hybrid_s_searches_that_time_ended_are_replayed_as_they_were(repaired: Callable[..., Repair]) -> None:
    """Each to its own count: what the model is told depends on how far a search came."""
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    task = Task("encode", UNSEARCHABLE, "encode", suite)
    replies = [f"def encode(text):\n    return text + '{n}'\n" for n in range(2)]
    ticks = itertools.count()
    slow, recorded = Says(*replies), Says(*replies)
    first = repaired("hybrid", slow, task, iters=1, clock=lambda: 1.5 * next(ticks))
    assert first.stop is Stop.ITERATIONS
    assert 0 < first.cost.searches[0] < 4_000, "the clock ended it"
    budget = RecordedEnd(first.stop, first.cost.candidates, 1, first.cost.searches).budget(
        Budget(iterations=1), searches_alone=False
    )
    again = repaired("hybrid", recorded, task, iters=1, budget=budget)
    assert again.cost.searches == first.cost.searches
    assert [request.messages for request in recorded.requests] == [request.messages for request in slow.requests]
    assert again.cost.candidates == first.cost.candidates


@pytest.mark.parametrize("strategy", ASKING)
def test_a_killed_repair_goes_on_from_its_last_node(resources: Resources, tmp_path: Path, strategy: str) -> None:
    """Replies that were paid for are not asked for again."""
    settings = settings_for(strategy, max_candidates=300)
    budgeted = replace(resources, budget=settings.budget)
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    task = Task("encode", UNSEARCHABLE, "encode", suite)

    class Killed(BaseException):
        """Stands for a process that is gone."""

    class Dies(Says):
        def ask(self, request: Request) -> Reply:
            if len(self.requests) == (0 if strategy == "single" else 1):
                raise Killed
            return super().ask(request)

    store = tmp_path / "checkpoints.sqlite"
    dying = Dies("def encode(text):\n    return text + '1'\n")
    with (
        pytest.raises(Killed),
        open_strategy(settings, budgeted, model=dying, checkpoints=store) as opened,
    ):
        opened.repair(task, 0)
    living = Says(ENCODES)
    with open_strategy(settings, budgeted, model=living, checkpoints=store) as opened:
        repair = opened.repair(task, 0)
    assert len(repair.turns) == len(dying.requests) + len(living.requests)
    assert [turn.number for turn in repair.turns] == list(range(len(repair.turns)))


def test_a_checkpoint_that_names_no_next_step_starts_from_the_beginning(resources: Resources, tmp_path: Path) -> None:
    """A version with another layout left nothing to resume from: the repair is made from the start, of nothing left."""
    settings = settings_for("reflect")
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    task = Task("encode", UNSEARCHABLE, "encode", suite)
    store = tmp_path / "checkpoints.sqlite"
    with open_checkpointer(store) as saver:
        kept = {"left": "draft", "turns": ["of another layout"]}
        versions = dict.fromkeys(kept, "1")
        checkpoint = {**empty_checkpoint(), "channel_values": kept, "channel_versions": versions}
        config = {"configurable": {"thread_id": "encode#0", "checkpoint_ns": ""}}
        saver.put(config, checkpoint, {"source": "loop", "step": 1}, versions)
    model = Says(ENCODES)
    with open_strategy(settings, resources, model=model, checkpoints=store) as opened:
        repair = opened.repair(task, 0)
    assert repair.fixed
    assert len(repair.turns) == len(model.requests) == 1


@pytest.mark.parametrize("strategy", ["search", "reflect", "hybrid"])
def test_a_repair_holds_a_core_but_while_the_model_thinks(resources: Resources, strategy: str) -> None:
    """What waits for a model leaves its core to others, and all are given back in the end."""
    settings = settings_for(strategy, max_candidates=100)
    cores = threading.Semaphore(1)
    free: list[bool] = []

    class Looks(Says):
        def ask(self, request: Request) -> Reply:
            free.append(cores.acquire(blocking=False))
            cores.release()
            return super().ask(request)

    def held(event: Event) -> None:
        free.append(not cores.acquire(blocking=False))

    budgeted = replace(resources, budget=settings.budget, cores=cores)
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    task = Task("encode", UNSEARCHABLE, "encode", suite)
    with open_strategy(settings, budgeted, model=Looks("I do not know.")) as opened:
        opened.repair(task, 0, held)
    assert len(free) > 3
    assert all(free)
    assert cores.acquire(blocking=False)
    assert not cores.acquire(blocking=False)


ENDS = """def ends(items):
    first = items[1]
    size = len(items)
    last = items[2]
    return first, last, size
"""
HALF_TESTS = """
assert ends([3])[2:] == (3,) or True
assert ends([1, 2, 3, 4])[0] == 1
assert ends([1, 2, 3, 4])[1:] == ("nobody", "knows")
"""
ENDS_TESTS = "assert ends([1, 2, 3, 4]) == (1, 4, 4)\nassert ends([5, 6, 7, 8, 9]) == (5, 9, 5)\n"


def test_a_doubtful_repair_is_not_lost_with_the_service(repaired: Callable[..., Repair]) -> None:
    """Two places on the word of two checks: the model is asked, cannot be, and the stop says so beside the repair."""
    suite = read_suite(ENDS_TESTS, program=ENDS, module="program", entry_point="ends")
    repair = repaired("hybrid", Says(ModelUnavailable("it is down.")), Task("ends", ENDS, "ends", suite))
    assert repair.stop is Stop.ERROR
    assert repair.chosen is not None
    assert repair.chosen.verdict.passed
    assert "it is down" in repair.explanation


@pytest.mark.parametrize("strategy", [*CONVERSATIONAL, "hybrid"])
def test_what_was_found_before_the_service_failed_goes_with_its_error(
    repaired: Callable[..., Repair], strategy: str
) -> None:
    """Replies that were paid for are not lost: attempts, the best one and the cost are there beside the error."""
    suite = read_suite(ENCODE_TESTS, program=UNSEARCHABLE, module="program", entry_point="encode")
    model = Says("def encode(text):\n    return ''.join(f'{c}1' for c in text)\n", ModelUnavailable("it broke down."))
    with pytest.raises(ModelUnavailable, match="it broke down") as caught:
        repaired(strategy, model, Task("encode", UNSEARCHABLE, "encode", suite), max_candidates=200)
    repair = caught.value.repair
    assert isinstance(repair, Repair)
    assert (repair.stop, repair.chosen, repair.cost.model_calls) == (Stop.ERROR, None, len(model.requests) - 1)
    assert repair.best is not None
    assert (repair.before.checks_passed, repair.best.verdict.checks_passed) == (1, 2)


class Interrupts:
    """Somebody who watches a repair and presses Ctrl-C as soon as it is where they wait for it."""

    def __init__(self, awaited: Callable[[Event], bool]) -> None:
        self.awaited = awaited
        self.pressed = False

    def __call__(self, event: Event) -> None:
        if not self.pressed and self.awaited(event):
            self.pressed = True
            raise KeyboardInterrupt


@pytest.mark.parametrize("strategy", ["search", "hybrid"])
def test_a_repair_that_a_search_had_found_survives_an_interrupt(resources: Resources, strategy: str) -> None:
    """Ctrl-C while it is made smaller: it passes, so it is handed over as it is, and the stop says why it ended."""
    suite = read_suite(ENDS_TESTS, program=ENDS, module="program", entry_point="ends")
    interrupts = Interrupts(lambda event: event.phase == "minimising")
    with open_strategy(settings_for(strategy), resources, model=Says("")) as opened:
        repair = opened.repair(Task("ends", ENDS, "ends", suite), 0, interrupts)
    assert interrupts.pressed
    assert (repair.stop, repair.best, repair.cost.model_calls) == (Stop.INTERRUPTED, None, 0)
    assert repair.chosen is not None
    assert repair.chosen.verdict.passed


@pytest.mark.parametrize("strategy", ["search", "hybrid"])
def test_a_near_miss_of_a_search_survives_an_interrupt(resources: Resources, strategy: str) -> None:
    """Ctrl-C while it searches: what came near, what was suspected and what was tried are told."""
    source = ENDS.replace("size = len(items)", "size = len(items) * 3 // 2")
    suite = read_suite(HALF_TESTS, program=source, module="program", entry_point="ends")
    interrupts = Interrupts(lambda event: event.best_passed > 1 and event.phase == "searching")
    with open_strategy(settings_for(strategy), resources, model=Says("")) as opened:
        repair = opened.repair(Task("ends", source, "ends", suite), 0, interrupts)
    assert interrupts.pressed
    assert (repair.stop, repair.chosen, repair.cost.model_calls) == (Stop.INTERRUPTED, None, 0)
    assert repair.best is not None
    assert repair.best.verdict.checks_passed == 2
    assert repair.cost.candidates > 0
    assert repair.sites


def test_an_interrupt_while_a_model_is_asked_keeps_what_the_search_found(resources: Resources) -> None:
    """A doubtful repair is one all the same."""
    suite = read_suite(ENDS_TESTS, program=ENDS, module="program", entry_point="ends")
    interrupts = Interrupts(lambda event: event.phase == "asking")
    with open_strategy(settings_for("hybrid"), resources, model=Says("")) as opened:
        repair = opened.repair(Task("ends", ENDS, "ends", suite), 0, interrupts)
    assert repair.stop is Stop.INTERRUPTED
    assert repair.chosen is not None
    assert repair.chosen.verdict.passed
