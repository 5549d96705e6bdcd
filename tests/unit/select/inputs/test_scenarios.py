"""What do checks do with a program, and with which inputs?"""

from __future__ import annotations

import contextlib
from textwrap import indent

import pytest

from regreen.select.inputs.scenarios import Scenario, looks_elsewhere, read_scenarios
from regreen.types import Check, Step, Suite, SuiteKind
from regreen.verify.io_cases import read_io_cases


def script(*codes: str) -> Suite:
    """A script, each of whose statements is a check if it asserts something."""
    checks = [code for code in codes if "assert" in code]
    steps = tuple(Step(code, code if code in checks else None) for code in codes)
    return Suite(SuiteKind.SCRIPT, "\n".join(codes), tuple(Check(code, code) for code in checks), steps)


def module(text: str) -> Suite:
    """A test module."""
    return Suite(SuiteKind.PYTEST, text, ())


def told(suite: Suite) -> list[tuple[str, list[object], str | None]]:
    """The scenarios of a suite in words, with their inputs and what the checks expect."""
    return [(s.words, s.inputs, s.expected) for s in read_scenarios(suite, {"f", "Stack"})]


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("assert f(1, 'a') == [2]", ("f(1, 'a')", [1, "a"], "[2]")),
        ("assert [2] == f(1)", ("f(1)", [1], "[2]")),
        ("assert not f(-1)", ("f(-1)", [-1], "False")),
        ("assert f(1)", ("f(1)", [1], None)),
        ("assert abs(f(1.5) - 0.5) < 1e-6", ("f(1.5)", [1.5], None)),
        ("assert f([1, 2])[0] == 1", ("f([1, 2])[0]", [[1, 2]], "1")),
        ("xs = [3]\nf(xs)\nassert xs == [3]", ("xs = [3]; f(xs); xs", [[3]], "[3]")),
    ],
)
def test_an_assertion_is_a_call_and_what_it_expects(check: str, expected: object) -> None:
    """Whatever stands around the call."""
    assert told(script(check)) == [expected]


def test_a_check_of_a_script_has_what_it_needs_of_the_statements_before_it() -> None:
    """And nothing else."""
    suite = script("s = Stack(2)", "t = Stack(9)", "s.push(1)\nassert s.size == 1", "s.push(3)\nassert s.size == 2")
    assert [words for words, *_ in told(suite)] == [
        "s = Stack(2); s.push(1); s.size",
        "s = Stack(2); s.push(1); s.push(3); s.size",
    ]


def test_a_case_of_data_is_the_call_itself() -> None:
    """As who wrote the `.jsonl` line would say it."""
    row, program = '{"args": [[1, 2]], "expected": [2]}', "def f(x):\n    return x\n"
    suite = read_io_cases(row, program=program, module="program", entry_point="f", origin="cases.jsonl")
    assert told(suite) == [("f([1, 2])", [[1, 2]], "[2]")]


def test_tables_loops_and_expected_exceptions_are_read() -> None:
    """Each row of pytest's `parametrize` and of a literal loop is a scenario; so is a `raises` block."""
    text = (
        "@pytest.mark.parametrize('x, y', [(1, 2), (3, 4)])\n"
        "def test_rows(x, y):\n    assert f(x) == y\n"
        "def test_loop():\n    for x in [5, 6]:\n        assert f(x) == 0\n"
        "def test_error():\n    with pytest.raises(ValueError):\n        f('')\n"
        "def test_fixture(tmp_path):\n    assert f(tmp_path) == 0\n"
        "def test_other():\n    assert g(1) == 2\n"
    )
    assert told(module(text)) == [
        ("f(1)", [1], "2"),
        ("f(3)", [3], "4"),
        ("f(5)", [5], "0"),
        ("f(6)", [6], "0"),
        ("f('')", [""], "raises Exception"),
    ]


def test_unittest_and_doctest_say_the_same_in_other_words() -> None:
    """`assertEqual` compares; an example's output is what is expected."""
    cases = "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n"
    assert told(module(cases)) == [("f(1)", [1], "2")]
    example = Suite(SuiteKind.SCRIPT, "", (Check("e", "f(1)"),), (Step("f(1)", "e", want="2\n"),))
    assert told(example) == [("f(1)", [1], "2")]


def scenario(check: str) -> Scenario:
    """The scenario of one check."""
    return read_scenarios(script(check), {"f", "Stack"})[0]


def test_other_inputs_take_the_place_of_the_literals() -> None:
    """In order, and the scenario itself stays as it is."""
    given = scenario("s = Stack([1], size=2)\nassert s.push('a') == 3")
    other = given.with_inputs([[], 9, "b"])
    assert (other.words, other.inputs) == ("s = Stack([], size=9); s.push('b')", [[], 9, "b"])
    assert (given.words, given.inputs) == ("s = Stack([1], size=2); s.push('a')", [[1], 2, "a"])


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("[1]", "assert f(1) == [1]\n"),
        ("None", "assert f(1) is None\n"),
        ("raises KeyError", "try:\n    f(1)\nexcept KeyError:\n    pass\nelse:\n    raise AssertionError\n"),
        ("<Stack object>", ""),
        ("raises NoSuchBuiltin", ""),
        ("hangs", ""),
        ("", ""),
        ("x = 1", ""),
        ("pass", ""),
        ("# nothing", ""),
    ],
)
def test_an_answer_becomes_a_check_where_one_can_say_it(answer: str, claim: str) -> None:
    """Of plain values and the exceptions that every program knows."""
    assert scenario("assert f(1) == 2").claim(answer) == claim


@pytest.mark.parametrize(("answer", "holds"), [("True", True), ("False", False), ("[2]", False)])
def test_a_check_asks_for_the_whole_of_what_is_looked_at(answer: str, holds: bool) -> None:
    """Also where that is a comparison, or several conditions."""
    claim = scenario("s = Stack([1])\nassert s.push(2) and s == [1, 2]").claim(answer)
    program = "class Stack(list):\n    def push(self, x):\n        self.append(x)\n        return True\n"
    with contextlib.nullcontext() if holds else pytest.raises(AssertionError):
        exec(program + claim, {})


def test_any_step_may_raise_what_is_expected() -> None:
    """A program whose earlier step raises it passes the check, and one that raises nothing fails it."""
    claim = scenario("s = Stack([1])\ns.push(2)\nassert s.pop() == 2").claim("raises ValueError")
    raising = "class Stack(list):\n    def push(self, x):\n        raise ValueError\n"
    exec(raising + claim, {})
    with pytest.raises(AssertionError):
        exec(raising.replace("raise ValueError", "self.append(x)") + claim, {})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "clock = f()\ns = Stack(clock)\nclock.tick(5)\nassert s.pop() == 1",
            "clock = f(); s = Stack(clock); clock.tick(5); s.pop()",
        ),
        (
            "now = [0]\ns = Stack(clock=lambda: now[0])\nnow[0] = 5\nassert s.pop() == 1",
            "now = [0]; s = Stack(clock=lambda: now[0]); now[0] = 5; s.pop()",
        ),
        ("now = [0]\ns = Stack(lambda: now[0])\nassert s.pop() == 1", "now = [0]; s = Stack(lambda: now[0]); s.pop()"),
        ("n = 3\ns = Stack(n)\nn = 4\nassert s.pop() == 1", "s = Stack(3); s.pop()"),
        ("other = Stack(1)\ns = Stack(2)\nother.push(3)\nassert s.pop() == 1", "s = Stack(2); s.pop()"),
    ],
)
def test_what_was_handed_over_may_change_later(body: str, words: str) -> None:
    """A clock does; a number does not, nor does what has nothing to do with the object."""
    text = "def test():\n" + "".join(f"    {line}\n" for line in body.splitlines())
    assert [found for found, *_ in told(module(text))] == [words]


def test_what_came_of_a_call_may_share_what_it_was_handed() -> None:
    """So what is done with the one is done before the other is looked at; a number is shared with nobody."""
    body = "base = {1: []}\n    got = f(base, 2)\n    got[1].append(3)\n    left = f(4)\n    left.append(5)\n"
    suite = module(f"def test():\n    {body}    assert base == {{1: []}}\n")
    assert [words for words, *_ in told(suite)] == ["base = {1: []}; got = f(base, 2); got[1].append(3); base"]


def test_what_else_a_check_has_is_looked_at_too() -> None:
    """Each of its variables after all that it does."""
    suite = module("def test():\n    base = {1: 2}\n    got = f(base)\n    got[3] = 4\n    assert base == {1: 2}\n")
    (scenario,) = read_scenarios(suite, {"f"})
    assert [made.words for made in looks_elsewhere(scenario)] == ["base = {1: 2}; got = f(base); got[3] = 4; got"]
    (plain,) = read_scenarios(module("def test():\n    assert f(1) == 2\n"), {"f"})
    assert list(looks_elsewhere(plain)) == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "s = Stack(2)\nassert s.push(1) == 1\nassert s.top() == 1\nassert s.size == 1",
            ["s = Stack(2); s.push(1)", "s = Stack(2); s.push(1); s.top()", "s = Stack(2); s.push(1); s.size"],
        ),
        ("assert f(1) == 2\nassert f(2) == 3", ["f(1)", "f(2)"]),
    ],
)
def test_what_an_assertion_does_is_done_for_the_later_ones(body: str, words: list[str]) -> None:
    """Where it calls what changes something; what only looks is left out."""
    text = "def test():\n" + "".join(f"    {line}\n" for line in body.splitlines())
    for suite in (module(text), script(*body.splitlines())):
        found = read_scenarios(suite, {"f", "Stack"}, frozenset({"push", "f"}))
        assert [scenario.words for scenario in found] == words


def asked(text: str) -> list[str]:
    """What a question after each scenario of a test module runs, without its own imports."""
    found = read_scenarios(module(text), {"f", "Stack", "pop", "made"}, {"pop"})
    return [scenario.asked for scenario in found]


def test_loops_and_refusals_of_a_check_leave_what_they_change() -> None:
    """Later assertions look at an object that went through them."""
    text = (
        "def test_pops():\n    s = Stack(4)\n"
        "    for n in range(3):\n        assert s.pop() == n\n"
        "    with pytest.raises(IndexError):\n        s.pop()\n"
        "    assert s.size == 1\n"
    )
    popped = "s = Stack(4)\nfor n in range(3):\n    s.pop()\n"
    refused = "try:\n    s.pop()\nexcept Exception:\n    pass\n"
    assert asked(text) == [f"{popped}return s.pop()\n", f"{popped}{refused}return s.size\n"]


def test_what_a_check_defines_itself_goes_with_it() -> None:
    """A function that it hands over or has decorated, and one that it gets."""
    text = (
        "def test_own():\n    @made\n    def job():\n        return 3\n    assert job() == 3\n"
        "def test_got():\n    count = made(0)\n    assert count() == 1\n    assert count() == 2\n"
    )
    assert asked(text) == [
        "@made\ndef job():\n    return 3\nreturn job()\n",
        "count = made(0)\nreturn count()\n",
        "count = made(0)\ncount()\nreturn count()\n",
    ]


def test_what_tests_make_by_a_helper_of_their_own_is_read() -> None:
    """It is the program that the helper works with."""
    text = (
        "def build(n):\n    kept = []\n    return Stack(n, kept.append), kept\n"
        "def test_build():\n    stack, kept = build(2)\n    stack.pop()\n    assert kept == [2]\n"
    )
    assert asked(text) == ["stack, kept = build(2)\nstack.pop()\nreturn kept\n"]


def test_a_block_is_entered_for_what_is_looked_at_within_it() -> None:
    """As the `with` statement does it."""
    text = "def test_open():\n    with made(3) as stack:\n        assert stack.pop() == 3\n"
    assert asked(text) == ["stack = made(3).__enter__()\nreturn stack.pop()\n"]


COROUTINES = {
    "nested": "def test():\n    async def main():\n        assert await f(1) == 2\n    asyncio.run(main())\n",
    "returned": (
        "def test():\n    async def main():\n        return await f(1)\n    assert asyncio.run(main()) == 2\n"
    ),
    "outer": "async def main():\n    assert await f(1) == 2\n\ndef test():\n    run_it(main())\n",
    "test": "async def test():\n    assert await f(1) == 2\n",
}


@pytest.mark.parametrize("text", COROUTINES.values(), ids=COROUTINES)
def test_a_coroutine_of_a_check_is_read_as_its_steps(text: str) -> None:
    """Which a question has run within a coroutine of its own."""
    (found,) = read_scenarios(module(text), {"f"}, {"f"})
    assert found.words in ("await f(1)", "main = await f(1); main")
    assert found.inputs == [1]
    module_with_f = f"async def f(x):\n    return x + 1\n\n\ndef asked():\n{indent(found.asked, '    ')}"
    names: dict[str, object] = {}
    exec(module_with_f, names)
    assert names["asked"]() == 2  # type: ignore[operator]
    exec(found.claim("2"), dict(names))
    with pytest.raises(AssertionError):
        exec(found.claim("3"), dict(names))
    with pytest.raises(AssertionError):
        exec(found.claim("raises ValueError"), dict(names))


def test_a_coroutine_that_may_end_anywhere_stays() -> None:
    """Nothing is known of its steps."""
    main = "    async def main():\n        if f(1):\n            return\n        assert f(2)\n"
    text = f"def test():\n{main}    asyncio.run(main())\n"
    assert asked(text) == []


def test_a_pause_stays_as_long_as_it_is() -> None:
    """A question is to be answered at once."""
    (found,) = told(script("s = Stack(2)", "time.sleep(0.5)\nassert s.top(3) == 1"))
    assert found[:2] == ("s = Stack(2); time.sleep(0.5); s.top(3)", [2, 3])
    assert told(script("time.sleep(0.5)", "s = Stack(2)\nassert s.top(3) == 1"))[0][0] == "s = Stack(2); s.top(3)"


def test_of_many_checks_those_that_may_show_a_change_come_first() -> None:
    """By the names of what is changed, and of helpers that use it; the others follow in their order."""
    tests = "def made():\n    return Stack()\n"
    tests += "".join(f"def test_{n}():\n    assert f({n}) == 0\n" for n in range(20))
    tests += "def test_late():\n    assert made().pop() == 1\n"
    plain = read_scenarios(module(tests), {"f", "Stack", "pop"})
    assert [scenario.words for scenario in plain] == [f"f({n})" for n in range(16)]
    for first in ({"pop"}, {"Stack"}):
        ordered = read_scenarios(module(tests), {"f", "Stack", "pop"}, first=first)
        assert [scenario.words for scenario in ordered] == [
            "made = Stack(); made.pop()",
            *(f"f({n})" for n in range(15)),
        ]
