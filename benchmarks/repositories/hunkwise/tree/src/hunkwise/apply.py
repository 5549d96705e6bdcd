"""Applying patches."""
from .errors import HunkwiseError, PatchConflict
from .parser import parse_patch
from .unified import split_lines

MAX_DRIFT = 200


def _fits(lines, wanted, at):
    return at >= 0 and lines[at:at + len(wanted)] == wanted


def _candidates(at, size, drift):
    yield at
    for step in range(1, drift + 1):
        if at - step >= 0:
            yield at - step
        if at + step <= size:
            yield at + step


def find(lines, wanted, at, floor=0, drift=MAX_DRIFT):
    """Nearest place to `at` where `wanted` is found, or None."""
    for place in _candidates(at, len(lines), drift):
        if place >= floor and _fits(lines, wanted, place):
            return place
    return None


def apply_to_lines(lines, hunks, drift=MAX_DRIFT):
    """Return (new lines, rejected hunks). The input is left alone."""
    result = list(lines)
    rejected = []
    offset = 0
    floor = 0
    for hunk in hunks:
        wanted = hunk.old_lines()
        expected = hunk.old_start + offset
        if wanted:
            expected -= 1
        place = find(result, wanted, expected, floor, drift)
        if place is None:
            rejected.append(hunk)
            continue
        replacement = hunk.new_lines()
        result[place:place + len(wanted)] = replacement
        offset += place - expected + hunk.delta
        floor = place + len(replacement)
    return result, rejected


def apply_patch(text, patch, reverse=False, drift=MAX_DRIFT):
    """Apply a patch (text or FilePatch) of one file to its text."""
    if isinstance(patch, str):
        patches = parse_patch(patch)
        if not patches:
            return text
        if len(patches) > 1:
            raise HunkwiseError("patch touches more than one file")
        patch = patches[0]
    if reverse:
        patch = patch.reversed()
    lines, rejected = apply_to_lines(split_lines(text), patch.hunks, drift)
    if rejected:
        raise PatchConflict(rejected)
    return "".join(lines)
