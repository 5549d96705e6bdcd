"""The repair of a project for a CI service: a summary in Markdown, and annotations as GitHub's workflow commands.

Whatever comes from the project (names of tests, messages, paths, the patch) is escaped for where it stands: no name can
end a fence, open a tag or a link, or be taken for a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from regreen.report.likelihood_words import likelihood_sentence
from regreen.report.safe_text import visible, visible_line
from regreen.types import FileChange, ProjectOutcome, ProjectRepair, TestsAside

_MOST_ROWS = 50
_MOST_ANNOTATIONS = 10
"""GitHub shows as many of a kind for one step."""
_LINE_CHARACTERS = 500
_MOST_PATCH_CHARACTERS = 200_000
"""A step's summary may have 1 MiB."""
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_HEADLINES = {
    ProjectOutcome.NOTHING_RED: "Nothing is red",
    ProjectOutcome.FIXED: "A proven patch turns every red test green",
    ProjectOutcome.PARTLY_FIXED: "A patch turns some red tests green, and none red",
    ProjectOutcome.NOT_FIXED: "No repair was found",
    ProjectOutcome.TESTS_LOOK_WRONG: "The tests look wrong: no program could pass them all",
    ProjectOutcome.OUT_OF_REACH: "Out of reach: no change of the project's modules turns the red tests green",
}


def markdown_summary(repair: ProjectRepair, patch_file: str = "") -> str:
    """What a person reads about a repair; `patch_file` is where the patch was saved, where it was."""
    return "\n\n".join(part for part in _parts(repair, patch_file) if part) + "\n"


def workflow_commands(repair: ProjectRepair) -> Iterator[str]:
    """The annotations of a repair: one at each changed file, and one for each reason to set tests aside."""
    if not repair.changes and repair.outcome is not ProjectOutcome.NOTHING_RED:
        said = [_HEADLINES[repair.outcome], *repair.explanation.splitlines()[:3]]
        yield _command("warning", {"title": "Regreen"}, "\n".join(said))
    for change in repair.changes[:_MOST_ANNOTATIONS]:
        yield _annotation(repair, change)
    for aside in repair.aside[:_MOST_ANNOTATIONS]:
        yield _command("warning", {"title": "Regreen set tests aside"}, _aside_words(aside))


def markdown_text(text: str) -> str:
    """A text on one line in which Markdown and HTML find nothing but words."""
    return _PUNCTUATION.sub(r"\\\1", visible_line(text, _LINE_CHARACTERS))


def code_block(text: str, language: str) -> str:
    """A text as a block of code that nothing in it can end."""
    shown = visible(text).rstrip("\n")
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def _parts(repair: ProjectRepair, patch_file: str) -> Iterator[str]:
    yield f"## Regreen: {_HEADLINES[repair.outcome]}"
    if repair.is_doubtful:
        yield f"**{likelihood_sentence(repair.likelihood)}**"
    if repair.diff:
        is_whole = len(repair.diff) <= _MOST_PATCH_CHARACTERS
        yield code_block(repair.diff, "diff") if is_whole else "The patch is too long to be shown here."
    if patch_file and repair.diff:
        yield f"`git apply` takes it from the file {markdown_text(patch_file)}. Nothing was pushed or written."
    yield "\n".join(f"- {markdown_text(line)}" for line in repair.explanation.splitlines() if line.strip())
    if repair.likelihood is not None and not repair.is_doubtful:
        yield likelihood_sentence(repair.likelihood)
    if allowed := [change.path for change in repair.changes if change.is_allowed]:
        yield f"**Changed beside the project's modules, as was allowed:** {markdown_text(', '.join(allowed))}"
    yield _table(repair)
    yield "\n".join(f"- {markdown_text(_aside_words(aside))}" for aside in repair.aside)


def _table(repair: ProjectRepair) -> str:
    """The red tests, before and after."""
    rows = [
        f"| {markdown_text(test)} | {repair.before[test].outcome.value} | {_after(repair, test)} |"
        for test in repair.red[:_MOST_ROWS]
    ]
    if not rows:
        return ""
    more = len(repair.red) - len(rows)
    rest = [f"\n... and {more} more."] if more else []
    return "\n".join(["| Red test | before | with the patch |", "|---|---|---|", *rows, *rest])


def _after(repair: ProjectRepair, test: str) -> str:
    result = repair.after.get(test)
    return result.outcome.value if result else ""


def _aside_words(aside: TestsAside) -> str:
    return f"Set aside: {', '.join(aside.tests[:5])}: {aside.reason}. {aside.remedy}".rstrip()


def _annotation(repair: ProjectRepair, change: FileChange) -> str:
    proven = "proven patch" if repair.fixed else "patch that helps some tests"
    said = [change.note or "changed", f"{len(repair.turned_green)} red tests pass with the patch."]
    return _command(
        "notice", {"file": change.path, "line": str(change.first_line), "title": f"Regreen: {proven}"}, "\n".join(said)
    )


def _command(name: str, properties: Mapping[str, str], message: str) -> str:
    """A workflow command, escaped as its reader demands."""
    told = ",".join(f"{key}={_escaped(visible(value), in_property=True)}" for key, value in properties.items())
    return f"::{name} {told}::{_escaped(visible(message))}"


def _escaped(text: str, *, in_property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text
