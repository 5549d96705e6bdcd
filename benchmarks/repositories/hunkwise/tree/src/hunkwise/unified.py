"""Making unified diffs."""
from pathlib import Path

from .model import CONTEXT, DELETE, INSERT, FilePatch, Hunk, Line
from .sequence import opcodes

NO_EOL = "\\ No newline at end of file"


def split_lines(text):
    """Split on newlines only, keeping them."""
    lines = text.split("\n")
    tail = lines.pop()
    lines = [line + "\n" for line in lines]
    if tail:
        lines.append(tail)
    return lines


def _line(kind, raw):
    if raw.endswith("\n"):
        return Line(kind, raw[:-1])
    return Line(kind, raw, eol=False)


def group(ops, context):
    """Split opcodes into groups that are far enough apart."""
    groups, current = [], []
    for index, op in enumerate(ops):
        if op.tag != "equal":
            current.append(op)
            continue
        size = op.a1 - op.a0
        first, last = index == 0, index == len(ops) - 1
        if not first and (last or size > 2 * context):
            keep = min(context, size)
            current.append(op._replace(a1=op.a0 + keep, b1=op.b0 + keep))
            groups.append(current)
            current = []
        if not last and (first or size > 2 * context):
            keep = min(context, size)
            current.append(op._replace(a0=op.a1 - keep, b0=op.b1 - keep))
        elif not first and not last:
            current.append(op)
    if any(op.tag != "equal" for op in current):
        groups.append(current)
    return groups


def make_hunks(old, new, context=3, key=None):
    hunks = []
    for ops in group(opcodes(old, new, key), context):
        lines = []
        for op in ops:
            if op.tag == "equal":
                lines += [_line(CONTEXT, raw) for raw in old[op.a0:op.a1]]
                continue
            lines += [_line(DELETE, raw) for raw in old[op.a0:op.a1]]
            lines += [_line(INSERT, raw) for raw in new[op.b0:op.b1]]
        hunk = Hunk(ops[0].a0 + 1, ops[0].b0 + 1, lines)
        # an empty side is numbered by the line before it
        if not hunk.old_count:
            hunk.old_start -= 1
        if not hunk.new_count:
            hunk.new_start -= 1
        hunks.append(hunk)
    return hunks


def format_patch(patch):
    if not patch.hunks:
        return ""
    out = [f"--- {patch.old_path}", f"+++ {patch.new_path}"]
    for hunk in patch.hunks:
        out.append(hunk.header())
        for line in hunk.lines:
            out.append(line.kind + line.text)
            if not line.eol:
                out.append(NO_EOL)
    return "\n".join(out) + "\n"


def unified_diff(old, new, old_path="a", new_path="b", context=3, key=None):
    """The unified diff between two texts, empty if they are the same."""
    hunks = make_hunks(split_lines(old), split_lines(new), context, key)
    return format_patch(FilePatch(old_path, new_path, hunks))


def diff_files(old, new, context=3, key=None):
    """Diff two files; one that is not there counts as empty."""
    texts, names = [], []
    for prefix, path in (("a", Path(old)), ("b", Path(new))):
        if path.exists():
            texts.append(path.read_bytes().decode("utf-8"))
            names.append(f"{prefix}/{path.name}")
        else:
            texts.append("")
            names.append("/dev/null")
    return unified_diff(*texts, *names, context=context, key=key)
