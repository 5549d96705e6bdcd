"""Everything that can be done to a list of tasks."""

import copy
from datetime import datetime

from . import recurrence
from .errors import JotError, NoSuchTask
from .models import Task, normalize_tag

UNDO_LEVELS = 20


class TaskList:
    def __init__(self, store, now=datetime.now):
        self.store = store
        self.now = now
        data = store.load()
        self.next_id = data["next_id"]
        self.tasks = [Task.from_dict(item) for item in data["tasks"]]
        self._undo = data["undo"]

    @property
    def today(self):
        return self.now().date()

    def __len__(self):
        return len(self.tasks)

    def __iter__(self):
        return iter(self.tasks)

    def get(self, task_id):
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise NoSuchTask(task_id)

    def _snapshot(self):
        return [task.to_dict() for task in self.tasks]

    def _save(self, label, before):
        if label is not None:
            self._undo.append({"label": label, "tasks": before})
            del self._undo[:-UNDO_LEVELS]
        self.store.save(
            {
                "version": 2,
                "next_id": self.next_id,
                "tasks": self._snapshot(),
                "undo": self._undo,
            }
        )

    def _new_id(self):
        task_id = self.next_id
        self.next_id += 1
        return task_id

    # -- changes ---------------------------------------------------------
    def add(self, title, due=None, priority="normal", tags=(), every=None):
        before = self._snapshot()
        if every is not None:
            every = recurrence.canonical(every)
            if due is None:
                due = self.today
        task = Task(
            id=self.next_id,
            title=title,
            created=self.now(),
            due=due,
            priority=priority,
            every=every,
            anchor=due.day if every else None,
        )
        for tag in tags:
            task.add_tag(tag)
        self._new_id()
        self.tasks.append(task)
        self._save(f"add {task.id}", before)
        return task

    def complete(self, task_id):
        """Mark as done; returns the follow-up of a recurring task, else None."""
        before = self._snapshot()
        task = self.get(task_id)
        if task.is_done:
            raise JotError(f"task {task_id} is done already")
        task.done = self.now()
        follow_up = None
        if task.every:
            follow_up = copy.deepcopy(task)
            follow_up.id = self._new_id()
            follow_up.created = self.now()
            follow_up.done = None
            follow_up.due = recurrence.next_due(task, self.today)
            follow_up.anchor = task.anchor or task.due.day
            self.tasks.append(follow_up)
        self._save(f"done {task_id}", before)
        return follow_up

    def reopen(self, task_id):
        before = self._snapshot()
        task = self.get(task_id)
        if not task.is_done:
            raise JotError(f"task {task_id} is open")
        task.done = None
        self._save(f"reopen {task_id}", before)
        return task

    def edit(self, task_id, title=None, due=None, priority=None, clear_due=False):
        before = self._snapshot()
        task = self.get(task_id)
        changed = Task.from_dict(task.to_dict())
        if title is not None:
            changed.title = title
        if priority is not None:
            changed.priority = priority
        if clear_due:
            if changed.every:
                raise JotError("a recurring task needs a due date")
            changed.due = None
        elif due is not None:
            changed.due = due
            if changed.every:
                changed.anchor = due.day
        changed.__post_init__()
        self.tasks[self.tasks.index(task)] = changed
        self._save(f"edit {task_id}", before)
        return changed

    def tag(self, task_id, add=(), remove=()):
        before = self._snapshot()
        task = self.get(task_id)
        for tag in remove:
            task.remove_tag(tag)
        for tag in add:
            task.add_tag(tag)
        self._save(f"tag {task_id}", before)
        return task

    def rename_tag(self, old, new):
        """Rename a tag everywhere; returns the number of tasks that had it."""
        before = self._snapshot()
        old, new = normalize_tag(old), normalize_tag(new)
        count = 0
        for task in self.tasks:
            if old in task.tags:
                task.remove_tag(old)
                task.add_tag(new)
                count += 1
        if count:
            self._save(f"rename #{old}", before)
        return count

    def note(self, task_id, text):
        before = self._snapshot()
        task = self.get(task_id)
        task.notes.append(text)
        self._save(f"note {task_id}", before)
        return task

    def remove(self, task_id):
        before = self._snapshot()
        task = self.get(task_id)
        self.tasks.remove(task)
        self._save(f"remove {task_id}", before)
        return task

    def clear_done(self):
        before = self._snapshot()
        kept = [task for task in self.tasks if not task.is_done]
        count = len(self.tasks) - len(kept)
        if count:
            self.tasks = kept
            self._save("clear", before)
        return count

    def undo(self):
        """Take back the last change; returns its label."""
        if not self._undo:
            raise JotError("nothing to undo")
        entry = self._undo.pop()
        self.tasks = [Task.from_dict(item) for item in entry["tasks"]]
        self._save(None, None)
        return entry["label"]

    # -- looking ---------------------------------------------------------
    def tags(self):
        """Number of open tasks by tag, the most used first."""
        counts = {}
        for task in self.tasks:
            if not task.is_done:
                for tag in task.tags:
                    counts[tag] = counts.get(tag, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
