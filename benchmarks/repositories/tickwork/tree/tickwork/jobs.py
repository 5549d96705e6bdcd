import enum
import itertools
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

from .retry import NO_RETRY, RetryPolicy


class JobState(enum.Enum):
    PENDING = "pending"
    BLOCKED = "blocked"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def finished(self):
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


_ids = itertools.count(1)


@dataclass(eq=False)
class Job:
    func: Callable
    args: Tuple = ()
    kwargs: Dict[str, Any] = field(default_factory=dict)
    name: str = ""
    priority: int = 0
    retry: RetryPolicy = NO_RETRY
    key: Optional[str] = None
    trigger: Any = None
    after: List["Job"] = field(default_factory=list)
    id: int = field(default_factory=lambda: next(_ids))
    state: JobState = JobState.PENDING
    attempt: int = 0
    due: Any = None
    result: Any = None
    error: Optional[BaseException] = None
    runs: int = 0

    def __post_init__(self):
        if not self.name:
            self.name = getattr(self.func, "__name__", "job")

    @property
    def recurring(self):
        return self.trigger is not None

    def run(self):
        self.state = JobState.RUNNING
        self.attempt += 1
        self.runs += 1
        return self.func(*self.args, **self.kwargs)

    def __repr__(self):
        return f"<Job {self.id} {self.name} {self.state.value}>"
