"""A model behind HTTP that says how probable programs are: services that echo, llama.cpp's server, and those that do
neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from web import Heard, Reply, answering_by

from regreen.config import Settings, load_settings
from regreen.errors import ConfigError, ModelError
from regreen.models.program_likelihood import open_program_scorer, passages

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
    """As llama.cpp's server: no echo; a grammar decides what is written, and the end of the text is a token, too."""
    text = json.loads(body.get("grammar", 'root ::= "whatever"').removeprefix("root ::= "))
    tokens = [{"token": c, "logprob": nats(c)} for c in text]
    return {"text": text, "logprobs": {"content": [*tokens, {"token": "", "logprob": -7.0}]}}


def plain(body: dict[str, Any]) -> dict[str, Any]:
    """A service that knows of no probabilities."""
    return {"text": "whatever", "logprobs": None}


def scores(
    choice: Callable[[dict[str, Any]], dict[str, Any]], name: str, programs: list[str]
) -> tuple[list[float], list[dict[str, Any]]]:
    """What the scorer makes of a service's answers, and what that was asked."""

    def answer(heard: Heard) -> Reply:
        assert heard.path == "/v1/completions"
        return (
            200,
            {"content-type": "application/json"},
            json.dumps({"choices": [choice(json.loads(heard.content))]}).encode(),
        )

    with answering_by(answer) as (place, heard):
        settings = load_settings({"base_url": f"http://{place}/v1"}, environ={})
        with open_program_scorer(settings, name) as scorer:
            return list(scorer.log_probabilities(programs)), [json.loads(one.content) for one in heard]


@pytest.mark.parametrize(
    ("choice", "name"), [(echoing, "vllm:small"), (forced, "llamacpp:small"), (forced, "vllm:small")]
)
def test_both_kinds_of_services_say_the_same(choice: Callable[[dict[str, Any]], dict[str, Any]], name: str) -> None:
    """The line that differs counts, and no other; what is written after the prompt does not."""
    found, _ = scores(choice, name, [LIKELY, UNLIKELY])
    line = len("    return found\n")
    assert found == [-line, -line - 9.0]


def test_the_text_before_is_sent_and_not_counted() -> None:
    """A service may keep what it computed for it."""
    _, asked = scores(forced, "llamacpp:small", [LIKELY, UNLIKELY])
    assert [body["prompt"] for body in asked] == [HEAD, HEAD]
    assert [body["temperature"] for body in asked] == [0, 0]
    assert asked[0]["max_tokens"] > len("    return found\n")


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
