"""A model of transformers as a chat model: for LangChain, and for Regreen."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import OutputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field, SkipValidation

from regreen.errors import ContextTooLong, ModelError
from regreen.models.contract import Finish, Reply, Request, Usage
from regreen.models.local.engine import LocalEngine, open_engine
from regreen.models.local.generation import GeneratedText, GenerationRequest
from regreen.models.local.model_name import parse_model_name
from regreen.models.local.stopping import split_thought
from regreen.models.local.toolcalls import read_calls
from regreen.models.local.turns import assistant, calls_of, to_langchain, to_turn, tool_spec


class LocalChat(BaseChatModel):
    """A model that runs in this process; requests from several threads are generated together.

    Open it with `LocalChat.open("local:...")` and close it when it is not needed any more.
    """

    model_name: str
    temperature: float = Field(0.0, ge=0)
    max_tokens: int = Field(4096, ge=1)
    """Of a reply, where the call does not say otherwise."""
    seed: int | None = None
    ends_with_code: bool = True
    """Whether a reply is over with the first code block that answers; never so when tools are offered."""
    engine: SkipValidation[LocalEngine] = Field(exclude=True, repr=False)

    @classmethod
    def open(cls, name: str, **fields: Any) -> LocalChat:
        """Load the model that `name` means; raises ConfigError or ModelError, saying what can be done."""
        wanted = parse_model_name(name)
        return cls(model_name=wanted.source, engine=open_engine(wanted), **fields)

    def close(self) -> None:
        """Give back the model and its memory; whoever waits is told."""
        self.engine.close()

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """This model with tools offered; it cannot be made to choose one."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    @property
    def _llm_type(self) -> str:
        return "regreen-local"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name, "device": self.engine.loaded.device, "dtype": self.engine.loaded.dtype}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        tools = kwargs.get("tools") or ()
        turns = [to_turn(message) for message in messages]
        order = self._order(turns, tools, stop or (), kwargs)
        message = self._message(self.engine.write(order), order, turns, tools)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _order(
        self, turns: Sequence[dict[str, Any]], tools: Sequence[Any], stop: Sequence[str], asked: dict[str, Any]
    ) -> GenerationRequest:
        prompter, context = self.engine.prompter, self.engine.loaded.context
        prompt = prompter.prompt(turns, tools)
        room = context - len(prompt)
        if room < 1:
            raise ContextTooLong(
                f"The prompt has {len(prompt)} tokens, and {self.model_name} takes {context} with its reply.",
                remedy="Take a model with a longer context.",
            )
        temperature, seed, limit = (asked.get(key) for key in ("temperature", "seed", "max_tokens"))
        return GenerationRequest(
            prompt=prompt,
            limit=min(room, limit or self.max_tokens),
            temperature=self.temperature if temperature is None else temperature,
            seed=self.seed if seed is None else seed,
            stops=(*stop, *prompter.stops),
            quotable="\n".join(turn["content"] for turn in turns) if self.ends_with_code and not tools else None,
            thinking=prompter.ends_in_thought(prompt),
        )

    def _message(
        self, written: GeneratedText, order: GenerationRequest, turns: Sequence[dict[str, Any]], tools: Sequence[Any]
    ) -> AIMessage:
        thought, answer = split_thought(written.text, thinking=order.thinking)
        before = sum(len(turn.get("tool_calls", ())) for turn in turns)
        names = [tool["function"]["name"] for tool in tools]
        text, calls = read_calls(answer, names, first=before) if tools else (answer, ())
        spent = (written.thought_tokens or written.tokens) if thought else 0
        prompt = len(order.prompt)
        return assistant(
            text,
            calls,
            additional_kwargs={"reasoning_content": thought} if thought else {},
            response_metadata={
                "finish_reason": Finish.TOOL_CALLS if calls else written.finish,
                "model_name": self.model_name,
            },
            usage_metadata=UsageMetadata(
                input_tokens=prompt,
                output_tokens=written.tokens,
                total_tokens=prompt + written.tokens,
                output_token_details=OutputTokenDetails(reasoning=spent),
            ),
        )


class LocalModel:
    """A `LocalChat` that answers our requests."""

    def __init__(self, name: str, chat: LocalChat) -> None:
        self.chat = chat
        self._name = name

    @property
    def name(self) -> str:
        """Its full name, as it was given."""
        return self._name

    def ask(self, request: Request) -> Reply:
        """The model's reply. Raises ToolsUnsupported, ContextTooLong and ModelError."""
        began = time.perf_counter()
        message = self.chat.invoke(
            [to_langchain(message) for message in request.messages],
            stop=list(request.stop) or None,
            temperature=request.temperature,
            max_tokens=request.max_tokens,
            seed=request.seed,
            tools=[tool_spec(tool) for tool in request.tools],
        )
        return self._reply(message, time.perf_counter() - began)

    def close(self) -> None:
        """Give back the model and its memory."""
        self.chat.close()

    def _reply(self, message: AIMessage, seconds: float) -> Reply:
        spent = message.usage_metadata
        if spent is None:
            raise ModelError("The model's reply came back without its count of tokens.")
        thought = spent.get("output_token_details", {}).get("reasoning", 0)
        loaded = self.chat.engine.loaded
        return Reply(
            text=str(message.text),
            tool_calls=calls_of(message),
            usage=Usage(spent["input_tokens"], spent["output_tokens"], reasoning=thought),
            finish=message.response_metadata["finish_reason"],
            reasoning=message.additional_kwargs.get("reasoning_content", ""),
            model=self.chat.model_name,
            seconds=seconds,
            usd=0.0,
            extra={"device": loaded.device, "dtype": loaded.dtype},
        )
