"""Describes an edit in words: the tokens removed and the tokens added."""

from __future__ import annotations

from itertools import accumulate

from regreen.select.tokens import EditSpan, edit_spans, spaced_tokens


def change_in_words(before: str, after: str) -> str:
    """E.g. "`<` became `<=` in line 3"; several changes stand in order, with semicolons between them."""
    old, new = spaced_tokens(before), spaced_tokens(after)
    ends = list(accumulate(unit.gap.count("\n") + unit.text.count("\n") for unit in old))
    changes = []
    for change in _joined(edit_spans([unit.key for unit in old], [unit.key for unit in new])):
        gone = _text([(unit.gap, unit.text) for unit in old[change.start : change.end]])
        come = _text([(unit.gap, unit.text) for unit in new[change.new_start : change.new_end]])
        place = min(change.start, len(old) - 1)
        line = ends[place] - old[place].text.count("\n") + 1
        changes.append(f"{_in_words(gone, come)} in line {line}")
    return "; ".join(changes)


def _joined(changes: list[EditSpan]) -> list[EditSpan]:
    """The changes, adjacent ones joined."""
    found: list[EditSpan] = []
    for change in changes:
        if found and (found[-1].end, found[-1].new_end) == (change.start, change.new_start):
            change = EditSpan(found[-1].start, change.end, found.pop().new_start, change.new_end)
        found.append(change)
    return found


def _text(tokens: list[tuple[str, str]]) -> str:
    return " ".join("".join(gap + text for gap, text in tokens).split())


def _in_words(gone: str, come: str) -> str:
    if gone == come:
        return f"`{come}` was indented otherwise"
    if not gone:
        return f"inserted `{come}`"
    return f"`{gone}` became `{come}`" if come else f"removed `{gone}`"
