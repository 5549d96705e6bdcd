"""The tools of a model that works on a copy of a project: what each shows or changes, and what it refuses.

The copy is the project as it was read, in memory: no path that a model names ever reaches the disk. A path is one of
the copy's own or none, so that "..", absolute paths and links that lead out of the project find nothing.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from regreen.models import Tool, ToolCall
from regreen.propose.edits.loose_json import read_json
from regreen.propose.reply import ReplyFault
from regreen.propose.reply.project_reply import read_project_reply
from regreen.strategies.agents.program_view import with_line_numbers
from regreen.strategies.whole_projects.project_session import ProjectSession

_MOST_CHARACTERS: Final = 12_000
"""Of what one call shows."""
_LISTED: Final = 300
_HITS, _HIT_CHARACTERS = 60, 200
_VIEWED_LINES: Final = 250
_SHOWN_ARGUMENTS: Final = 200
_MOST_QUERY: Final = 500
_TESTS: Final = "run_tests"


def _tool(name: str, description: str, required: tuple[str, ...] = (), **properties: Mapping[str, Any]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return Tool(name, description, schema)


_PATH = {"type": "string", "description": "a path below the project's top folder, as `list` shows it"}
_LINE = {"type": "integer", "minimum": 1}
TOOLS: Final = (
    _tool(
        "list",
        "List the project's files with their sizes.",
        pattern={"type": "string", "description": "only paths that match, e.g. src/*.py; all where it is left out"},
    ),
    _tool(
        "search",
        "Find a text in the project's files; upper and lower case count. Returns path, line number and line.",
        ("text",),
        text={"type": "string", "description": "the text, as it stands in one line"},
        pattern={"type": "string", "description": "only in files whose paths match"},
    ),
    _tool(
        "view",
        "Show a file with line numbers, which are no part of its text.",
        ("path",),
        path=_PATH,
        first_line=_LINE,
        last_line=_LINE,
    ),
    _tool(
        "edit",
        "Replace lines of a file on the copy. `old` quotes whole lines exactly as they stand, enough to be found once.",
        ("path", "old", "new"),
        path=_PATH,
        old={"type": "string", "description": "the lines as they stand now"},
        new={"type": "string", "description": "the lines that take their place; empty to delete"},
    ),
    _tool(_TESTS, "Run the tests that have to pass on the copy as it is now; where they do, the whole suite."),
)
_NOTHING: Final = ("", "{}", "null")
"""How models write that a call has no arguments."""
TOOL_NAMES: Final = tuple(tool.name for tool in TOOLS)


@dataclass
class ToolResults:
    """The copy while the calls of one reply are carried out, one after the other."""

    session: ProjectSession
    texts: dict[str, str]
    """Path -> text of the files that differ from the project as it was given."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Calls that could not be carried out: the kind of fault, and words about it."""

    def answer(self, call: ToolCall) -> str:
        """What comes of one call, in words for the model; "" for one that asks for the tests."""
        arguments = {} if call.arguments.strip() in _NOTHING else read_json(call.arguments)
        if call.name not in TOOL_NAMES:
            return self._refused("unknown_tool", f"there is no tool {_quoted(call.name)}: {', '.join(TOOL_NAMES)}.")
        if not isinstance(arguments, dict):
            return self._refused("tool_call", f"the arguments {_quoted(call.arguments)} are no JSON object.")
        tool = next(tool for tool in TOOLS if tool.name == call.name)
        missing = [name for name in tool.parameters["required"] if not isinstance(arguments.get(name), str)]
        if missing:
            return self._refused("tool_call", f"{call.name} needs {' and '.join(missing)} as text.")
        answers = {"list": self._list, "search": self._search, "view": self._view, "edit": self._edit}
        return "" if call.name == _TESTS else _bounded(answers[call.name](arguments))

    def _refused(self, kind: str, complaint: str) -> str:
        self.faults.append((kind, complaint))
        return f"This call was not carried out: {complaint}"

    def _list(self, arguments: Mapping[str, Any]) -> str:
        paths = self._matching(arguments.get("pattern"))
        lines = [
            f"{_printed(path)} ({len(self.session.whole.project.files[path]):,} bytes)" for path in paths[:_LISTED]
        ]
        more = [f"... and {len(paths) - _LISTED:,} more: give a pattern."] if len(paths) > _LISTED else []
        return "\n".join([*lines, *more]) or "No file matches."

    def _matching(self, pattern: Any) -> list[str]:
        paths = sorted(self.session.whole.project.files)
        if not isinstance(pattern, str) or not pattern.strip():
            return paths
        wanted = pattern[:_MOST_QUERY]
        folder = f"{wanted.rstrip('/')}/"
        return [path for path in paths if fnmatch.fnmatchcase(path, wanted) or path.startswith(folder)]

    def _search(self, arguments: Mapping[str, Any]) -> str:
        wanted = arguments["text"][:_MOST_QUERY]
        if not wanted.strip() or "\n" in wanted:
            return self._refused("tool_call", "search needs a text of one line.")
        found: list[str] = []
        for path in self._matching(arguments.get("pattern")):
            for number, line in enumerate(self._text(path).split("\n"), 1):
                if wanted in line:
                    found.append(f"{_printed(path)}:{number}: {line.strip()[:_HIT_CHARACTERS]}")
                if len(found) > _HITS:
                    return "\n".join([*found[:_HITS], "... and more: search for a longer text."])
        return "\n".join(found) or "It is found nowhere."

    def _view(self, arguments: Mapping[str, Any]) -> str:
        path = self.session.readable(self.texts).path_of(arguments["path"])
        if not path:
            return self._refused("tool_call", f"there is no file {_quoted(arguments['path'])} in the project.")
        lines = self._text(path).removesuffix("\n").split("\n")
        first = _whole_number(arguments.get("first_line"), 1)
        last = min(_whole_number(arguments.get("last_line"), len(lines)), len(lines), first + _VIEWED_LINES - 1)
        if first > len(lines) or last < first:
            return f"{_printed(path)} has {len(lines)} lines."
        shown = with_line_numbers("\n".join(lines[first - 1 : last]), first)
        return f"{_printed(path)}, lines {first} to {last} of {len(lines)}:\n{shown}"

    def _edit(self, arguments: Mapping[str, Any]) -> str:
        project = self.session.readable(self.texts)
        path, old, new = (arguments[name] for name in ("path", "old", "new"))
        if refusal := project.refusal(path):
            return self._refused("refused_edit", refusal)
        edit = {"path": path, "operation": "replace" if new else "delete", "old": old, "new": new}
        found = read_project_reply(json.dumps({"edits": [edit]}), project)
        if isinstance(found, ReplyFault):
            return self._refused(str(found.kind), found.detail)
        self.texts.update(found.texts)
        return f"{_printed(project.path_of(path))} is changed on the copy. `{_TESTS}` tells what the tests say."

    def _text(self, path: str) -> str:
        if path in self.texts:
            return self.texts[path]
        if path in self.session.editable and (known := self.session.readable(self.texts).texts.get(path)) is not None:
            return known
        return self.session.whole.project.files[path].decode(errors="replace").replace("\r\n", "\n")


def _whole_number(value: Any, default: int) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value < 1_000_000_000
    return int(value) if is_number else default


def _bounded(text: str) -> str:
    if len(text) <= _MOST_CHARACTERS:
        return text
    return f"{text[:_MOST_CHARACTERS]}\n[cut: ask for less]"


def _quoted(text: str) -> str:
    return json.dumps(text[:_SHOWN_ARGUMENTS])


def _printed(path: str) -> str:
    """A path as it is; one with signs that do not print, as JSON writes it."""
    return path if path.isprintable() else json.dumps(path)
