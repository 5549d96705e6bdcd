"""A model behind HTTP that says how probable programs are: services that echo, llama.cpp's server, and those that do
neither."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from web import Heard, Reply, answering_by

from regreen.config import Settings, load_settings
from regreen.errors import ConfigError, ModelError
from regreen.models.program_likelihood import open_program_scorer, passages, told_program

HEAD = "def f(items):\n    found = 0\n"
LIKELY = HEAD + "    return found\n"
UNLIKELY = HEAD + "    return ~found\n"
ODD = "~"


@pytest.fixture(autouse=True)
def _without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of whoever runs the tests."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def nats(character: str) -> float:
    """What the services of these tests think of a character."""
    return -9.0 if character == ODD else -1.0


def echoing(body: dict[str, Any]) -> dict[str, Any]:
    """As vLLM: a token is a character, the first has no probability, and one is written after the prompt."""
    text = body["prompt"] + "!"
    return {
        "text": text,
        "logprobs": {"tokens": list(text), "token_logprobs": [None, *(nats(c) for c in text[1:])]},
    }


def forced(body: dict[str, Any]) -> dict[str, Any]:
    """As llama.cpp's server: no echo; a grammar decides which tokens are written, and it says how probable each was.

    A token is a character here, and its number the character's code.
    """
    if not isinstance(body["prompt"], list):
        return {"text": "whatever", "logprobs": {"content": [{"token": "whatever", "logprob": -1.0}]}}
    assert body["grammar"].startswith("root ::= ")
    text = [chr(int(token)) for token in re.findall(r"<\[(\d+)\]>", body["grammar"])]
    assert body["max_tokens"] == len(text)
    return {"text": "".join(text), "logprobs": {"content": [{"token": c, "logprob": nats(c)} for c in text]}}


def plain(body: dict[str, Any]) -> dict[str, Any]:
    """A service that knows of no probabilities."""
    return {"text": "whatever", "logprobs": None}


def scores(
    choice: Callable[[dict[str, Any]], dict[str, Any]], name: str, programs: list[str], statement: str = ""
) -> tuple[list[float], list[dict[str, Any]]]:
    """What the scorer makes of a service's answers, and what that was asked for completions."""

    def answer(heard: Heard) -> Reply:
        body = json.loads(heard.content)
        if heard.path == "/tokenize":
            assert body["parse_special"] is False, "what looks like a mark of the model's is text"
            found: dict[str, Any] = {"tokens": [ord(c) for c in body["content"]]} if choice is forced else {}
        else:
            assert heard.path == "/v1/completions"
            found = {"choices": [choice(body)]}
        return 200, {"content-type": "application/json"}, json.dumps(found).encode()

    with answering_by(answer) as (place, heard):
        settings = load_settings({"base_url": f"http://{place}/v1"}, environ={})
        with open_program_scorer(settings, name) as scorer:
            found = list(scorer.log_probabilities(programs, statement))
            return found, [json.loads(one.content) for one in heard if one.path == "/v1/completions"]


@pytest.mark.parametrize(
    ("choice", "name"), [(echoing, "vllm:small"), (forced, "llamacpp:small"), (forced, "vllm:small")]
)
def test_both_kinds_of_services_say_the_same(choice: Callable[[dict[str, Any]], dict[str, Any]], name: str) -> None:
    """What differs counts, and no line before it; what is written after the prompt does not."""
    likely, unlikely = scores(choice, name, [LIKELY, UNLIKELY])[0]
    assert likely - unlikely == 9.0
    assert -len("    return found\n") <= likely <= -len("found\n")


def test_the_service_writes_the_tokens_that_its_tokenizer_makes() -> None:
    """And no others: left to choose, it would begin with what it expected there, and be surprised by the rest."""
    _, asked = scores(forced, "llamacpp:small", [LIKELY, UNLIKELY])
    shared = HEAD + "    return "
    assert [body["prompt"] for body in asked] == [[ord(c) for c in shared]] * 2
    written = [[chr(int(token)) for token in re.findall(r"\d+", body["grammar"])] for body in asked]
    assert ["".join(row) for row in written] == ["found\n", "~found\n"]


def test_letters_that_are_several_tokens_are_no_part_of_a_row() -> None:
    """llama.cpp's grammar stops at half a letter."""
    _, asked = scores(forced, "llamacpp:small", [HEAD + "    return '😀'\n", HEAD + "    return 'é' * 2\n"])
    assert all(max(map(int, re.findall(r"\d+", body["grammar"]))) < 128 for body in asked)


@pytest.mark.parametrize(("choice", "name"), [(echoing, "vllm:small"), (forced, "llamacpp:small")])
def test_the_statement_stands_before_the_program(choice: Callable[[dict[str, Any]], dict[str, Any]], name: str) -> None:
    """As a comment, unless the program says so itself."""
    said = "Count the items.\n\nAll of them."
    _, asked = scores(choice, name, [LIKELY, UNLIKELY], said)
    prompt = asked[0]["prompt"]
    text = prompt if isinstance(prompt, str) else "".join(map(chr, prompt))
    assert text.startswith("# Count the items.\n#\n# All of them.\n" + HEAD)
    documented = 'def f(items):\n    """Count the items."""\n'
    assert told_program(documented, said) == documented
    assert told_program(documented, " ") == documented


def test_a_server_that_tells_no_tokens_is_named() -> None:
    """An older one, or another service under that name."""
    with pytest.raises(ModelError, match="does not tell how probable"):
        scores(plain, "llamacpp:small", [LIKELY, UNLIKELY])


@pytest.mark.parametrize("choice", [plain, lambda body: {}, lambda body: {"text": 1, "logprobs": [1]}])
def test_a_service_without_probabilities_is_named(choice: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Whatever it answers instead."""
    with pytest.raises(ModelError, match="does not tell how probable"):
        scores(choice, "vllm:small", [LIKELY, UNLIKELY])


def test_a_service_that_is_not_there_is_named() -> None:
    """With the command that starts it."""
    settings: Settings = load_settings({"base_url": "http://127.0.0.1:9/v1"}, environ={})
    with open_program_scorer(settings, "llamacpp:small") as scorer, pytest.raises(ModelError, match="llama"):
        scorer.log_probabilities([LIKELY, UNLIKELY])


def test_a_model_that_gives_no_probabilities_is_refused_at_once() -> None:
    """Before anything is repaired."""
    with (
        pytest.raises(ConfigError, match="gives no probabilities"),
        open_program_scorer(load_settings({}, environ={}), "scripted:x"),
    ):
        pytest.fail("it was opened")


def test_passages_hold_all_that_differs() -> None:
    """From the line of the first difference to the line's end after the last, the text before them cut to size."""
    tail = "".join(f"# line {n}\n" for n in range(100))
    first, second = passages([HEAD + "a = 1\nb = 2\n" + tail, HEAD + "a = 1\nb = 34\n" + tail])
    assert first.before == second.before == HEAD + "a = 1\n"
    assert first.text.removeprefix("b = 2\n") == second.text.removeprefix("b = 34\n")
    assert first.text.endswith("\n")
    assert 200 < len(first.text) < 230
    long = "x = 1\n" * 2_000
    assert [len(passage.before) for passage in passages([long + "y", long + "z"])] == [6_000, 6_000]
    assert passages([]) == []
    assert [passage.text for passage in passages(["a\n", "a\nb\n"])] == ["", "b\n"]
