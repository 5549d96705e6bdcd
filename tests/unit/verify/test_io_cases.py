"""Rows of arguments and results become checks, exact to the last bit."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regreen.errors import TaskError
from regreen.types import Isolation, Suite
from regreen.verify.io_cases import read_io_cases

PROGRAM = "class Problem(ValueError):\n    pass\n\ndef same(*args, **kwargs):\n    return [list(args), kwargs]\n"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def cases(text: str, program: str = PROGRAM, entry_point: str | None = None) -> Suite:
    """The suite of some rows."""
    return read_io_cases(text, program=program, module="prog", entry_point=entry_point, origin="cases.jsonl")


def plain(value: Any) -> Any:
    """Tuples as lists, as the sandbox's own helper has it."""
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def run(suite: Suite, **names: Any) -> list[str]:
    """The ids of the steps that raise; the text comes from this file's own rows."""
    namespace: dict[str, Any] = {"_json_view": plain, **names}
    failed = []
    for step in suite.steps:
        try:
            exec(compile(step.code, "step", "exec"), namespace)
        except Exception:  # noqa: BLE001 - whatever a step raises, its check is not passed
            failed.append(step.check or "")
    return failed


@example([], {"\xb5": None})
@given(st.lists(JSON, max_size=3), st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_arguments_and_results_survive_the_way_into_code(args: list[Any], kwargs: dict[str, Any]) -> None:
    """What a row says is what the function gets, and what it is compared with."""
    row = json.dumps({"args": args, "kwargs": kwargs, "expected": [args, kwargs]})
    suite = cases(row + "\n")
    assert run(suite, same=lambda *a, **k: [list(a), k]) == []
    assert run(suite, same=lambda *a, **k: [list(a), k, 1]) == ["case-1"]


def test_rows_are_numbered_and_empty_lines_skipped() -> None:
    """Ids count cases, lines count lines."""
    suite = cases('{"args": [1], "expected": 2}\n\n  \n{"kwargs": {"x": 1}, "expected": 2}\r\n')
    assert [(check.id, check.line) for check in suite.checks] == [("case-1", 1), ("case-2", 4)]
    assert suite.steps[1].code == "assert _json_view(same(x=1)) == 2"
    assert suite.checks[1].code == "assert same(x=1) == 2"
    assert suite.isolation is Isolation.SEPARATE
    assert suite.surface.functions == ("same",)


def test_what_no_number_equals_is_compared_as_text() -> None:
    """NaN is not equal to itself; infinities are."""
    suite = cases('{"args": [NaN], "expected": [NaN, Infinity]}\n{"args": [], "expected": -Infinity}\n')
    assert run(suite, same=lambda *a: [math.nan, math.inf] if a else -math.inf) == []
    assert run(suite, same=lambda *a: [math.inf, math.inf]) == ["case-1", "case-2"]


def test_an_expected_exception_must_be_raised() -> None:
    """`raises` names a builtin exception or one of the program's."""
    suite = cases('{"args": [1], "raises": "ValueError"}\n{"args": [1], "raises": "Problem"}\n')

    class Problem(ValueError):
        pass

    def raising(x: int) -> None:
        raise Problem

    assert run(suite, same=raising, Problem=Problem) == []
    assert run(suite, same=lambda x: x, Problem=Problem) == ["case-1", "case-2"]


def test_coroutines_are_awaited_and_generators_listed() -> None:
    """A row tells a result; how the function hands it over is no matter."""
    awaited = cases('{"args": [1], "expected": 1}', "async def f(x):\n    return x\n")
    assert [step.code for step in awaited.steps] == ["import asyncio", "assert _json_view(asyncio.run(f(1))) == 1"]
    assert awaited.isolation is Isolation.SEPARATE
    listed = cases('{"args": [1], "expected": [1]}', "def f(x):\n    yield x\n")
    assert listed.steps[0].code == "assert _json_view(list(f(1))) == [1]"
    assert listed.surface.by_handles


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("", "holds no case"),
        ("nonsense", "is not JSON"),
        ("[1]", "is a list, not an object"),
        ('{"args": 1, "expected": 1}', "a number as `args`"),
        ('{"args": [], "kwargs": [], "expected": 1}', "a list as `kwargs`"),
        ('{"args": [1]}', "needs one of `expected` and `raises`"),
        ('{"args": [1], "expected": 1, "raises": "ValueError"}', "needs one of"),
        ('{"expected": 1}', "neither `args` nor `kwargs`"),
        ('{"args": [1], "expect": 1}', "'expect', which is unknown"),
        ('{"args": [1], "raises": "len"}', "no exception"),
        ('{"args": [1], "raises": ["x"]}', "no exception"),
        ('{"args": ' + "[" * 90 + "]" * 90 + ', "expected": 1}', "nested"),
        ("[" * 100_000, "cannot be read"),
    ],
)
def test_an_unusable_row_is_named(row: str, words: str) -> None:
    """The message says which row, which field and what to write."""
    text = f'{{"args": [], "expected": 1}}\n{row}' if row else row
    with pytest.raises(TaskError) as caught:
        cases(text)
    assert words in str(caught.value)
    assert not row or "Line 2 of cases.jsonl" in str(caught.value)


def test_several_functions_need_an_entry_point() -> None:
    """Rows do not name the function: the user must, where there is a choice."""
    with pytest.raises(TaskError, match="--entry-point"):
        cases('{"args": [], "expected": 1}', "def a():\n    pass\n\ndef b():\n    pass\n")
