from dataclasses import dataclass, field
from datetime import date, timedelta


@dataclass(order=True)
class Task:
    due: date
    name: str = field(compare=False)
    days: int = field(default=1, compare=False)
    needs: list = field(default_factory=list, compare=False)

    @property
    def begins(self):
        return self.due - timedelta(self.days - 1)


@dataclass
class Plan:
    tasks: list = field(default_factory=list)

    def add(self, task):
        self.tasks.append(task)

    def overdue(self, today):
        return [task for task in self.tasks if task.due < today]

    def next(self):
        return max(self.tasks, default=None)
