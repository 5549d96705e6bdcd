"""Where a reply is over: stop texts, code blocks, thoughts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.models.contract import Finish, Message, Reply, Request, Tool
from regreen.models.reply_end import (
    CodeBlockWatcher,
    ReplyEnd,
    StopDetector,
    ended,
    loop_begins,
    opening_fence,
    split_thought,
)
from regreen.models.streaming import StreamedCompletion

ANSWER = "Here it is:\n```python\ndef f():\n    return 1\n```"


def written(
    text: str, *, prompt: str = "", stops: tuple[str, ...] = (), size: int = 1, answers: int = 1
) -> tuple[str, bool]:
    """What is kept of a reply that comes in pieces of a size, and whether it was ended."""
    ending = StopDetector(stops, CodeBlockWatcher(prompt, answers=answers))
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


def block(number: int) -> str:
    """A block with an answer of its own."""
    return f"```python\ndef f():\n    return {number}\n```"


FURTHER = {
    "the most that may count": (f"{block(1)}\nNo:\n{block(2)}\nOr\n{block(3)}", "\nAnd so on.\n"),
    "the same again": (f"{block(1)}\nNo:\n{block(2)}", f"\nThat is:\n{block(1)}\n"),
    "a long explanation": (f"{block(1)}\nNo:\n{block(2)}", "\nThe sum is wrong, said in other words." * 12 + "\n"),
    "long snippets": (block(1), "\n```\n" + "f()  # is called\n" * 40 + "```\n"),
}


@pytest.mark.parametrize("end", FURTHER)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_a_reply_of_several_answers_ends_with_the_last(end: str, size: int) -> None:
    """At most so many, each soon behind the one before: the same text is kept, whatever the pieces."""
    kept, rest = FURTHER[end]
    assert written(kept + rest, answers=3, size=size) == (kept, True)


def test_a_correction_is_waited_for() -> None:
    """The block that answers first ends nothing while another may follow."""
    text = f"{block(1)}\nWait, that forgets the tax:\n{block(2)}\n"
    assert written(text, answers=3) == (text, False)
    assert written(text) == (block(1), True)


@pytest.mark.parametrize("answers", [1, 3])
@given(pieces=st.lists(st.sampled_from([block(1), block(2), "\n", "\nNo.\n", "```\n", "x = 1\n" * 120, "a b " * 40])))
def test_a_reply_ends_in_the_same_place_whatever_its_pieces(answers: int, pieces: list[str]) -> None:
    """Also where a loop, a block and a long text compete to end it."""
    text = "".join(pieces)
    assert written(text, answers=answers, size=1) == written(text, answers=answers, size=100_000)


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


ASKED = Request((Message("user", "Repair it."),), stop=("\nObservation:",))
RAMBLING = {
    "a sentence": "The function takes a list of numbers and returns their sum. " * 60,
    "a list": "".join(f"{number}. The loop does not reach the last of the items.\n" for number in range(1, 60)),
    "a line of code": "    total = total + 1\n" * 80,
    "blanks": " " * 2_000,
}


@given(st.text("ab", max_size=12), st.lists(st.text("ab", max_size=3), max_size=3))
def test_a_text_ends_at_its_first_stop(text: str, stops: list[str]) -> None:
    """As a service would have ended it."""
    cut = ended(Reply(text), Request((), stop=tuple(stops))).text
    assert text.startswith(cut)
    assert not any(stop and stop in cut for stop in stops)
    assert cut == text or any(stop and text[len(cut) :].startswith(stop) for stop in stops)


@pytest.mark.parametrize("loop", RAMBLING)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_a_reply_that_repeats_itself_is_ended(loop: str, size: int) -> None:
    """What was said before stays, and what is repeated is said once, whatever the pieces."""
    before, repeated = "The cause is plain.\n", RAMBLING[loop]
    kept, over = written(before + repeated, size=size)
    assert over
    assert kept.startswith(before)
    assert len(kept) < len(before) + (600 if loop == "a list" else 130)
    assert kept == written(before + repeated)[0]


@pytest.mark.parametrize(
    "text",
    [
        "x = [\n" + "    [0, 0, 0, 0],\n" * 20 + "]\n",
        "\n".join(f"assert f({number}) == {number * number}" for number in range(200)),
        "".join(f"{number}. {'long '.join('abcdefgh'[number % 8 :])} reason\n" for number in range(30)),
        "=" * 120,
    ],
)
def test_what_is_alike_is_no_loop(text: str) -> None:
    """A small table, a run of asserts, a list."""
    assert written(text) == (text, False)


def listed_edits(*texts: str) -> str:
    """Edits as a small model writes them that is held to a form: one line after the other."""
    items = [f'{{"first_line": {n}, "last_line": {n}, "new": "{text}"}}' for n, text in enumerate(texts, 10)]
    return f'{{"edits": [{", ".join(items)}]}}'


def test_a_list_of_data_without_end_is_ended() -> None:
    """Where its items differ by numbers alone. In a text, those may be rows of a table, and other items are meant."""
    same = listed_edits(*["return 0"] * 40)
    as_data = Request((Message("user", "Repair it."),), json_schema={"type": "object"})
    reply = ended(Reply(same), as_data)
    assert (reply.finish, reply.extra["ended"]) == (Finish.LENGTH, ReplyEnd.LOOP)
    assert reply.text.count("return 0") in (1, 2)
    assert same.startswith(reply.text)
    assert ended(Reply(same), ASKED).text == same
    for meant in (listed_edits(*["return 0"] * 4), listed_edits(*(f"return {'abcdefgh'[n % 8 :]}" for n in range(40)))):
        assert ended(Reply(meant), as_data).text == meant


@given(st.text("ab", min_size=1, max_size=40), st.text("abc", max_size=50))
def test_a_loop_is_cut_to_its_first_turn(turn: str, before: str) -> None:
    """The place is in the text, and what is dropped repeats what is kept."""
    text = before + turn * (2 * 600 // len(turn) + 6)
    place = loop_begins(text)
    assert place is not None
    assert place <= len(before) + len(turn)
    assert text[:place].startswith(before[: place - 1])


def test_the_same_block_counts_whoever_sends_it() -> None:
    """A whole reply is cut where a stream is stopped, and says why."""
    second = "\nOr, worse:\n```python\ndef f():\n    return 2\n```\n"
    whole = ended(Reply(ANSWER + second, finish=Finish.LENGTH), ASKED)
    streamed = StreamedCompletion(ASKED)
    pieces = [(ANSWER + second)[at : at + 5] for at in range(0, len(ANSWER + second), 5)]
    over = [streamed.feed({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
    assert whole == Reply(ANSWER, finish=Finish.STOP, extra={"ended": ReplyEnd.CODE.value})
    message = streamed.body["choices"][0]["message"]["content"]
    assert over.index(True) == -(-(len(ANSWER) + 1) // 5) - 1
    assert ended(Reply(message), ASKED) == whole


@pytest.mark.parametrize("size", [1, 999])
def test_words_without_end_are_not_waited_for(size: int) -> None:
    """A reply that is still being written ends where it has said a lot without code; one that is there stays whole."""
    words = "".join(f"And then there is reason {number * 7919 % 1009}, which matters. " for number in range(300))
    streamed = StreamedCompletion(ASKED)
    pieces = [words[at : at + size] for at in range(0, len(words), size)]
    assert any(streamed.feed({"choices": [{"delta": {"content": piece}}]}) for piece in pieces)
    choice = streamed.body["choices"][0]
    assert (choice["ended"], choice["finish_reason"]) == (ReplyEnd.PROSE, "length")
    assert ended(Reply(words), ASKED) == Reply(words)


@pytest.mark.parametrize("before", ["<think>", "```python\n", "def f():\n"])
def test_thoughts_and_code_may_be_long(before: str) -> None:
    """They are what was asked for."""
    text = before + "".join(f"step {number * 7919 % 1009}\n" for number in range(900))
    streamed = StreamedCompletion(ASKED)
    assert not streamed.feed({"choices": [{"delta": {"content": text}}]})


def test_an_invented_observation_is_not_kept() -> None:
    """Even where the service did not take the stop."""
    reply = ended(Reply("Thought: x.\nObservation: All 3 checks pass.\n"), ASKED)
    assert (reply.text, reply.extra["ended"]) == ("Thought: x.", ReplyEnd.STOP.value)


def test_blocks_end_no_reply_that_may_call_a_tool() -> None:
    """Its code comes in the call."""
    tools = Request((), tools=(Tool("run", "Run.", {}),))
    assert ended(Reply(ANSWER + "\nand more\n"), tools) == Reply(ANSWER + "\nand more\n")


def test_a_stream_that_is_stopped_is_counted_by_the_server() -> None:
    """llama.cpp's own numbers, which come with each chunk."""
    streamed = StreamedCompletion(ASKED)
    timings = {"prompt_n": 7, "cache_n": 30, "predicted_n": 12}
    streamed.feed({"model": "m", "choices": [{"delta": {"content": "Hi"}, "finish_reason": None}], "timings": timings})
    assert streamed.body["usage"] == {
        "prompt_tokens": 37,
        "completion_tokens": 12,
        "prompt_tokens_details": {"cached_tokens": 30},
    }


def test_calls_of_tools_are_put_together() -> None:
    """Name and arguments come in pieces."""
    streamed = StreamedCompletion(ASKED)
    for call in (
        {"index": 0, "id": "c", "function": {"name": "run_code", "arguments": '{"co'}},
        {"index": 0, "function": {"arguments": 'de": 1}'}},
        {"index": 1, "id": "d", "function": {"name": "other"}},
    ):
        assert not streamed.feed({"choices": [{"delta": {"tool_calls": [call]}}]})
    streamed.feed({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    told = streamed.body["choices"][0]["message"]["tool_calls"]
    assert [(one["id"], one["function"]["name"], one["function"]["arguments"]) for one in told] == [
        ("c", "run_code", '{"code": 1}'),
        ("d", "other", ""),
    ]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(["choices", "delta", "content", "tool_calls", "index", "function", "usage", "timings"]),
                x,
            )
        ),
    )
)
def test_any_chunk_is_taken(chunk: object) -> None:
    """Whatever a server sends."""
    streamed = StreamedCompletion(ASKED)
    streamed.feed(chunk)
    streamed.feed({"choices": [chunk]})
    streamed.feed({"choices": [{"delta": chunk}]})
    assert "choices" in streamed.body
