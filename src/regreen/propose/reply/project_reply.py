"""Reads a model's reply to a project: text that names files in, their new texts or a named reason out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from regreen.propose.edits.apply import apply_edits
from regreen.propose.edits.line_edit import EditRefusal, edits_by_path, holds_edits, read_edits
from regreen.propose.edits.loose_json import begins_with_json, json_values
from regreen.propose.reply.blocks import Block, answer_of, fenced_blocks
from regreen.propose.reply.replacements import apply_replacements, diff_hunks_in, search_blocks_in
from regreen.propose.reply.reply_reader import read_code
from regreen.propose.reply.reply_result import MAX_CHARACTERS, ReplyFault, ReplyFaultKind, ReplyProgram

_MOST_FILES: Final = 20
"""Files that one reply may change."""
_FENCE_LINE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_SEARCH_LINE: Final = re.compile(r"[ \t]*<{5,9}(?: ?[A-Z]+)?[^\n]*")
_REPLACE_LINE: Final = re.compile(r"[ \t]*>{5,9}(?: ?[A-Z]+)?[^\n]*")
_WORD: Final = re.compile(r"(?:file|path|filename|in)[ \t]*:[ \t]*", re.IGNORECASE)
_PATH_LIKE: Final = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*\.\w{1,5}")
_MARKS: Final = "#*>`\"' \t"
_SHOWN_PATH: Final = 200
_SAYS_NOTHING: Final = (ReplyFaultKind.NO_CODE, ReplyFaultKind.EMPTY, ReplyFaultKind.REFUSED)
"""Faults of a part of a reply that only mentions a file."""


@dataclass(frozen=True, slots=True)
class ReplyChanges:
    """What a reply makes of a project's files."""

    texts: Mapping[str, str]
    """Path -> the whole new text of each file that it changes; at least one."""
    notes: tuple[str, ...] = ()
    """What was mended or left aside, in words."""


@dataclass(frozen=True)
class EditableProject:
    """The files of a project, as a reply is read against them."""

    texts: Mapping[str, str]
    """Path -> current text of each file that may be changed."""
    every: frozenset[str]
    """Paths of all files."""
    shown: Sequence[str] = ()
    """Paths of the files that the model was shown, the most suspicious first: code without a path belongs to one."""

    def path_of(self, named: str) -> str:
        """The path that a text names, as the project has it; "" where it names none of its files."""
        path = str(PurePosixPath(named.strip().replace("\\", "/").removeprefix("./")))
        for found in (path, path.removeprefix("a/").removeprefix("b/")):
            if found in self.texts or found in self.every:
                return found
        return ""

    def refusal(self, named: str) -> str:
        """Why the file of a path may not be changed, in words that a model can act on; "" where it may."""
        path = self.path_of(named)
        if path in self.texts:
            return ""
        shown = named[:_SHOWN_PATH]
        if path:
            return f"`{shown}` may not be changed: tests, conftest.py and configuration stay as they are."
        return f"there is no file `{shown}` in the project, and no file is added: change one of those that are there."


def read_project_reply(text: str, project: EditableProject) -> ReplyChanges | ReplyFault:
    """The changes that a model's reply describes, or why there are none: all of them are made, or none.

    A file is named by its path on a line before its code, in the fence of the code, in the first line of the code, in
    the head of a diff, or by `path` in JSON. Its code is read as `read_reply` reads a reply to one program. Code for
    which no file is named is read against the files that were shown. Never raises, whatever the text.
    """
    if len(text) > MAX_CHARACTERS:
        return ReplyFault(ReplyFaultKind.TOO_LONG, f"The reply has more than {MAX_CHARACTERS} characters.")
    answer, thoughts = answer_of(text)
    answer = answer if answer.strip() else thoughts
    if not answer.strip():
        return ReplyFault(ReplyFaultKind.EMPTY, "The reply is empty.")
    if (edits := _edits_in(answer)) and any(edits):
        return _together({name: _edited(project, name, items) for name, items in edits.items()}, project)
    sections = _sections(answer, project)
    if len(sections) > _MOST_FILES:
        return ReplyFault(ReplyFaultKind.MISFIT, f"The reply changes {len(sections)} files; at most {_MOST_FILES}.")
    read = {name: _changed(project, name, "\n".join(lines)) for name, lines in sections.items()}
    told = {name: found for name, found in read.items() if not _is_mention(found)}
    return _together(told, project) if told else _without_path(answer, project)


def _is_mention(found: str | tuple[str, tuple[str, ...]] | ReplyFault) -> bool:
    return isinstance(found, ReplyFault) and found.kind in _SAYS_NOTHING


_Read = tuple[str, tuple[str, ...]] | ReplyFault
"""The new text of a file with notes, or why there is none."""


def _together(read: Mapping[str, _Read], project: EditableProject) -> ReplyChanges | ReplyFault:
    """The changes of all files; the first fault where one of them cannot be made."""
    texts: dict[str, str] = {}
    notes: list[str] = []
    same: ReplyFault | None = None
    for name, found in read.items():
        if isinstance(found, ReplyFault):
            if found.kind is not ReplyFaultKind.UNCHANGED:
                return found
            same = found
            continue
        path = project.path_of(name)
        texts[path] = found[0]
        notes += [f"{path}: {note}" for note in found[1]]
    if texts:
        return ReplyChanges(texts, tuple(notes))
    return same or ReplyFault(ReplyFaultKind.NO_CODE, "There is no code in the reply.")


def _changed(project: EditableProject, name: str, text: str) -> _Read:
    """One file after what a reply says of it."""
    if refusal := project.refusal(name):
        is_code = any(mark in text for mark in ("```", "~~~", "<<<<<", "@@"))
        return ReplyFault(ReplyFaultKind.MISFIT if is_code else ReplyFaultKind.NO_CODE, refusal)
    path = project.path_of(name)
    source = project.texts[path]
    found = read_code(text, source) if path.endswith(".py") else _plain_change(text, source)
    return _named(found, path)


def _named(found: ReplyProgram | ReplyFault, path: str) -> _Read:
    if isinstance(found, ReplyFault):
        return ReplyFault(found.kind, f"`{path}`: {found.detail}", found.line)
    return found.source, found.notes


def _plain_change(text: str, source: str) -> ReplyProgram | ReplyFault:
    """A file that is not Python after the search-and-replace blocks or the diff of a reply."""
    blocks = fenced_blocks(text) or [Block(text)]
    replacements = search_blocks_in(text) or [hunk for block in blocks for hunk in diff_hunks_in(block)]
    if not replacements:
        return ReplyFault(ReplyFaultKind.NO_CODE, "there are no search-and-replace blocks for it.")
    made = apply_replacements(source, replacements)
    if isinstance(made, str):
        return ReplyFault(ReplyFaultKind.MISFIT, made)
    if made[0] == source:
        return ReplyFault(ReplyFaultKind.UNCHANGED, "The text is the same as before.")
    return ReplyProgram(made[0], made[1])


def _edits_in(answer: str) -> dict[str, list[Any]]:
    """The edits in JSON by the paths that they name; empty where the reply holds none."""
    for block in (*fenced_blocks(answer), Block(answer)):
        if not (begins_with_json(block.text) or block.tag == "json" or '"edits"' in block.text):
            continue
        for value in json_values(block.text):
            if holds_edits(value) and (found := edits_by_path(value)):
                return found
    return {}


def _edited(project: EditableProject, name: str, items: list[Any]) -> _Read:
    """One file after its edits in JSON."""
    if not name and len(project.shown) != 1:
        return ReplyFault(ReplyFaultKind.AMBIGUOUS, "an edit names no file: give its `path`.")
    if refusal := project.refusal(name or project.shown[0]):
        return ReplyFault(ReplyFaultKind.MISFIT, refusal)
    path = project.path_of(name or project.shown[0])
    source, asked = project.texts[path], json.dumps({"edits": items})
    if path.endswith(".py"):
        return _named(read_code(asked, source), path)
    edits = read_edits(asked)
    made = edits if isinstance(edits, EditRefusal) else apply_edits(source, edits)
    if isinstance(made, EditRefusal):
        return ReplyFault(ReplyFaultKind.MISFIT, f"`{path}`: {made}")
    return made.source, made.notes


def _without_path(answer: str, project: EditableProject) -> ReplyChanges | ReplyFault:
    """The change of the one shown file that code without a path fits; a fault where it fits none, or several."""
    faults: list[ReplyFault] = []
    fitting: dict[str, _Read] = {}
    for path in project.shown:
        found = _changed(project, path, answer)
        if isinstance(found, ReplyFault):
            faults.append(found)
        else:
            fitting[path] = found
    if len(fitting) == 1:
        return _together(fitting, project)
    if fitting:
        names = ", ".join(f"`{path}`" for path in fitting)
        return ReplyFault(ReplyFaultKind.AMBIGUOUS, f"It fits {names}: name the file on a line before its code.")
    telling = [fault for fault in faults if fault.kind not in _SAYS_NOTHING]
    return next(iter(telling or faults), ReplyFault(ReplyFaultKind.NO_CODE, "There is no code in the reply."))


@dataclass
class _SectionReader:
    """Cuts a reply into what it says of each file, by the lines that name one."""

    project: EditableProject
    sections: dict[str, list[str]] = field(default_factory=dict)
    current: list[str] | None = None
    fence: str = ""
    """The marks that opened the fence around the current line; "" outside of fences."""
    is_in_search: bool = False

    def read(self, lines: Sequence[str]) -> dict[str, list[str]]:
        for line, following in zip(lines, _following(lines), strict=True):
            self._take(line, following)
        return self.sections

    def _take(self, line: str, following: str) -> None:
        if self.is_in_search:
            self.is_in_search = not _REPLACE_LINE.fullmatch(line)
        elif _SEARCH_LINE.fullmatch(line):
            self.is_in_search = True
        elif fence := _FENCE_LINE.match(line):
            if self._take_fence(line, fence[1], fence[2], following):
                return
        elif name := self._named_by(line, following):
            self._begin(name)
            if line.startswith(("--- ", "+++ ")):
                self._add(line)
            return
        self._add(line)

    def _take_fence(self, line: str, marks: str, info: str, following: str) -> bool:
        """Follow the opening and the end of fences; whether the line has been added already."""
        if self.fence:
            self.fence = "" if not info.strip() else self.fence
            return False
        named = next(filter(None, map(self.project.path_of, re.split(r"[\s:=\"'{}]+", info))), "")
        if not named and following.lstrip().startswith(("#", "//")):
            named = self._path_in(following)
        if named:
            self._begin(named)
        self._add(marks + "python" if named else line)
        self.fence = marks
        return True

    def _named_by(self, line: str, following: str) -> str:
        """The file that a line names; within code, only the heads of diffs and lines before a search name one."""
        if line.startswith(("--- ", "+++ ")):
            return self._path_in(line[4:].split("\t")[0])
        if self.fence and not _SEARCH_LINE.fullmatch(following):
            return ""
        return self._path_in(line)

    def _path_in(self, line: str) -> str:
        """The path that a line consists of, also one that the project does not have; "" where it is no path."""
        bare = line.strip(_MARKS + ":")
        bare = _WORD.sub("", bare, count=1).strip(_MARKS + ":")
        if found := self.project.path_of(bare):
            return found
        return bare if _PATH_LIKE.fullmatch(bare) and ("/" in bare or bare.endswith(".py")) else ""

    def _begin(self, name: str) -> None:
        section = self.sections.setdefault(name, [])
        if section is self.current:
            return
        if self.fence and self.current is not None:
            self.current.append(self.fence)
        self.current = section
        if self.fence:
            section.append(self.fence)

    def _add(self, line: str) -> None:
        if self.current is not None:
            self.current.append(line)


def _following(lines: Sequence[str]) -> list[str]:
    """For each line, the next one that is not blank; "" where there is none."""
    found, later = [], ""
    for line in reversed(lines):
        found.append(later)
        later = line if line.strip() else later
    return found[::-1]


def _sections(answer: str, project: EditableProject) -> dict[str, list[str]]:
    """What a reply says of each file, by its path."""
    return _SectionReader(project).read(answer.split("\n"))
