"""`regreen fix --suspect`: guesses on a terminal and as plain data, each told apart from a repair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from regreen.cli.console import print_wrapped
from regreen.cli.show_alternatives import answer_words
from regreen.cli.show_repair import diff
from regreen.report.safe_text import visible_line

if TYPE_CHECKING:
    from regreen.strategies.searching.guesses import Guess

_LONGEST = 300


def show_guesses(out: Console, guesses: Sequence[Guess], patches: Sequence[str]) -> None:
    """Print guesses with their diffs, the most suspicious place first; `patches` are as many as `guesses`."""
    out.print()
    if not guesses:
        print_wrapped(out, Text("No guess: no small change that was tried keeps every check green and does otherwise."))
        return
    print_wrapped(
        out, Text("Guesses, none of them proven right: each keeps every check green, and nothing is written.")
    )
    print_wrapped(out, Text("Where one is right, a check is missing. The most suspicious first:"))
    for number, (guess, patch) in enumerate(zip(guesses, patches, strict=True), 1):
        out.print()
        print_wrapped(out, Text(f"Guess {number}, line {guess.line}:", style="bold"))
        out.print(diff(patch), soft_wrap=True, end="")
        for told in _reasons(guess):
            print_wrapped(out, Text(told))


def _reasons(guess: Guess) -> list[str]:
    """What speaks for a guess, and what would show it."""
    told = [f"The prose says so: {visible_line(quote, _LONGEST)}" for quote in guess.quotes]
    if guess.question:
        asked = visible_line(guess.question, _LONGEST)
        told.append(f"{asked} gives {answer_words(guess.now)} now, and {answer_words(guess.then)} with it.")
    return told


def guess_records(guesses: Sequence[Guess], patches: Sequence[str]) -> list[dict[str, Any]]:
    """Guesses as `--json` gives them."""
    return [
        {
            "line": guess.line,
            "diff": patch,
            "note": guess.attempt.candidate.note,
            "input": guess.question,
            "now": guess.now,
            "then": guess.then,
            "quotes": list(guess.quotes),
        }
        for guess, patch in zip(guesses, patches, strict=True)
    ]
