import argparse
import os
import sys
from datetime import datetime

from . import __version__, dates, query, view
from .errors import JotError
from .models import PRIORITIES
from .store import JsonStore
from .tasklist import TaskList


def default_path(environ=os.environ):
    if environ.get("JOT_FILE"):
        return environ["JOT_FILE"]
    base = environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(base, "jot", "tasks.json")


def build_parser():
    parser = argparse.ArgumentParser(prog="jot")
    parser.add_argument("--file", help="the file with the tasks")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)

    add = commands.add_parser("add")
    add.add_argument("title", nargs="+")
    add.add_argument("-d", "--due")
    add.add_argument("-p", "--priority", choices=PRIORITIES, default="normal")
    add.add_argument("-t", "--tag", action="append", default=[])
    add.add_argument("-e", "--every")

    listing = commands.add_parser("list")
    listing.add_argument("query", nargs="?", default="")
    listing.add_argument("--width", type=int, default=80)

    for name in ("done", "reopen", "remove"):
        command = commands.add_parser(name)
        command.add_argument("ids", nargs="+", type=int)

    edit = commands.add_parser("edit")
    edit.add_argument("id", type=int)
    edit.add_argument("--title")
    edit.add_argument("-d", "--due", help="a date, or 'none'")
    edit.add_argument("-p", "--priority", choices=PRIORITIES)

    tag = commands.add_parser("tag")
    tag.add_argument("id", type=int)
    tag.add_argument("tags", nargs="+", help="'name' adds, 'no:name' removes")

    show = commands.add_parser("show")
    show.add_argument("id", type=int)
    note = commands.add_parser("note")
    note.add_argument("id", type=int)
    note.add_argument("text", nargs="+")
    for name in ("tags", "clear", "undo"):
        commands.add_parser(name)
    return parser


class Commands:
    def __init__(self, tasks):
        self.tasks = tasks

    def add(self, args):
        due = dates.parse_date(args.due, self.tasks.today) if args.due else None
        task = self.tasks.add(" ".join(args.title), due, args.priority, args.tag, args.every)
        print(f"Added {task.id}: {task.title}")

    def list(self, args):
        today = self.tasks.today
        print(view.format_list(query.select(self.tasks, args.query, today), today, args.width))

    def _each(self, ids, action):
        """Go on after an error, but report it and fail in the end."""
        status = 0
        for task_id in ids:
            try:
                action(task_id)
            except JotError as exc:
                print(f"jot: {exc}", file=sys.stderr)
                status = 1
        return status

    def done(self, args):
        def action(task_id):
            follow_up = self.tasks.complete(task_id)
            print(f"Done: {self.tasks.get(task_id).title}")
            if follow_up is not None:
                print(f"Next {follow_up.id}: {follow_up.due.isoformat()}")

        return self._each(args.ids, action)

    def reopen(self, args):
        return self._each(args.ids, self.tasks.reopen)

    def remove(self, args):
        def action(task_id):
            print(f"Removed: {self.tasks.remove(task_id).title}")

        return self._each(args.ids, action)

    def edit(self, args):
        clear = args.due == "none"
        due = dates.parse_date(args.due, self.tasks.today) if args.due and not clear else None
        self.tasks.edit(args.id, args.title, due, args.priority, clear)

    def tag(self, args):
        remove = [tag[len("no:") :] for tag in args.tags if tag.startswith("no:")]
        add = [tag for tag in args.tags if not tag.startswith("no:")]
        self.tasks.tag(args.id, add, remove)

    def show(self, args):
        print(view.format_details(self.tasks.get(args.id), self.tasks.today))

    def note(self, args):
        self.tasks.note(args.id, " ".join(args.text))

    def tags(self, args):
        for tag, count in self.tasks.tags().items():
            print(f"#{tag} {count}")

    def clear(self, args):
        print(f"Cleared {self.tasks.clear_done()} done tasks")

    def undo(self, args):
        print(f"Undid: {self.tasks.undo()}")


def main(argv=None, now=datetime.now):
    args = build_parser().parse_args(argv)
    try:
        tasks = TaskList(JsonStore(args.file or default_path()), now)
        return getattr(Commands(tasks), args.command)(args) or 0
    except JotError as exc:
        print(f"jot: {exc}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
