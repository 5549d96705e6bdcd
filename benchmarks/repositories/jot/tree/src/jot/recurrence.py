"""Tasks that come again: ``day``, ``weekday``, ``week``, ``month``, ``year``, ``3 days`` ..."""

import re
from datetime import timedelta

from .dates import add_months
from .errors import JotError

_RULE = re.compile(r"(?:(\d+) )?(day|weekday|week|month|year)s?$")


def parse_rule(text):
    """``(count, unit)`` of a rule."""
    match = _RULE.match(" ".join(text.lower().split()))
    if match is None or match.group(1) == "0":
        raise JotError(f"cannot repeat every {text!r}")
    count, unit = int(match.group(1) or 1), match.group(2)
    if unit == "weekday" and count != 1:
        raise JotError("weekday takes no number")
    return count, unit


def canonical(text):
    count, unit = parse_rule(text)
    return unit if count == 1 else f"{count} {unit}s"


def step(day, rule, anchor=None):
    count, unit = parse_rule(rule)
    if unit == "day":
        return day + timedelta(days=count)
    if unit == "week":
        return day + timedelta(weeks=count)
    if unit == "weekday":
        day += timedelta(days=1)
        while day.weekday() >= 5:
            day += timedelta(days=1)
        return day
    months = count * (12 if unit == "year" else 1)
    return add_months(day, months, anchor)


def next_due(task, today):
    """When *task* comes again: at least one step on, and after today."""
    anchor = task.anchor or task.due.day
    day = step(task.due, task.every, anchor)
    while day <= today:
        day = step(day, task.every, anchor)
    return day
