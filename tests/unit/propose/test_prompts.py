"""The words that models are asked with."""

from __future__ import annotations

from importlib.resources import files

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.propose.prompts import fenced, fenced_whole, render, shortened

MAX_SHOWN_CHARACTERS = 24_000

COMMON = {"statement": "Add.", "entry_point": "add", "unit": "the complete definition of `add`"}


def test_a_missing_value_is_an_error() -> None:
    """A prompt with a hole in it is never sent."""
    with pytest.raises(jinja2.UndefinedError):
        render("reflect", **COMMON)


def test_every_prompt_that_is_shipped_can_be_read() -> None:
    """No file with a mistake in its syntax."""
    environment = jinja2.Environment(autoescape=False)
    environment.filters |= {"fenced": fenced, "shortened": shortened}
    prompts = [file for file in files("regreen.propose").joinpath("prompts").iterdir() if file.name.endswith(".j2")]
    assert "reflect.j2" in [file.name for file in prompts]
    assert all(environment.parse(file.read_text(encoding="utf-8")).body for file in prompts)


def test_a_correction_shows_the_last_version_and_what_fails() -> None:
    """And nothing of what is missing shows as None."""
    told = render("reflect", program="def add(a, b): ...", failure="expected 3, got -1", passed=1, total=2, **COMMON)
    assert "def add(a, b): ..." in told
    assert "expected 3, got -1" in told
    assert "1 of 2 checks pass" in told
    assert "None" not in told


@given(st.text(alphabet="`~ab\n", max_size=60))
def test_no_text_closes_the_fence_around_it(text: str) -> None:
    """However many backticks a program holds."""
    first, *inside, last = fenced_whole(text).split("\n")
    fence = first.removesuffix("python")
    assert last == fence
    assert not any(line.startswith(fence) for line in inside)


@given(st.integers(0, 3 * MAX_SHOWN_CHARACTERS))
def test_long_texts_are_cut_in_the_middle_and_say_so(length: int) -> None:
    """Both ends stay."""
    text = "a" * (length // 2) + "z" * (length - length // 2)
    short = shortened(text)
    assert len(short) <= max(MAX_SHOWN_CHARACTERS + 60, length if length <= MAX_SHOWN_CHARACTERS else 0)
    if length > MAX_SHOWN_CHARACTERS:
        assert short[0] == "a"
        assert short[-1] == "z"
        assert "characters left out" in short
    else:
        assert short == text


def test_what_search_learnt_is_told_in_fences() -> None:
    """The suspicious lines, near misses with what still fails, a doubtful repair; nothing where there is none."""
    learnt = {
        "sites": "line 2: return a - b  <- run by the failing check",
        "near_misses": [{"diff": "-a\n+b\n", "passed": 1, "total": 2, "failure": "```\nexpected 3, got 4."}],
        "passing": ["-c\n+d\n"],
    }
    shown = {"program": "def add(a, b): ...", "checks": "assert add(1, 2) == 3", "failures": "expected 3, got -1"}
    told = render("consult", **COMMON, **shown, **learnt)
    assert "```\nline 2: return a - b  <- run by the failing check\n```" in told
    assert "```diff\n-a\n+b\n```\nWith it 1 of 2 checks pass. Still failing:\n````\n```\nexpected" in told
    assert "looks made for these very checks" in told
    told = render("consult", **COMMON, **shown, sites="", near_misses=[], passing=[])
    assert told.count("```") == 8
    assert "tried" not in told
