"""Each strategy's graph for LangGraph's studio and server, as `langgraph.json` names them.

A run takes a program and its tests as text, and uses the settings of the environment. Sandboxes and the model are
opened at the first run, and closed when the process ends.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from typing import Any, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, Field

from regreen.config import Settings, load_settings
from regreen.errors import RegreenError
from regreen.integrations.repairs import as_data, task_of
from regreen.models import ChatModel, open_model
from regreen.strategies import chosen_name, load_agent_spec
from regreen.strategies.agents.agent import repair_of
from regreen.strategies.agents.agent_context import AgentContext, sampling_parameters
from regreen.strategies.agents.agent_spec import AgentSpec
from regreen.strategies.agents.state import State, initial_state
from regreen.strategies.resources import Resources, open_resources
from regreen.strategies.session import RepairSession


class RepairInput(BaseModel):
    """Input of the graph, as a person fills it in."""

    source: str = Field(description="The text of the program.")
    tests: str = Field("", description="The text of its tests; empty for the doctest examples in the program.")
    entry_point: str = Field("", description="The function to repair; found from the tests when this is empty.")
    statement: str = Field("", description="What the program is meant to do.")


class RepairOutput(BaseModel):
    """Output of the graph."""

    repair: dict[str, Any] = Field({}, description="Whether it is fixed, the patch, an explanation and the cost.")
    error: str = Field("", description="What stood in the way of a repair.")


class StudioState(RepairInput, RepairOutput):
    """State of the outer graph, around the strategy's own."""


class _SharedResources:
    """The sandboxes and the model that all graphs of this process share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = contextlib.ExitStack()
        self._found: tuple[Resources, ChatModel] | None = None

    def enter(self, settings: Settings) -> tuple[Resources, ChatModel]:
        with self._lock:
            if self._found is None:
                with contextlib.ExitStack() as stack:
                    model = stack.enter_context(open_model(settings))
                    self._found = stack.enter_context(open_resources(settings)), model
                    self._open = stack.pop_all()
            return self._found

    def close(self) -> None:
        with self._lock:
            self._found = None
            self._open.close()


_shared = _SharedResources()
close = _shared.close
atexit.register(close)


def single_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of `single`."""
    return studio_graph("single")


def reflect_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of `reflect`."""
    return studio_graph("reflect")


def tools_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of `tools`."""
    return studio_graph("tools")


def react_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of `react`."""
    return studio_graph("react")


def patch_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of `patch`."""
    return studio_graph("patch")


def hybrid_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph of `hybrid`."""
    return studio_graph("hybrid")


def studio_graph(name: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A graph of one node, in which a strategy's own runs: text in, plain data out; raises ConfigError for no name."""
    spec = load_agent_spec(name)
    inner = spec.build_graph().compile(name=name)
    # The context of the nodes is no data: a studio that asks for its schema would fail.
    inner.context_schema = None

    def repair(state: RepairInput) -> dict[str, Any]:
        try:
            context = _context(spec, state)
            limit = spec.recursion_limit(context.session.budget.iterations)
            # Called by its own name here, so that the studio finds the strategy's graph inside this node.
            with context.session.holding_core():
                end = inner.invoke(initial_state(), {"recursion_limit": limit}, context=context)
        except RegreenError as error:
            # A server does not show the text of an exception in the studio.
            return {"repair": {}, "error": str(error)}
        return {"repair": as_data(repair_of(context.session, cast(State, end)), state.source), "error": ""}

    graph: StateGraph[StudioState, None, RepairInput, RepairOutput] = StateGraph(
        StudioState, input_schema=RepairInput, output_schema=RepairOutput
    )
    graph.add_node(name, repair, input_schema=RepairInput)
    graph.add_edge(START, name)
    graph.add_edge(name, END)
    return graph.compile(name=name)


def _context(spec: AgentSpec, given: RepairInput) -> AgentContext:
    """The context of one run; raises ConfigError where the environment names no model, TaskError for unusable tests."""
    task = task_of(given.source, given.tests, entry_point=given.entry_point or None, statement=given.statement)
    settings = load_settings({"strategy": spec.name})
    chosen_name(settings)
    resources, model = _shared.enter(settings)
    sampling = sampling_parameters(settings, temperature=spec.temperature, schedule=spec.schedule)
    return AgentContext(RepairSession(resources, task, seed=settings.seed), model, sampling)
