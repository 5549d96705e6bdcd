from .clock import ManualClock, SystemClock
from .cron import CronError, CronExpression
from .jobs import Job, JobState
from .retry import RetryPolicy
from .scheduler import Scheduler, UnknownJob

__all__ = [
    "ManualClock",
    "SystemClock",
    "CronError",
    "CronExpression",
    "Job",
    "JobState",
    "RetryPolicy",
    "Scheduler",
    "UnknownJob",
]
