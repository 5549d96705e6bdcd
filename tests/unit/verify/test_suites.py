"""Test text becomes a suite of the right form, without being run."""

from __future__ import annotations

import ast
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from regreen.errors import TaskError
from regreen.types import Isolation, Suite, SuiteKind
from regreen.verify.suites import read_suite

PROGRAM = "def double(x):\n    return x * 2\n"
LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
STATEMENTS = ("assert f(1)", "x = f(2)", "import math", "for i in 'ab':\n        assert f(i)", "y = 3")


def suite_of(text: str, program: str = PROGRAM, entry_point: str | None = None, module: str = "prog") -> Suite:
    """The suite of a text, for a program with one function."""
    return read_suite(text, program=program, module=module, entry_point=entry_point, origin="tests.py")


def run(suite: Suite, program: str = PROGRAM) -> list[str]:
    """The checks of a script that do not pass; the text is this file's own."""
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    failed = []
    for step in suite.steps:
        try:
            exec(compile(step.code, "step", "exec"), namespace)
        except Exception:  # noqa: BLE001 - whatever a step raises, its check is not passed
            failed.append(step.check or step.code)
    return failed


def codes(suite: Suite) -> list[str]:
    """The text of each check."""
    return [check.code for check in suite.checks]


def test_an_assert_script_has_one_check_an_assert() -> None:
    """Each top-level assert is a check of its own, in order, with its line."""
    suite = suite_of("assert double(1) == 2\n\nassert double(2) == 4, 'two'\n")
    assert suite.kind is SuiteKind.SCRIPT
    assert [(check.id, check.line) for check in suite.checks] == [("check-1", 1), ("check-2", 3)]
    assert codes(suite) == ["assert double(1) == 2", "assert double(2) == 4, 'two'"]
    assert suite.module is None


@pytest.mark.parametrize(
    ("text", "entry_point"),
    [
        ("def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(2) == 4\n\ncheck(double)", None),
        ("def check(double):\n    assert double(1) == 2\n    assert double(2) == 4\n\ncheck(double)", None),
        ("def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(2) == 4\n", "double"),
        ("def check(f):\n    assert f(1) == 2\n    assert f(2) == 4\n    return\ncheck(candidate)\n", "double"),
        ("META = {}\ndef check(f):\n    'Doc.'\n    assert True, ''\n    assert f(1) == 2; assert f(2) == 4", "double"),
        ("import sys\ndef main():\n    assert double(1) == 2\n    assert double(2) == 4\nsys.exit(main())", None),
    ],
)
def test_a_check_function_is_opened_into_its_asserts(text: str, entry_point: str | None) -> None:
    """However `check(candidate)` is written, each of its asserts counts, and the parameter means the entry point."""
    suite = suite_of(text, entry_point=entry_point)
    assert len(suite) == 2
    assert run(suite) == []
    assert run(suite, "def double(x):\n    return 2 if x == 1 else 0\n") == ["check-2"]


@pytest.mark.parametrize(
    "body",
    [
        "    n = 0\n    def more():\n        nonlocal n\n        n += 1\n    more()\n    assert double(n) == 2\n",
        "    if double(1) == 2:\n        return\n    assert False\n",
        "    assert double(1) == 2\n    assert 'double' in dir() or True\n",
    ],
)
def test_a_check_that_cannot_be_opened_faithfully_stays_whole(body: str) -> None:
    """`nonlocal`, an early `return` or a look at `dir()` would mean something else at module level."""
    for text in (f"def check(double):\n{body}\ncheck(double)\n", f"def check(double):\n{body}"):
        suite = suite_of(text)
        assert [step.code for step in suite.steps if step.check] == ["check(double)"]
        assert run(suite) == []


def test_a_local_of_check_never_shadows_what_a_helper_reads() -> None:
    """The helper reads the builtin `sum`, the check has a local of that name: the check stays whole."""
    helper = "def total(xs):\n    return sum(xs)\n"
    text = f"{helper}def check(f):\n    sum = f(1)\n    assert total([sum]) == 2\ncheck(double)\n"
    suite = suite_of(text)
    assert len(suite) == 1
    assert run(suite) == []


def test_blocks_that_hold_asserts_are_one_check_each() -> None:
    """A loop, a `try` and a `with` count once each."""
    text = (
        "for i in range(3):\n    assert double(i) == i + i\n"
        "try:\n    double(None)\nexcept TypeError:\n    pass\nelse:\n    raise AssertionError('no TypeError')\n"
    )
    suite = suite_of(text)
    assert len(suite) == 2
    assert run(suite) == []


def test_preparation_that_uses_the_program_fails_with_the_check_after_it() -> None:
    """A stale value can never pass a check for a call that raised."""
    text = "r = double(1)\nassert r == 2\nr = double(-1)\nassert r == 2 or r == -2\nprint(double(3))\n"
    suite = suite_of(text)
    assert [step.code for step in suite.steps][1] == "r = double(-1)\nassert r == 2 or r == -2"
    raising = "def double(x):\n    if x < 0:\n        raise ValueError\n    return x * 2\n"
    assert run(suite, raising) == ["check-2"]
    assert len(suite) == 3


def test_main_blocks_and_runners_are_opened() -> None:
    """`if __name__ == "__main__"` and a runner function hold checks like any other."""
    text = (
        "def run_tests():\n    assert double(1) == 2\n    assert double(2) == 4\n    print('ok')\n\n"
        "if __name__ == '__main__':\n    run_tests()\n    assert double(0) == 0\n"
    )
    suite = suite_of(text)
    assert len(suite) == 3
    assert run(suite) == []


def test_strings_that_span_lines_keep_their_text() -> None:
    """Opening an indented block does not dedent what is inside a string."""
    check = "    if True:\n        assert f('a\\n') == '''a\na\n''' or f('''x\n    y''') == 1\n"
    text = f"def check(f):\n{check}\ncheck(double)\n"
    suite = suite_of(text)
    assert run(suite, "def double(x):\n    return x * 2\n") == []
    assert run(suite, "def double(x):\n    return int(x == 'x\\n    y')\n") == []


def test_test_functions_and_classes_make_a_module() -> None:
    """Ids are names; inherited tests of the same file count; runners are blanked without moving lines."""
    text = (
        "import unittest\nfrom prog import double\n\ndef test_one():\n    assert double(1) == 2\n\n"
        "async def test_two():\n    assert double(2) == 4\n\n"
        "class Base(unittest.TestCase):\n    def test_base(self):\n        self.assertEqual(double(0), 0)\n\n"
        "class More(Base):\n    def test_more(self):\n        self.assertTrue(double(1))\n\n"
        "class TestPlain:\n    def test_plain(self):\n        assert double(3) == 6\n\n"
        "test_one()\nif __name__ == '__main__':\n    unittest.main()\n"
    )
    suite = suite_of(text)
    assert suite.kind is SuiteKind.MODULE
    assert [check.id for check in suite.checks] == [
        "test_one", "test_two", "Base.test_base", "More.test_base", "More.test_more", "TestPlain.test_plain"
    ]  # fmt: skip
    assert suite.module == "prog"
    assert suite.isolation is Isolation.SEPARATE
    assert "unittest.main()" not in suite.source
    assert "\ntest_one()" not in suite.source
    assert suite.source.count("\n") == text.count("\n")
    assert suite.checks[1].line == 7


def test_asserts_beside_test_functions_are_checks_as_well() -> None:
    """A file that mixes both forms loses neither."""
    text = "def test_one():\n    assert double(1) == 2\n\nassert double(2) == 4\ntest_one()\n"
    suite = suite_of(text)
    assert suite.kind is SuiteKind.SCRIPT
    assert [check.id for check in suite.checks] == ["check-1", "test_one"]
    assert run(suite) == []
    assert run(suite, "def double(x):\n    return x + x if x == 2 else 0\n") == ["test_one"]


def test_classes_beside_asserts_are_run_with_their_fixtures() -> None:
    """A unittest class keeps its `setUp` and `setUpClass`, a coroutine is run to its end."""
    text = (
        "import unittest\nassert double(1) == 2\nclass Base(unittest.TestCase):\n    @classmethod\n"
        "    def setUpClass(cls):\n        cls.one = 1\n"
        "class T(Base):\n    def setUp(self):\n        self.two = 2\n"
        "    def test_sum(self):\n        self.assertEqual(double(self.one), self.two)\n"
        "class TestPlain:\n    def test_plain(self):\n        assert double(0) == 0\n"
        "async def test_later():\n    assert double(2) == 4\n"
    )
    suite = suite_of(text)
    assert [check.id for check in suite.checks] == ["check-1", "T.test_sum", "TestPlain.test_plain", "test_later"]
    assert run(suite) == []
    assert run(suite, "def double(x):\n    return 5\n") == [check.id for check in suite.checks]


def test_classes_that_inherit_from_themselves_do_no_harm() -> None:
    """Nonsense in the text is read to its end."""
    body = "    def test_a(self):\n        assert double(1)\n"
    suite = suite_of(f"class TestA(TestB, TestA):\n{body}class TestB(TestA): ...\n")
    assert [check.id for check in suite.checks] == ["TestA.test_a", "TestB.test_a"]


@pytest.mark.parametrize(
    "text",
    [
        "import pytest\n\ndef test_a():\n    with pytest.raises(TypeError):\n        double(None)\n",
        "def test_a(tmp_path):\n    assert double(1) == 2\n",
        "def setup_module(module):\n    pass\n\ndef test_a():\n    assert double(1) == 2\n",
        "class TestA:\n    def setup_method(self):\n        pass\n    def test_a(self):\n        assert double(1)\n",
        "class TestA:\n    def test_a(self, capsys):\n        assert double(1) == 2\n",
        "from hypothesis import given\n\n@given(1)\ndef test_a(x):\n    assert double(1) == 2\n",
    ],
)
def test_what_only_pytest_understands_runs_under_pytest(text: str) -> None:
    """Fixtures, marks and hooks need pytest; its checks are collected in the sandbox."""
    suite = suite_of(text)
    assert suite.kind is SuiteKind.PYTEST
    assert suite.checks == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "are empty"),
        ("import math\n", "hold no check"),
        ("print(double(2))\n", "hold no check"),
        ("double(2) == 4\n", "hold no check"),
        ("assert True\n", "hold no check"),
        ("def run():\n    assert double(1) == 2\n", "nothing calls `run`"),
        ("import pytest\nassert double(1) == 2\n", "hold no test function"),
        ("from .prog import double\nassert double(1) == 2\n", "Write `from prog import ...`"),
    ],
)
def test_tests_without_a_check_are_refused_with_the_remedy(text: str, words: str) -> None:
    """A file that can prove nothing is an error that says what to write."""
    with pytest.raises(TaskError, match=r"tests\.py") as caught:
        suite_of(text)
    assert words in str(caught.value)


def test_a_check_of_nobody_asks_for_the_entry_point() -> None:
    """Two functions, a parameter named `candidate` and no call: only the user can say which is meant."""
    with pytest.raises(TaskError, match="--entry-point"):
        suite_of("def check(candidate):\n    assert candidate(1) == 2\n", PROGRAM + "\ndef other(x):\n    return x\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("assert double(1) == 2\nassert double(2\n", "Line 2, column 14: '(' was never closed."),
        ("def check(f)\n    assert f(1)\n", "a colon is missing"),
        ("if 1:\n\tassert double(1)\n        assert double(2)\n", "tabs and spaces"),
        ("assert double(1) == 2\0\n", "null byte"),
        ("return 3\n", "'return' outside function"),
        ("assert double(" + "-" * 100_000 + "1)\n", "nested too deeply"),
    ],
)
def test_tests_that_are_not_python_are_refused_in_words(text: str, words: str) -> None:
    """The message has the line, the column, the text and a caret."""
    with pytest.raises(TaskError) as caught:
        suite_of(text)
    assert words in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_tests_may_know_the_program_by_another_file_name() -> None:
    """`from solution import double` means the program, when it defines that name and nothing else does."""
    assert suite_of("from solution import double\nassert double(1) == 2\n").module == "solution"
    assert suite_of("from pkg.prog import double\nassert double(1) == 2\n").module == "pkg.prog"
    assert suite_of("from math import sqrt\nassert double(1) == sqrt(4)\n").module is None


def test_line_ends_and_marks_of_other_systems_are_understood() -> None:
    """A byte order mark and carriage returns change nothing."""
    suite = suite_of("\ufeffassert double(1) == 2\r\nassert double(2) == 4\r\n")
    assert [check.line for check in suite.checks] == [1, 2]


def test_a_parameter_named_like_an_import_keeps_its_meaning() -> None:
    """`candidate` that the tests import is not replaced by the entry point."""
    suite = suite_of("from prog import double as candidate\ndef check(f):\n    assert f(1) == 2\ncheck(candidate)\n")
    assert [step.code for step in suite.steps][1] == "f = candidate"


def test_many_runner_functions_are_opened_in_good_time() -> None:
    """Work grows with the text, not with its square."""
    texts = (f"def verify_{i}():\n    i = {i}\n    assert double(i)\n\nverify_{i}()\n" for i in range(400))
    text = "".join(texts)
    started = time.perf_counter()
    assert len(suite_of(text)) == 400
    assert time.perf_counter() - started < 20


def test_names_beyond_ascii_are_cut_at_the_right_place() -> None:
    """`ast` counts bytes, people count characters."""
    suite = suite_of("größe = 'ü'; assert double('é') == 'éé'; assert double('ö') == 'öö'\n")
    assert codes(suite) == ["assert double('é') == 'éé'", "assert double('ö') == 'öö'"]
    assert run(suite) == []


def test_huge_test_data_is_read_in_seconds_and_shown_in_short() -> None:
    """A megabyte of literals neither hangs nor floods what people read."""
    started = time.perf_counter()
    suite = suite_of(f"assert double({list(range(40_000))}) == 3\n")
    assert time.perf_counter() - started < 20
    assert len(codes(suite)[0]) <= 500


@examples(0.5)
@given(st.lists(LITERALS, min_size=1, max_size=6))
def test_any_list_of_asserts_is_split_in_order(values: list[object]) -> None:
    """As many checks as asserts, in their order, and the steps together are the text again."""
    text = "\n".join(f"assert double({value!r}) == {value!r}" for value in values)
    suite = suite_of(text)
    assert codes(suite) == [line[:496] + " ..." if len(line) > 500 else line for line in text.split("\n")]
    joined = "\n".join(step.code for step in suite.steps)
    assert ast.dump(ast.parse(joined)) == ast.dump(ast.parse(text))


@examples(0.5)
@given(st.lists(st.sampled_from(STATEMENTS), min_size=1))
def test_an_opened_check_keeps_every_statement_in_order(statements: list[str]) -> None:
    """Opening `check` loses nothing but the function around its statements."""
    body = "\n".join(f"    {statement}" for statement in ["assert f(0)", *statements])
    suite = suite_of(f"def check(f):\n{body}\n\ncheck(double)\n")
    inside = ast.parse(f"def check(f):\n{body}\n").body[0]
    joined = ast.parse("\n".join(step.code for step in suite.steps))
    assert isinstance(inside, ast.FunctionDef)
    assert [ast.dump(node) for node in joined.body[1:]] == [ast.dump(node) for node in inside.body]
