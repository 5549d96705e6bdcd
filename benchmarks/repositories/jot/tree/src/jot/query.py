"""The query words of ``jot list``, and the order of its output."""

import shlex
from datetime import date, timedelta

from .errors import JotError
from .models import PRIORITIES


def _due(value, today):
    if value == "none":
        return lambda task: task.due is None
    if value == "today":
        return lambda task: task.due == today
    if value == "overdue":
        return lambda task: task.is_overdue(today)
    if value == "week":
        end = today + timedelta(days=7)
        return lambda task: task.due is not None and task.due < end
    raise JotError(f"unknown due: {value}")


def _compile_word(word, today):
    if word.startswith("#") and len(word) > 1:
        tag = word[1:].lower()
        return lambda task: any(t == tag or t.startswith(tag + "/") for t in task.tags)
    name, colon, value = word.partition(":")
    if colon and name == "due":
        return _due(value, today)
    if colon and name == "p":
        if value not in PRIORITIES:
            raise JotError(f"unknown priority: {value}")
        return lambda task: task.priority == value
    if colon and name == "is":
        if value == "done":
            return lambda task: task.is_done
        if value == "open":
            return lambda task: not task.is_done
        raise JotError(f"unknown is: {value}")
    text = word.casefold()
    return lambda task: text in task.title.casefold() or any(
        text in note.casefold() for note in task.notes
    )


def compile_query(text, today):
    """A function that tells whether a task fits; done tasks only when asked for."""
    try:
        words = shlex.split(text)
    except ValueError as exc:
        raise JotError(f"bad query: {exc}") from None
    tests = []
    mentions_state = False
    for word in words:
        negative = word.startswith("-") and len(word) > 1
        if negative:
            word = word[1:]
        if word.startswith("is:"):
            mentions_state = True
        tests.append((_compile_word(word, today), negative))

    def fits(task):
        if not mentions_state and task.is_done:
            return False
        return all(test(task) != negative for test, negative in tests)

    return fits


def sort_key(task):
    """Open before done; then by due date (none last), priority, and age."""
    return (
        task.is_done,
        task.due or date.max,
        -PRIORITIES.index(task.priority),
        task.id,
    )


def select(tasks, text, today):
    fits = compile_query(text, today)
    return sorted((task for task in tasks if fits(task)), key=sort_key)
