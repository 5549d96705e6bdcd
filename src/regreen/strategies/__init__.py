"""Strategies: ways to spend a budget on a task, one module each, imported when it is chosen."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from regreen.errors import ConfigError
from regreen.setting_table import STRATEGIES_WITH_GRAPH
from regreen.strategies.events import Event, Listener, ignore
from regreen.types import Question, Repair, Task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.models import ChatModel
    from regreen.strategies.agents.agent_spec import AgentSpec
    from regreen.strategies.repair_spans import RepairSpans
    from regreen.strategies.resources import Resources
    from regreen.strategies.searching.guesses import Guess

__all__ = [
    "Event",
    "Listener",
    "Strategy",
    "chosen_name",
    "guesses_for",
    "ignore",
    "load_agent_spec",
    "open_strategy",
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
        model's service does; a limit of the run that is reached is no error but the repair's stop.
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

    `model` is the one that a strategy other than search asks. `checkpoints` is the file from which repairs that were
    killed go on; None where no repair is ever resumed.
    """
    name = chosen_name(settings)
    if name == "search":
        from regreen.strategies.search import Search

        yield Search(resources, spans=_search_spans())
        return
    from regreen.strategies.agents.agent import open_agent

    if model is None:
        raise ConfigError(f"the strategy {name} asks a model, and none is open.")
    with open_agent(load_agent_spec(name), resources, model, settings, checkpoints=checkpoints) as agent:
        yield agent


def _search_spans() -> RepairSpans:
    from regreen.environment import tracing
    from regreen.strategies.repair_spans import NO_SPANS, RepairSpans

    # A setting of LangSmith's that LangChain would reject does not concern a search.
    with contextlib.suppress(ConfigError):
        if (asked := tracing()).spans:
            from regreen.models.otel import open_tracer

            return RepairSpans(open_tracer(asked))
    return NO_SPANS


def load_agent_spec(name: str) -> AgentSpec:
    """The graph and the defaults of a strategy that asks a model; raises ConfigError for a name that has none."""
    if name not in STRATEGIES_WITH_GRAPH:
        what = "search is one loop, and no graph" if name == "search" else f"there is no strategy {name!r}"
        raise ConfigError(f"{what}.", remedy=f"Those with a graph are {', '.join(STRATEGIES_WITH_GRAPH)}.")
    spec: AgentSpec = importlib.import_module(f"{__name__}.{name}").AGENT
    return spec


def guesses_for(task: Task, *, settings: Settings, on_event: Listener = ignore) -> list[Guess]:
    """The small changes that look likeliest where no check is red, in sandboxes that no one else uses."""
    from regreen.strategies.collector import rare_collections
    from regreen.strategies.resources import borrow_resources
    from regreen.strategies.searching.guesses import guess_changes
    from regreen.strategies.searching.search_run import SearchRun
    from regreen.strategies.session import RepairSession

    with rare_collections(), borrow_resources(settings) as resources:
        session = RepairSession(resources, task, seed=settings.seed, on_event=on_event)
        with session.holding_core():
            run = SearchRun(session, task.source, session.examine(), budget=session.budget)
            return guess_changes(session, run)


def repair_task(
    task: Task,
    *,
    settings: Settings,
    on_event: Listener = ignore,
    ask: Callable[[Question], int | str | None] | None = None,
) -> Repair:
    """Repair one task, with a model that is opened for it alone, and sandboxes that the next repair may use after it.

    `ask` shows the user a question on which likely repairs do not agree; it gives the place of the right answer, the
    right value where it is none of them (a literal, or "raises NAME"), or None where the user cannot say. Where nothing
    that passes gives that value, the search goes on with it as a check.
    """
    if settings.confinement.kind == "jail":
        from regreen.sandbox.server_boot import boot_first

        # The first sandboxes load while the strategy is imported.
        boot_first()
    from regreen.strategies.collector import rare_collections
    from regreen.strategies.resources import borrow_resources

    with contextlib.ExitStack() as stack:
        stack.enter_context(rare_collections())
        model = None
        if chosen_name(settings) != "search":
            from regreen.models import open_model

            model = stack.enter_context(open_model(settings))
        resources = stack.enter_context(borrow_resources(settings, ask=ask))
        strategy = stack.enter_context(open_strategy(settings, resources, model=model))
        return strategy.repair(task, settings.seed, on_event)
