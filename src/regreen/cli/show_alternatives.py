"""How sure a repair is, on a terminal: its likelihood, what else passes, and what would tell them apart."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from regreen.cli.console import print_wrapped
from regreen.report.likelihood_words import likelihood_sentence, rounded_percent
from regreen.report.safe_text import visible, visible_line
from regreen.select.questions import said_value
from regreen.types import Question, Repair

_QUESTION_CHARACTERS = 300
_DISAGREE = "What passes does not agree. A check for the right answer decides"


def doubt(repair: Repair) -> str:
    """The sentence that comes before a doubtful repair; empty for any other."""
    if repair.chosen is None or not repair.is_doubtful:
        return ""
    return likelihood_sentence(repair.likelihood)


def likelihood_line(repair: Repair) -> str:
    """How likely a repair is to be right, in a sentence; empty where that was said first, or is not known."""
    if repair.chosen is None or repair.likelihood is None or repair.is_doubtful:
        return ""
    return likelihood_sentence(repair.likelihood)


def show_alternatives(out: Console, repair: Repair, patches: Sequence[Text], *, full: bool) -> None:
    """Print the further behaviours with their diffs, and the questions whose answers decide.

    A question costs a few lines: without `full`, all are only shown where the repair is doubtful, else the first.
    """
    for number, (alternative, patch) in enumerate(zip(repair.alternatives, patches, strict=True), 1):
        out.print()
        print_wrapped(out, alternative_title(number, alternative.likelihood))
        out.print(patch, soft_wrap=True, end="")
    if repair.chosen is not None:
        show_questions(out, repair.questions, f"{_DISAGREE}; --ask asks here:", full=full or repair.is_doubtful)
    told = [q.answers[q.answered].check for q in repair.questions if q.answered is not None]
    if told:
        print_wrapped(out, Text("Add what you answered to the tests, so that it stays:"))
    for check in told:
        _show_check(out, check)


def show_questions(out: Console, questions: Sequence[Question], title: str, *, full: bool) -> None:
    """Print the questions that nobody has answered; without `full`, the first."""
    is_open = [question for question in questions if question.answered is None]
    if is_open:
        out.print()
        print_wrapped(out, Text(title))
    for question in is_open if full else is_open[:1]:
        show_question(out, question)


def alternative_title(number: int, likelihood: float) -> Text:
    """What stands above the patch of an alternative."""
    return Text(f"Alternative {number}, {rounded_percent(likelihood)} likely right:", style="bold")


def show_question(out: Console, question: Question) -> None:
    """Print one question, and the check to add for each answer."""
    values = ", or ".join(answer_words(answer.value) for answer in question.answers)
    print_wrapped(out, Text(f"For {visible_line(question.input, _QUESTION_CHARACTERS)}: {values}?", style="bold"))
    for answer in question.answers:
        _show_check(out, answer.check)


def answer_words(value: str) -> str:
    """An answer as one says it."""
    return visible_line(value.removeprefix("raises "), _QUESTION_CHARACTERS)


def _show_check(out: Console, check: str) -> None:
    for line in visible(check).splitlines():
        print_wrapped(out, Text(line, style="dim"), label="   ")


class Prompts:
    """Asks at a terminal, on the stream for progress, so that results can be piped."""

    def __init__(self, out: Console) -> None:
        self._out = out

    @property
    def is_possible(self) -> bool:
        """Whether somebody can read and answer."""
        return sys.stdin.isatty() and self._out.is_terminal

    def ask(self, question: Question) -> int | str | None:
        """The place of the answer that is right, or another value that is; None where no answer comes."""
        out, count = self._out, len(question.answers)
        print_wrapped(out, Text(f"For {visible_line(question.input, _QUESTION_CHARACTERS)}, what is right?"))
        for number, answer in enumerate(question.answers, 1):
            print_wrapped(out, Text(answer_words(answer.value)), label=f"  {number}")
        reply = self._reply(f"1 to {count}, or = and another value (= 0, = ValueError), or Enter if you cannot say: ")
        if reply.startswith("="):
            return self._value(reply.removeprefix("=").strip())
        return int(reply) - 1 if reply.isdecimal() and 1 <= int(reply) <= count else None

    def _value(self, text: str) -> str | None:
        """The value that was typed, asked for once more where it is none."""
        value = said_value(text)
        if value is None:
            again = self._reply("That is no value of Python's, such as 0, 'a', [1] or ValueError: ")
            value = said_value(again.removeprefix("=").strip())
        return value

    def show(self, patch: Text) -> None:
        """Print a diff."""
        self._out.print(patch, soft_wrap=True, end="")

    def confirm(self, what: str) -> bool:
        """Whether the user agrees; no is the default."""
        return self._reply(f"{what} [y/N] ").lower() in ("y", "yes")

    def _reply(self, words: str) -> str:
        self._out.print(words, end="")
        try:
            return sys.stdin.readline().strip()
        except KeyboardInterrupt:
            return ""
