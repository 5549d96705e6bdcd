"""Runs a strategy's graph on a task, from its checkpoint where there is one, and makes a Repair of its final state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from regreen.config import Settings
from regreen.environment import tracing
from regreen.errors import ModelError, SandboxError
from regreen.models import ChatModel
from regreen.models.request_tracing import langsmith_traces, open_tracer
from regreen.strategies import single
from regreen.strategies.agents.agent_context import AgentContext, SamplingParameters, sampling_parameters
from regreen.strategies.agents.agent_spec import AgentSpec
from regreen.strategies.agents.checkpoints import open_checkpointer, storage_errors
from regreen.strategies.agents.state import State, attempts_of, initial_state, pack, turns_of, unpack_attempt
from regreen.strategies.choosing.patch_selection import best_passing, minimise_partial
from regreen.strategies.events import Listener, ignore
from regreen.strategies.repair_result import repair_result
from regreen.strategies.repair_spans import NO_SPANS, RepairSpans
from regreen.strategies.resources import Resources
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Repair, Site, Stop, Task, Verdict

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


class Agent:
    """A strategy that asks a model; may be used from several threads."""

    def __init__(
        self,
        spec: AgentSpec,
        resources: Resources,
        model: ChatModel,
        sampling: SamplingParameters,
        *,
        checkpointer: BaseCheckpointSaver[str] | None = None,
        spans: RepairSpans = NO_SPANS,
    ) -> None:
        self.name = spec.name
        self._spec = spec
        self._resources = resources
        self._model = model
        self._sampling = sampling
        self._checkpointer = checkpointer
        self._spans = spans
        self._graph = spec.build_graph().compile(checkpointer=checkpointer, name=spec.name)
        # Without a check to run there is nothing to correct a reply by: every strategy is its first one then.
        self._unchecked = single.build_graph().compile(checkpointer=checkpointer, name=spec.name)
        self._langsmith = tracing().langsmith

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget; the same task, seed and replies give the same candidates."""
        session = RepairSession(self._resources, task, seed=seed, on_event=on_event, spans=self._spans)
        with self._spans.repair(self.name, task.id, seed, model=self._model.name) as record:
            with langsmith_traces(self._langsmith), session.holding_core(), storage_errors():
                state = self._run(AgentContext(session, self._model, self._sampling))
                if self._checkpointer:
                    self._checkpointer.delete_thread(session.scope)
            repair = repair_of(session, state)
            record(repair)
        return repair

    def _run(self, context: AgentContext) -> State:
        """The state in which the graph ended, or was interrupted."""
        session = context.session
        config = {
            "configurable": {"thread_id": session.scope},
            "recursion_limit": self._spec.recursion_limit(session.budget.iterations),
            "callbacks": [],
            # Nodes follow one another: a second thread of LangGraph's would be started for each repair, and idle.
            "max_concurrency": 1,
            "run_name": f"regreen {self.name}",
        }
        resumed = self._resumed(session, config)
        state = resumed or initial_state()
        try:
            for after in self._steps(None if resumed else state, config, context):
                state = after
        except KeyboardInterrupt:
            if not session.is_examined:
                # Nothing is known of the program yet, so there is no result to hand back.
                raise
            state = _cut_short(session, state, Stop.INTERRUPTED)
        except (ModelError, SandboxError) as error:
            if session.is_examined:
                error.add_repair(repair_of(session, _cut_short(session, state, Stop.ERROR)))
            raise
        return state

    def _resumed(self, session: RepairSession, config: Any) -> State | None:
        """The state at the checkpoint of a repair that was killed; None where there is none."""
        if not self._checkpointer:
            return None
        snapshot = self._graph_of(session).get_state(config)
        state = cast(State, snapshot.values)
        if not snapshot.next and not state.get("stop"):
            # Nothing was kept, or it was kept by a version that did not say which node comes next, or not as a whole.
            # A graph would add to what is left of it.
            self._checkpointer.delete_thread(session.scope)
            return None
        if session.may_run_checks:
            # The nodes behind the checkpoint need the baseline, which is no part of the state.
            session.examine()
        return state

    def _graph_of(self, session: RepairSession) -> CompiledStateGraph[State, AgentContext, State, State]:
        return self._graph if session.may_run_checks else self._unchecked

    def _steps(self, start: State | None, config: Any, context: AgentContext) -> Iterator[State]:
        """The state after each step of the graph, each node in a span; without `start`, on from the checkpoint."""
        stream = self._graph_of(context.session).stream(
            start,
            config,
            context=context,
            stream_mode=["values", "tasks"] if self._spans.enabled else ["values"],
            # A step is on disk before the next one begins, so that no reply is paid for twice.
            durability="sync" if self._checkpointer else None,
        )
        with contextlib.ExitStack() as node_span:
            for mode, chunk in cast("Iterator[tuple[str, Any]]", stream):
                if mode == "values":
                    yield chunk
                elif "input" in chunk:
                    node_span.enter_context(self._spans.node(chunk["name"], chunk["input"].get("iteration", 0)))
                else:
                    node_span.close()


@contextlib.contextmanager
def open_agent(
    spec: AgentSpec, resources: Resources, model: ChatModel, settings: Settings, *, checkpoints: Path | None = None
) -> Iterator[Agent]:
    """The agent of a spec, for the block; with the file `checkpoints`, a killed repair goes on from its last step."""
    sampling = sampling_parameters(settings, temperature=spec.temperature, schedule=spec.schedule)
    spans = RepairSpans(open_tracer(tracing()))
    with contextlib.ExitStack() as stack:
        checkpointer = stack.enter_context(open_checkpointer(checkpoints)) if checkpoints else None
        yield Agent(spec, resources, model, sampling, checkpointer=checkpointer, spans=spans)


def repair_of(session: RepairSession, state: State) -> Repair:
    """The outcome of a repair whose graph ended in this state."""
    attempts = attempts_of(state)
    chosen = unpack_attempt(state["chosen"]) if state["chosen"] else None
    stop = Stop(state["stop"] or Stop.EXHAUSTED)
    before = session.baseline.verdict if session.is_examined else Verdict({})
    return repair_result(
        session,
        stop,
        chosen,
        best=None if chosen or stop is Stop.NOTHING_RED else minimise_partial(session, _best(attempts, before), stop),
        attempts=attempts,
        sites=[Site(*site) for site in state["sites"]],
        candidates=state["screened"] + len(attempts),
        duplicates=state["duplicates"],
        searches=state["searches"],
        seconds=state["seconds"],
        turns=turns_of(state),
        notes=state["notes"],
    )


def _cut_short(session: RepairSession, state: State, stop: Stop) -> State:
    """The state with which a repair ends early: a candidate that passes is handed over, though not made small."""
    proven = best_passing(session.reliable_task, attempts_of(state))
    chosen = state["chosen"] or (pack(proven) if proven else "")
    return State(**{**state, "stop": stop.value, "chosen": chosen})


def _best(attempts: list[Attempt], before: Verdict) -> Attempt | None:
    """The attempt that passes most checks, if they are more than the program did."""
    best = max(attempts, key=lambda attempt: attempt.verdict.checks_passed, default=None)
    return best if best and best.verdict.checks_passed > before.checks_passed else None
