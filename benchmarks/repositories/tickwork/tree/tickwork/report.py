"""Plain-text overviews for logs and debugging consoles."""

from collections import Counter


def format_delta(seconds):
    seconds = int(seconds)
    if seconds < 0:
        return "-" + format_delta(-seconds)
    days, seconds = divmod(seconds, 86400)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s")]
    shown = [f"{value}{unit}" for value, unit in parts if value]
    return " ".join(shown[:2]) or "0s"


def overview(scheduler):
    """One line per queued job, soonest first."""
    now = scheduler.clock.now()
    lines = []
    for job in scheduler._queue:
        wait = (job.due - now).total_seconds()
        when = "now" if wait <= 0 else f"in {format_delta(wait)}"
        tries = f" (attempt {job.attempt + 1}/{job.retry.attempts})" if job.attempt else ""
        lines.append(f"{job.name}: {when}{tries}")
    return "\n".join(lines)


def counts(scheduler):
    counter = Counter(job.state.value for job in scheduler._jobs.values())
    return dict(sorted(counter.items()))
