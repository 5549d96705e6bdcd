from dataclasses import dataclass, field
from datetime import date, datetime
from typing import List, Optional

from .errors import JotError

PRIORITIES = ["low", "normal", "high"]


def normalize_tag(tag):
    tag = tag.strip().lstrip("#").lower()
    if not tag or any(char.isspace() for char in tag):
        raise JotError(f"not a tag: {tag!r}")
    return tag


@dataclass
class Task:
    id: int
    title: str
    created: datetime
    due: Optional[date] = None
    priority: str = "normal"
    tags: List[str] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    every: Optional[str] = None
    anchor: Optional[int] = None
    done: Optional[datetime] = None

    def __post_init__(self):
        self.title = " ".join(self.title.split())
        if not self.title:
            raise JotError("a task needs a title")
        if self.priority not in PRIORITIES:
            raise JotError(f"priority must be one of {', '.join(PRIORITIES)}")

    @property
    def is_done(self):
        return self.done is not None

    def is_overdue(self, today):
        return not self.is_done and self.due is not None and self.due < today

    def add_tag(self, tag):
        tag = normalize_tag(tag)
        if tag not in self.tags:
            self.tags.append(tag)
            self.tags.sort()

    def remove_tag(self, tag):
        tag = normalize_tag(tag)
        if tag not in self.tags:
            raise JotError(f"task {self.id} is not tagged #{tag}")
        self.tags.remove(tag)

    def to_dict(self):
        data = {"id": self.id, "title": self.title, "created": self.created.isoformat()}
        if self.due is not None:
            data["due"] = self.due.isoformat()
        if self.priority != "normal":
            data["priority"] = self.priority
        for name in ("tags", "notes", "every", "anchor"):
            if getattr(self, name):
                value = getattr(self, name)
                data[name] = list(value) if isinstance(value, list) else value
        if self.done is not None:
            data["done"] = self.done.isoformat()
        return data

    @classmethod
    def from_dict(cls, data):
        return cls(
            id=data["id"],
            title=data["title"],
            created=datetime.fromisoformat(data["created"]),
            due=date.fromisoformat(data["due"]) if data.get("due") else None,
            priority=data.get("priority", "normal"),
            tags=list(data.get("tags", [])),
            notes=list(data.get("notes", [])),
            every=data.get("every"),
            anchor=data.get("anchor"),
            done=datetime.fromisoformat(data["done"]) if data.get("done") else None,
        )
