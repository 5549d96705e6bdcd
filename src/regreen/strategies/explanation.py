"""The outcome of a repair in a few plain sentences: what was red, suspected and changed, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regreen.plain_slips import plain_slips
from regreen.select import changed_lines
from regreen.strategies.choosing.confidence import changed_places, is_guess
from regreen.types import (
    Attempt,
    Candidate,
    Cost,
    Isolation,
    Site,
    Stop,
    Task,
    Turn,
    Verdict,
)
from regreen.verify.check_failures import CheckFailure, check_failures

_QUOTE_CHARACTERS = 300
"""How much of one text of the program or the checks is quoted."""

STOPS = {
    Stop.NOTHING_RED: "nothing was red",
    Stop.GUESSED: "nothing was red, and what is handed over is a guess",
    Stop.FIXED: "a repair was found",
    Stop.CANDIDATES: "the budget of candidates is spent",
    Stop.SECONDS: "the time is spent",
    Stop.EXHAUSTED: "there was nothing more to try",
    Stop.ITERATIONS: "the model was asked as often as it may be",
    Stop.ANSWERED: "one reply was all that was asked for",
    Stop.TOKENS: "the tokens are spent",
    Stop.MONEY: "the money is spent",
    Stop.MODEL_SECONDS: "the model's time is spent",
    Stop.CONTEXT: "the prompt does not fit into the model's context",
    Stop.INTERRUPTED: "it was interrupted",
    Stop.ERROR: "a service, the sandbox or the machine failed",
}

WALLS = {
    Isolation.SEPARATE: "The checks ran in a process of their own, which the program could not reach.",
    Isolation.SHARED: "The checks ran in the program's own process: a program that tampers with them is hunted, "
    "but not ruled out.",
}


def explain_repair(
    task: Task,
    before: Verdict,
    chosen: Attempt | None,
    best: Attempt | None,
    sites: Sequence[Site],
    cost: Cost,
    stop: Stop,
    turns: Sequence[Turn] = (),
    notes: Sequence[str] = (),
    likelihood: float | None = None,
) -> str:
    """A repair in plain sentences, one a line, without markup or control characters.

    `before` is the verdict on the program as it was, `chosen` the attempt that is handed over, `best` the best partial
    result, `sites` the suspected lines, most suspicious first, `turns` the requests to a model, `notes` further
    sentences to quote, `likelihood` how likely it is to be right where that is known. The last lines say what the
    checks cannot prove.
    """
    lines = [_red(task, before)]
    if stop is not Stop.NOTHING_RED:
        lines += _suspected(sites, chosen, task)
        lines += _handed_over(task, chosen) if chosen else _given_up(task, before, best, stop)
        lines.append(_cost(cost))
        lines += [*asked_sentences(cost, turns), *map(_quoted_whole, notes)]
    deciding = chosen.verdict if chosen else before
    lines += [WALLS[deciding.isolation], deciding.no_wall and f"{deciding.no_wall}."]
    if chosen:
        lines += _sureness(task, chosen, likelihood)
        lines += _on_its_word(chosen.verdict)
    if chosen or stop is Stop.NOTHING_RED:
        lines.append(f"Not proven: whatever {_these(len(before.results))} unasked.")
    return "\n".join(filter(None, map(_plain, lines)))


def _red(task: Task, before: Verdict) -> str:
    """How many checks failed, and the first of them in full."""
    total = len(before.results)
    failed = check_failures(task.suite, before)
    whole = f" {_quoted(before.detail)}." if before.detail else ""
    if not total:
        return f"There was no check to run.{whole}"
    if not failed:
        return f"Nothing was red: {_count(total, 'check passes', 'checks pass')}.{whole}"
    return f"{len(failed)} of {_count(total, 'check')} failed.{whole} {_failure(failed[0])}"


def _failure(failure: CheckFailure) -> str:
    """One failed check, with the line of the tests at which it ended."""
    code = f"`{_quoted(failure.code)}`" if failure.code else failure.check
    place = f"{_quoted(failure.place)}: {code}" if failure.place else code
    name = f"{_quoted(failure.name)} ({place})" if failure.name else place
    return f"{name} {_quoted(failure.message)}."


def _suspected(sites: Sequence[Site], chosen: Attempt | None, task: Task) -> Iterator[str]:
    """The rank of the changed line among the suspected; without a change, the line that was suspected most."""
    sites = [site for site in sites if site.suspicion > 0]
    if not sites:
        return
    changed = changed_lines(task.source, chosen.candidate.source) if chosen else ()
    rank = next((i for i, s in enumerate(sites) if any(s.first_line <= line <= s.last_line for line in changed)), None)
    if changed and rank is None:
        yield f"{_lines(changed[0], changed[-1])} had not been suspected."
        return
    site = sites[rank or 0]
    reason = f": {_quoted(site.reason)}" if site.reason else ""
    where = _lines(site.first_line, site.last_line)
    yield (
        f"{where} came {_ordinal(rank)} of {len(sites)} suspicious places{reason}."
        if rank
        else (f"{where} was suspected most{reason}.")
    )


def _handed_over(task: Task, chosen: Attempt) -> Iterator[str]:
    """The change, who made it, and how many checks pass now."""
    yield _change(task, chosen.candidate)
    yield from _plain_from_text(task, chosen.candidate)
    yield f"Now {_count(len(chosen.verdict.results), 'check passes', 'checks pass')}."


def _plain_from_text(task: Task, candidate: Candidate) -> Iterator[str]:
    """Which of the changed lines had a slip that is plain from the text and is gone: no check need show it."""
    changed, left = changed_lines(task.source, candidate.source), {slip.kind for slip in plain_slips(candidate.source)}
    gone = [slip for slip in plain_slips(task.source) if slip.kind not in left]
    places = (task.source.count("\n", 0, slip.edits[0].start) + 1 for slip in gone)
    lines = [str(line) for line in dict.fromkeys(places) if line in changed]
    if lines:
        where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(lines[:-1])} and {lines[-1]}"
        yield f"What was wrong in {where} is plain from the text, whether a check asks for it or not."


def _given_up(task: Task, before: Verdict, best: Attempt | None, stop: Stop) -> Iterator[str]:
    """Why nothing is handed over, and how far the best candidate came."""
    yield f"No candidate passes every check: {STOPS[stop]}."
    if best is not None and best.verdict.checks_passed > before.checks_passed:
        now, total = best.verdict.checks_passed, len(best.verdict.results)
        yield f"The best one passes {now} of {total} checks instead of {before.checks_passed}."
        yield _change(task, best.candidate)


def _change(task: Task, candidate: Candidate) -> str:
    """The lines that a candidate changes, who made it, and its note."""
    lines = changed_lines(task.source, candidate.source)
    where = _lines(lines[0], lines[-1]) if lines else "Nothing"
    note = f": {_quoted(candidate.note)}" if candidate.note else ""
    return f"{where} was changed by {_quoted(_maker(candidate.origin))}{note}."


def _maker(origin: str) -> str:
    """Who made a candidate, by its origin."""
    maker, _, detail = origin.partition(":")
    if maker == "model":
        return f"the model ({detail})"
    templates = list(dict.fromkeys(detail.split("+")))
    if maker != "search":
        return origin
    return f"the template {templates[0]}" if len(templates) == 1 else f"the templates {' and '.join(templates)}"


def _sureness(task: Task, chosen: Attempt, likelihood: float | None) -> Iterator[str]:
    """How likely the repair is to be right; where nobody can tell, a warning if few checks confirm many changes."""
    if likelihood is not None:
        yield f"Of repairs like it, {100 * likelihood:.0f} % have been right."
    elif is_guess(task, chosen):
        places, checks = changed_places(task, chosen), _count(len(chosen.verdict.results), "check")
        yield f"Take it for a guess: {places} places were changed on the word of {checks}."


def _on_its_word(verdict: Verdict) -> Iterator[str]:
    """How many checks pass on the program's word, and why the first of them does."""
    if found := verdict.unproven:
        rest = "rests" if len(found) == 1 else "rest"
        why = _quoted(verdict.results[found[0]].unproven)
        yield f"Not proven: {_count(len(found), 'check')} {rest} on the program's own word ({why})."


def _cost(cost: Cost) -> str:
    repeated = _count(cost.duplicates, "repeated proposal was", "repeated proposals were")
    skipped = f"; {repeated} skipped" if cost.duplicates else ""
    return f"Cost: {_count(cost.candidates, 'candidate')} tried in {cost.seconds:.1f} s{skipped}."


def asked_sentences(cost: Cost, turns: Sequence[Turn]) -> Iterator[str]:
    """The model's requests, tokens and price, and the faults of its replies."""
    if not cost.model_calls:
        return
    tokens = sum(turn.prompt_tokens + turn.completion_tokens for turn in turns)
    price = ", for a price that is not known" if cost.usd is None else f", {cost.usd:.4f} US dollars" * bool(cost.usd)
    times = "once" if cost.model_calls == 1 else _count(cost.model_calls, "time")
    yield f"The model was asked {times}: {_count(tokens, 'token')}{price}."
    faults = [turn.fault for turn in turns if turn.fault]
    if faults:
        kinds = ", ".join(f"{fault} {faults.count(fault)}" for fault in sorted(set(faults)))
        yield f"{_count(len(faults), 'reply was', 'replies were')} of no use: {_quoted(kinds)}."


def _ordinal(index: int) -> str:
    """E.g. "2nd" for index 1."""
    number = index + 1
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _lines(first: int, last: int) -> str:
    return f"Line {first}" if first == last else f"The part from line {first} to line {last}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def _these(checks: int) -> str:
    return "this one check leaves" if checks == 1 else f"these {checks:,} checks leave"


def _quoted(text: str) -> str:
    """A text of others on one line, cut where it is long, without its full stop."""
    line = " ".join(text.split())
    return (line if len(line) <= _QUOTE_CHARACTERS else f"{line[: _QUOTE_CHARACTERS - 1]}…").removesuffix(".")


def _quoted_whole(note: str) -> str:
    """A note with a full stop."""
    return f"{_quoted(note)}."


def _plain(line: str) -> str:
    """A line with its unprintable characters escaped, such as those that control a terminal."""
    text = line.strip()
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
