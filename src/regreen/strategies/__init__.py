"""The loops over rooms 2 to 5: one module each, found by name in a table; importing this imports none of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from regreen.errors import ConfigError
from regreen.strategies.events import Event, Listener, ignore
from regreen.types import Repair, Task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.models import ChatModel
    from regreen.strategies.graph import Plan
    from regreen.strategies.resources import Resources

__all__ = [
    "Event",
    "Listener",
    "Strategy",
    "chosen_name",
    "ignore",
    "open_strategy",
    "plan_of",
    "repair_task",
]


class Strategy(Protocol):
    """A way to spend a budget on a task."""

    @property
    def name(self) -> str:
        """Its name in the table of strategies."""
        ...

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget.

        Raises TaskError when its checks cannot be used, SandboxError when the sandbox fails, and ModelError when the
        model's service does; what a limit of the run stopped is no error but the repair's stop.
        """
        ...


def chosen_name(settings: Settings) -> str:
    """The strategy that the settings mean: "auto" is search without a model and hybrid with one.

    Raises ConfigError when a strategy lacks the model that it needs.
    """
    name = settings.strategy
    if name == "auto":
        return "search" if settings.model is None else "hybrid"
    if name != "search" and settings.model is None:
        raise ConfigError(
            f"the strategy {name} asks a model, and none is named.",
            remedy="Name one with --model PROVIDER:MODEL, or choose --strategy search.",
        )
    return name


@contextlib.contextmanager
def open_strategy(
    settings: Settings, resources: Resources, *, model: ChatModel | None = None, checkpoints: Path | None = None
) -> Iterator[Strategy]:
    """The strategy that the settings mean, for the block.

    `model` is what a strategy other than search asks. `checkpoints` is the file where a task that is killed leaves
    how far it came, so that it goes on from there; None where nobody will go on.
    """
    name = chosen_name(settings)
    if name == "search":
        yield _search(resources)
        return
    from regreen.strategies.agent import open_agent

    if model is None:
        raise ConfigError(f"the strategy {name} asks a model, and none is open.")
    with open_agent(plan_of(name), resources, model, settings, checkpoints=checkpoints) as agent:
        yield agent


def _search(resources: Resources) -> Strategy:
    """The search; one that writes spans, where the environment asks for them."""
    from regreen.config import tracing
    from regreen.strategies.search import Search

    # What LangChain would stop at is no concern of a search.
    with contextlib.suppress(ConfigError):
        if (asked := tracing()).spans:
            from regreen.models.otel import open_tracer
            from regreen.strategies.traced_search import TracedSearch

            tracer = open_tracer(asked)
            return Search(resources) if tracer is None else TracedSearch(tracer, resources)
    return Search(resources)


def plan_of(name: str) -> Plan:
    """The graph of a strategy that asks a model; raises ConfigError for a name that has none."""
    from regreen.strategies import hybrid, patch, react, reflect, single, tools

    plans: dict[str, Plan] = {
        module.PLAN.name: module.PLAN for module in (single, reflect, tools, react, patch, hybrid)
    }
    if name not in plans:
        what = "search is one loop, and no graph" if name == "search" else f"there is no strategy {name!r}"
        raise ConfigError(f"{what}.", remedy=f"Those with a graph are {', '.join(plans)}.")
    return plans[name]


def repair_task(task: Task, *, settings: Settings, on_event: Listener = ignore) -> Repair:
    """Repair one task in sandboxes, and with a model, that are opened for it alone."""
    from regreen.strategies.collector import rare_collections
    from regreen.strategies.resources import open_resources

    with contextlib.ExitStack() as stack:
        stack.enter_context(rare_collections())
        model = None
        if chosen_name(settings) != "search":
            from regreen.models import open_model

            model = stack.enter_context(open_model(settings))
        resources = stack.enter_context(open_resources(settings))
        strategy = stack.enter_context(open_strategy(settings, resources, model=model))
        return strategy.repair(task, settings.seed, on_event)
