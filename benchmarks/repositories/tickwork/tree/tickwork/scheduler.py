import logging
from collections import OrderedDict
from datetime import timedelta

from . import events
from .clock import SystemClock
from .cron import CronExpression
from .jobs import Job, JobState
from .queue import JobQueue
from .retry import NO_RETRY
from .triggers import Cron, Interval

log = logging.getLogger(__name__)


class UnknownJob(KeyError):
    pass


class Scheduler:
    def __init__(self, clock=None, default_retry=NO_RETRY, history=1000):
        self.clock = clock or SystemClock()
        self.default_retry = default_retry
        self.events = events.Events()
        self.dead = []
        self._queue = JobQueue()
        self._jobs = OrderedDict()
        self._keys = {}
        self._waiting = {}
        self._history = history

    # -- adding ----------------------------------------------------------
    def submit(self, func, *args, **options):
        """Run ``func(*args)`` once.

        Options: *kwargs*, *delay* (seconds), *at*, *priority*, *retry*,
        *name*, *after* (a list of jobs to wait for), and *key*: while a job
        with the same key is unfinished, it is returned instead of a new one.
        """
        key = options.pop("key", None)
        if key is not None and key in self._keys:
            return self._keys[key]
        delay = options.pop("delay", 0)
        at = options.pop("at", None)
        job = Job(
            func,
            args,
            kwargs=dict(options.pop("kwargs", None) or {}),
            name=options.pop("name", ""),
            priority=options.pop("priority", 0),
            retry=options.pop("retry", None) or self.default_retry,
            key=key,
            after=list(options.pop("after", ())),
        )
        if options:
            raise TypeError(f"unknown options: {', '.join(sorted(options))}")
        job.due = at if at is not None else self.clock.now() + timedelta(seconds=delay)
        self._add(job)
        return job

    def every(self, *, name="", priority=0, retry=None, **interval):
        """Decorator: run the function again and again, e.g. ``every(minutes=5)``."""
        return self._recurring(Interval(timedelta(**interval)), name, priority, retry)

    def cron(self, expression, *, tz=None, name="", priority=0, retry=None):
        trigger = Cron(CronExpression(expression), tz)
        return self._recurring(trigger, name, priority, retry)

    def _recurring(self, trigger, name, priority, retry):
        def decorate(func):
            job = Job(
                func,
                name=name,
                priority=priority,
                retry=retry or self.default_retry,
                trigger=trigger,
            )
            job.due = trigger.first(self.clock.now())
            job.planned = job.due
            self._add(job)
            return func

        return decorate

    def _add(self, job):
        self._jobs[job.id] = job
        if job.key is not None:
            self._keys[job.key] = job
        failed = [dep for dep in job.after if dep.state in (JobState.FAILED, JobState.CANCELLED)]
        open_deps = [dep for dep in job.after if not dep.state.finished]
        self.events.emit(events.SUBMITTED, job)
        if failed:
            self._finish(job, JobState.CANCELLED, events.CANCELLED)
        elif open_deps:
            job.state = JobState.BLOCKED
            for dep in open_deps:
                self._waiting.setdefault(dep.id, []).append(job)
        else:
            self._queue.push(job)

    # -- looking ---------------------------------------------------------
    def __len__(self):
        return sum(not job.state.finished for job in self._jobs.values())

    def get(self, job_id):
        try:
            return self._jobs[job_id]
        except KeyError:
            raise UnknownJob(job_id) from None

    def find(self, name):
        return [job for job in self._jobs.values() if job.name == name]

    def next_due(self):
        job = self._queue.peek()
        return job.due if job is not None else None

    def idle_seconds(self):
        """Seconds until something is due; None when nothing is planned."""
        due = self.next_due()
        if due is None:
            return None
        return max((due - self.clock.now()).total_seconds(), 0.0)

    # -- running ---------------------------------------------------------
    def run_pending(self, limit=None):
        """Run what is due now; returns the number of runs."""
        count = 0
        now = self.clock.now()
        while limit is None or count < limit:
            job = self._queue.pop_due(now)
            if job is None:
                break
            self._run(job)
            count += 1
        return count

    def _run(self, job):
        try:
            result = job.run()
        except Exception as exc:
            self._handle_error(job, exc)
        else:
            self._handle_success(job, result)

    def _handle_success(self, job, result):
        job.result = result
        job.error = None
        if job.state is JobState.CANCELLED:
            return  # cancelled itself while running
        if job.recurring:
            self.events.emit(events.DONE, job)
            self._plan_next(job)
        else:
            self._finish(job, JobState.DONE, events.DONE)

    def _handle_error(self, job, error):
        job.error = error
        if job.state is JobState.CANCELLED:
            return
        if job.retry.should_retry(job.attempt, error):
            job.state = JobState.PENDING
            job.due = self.clock.now() + job.retry.delay_after(job.attempt, error)
            self._queue.push(job)
            self.events.emit(events.RETRY, job)
            return
        log.warning("%s failed for good: %r", job.name, error)
        self.dead.append(job)
        if job.recurring:
            self.events.emit(events.FAILED, job)
            self._plan_next(job)
        else:
            self._finish(job, JobState.FAILED, events.FAILED)

    def _plan_next(self, job):
        job.state = JobState.PENDING
        job.attempt = 0
        job.planned = job.trigger.next(job.planned, self.clock.now())
        job.due = job.planned
        self._queue.push(job)

    def _finish(self, job, state, event):
        job.state = state
        if job.key is not None and self._keys.get(job.key) is job:
            del self._keys[job.key]
        self.events.emit(event, job)
        for dependent in self._waiting.pop(job.id, []):
            if dependent.state is not JobState.BLOCKED:
                continue
            if state is not JobState.DONE:
                self._finish(dependent, JobState.CANCELLED, events.CANCELLED)
            elif all(dep.state is JobState.DONE for dep in dependent.after):
                dependent.state = JobState.PENDING
                dependent.due = max(dependent.due, self.clock.now())
                self._queue.push(dependent)
        self._trim()

    def _trim(self):
        finished = [job for job in self._jobs.values() if job.state.finished]
        for job in finished[: max(len(finished) - self._history, 0)]:
            del self._jobs[job.id]

    # -- changing --------------------------------------------------------
    def cancel(self, job_id):
        """Cancel a job and all that wait for it; False when it is finished already."""
        job = self.get(job_id)
        if job.state.finished:
            return False
        self._queue.remove(job)
        self._finish(job, JobState.CANCELLED, events.CANCELLED)
        return True

    def reschedule(self, job_id, at):
        job = self.get(job_id)
        if job.state.finished:
            raise ValueError(f"{job!r} is finished")
        job.due = at
        if job.recurring:
            job.planned = at
        if job.state is JobState.PENDING:
            self._queue.push(job)

    def revive(self, job_id):
        """Give a job that failed for good a fresh set of attempts."""
        for job in self.dead:
            if job.id == job_id:
                break
        else:
            raise UnknownJob(job_id)
        self.dead.remove(job)
        if job.recurring:
            return job
        job.state = JobState.PENDING
        job.attempt = 0
        job.error = None
        job.due = self.clock.now()
        self._add(job)
        return job
