"""The context of a graph's nodes: the session, the model, and how the model is sampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from regreen.config import Settings
from regreen.models import ChatModel
from regreen.strategies.model_session import ModelSession
from regreen.strategies.session import RepairSession

Schedule = Literal["constant", "rising", "falling"]

_HIGHEST_TEMPERATURE = 1.0
"""Where a rising schedule ends: a temperature that every service accepts."""
_TEMPERATURE_STEP = 0.2
"""By how much the temperature rises or falls with each iteration."""
_LOWEST_TEMPERATURE = 0.3
"""Where a falling schedule ends, or where it began if that is less."""


@dataclass(frozen=True, slots=True)
class SamplingParameters:
    """How a strategy asks its model."""

    temperature: float = 0.0
    """Of the draft."""
    schedule: Schedule = "constant"
    """How the temperature changes with the iterations."""
    prompt_style: Literal["tests", "docstring"] = "tests"
    """A draft's prompt shows the program with the checks' text, or with the statement alone."""
    max_reply_tokens: int = 4096
    """Where the model's service cuts a reply off."""
    critic: bool = False
    """Whether a critic reads each patch before it is run (strategy `patch`)."""

    def temperature_at(self, iteration: int) -> float:
        """The temperature of one iteration, 0 being the draft."""
        if self.schedule == "rising":
            highest = max(_HIGHEST_TEMPERATURE, self.temperature)
            return round(min(self.temperature + _TEMPERATURE_STEP * iteration, highest), 4)
        if self.schedule == "falling":
            lowest = min(_LOWEST_TEMPERATURE, self.temperature)
            return round(max(self.temperature - _TEMPERATURE_STEP * iteration, lowest), 4)
        return self.temperature


def sampling_parameters(settings: Settings, *, temperature: float, schedule: Schedule) -> SamplingParameters:
    """The settings' sampling; a strategy's own temperature and schedule fill in what the settings leave open."""
    wanted = settings.temperature_schedule
    return SamplingParameters(
        temperature=temperature if settings.temperature is None else settings.temperature,
        schedule=schedule if wanted == "auto" else wanted,
        prompt_style=settings.prompt_style,
        max_reply_tokens=settings.max_reply_tokens,
        critic=settings.critic,
    )


@dataclass(frozen=True)
class ModelContext:
    """LangGraph's runtime context of one repair: objects, which no checkpoint stores."""

    session: ModelSession
    model: ChatModel
    sampling: SamplingParameters


@dataclass(frozen=True)
class AgentContext(ModelContext):
    """The same for the repair of one program."""

    session: RepairSession


AnyContext = TypeVar("AnyContext", bound=ModelContext)
"""The context of a node that graphs of both kinds share."""
