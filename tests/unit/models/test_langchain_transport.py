"""What LangChain's own classes say, in our words, and ours in theirs."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.exceptions import ModelRateLimitError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langsmith.utils import get_env_var

from regreen.errors import ConfigError, ModelError
from regreen.models.contract import Finish, Message, Request, Tool, ToolCall, Usage
from regreen.models.langchain_transport import LangChainTransport, langchain_messages, open_langchain
from regreen.models.providers import PROVIDERS, Endpoint
from regreen.models.service_errors import KeyRefused, TransientError, UnknownModel

SERVICE = Endpoint(PROVIDERS["anthropic"], "claude", "", ("key-one-of-one",))
ASKED = Request((Message("user", "Hello."),), max_tokens=9)


class Canned(BaseChatModel):
    """Gives one message, or raises; keeps what it was asked."""

    message: AIMessage | None = None
    errors: list[Exception] = []  # noqa: RUF012  (a field of a pydantic model)
    heard: list[dict[str, Any]] = []  # noqa: RUF012

    @property
    def _llm_type(self) -> str:
        return "canned"

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self.bind(tools=tools, **more)

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **more: Any
    ) -> ChatResult:
        self.heard.append({"messages": messages, "stop": stop, "listeners": run_manager.handlers, **more})
        if self.errors:
            raise self.errors.pop(0)
        assert self.message is not None
        return ChatResult(generations=[ChatGeneration(message=self.message)])


class Status(Exception):
    """An error as the provider's own libraries raise it."""

    def __init__(self, status_code: int, body: Any) -> None:
        super().__init__(str(body))
        self.status_code = status_code
        self.body = body


def chat(message: AIMessage | None = None, *errors: Exception) -> tuple[LangChainTransport, Canned]:
    canned = Canned(message=message or AIMessage("Hi."), errors=list(errors), heard=[])
    return LangChainTransport(SERVICE, lambda key: canned), canned


def test_a_message_becomes_a_reply() -> None:
    """Text, thoughts, tokens, why it ended and who answered."""
    message = AIMessage(
        [{"type": "thinking", "thinking": "Hm.", "signature": "x"}, {"type": "text", "text": "Hi."}],
        response_metadata={"stop_reason": "max_tokens", "model_name": "claude-1", "model_provider": "anthropic"},
        usage_metadata={
            "input_tokens": 10,
            "output_tokens": 5,
            "total_tokens": 15,
            "input_token_details": {"cache_read": 4},
            "output_token_details": {"reasoning": 3},
        },
    )
    reply = chat(message)[0].ask(ASKED, "k")
    assert (reply.text, reply.reasoning, reply.finish, reply.model) == ("Hi.", "Hm.", Finish.LENGTH, "claude-1")
    assert reply.usage == Usage(10, 5, 3, 4)


def test_calls_of_tools_arrive_also_when_they_are_invalid() -> None:
    """The text of invalid arguments is kept."""
    message = AIMessage(
        "",
        tool_calls=[{"name": "f", "args": {"a": "ä"}, "id": "1"}],
        invalid_tool_calls=[{"name": "f", "args": '{"a": ', "id": "2", "error": "x", "type": "invalid_tool_call"}],
    )
    model, canned = chat(message)
    reply = model.ask(Request(ASKED.messages, tools=(Tool("f", "d", {"type": "object"}),)), "k")
    assert reply.tool_calls == (ToolCall("1", "f", '{"a": "ä"}'), ToolCall("2", "f", '{"a": '))
    assert reply.finish == Finish.TOOL_CALLS
    assert canned.heard[0]["tools"][0]["function"]["name"] == "f"


def test_a_conversation_is_told_turn_by_turn() -> None:
    """Calls with arguments that are no JSON go out, too."""
    turns = (
        Message("system", "S"),
        Message("user", "U\ud800"),
        Message("assistant", "A", (ToolCall("1", "f", '{"a": 1}'), ToolCall("2", "f", "broken"))),
        Message("tool", "T", tool_call_id="1"),
    )
    system, user, assistant, tool = langchain_messages(turns)
    assert [m.type for m in (system, user, assistant, tool)] == ["system", "human", "ai", "tool"]
    assert user.content == "U?"
    assert [call["args"] for call in assistant.tool_calls] == [{"a": 1}, {"arguments": "broken"}]  # type: ignore[attr-defined]
    assert tool.tool_call_id == "1"  # type: ignore[attr-defined]


def test_parameters_are_passed_on_and_left_out_once_refused() -> None:
    """Refusals of a parameter are remembered."""
    model, canned = chat(None, Status(400, {"error": {"message": "temperature is not supported with this model"}}))
    request = Request(ASKED.messages, temperature=0.5, max_tokens=9, stop=("END",))
    model.ask(request, "k")
    model.ask(request, "k")
    assert [set(heard) - {"messages", "listeners"} for heard in canned.heard] == [
        {"temperature", "max_tokens", "stop"},
        {"max_tokens", "stop"},
        {"max_tokens", "stop"},
    ]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Status(401, {"error": {"message": "invalid x-api-key"}}), KeyRefused),
        (
            Status(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            TransientError,
        ),
        (Status(404, {"error": {"message": "model: claude-9"}}), UnknownModel),
        (Status(400, {"error": {"message": "messages: roles must alternate"}}), ModelError),
        (ModelRateLimitError("slow down"), TransientError),
        (ConnectionError("refused"), TransientError),
        (RuntimeError("some library's own"), TransientError),
    ],
)
def test_the_errors_of_any_library_become_ours(error: Exception, kind: type[ModelError]) -> None:
    """By their status, by LangChain's classes, or as a fault that may pass."""
    with pytest.raises(ModelError) as raised:
        chat(None, error)[0].ask(ASKED, "k")
    assert type(raised.value) is kind


def test_a_refusal_is_a_reply() -> None:
    """With what was said."""
    reply = chat(AIMessage("", additional_kwargs={"refusal": "No."}))[0].ask(ASKED, "k")
    assert (reply.text, reply.finish) == ("No.", Finish.REFUSED)


def test_nothing_is_traced_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prompts hold the user's code: no tracing service hears of it, whatever the environment says."""
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "key")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    get_env_var.cache_clear()
    model, canned = chat()
    model.ask(ASKED, "k")
    get_env_var.cache_clear()
    assert canned.heard[0]["listeners"] == []


@pytest.mark.parametrize("name", ["anthropic", "google"])
def test_a_provider_whose_extra_is_missing_says_how_to_get_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command can be copied."""
    monkeypatch.setattr("importlib.util.find_spec", lambda module: None)
    with pytest.raises(ConfigError, match=rf"pip install 'regreen\[{name}\]'"):
        open_langchain(Endpoint(PROVIDERS[name], "x"), timeout=1)
