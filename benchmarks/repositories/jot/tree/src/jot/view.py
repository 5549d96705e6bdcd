"""Tasks as lines of text."""

from .dates import describe

MARKS = {"low": " ", "normal": " ", "high": "!"}


def shorten(text, width):
    if len(text) <= width:
        return text
    return text[: max(width - 1, 0)].rstrip() + "…"


def format_line(task, today, id_width=2, width=80):
    box = "[x]" if task.is_done else "[ ]"
    extras = []
    if task.due is not None:
        due = describe(task.due, today)
        extras.append(f"({due}, every {task.every})" if task.every else f"({due})")
    extras += [f"#{tag}" for tag in task.tags]
    if task.notes:
        extras.append(f"+{len(task.notes)}")
    tail = (" " + " ".join(extras)) if extras else ""
    head = f"{task.id:>{id_width}} {box}{MARKS[task.priority]}"
    title = shorten(task.title, max(width - len(head) - len(tail) - 1, 10))
    return f"{head} {title}{tail}"


def format_list(tasks, today, width=80):
    tasks = list(tasks)
    if not tasks:
        return "Nothing to do."
    id_width = max(len(str(task.id)) for task in tasks)
    return "\n".join(format_line(task, today, id_width, width) for task in tasks)


def format_details(task, today):
    lines = [f"{task.id}: {task.title}", f"  priority: {task.priority}"]
    if task.due is not None:
        lines.append(f"  due: {task.due.isoformat()} ({describe(task.due, today)})")
    if task.every:
        lines.append(f"  every: {task.every}")
    if task.tags:
        lines.append("  tags: " + ", ".join(task.tags))
    if task.done is not None:
        lines.append(f"  done: {task.done:%Y-%m-%d %H:%M}")
    lines += [f"  - {note}" for note in task.notes]
    return "\n".join(lines)
