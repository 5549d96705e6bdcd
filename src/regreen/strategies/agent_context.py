"""What the nodes of a graph work with: its session, the model, and how the model is sampled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from regreen.config import Settings
from regreen.models import ChatModel
from regreen.strategies.session import RepairSession

Schedule = Literal["constant", "rising", "falling"]

HOTTEST = 1.0
"""No schedule goes beyond what every service takes."""
STEP = 0.2
"""By how much temperature rises or falls with an iteration."""
COOLEST = 0.3
"""A falling schedule ends here, or where it began if that is less."""


@dataclass(frozen=True, slots=True)
class SamplingParameters:
    """How a strategy asks its model."""

    temperature: float = 0.0
    """Of the draft."""
    schedule: Schedule = "constant"
    """What becomes of it with the iterations."""
    prompt_style: Literal["tests", "docstring"] = "tests"
    """What a draft is shown beside the program: the checks' text, or the statement alone."""
    max_reply_tokens: int = 4096
    critic: bool = False
    """Whether a critic reads a patch before it is run."""

    def temperature_at(self, iteration: int) -> float:
        """The temperature of one iteration, 0 being the draft."""
        if self.schedule == "rising":
            return round(min(self.temperature + STEP * iteration, max(HOTTEST, self.temperature)), 4)
        if self.schedule == "falling":
            return round(max(self.temperature - STEP * iteration, min(COOLEST, self.temperature)), 4)
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
class AgentContext:
    """The context of one repair: what is not data, and so stands in no checkpoint."""

    session: RepairSession
    model: ChatModel
    sampling: SamplingParameters
