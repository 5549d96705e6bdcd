"""Where a reply is over: stop texts, code blocks, thoughts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.models.local.stopping import CodeBlockWatcher, StopDetector, opening_fence, split_thought

ANSWER = "Here it is:\n```python\ndef f():\n    return 1\n```"


def written(text: str, *, prompt: str = "", stops: tuple[str, ...] = (), size: int = 1) -> tuple[str, bool]:
    """What is kept of a reply that comes in pieces of a size, and whether it was ended."""
    ending = StopDetector(stops, CodeBlockWatcher(prompt))
    for start in range(0, len(text), size):
        if ending.feed(text[start : start + size]):
            return ending.text, True
    return ending.text, False


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_reply_ends_with_the_code_block_that_answers(size: int) -> None:
    """Whatever the pieces, nothing behind the closing fence is kept."""
    assert written(ANSWER + "\nThis works because...", size=size) == (ANSWER, True)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\n```\nmore",
        "```\n\n```\nmore",
        "```python\n```\nmore",
        "<think>\n```python\ndef f():\n    pass\n```\nhm",
        "`def f(): pass`\n",
        "```python\ndef f():\n    pass\n```python\n",
        "````python\ndef f():\n    pass\n```\n",
        "~~~python\ndef f():\n    pass\n```\n",
        "```python\ndef f():\n    pass\n```",
    ],
)
def test_what_is_no_answer_lets_the_reply_go_on(text: str) -> None:
    """Snippets, empty blocks, drafts in a thought and fences that do not match end nothing."""
    assert written(text) == (text, False)


@pytest.mark.parametrize(
    "block",
    [
        '```json\n{"a": 1}\n```',
        "```\n\n[1, 2]\n```",
        "~~~\nclass A: pass\n~~~~",
        "  ```py\n  async def f(): ...\n  ```",
    ],
)
def test_json_and_definitions_answer(block: str) -> None:
    """Blocks of data and of any kind of definition end a reply, indented fences and tildes too."""
    assert written(block + "\nmore") == (block, True)


def test_a_block_that_repeats_the_prompt_is_a_quotation() -> None:
    """Quoting the buggy program, spaced otherwise, does not end the reply; its repair does."""
    quoted = "The code\n```python\ndef f():\n  return 2\n```\nis wrong:\n```python\ndef f():\n    return 1\n```"
    assert written(quoted + "\nmore", prompt="Repair:\ndef f():\n    return 2\n") == (quoted, True)


def test_an_answer_after_a_thought_ends_the_reply() -> None:
    """The block in the thought is passed over, the one behind it counts."""
    text = "<think>\n```python\ndef g(): pass\n```\n</think>\n" + ANSWER
    assert written(text + "\nmore") == (text, True)


def test_a_prompt_that_begins_the_thought_is_minded() -> None:
    """Where the template opened the thought, the reply only closes it."""
    watch = CodeBlockWatcher("", thinking=True)
    assert watch.feed("```\ndef g(): pass\n```\n</think>\n") is None
    assert watch.feed("```\ndef g(): pass\n```\n") is not None


@given(st.text("ab\n`", max_size=40), st.text("ab", min_size=1, max_size=3), st.integers(1, 9))
def test_a_stop_text_cuts_at_its_first_place_whatever_the_pieces(text: str, stop: str, size: int) -> None:
    """The reply holds what stands before the first stop text, and no more."""
    ending, over = StopDetector((stop,)), False
    for start in range(0, len(text), size):
        if over := ending.feed(text[start : start + size]):
            break
    assert over == (stop in text)
    assert ending.text == text.split(stop)[0]


def test_the_earliest_end_wins() -> None:
    """Of several stop texts in one piece, the first in the text counts; an empty one never does."""
    ending = StopDetector(("", "two", "one"))
    assert ending.feed("zero one two")
    assert ending.text == "zero "


@pytest.mark.parametrize(
    ("line", "fence"),
    [("```python", "```"), ("  ~~~~", "~~~~"), ("```a`b", ""), ("text ```", ""), ("``", ""), ("", "")],
)
def test_a_fence_is_known_by_its_run(line: str, fence: str) -> None:
    """At least three of a kind at the beginning, and no backtick behind them."""
    assert opening_fence(line) == fence


@pytest.mark.parametrize(
    ("text", "thinking", "parts"),
    [
        ("<think>\nhm\n</think>\n\nanswer", False, ("hm", "answer")),
        ("hm\n</think>\nanswer", True, ("hm", "answer")),
        ("<think>\nhm", False, ("hm", "")),
        ("answer </think>", False, ("", "answer </think>")),
    ],
)
def test_a_thought_is_told_from_the_answer(text: str, thinking: bool, parts: tuple[str, str]) -> None:
    """Also when the template began it, and when it was cut off."""
    assert split_thought(text, thinking=thinking) == parts
