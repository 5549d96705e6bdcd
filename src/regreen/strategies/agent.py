"""Runs a strategy's graph on a task, from a checkpoint where there is one, and tells what came of it as a Repair."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from regreen.config import Settings, tracing
from regreen.errors import ModelError, SandboxError
from regreen.models import ChatModel
from regreen.models.request_tracing import langsmith_traces, open_tracer
from regreen.strategies.agent_context import AgentContext, SamplingParameters, sampling_parameters
from regreen.strategies.checkpoints import Checkpoints, open_checkpoints, paid_for
from regreen.strategies.events import Listener, ignore
from regreen.strategies.explanation import explain_repair
from regreen.strategies.graph import Plan, compile_graph
from regreen.strategies.patch_selection import best_passing
from regreen.strategies.resources import Resources
from regreen.strategies.session import RepairSession
from regreen.strategies.state import State, attempts_of, initial_state, pack, turns_of, unpack_attempt
from regreen.types import STAGES, Attempt, Cost, Repair, Site, Stop, Task, Turn, Verdict

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


class Agent:
    """A strategy that asks a model; may be used from several threads."""

    def __init__(
        self,
        plan: Plan,
        resources: Resources,
        model: ChatModel,
        sampling: SamplingParameters,
        *,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self.name = plan.name
        self.resources = resources
        self.model = model
        self.sampling = sampling
        self._plan = plan
        self._checkpoints = checkpoints
        self._graph = compile_graph(plan)
        self._traced = tracing().langsmith

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget; the same task, seed and replies give the same candidates."""
        return self._repaired(RepairSession(self.resources, task, seed=seed, on_event=on_event))

    def _repaired(self, session: RepairSession) -> Repair:
        with langsmith_traces(self._traced), session.holding_core():
            state = self._run(AgentContext(session, self.model, self.sampling))
        if self._checkpoints:
            self._checkpoints.drop(session.scope)
        return repair_of(session, state)

    def _run(self, context: AgentContext) -> State:
        """The state in which the graph stopped, or was interrupted."""
        kept = self._checkpoints.kept(context.session.scope) if self._checkpoints else None
        state, graph = (kept, self._on_from_anywhere) if kept else (initial_state(), self._graph)
        steps = graph.stream(state, self._config(context.session), context=context, stream_mode="values")
        try:
            for after in cast("Iterator[State]", steps):
                if self._checkpoints and paid_for(after) != paid_for(state):
                    self._checkpoints.keep(context.session.scope, after)
                state = after
        except KeyboardInterrupt:
            if not context.session.is_examined:
                # Nothing is known of the program yet, so there is no result to hand back.
                raise
            state = _cut_short(context.session, state, Stop.INTERRUPTED)
        except (ModelError, SandboxError) as error:
            if context.session.is_examined:
                error.add_repair(repair_of(context.session, _cut_short(context.session, state, Stop.ERROR)))
            raise
        return state

    @functools.cached_property
    def _on_from_anywhere(self) -> CompiledStateGraph[Any, Any, Any, Any]:
        """The graph for repairs that were killed: they go on from where they stood."""
        return compile_graph(self._plan, anywhere=True)

    def _config(self, session: RepairSession) -> Any:
        steps = self._plan.steps(session.budget.iterations)
        return {"recursion_limit": steps, "callbacks": [], "run_name": f"regreen {self.name}"}


@contextlib.contextmanager
def open_agent(
    plan: Plan, resources: Resources, model: ChatModel, settings: Settings, *, checkpoints: Path | None = None
) -> Iterator[Agent]:
    """The agent of a plan, for the block; `checkpoints` is the file where repairs leave how far they came."""
    sampling = sampling_parameters(settings, temperature=plan.temperature, schedule=plan.schedule)
    build = _builder()
    if checkpoints is None:
        yield build(plan, resources, model, sampling)
        return
    with open_checkpoints(checkpoints) as opened:
        yield build(plan, resources, model, sampling, checkpoints=opened)


def _builder() -> Callable[..., Agent]:
    """What makes an agent: one that also writes spans, where the environment asks for them."""
    tracer = open_tracer(tracing())
    if tracer is None:
        return Agent
    from regreen.strategies.traced_agent import TracedAgent

    return functools.partial(TracedAgent, tracer)


def repair_of(session: RepairSession, state: State) -> Repair:
    """What came of a repair whose graph stopped in this state."""
    attempts, turns = attempts_of(state), turns_of(state)
    chosen = unpack_attempt(state["chosen"]) if state["chosen"] else None
    before = session.baseline.verdict if session.is_examined else Verdict({})
    stop = Stop(state["stop"] or Stop.EXHAUSTED)
    best = None if chosen or stop is Stop.NOTHING_RED else _best(attempts, before)
    sites = tuple(Site(*site) for site in state["sites"])
    cost = _cost(session, state, turns)
    repair = Repair(
        task_id=session.task.id,
        chosen=chosen,
        before=before,
        attempts=tuple(attempts),
        cost=cost,
        stop=stop,
        sites=sites,
        best=best,
        flaky=session.baseline.flaky if session.is_examined else (),
        turns=turns,
    )
    told = explain_repair(session.reliable_task, before, chosen, best, sites, cost, stop, turns, state["notes"])
    return replace(repair, explanation=told)


def _cut_short(session: RepairSession, state: State, stop: Stop) -> State:
    """The state with which a repair ends early: what passes already is handed over, though not made small."""
    proven = best_passing(session.reliable_task, attempts_of(state))
    chosen = state["chosen"] or (pack(proven) if proven else "")
    return State(**{**state, "stop": stop.value, "chosen": chosen})


def _best(attempts: list[Attempt], before: Verdict) -> Attempt | None:
    """The attempt that passes most checks, if they are more than the program did."""
    best = max(attempts, key=lambda attempt: attempt.verdict.checks_passed, default=None)
    return best if best and best.verdict.checks_passed > before.checks_passed else None


def _cost(session: RepairSession, state: State, turns: tuple[Turn, ...]) -> Cost:
    timings = dict.fromkeys(STAGES, 0.0) | state["seconds"]
    timings["execute"] += session.baseline_seconds
    prices = [turn.usd for turn in turns]
    return Cost(
        candidates=state["screened"] + len(state["attempts"]),
        duplicates=state["duplicates"],
        seconds=session.seconds,
        timings=timings,
        model_calls=len(turns),
        usd=None if None in prices else sum(price or 0.0 for price in prices),
    )
