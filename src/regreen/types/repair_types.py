"""What a strategy may spend, what it meets, and what it hands over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from regreen.types.candidate_types import Alternative, Candidate, Question, Site
from regreen.types.verdict_types import Verdict


@dataclass(frozen=True, slots=True)
class Attempt:
    """A judged candidate."""

    candidate: Candidate
    verdict: Verdict
    turn: int | None = None
    """`number` of the `Turn` that it came from; None when no model wrote it."""


TOO_LONG = "context"
"""The fault of a request that does not fit into the model's context."""
REFUSAL = "refused"
"""The fault of a reply in which the model, or a filter of its service, declined."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to a model and its reply."""

    number: int
    """Position within its repair, from 0."""
    node: str
    """Node of the strategy's graph that sent the request."""
    iteration: int
    """Round of improvement, from 1; 0 for the draft."""
    temperature: float
    prompt: str
    """The messages that were sent, as one text."""
    reply: str
    reasoning: str = ""
    """The model's reasoning, where the service returns it apart from the reply."""
    candidate_id: str | None = None
    """`id` of the candidate that the reply held; None when it held none."""
    fault: str = ""
    """Kind of the reason why the reply held no usable candidate; empty when it held one."""
    fault_detail: str = ""
    """That reason in words, as the model is told it."""
    finish: str = ""
    """Why the reply ended, as the services name it: "stop", "length" for one that was cut off, and so on."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    usd: float | None = None
    """Price of the request; None when the model's price is unknown."""
    seconds: float = 0.0
    ended: str = ""
    """What ended the reply before the model did: "stop", "code" (the answering block was over), "loop" or "prose"."""

    @property
    def was_refused(self) -> bool:
        """Whether the request did not fit into the model's context, so that there was no reply."""
        return self.fault == TOO_LONG


@dataclass(frozen=True, slots=True)
class Budget:
    """The effort that a strategy may spend on one task."""

    candidates: int = 50_000
    """Candidates run, whether screened or judged."""
    seconds: float = 60.0
    """Wall time of searching and judging: none of it passes while a model is asked."""
    iterations: int = 5
    """Requests to a model for an improvement of its draft; 0 means the draft alone."""
    model_seconds: float | None = None
    """Wall time of asking a model, without waits for a busy service; None for no limit."""
    searches: tuple[int, ...] | None = None
    """In a replay: the candidates of each search beside a model, in order, whatever the time; None otherwise."""


STAGES = ("localise", "propose", "execute", "reflect", "select")
"""The stages of a repair by which seconds are counted; "reflect" is the model's share."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The effort that was spent on one task."""

    candidates: int = 0
    """Candidates run, whether screened or judged."""
    duplicates: int = 0
    """Candidates dropped because an equal one had been run before."""
    seconds: float = 0.0
    """Wall time, that of waiting left out."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, one of `STAGES`; of a project: "baseline", then "localise", "search" and "suite", or those of
    `STAGES` where a model was asked."""
    model_calls: int = 0
    usd: float | None = 0.0
    """Price of all requests; None when one of them went to a model whose price is unknown."""
    waited: float = 0.0
    """Seconds lost to a busy service or to the wait for a core."""
    searches: tuple[int, ...] = ()
    """Candidates of each search beside a model, in order."""


class Stop(StrEnum):
    """Why a strategy ended."""

    NOTHING_RED = "nothing_red"
    """No check failed before anything was changed."""
    GUESSED = "guessed"
    """No check failed, yet the program is known to be wrong: the change that looked likeliest is handed over."""
    FIXED = "fixed"
    """A candidate passes all visible checks."""
    CANDIDATES = "candidates"
    """The budget of candidates is spent."""
    SECONDS = "seconds"
    """The budget of time is spent."""
    EXHAUSTED = "exhausted"
    """No untried candidate is left."""
    ITERATIONS = "iterations"
    """The budget of iterations is spent."""
    ANSWERED = "answered"
    """The model has replied, and no check may be run to decide whether the reply is right."""
    TOKENS = "tokens"
    """The limit of tokens for the whole run is reached."""
    MONEY = "money"
    """The limit of money for the whole run is reached."""
    MODEL_SECONDS = "model_seconds"
    """The time that a model may take is spent."""
    CONTEXT = "context"
    """The prompt does not fit into the model's context, whatever is left out of it."""
    INTERRUPTED = "interrupted"
    """Ctrl-C."""
    ERROR = "error"
    """The sandbox or the model failed."""


class ObstacleKind(StrEnum):
    """What keeps a check red whatever the program says."""

    MODULE = "module"
    """A module is not installed."""
    FIXTURE = "fixture"
    """pytest knows no fixture of that name."""
    ASYNC = "async"
    """An `async def` test without a plugin that awaits it."""
    FILE = "file"
    """A file is not there in the sandbox."""
    VARIABLE = "variable"
    """A variable of the environment is not set in the sandbox."""
    NETWORK = "network"
    """The sandbox refuses the network."""
    PROCESSES = "processes"
    """The sandbox refuses further processes."""
    TESTS = "tests"
    """The test file itself does not load."""
    OTHER_FILE = "other_file"
    """Another file of the project raises."""
    UNREACHED = "unreached"
    """The check fails before it uses the program."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One cause of red checks that lies outside the program under repair."""

    kind: ObstacleKind
    checks: tuple[str, ...]
    """Ids of the checks that it keeps red."""
    subject: str
    """What is missing, refused or broken, e.g. the module's name or "helpers.py, line 12"."""
    cause: str
    """The cause as a clause, e.g. "there is no module yaml for /usr/bin/python3"."""
    remedy: str
    """What to do about it, in sentences."""
    certain: bool = True
    """Whether no change of the program can turn these checks green; if not, they are repaired like all others."""

    @property
    def is_refusal(self) -> bool:
        """Whether the sandbox itself is the cause."""
        return self.kind in (ObstacleKind.NETWORK, ObstacleKind.PROCESSES)


@dataclass(frozen=True, slots=True)
class Repair:
    """The outcome of a strategy on a task."""

    task_id: str
    chosen: Attempt | None
    """The repair that is handed to the user; None when no candidate may be, which is a result and not an error."""
    before: Verdict
    """The verdict on the buggy program."""
    attempts: tuple[Attempt, ...]
    """Judged candidates in order; those that were only screened are counted in `cost`."""
    cost: Cost
    stop: Stop
    sites: tuple[Site, ...] = ()
    """Suspected lines, most suspicious first."""
    best: Attempt | None = None
    """The attempt that passes the most checks, when none passes all."""
    flaky: tuple[str, ...] = ()
    """Ids of checks that were set aside because repeated runs disagree."""
    obstacles: tuple[Obstacle, ...] = ()
    """Causes of red checks outside the program; the checks of those that are certain were set aside."""
    explanation: str = ""
    """What was changed and why, in words."""
    turns: tuple[Turn, ...] = ()
    """Requests to models, in order."""
    likelihood: float | None = None
    """How likely `chosen` is to be right, in [0, 1]; None where it is not a search's choice, and nobody can tell."""
    alternatives: tuple[Alternative, ...] = ()
    """Programs that pass and do otherwise than `chosen`, the likeliest first; as many as were asked for."""
    questions: tuple[Question, ...] = ()
    """Where likely behaviours differ, the most telling first: their answers decide which repair is right."""

    @property
    def is_doubtful(self) -> bool:
        """Whether the repair is more likely wrong than right."""
        return self.likelihood is not None and self.likelihood < 0.5

    @property
    def fixed(self) -> bool:
        """Whether there is a repair to hand to the user."""
        return self.chosen is not None

    @property
    def partial(self) -> Attempt | None:
        """The best attempt, where there is no repair and it turns red checks green and none red; else None."""
        if self.best is None or self.chosen is not None:
            return None
        is_better = self.before.green < self.best.verdict.green
        return self.best if is_better else None

    @property
    def set_aside(self) -> tuple[Obstacle, ...]:
        """The obstacles whose checks stay red whatever the program says: a repair leaves these checks undecided."""
        return tuple(obstacle for obstacle in self.obstacles if obstacle.certain)
