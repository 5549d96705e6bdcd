"""Word-level diffs inside a line."""
import re

from .sequence import opcodes

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def tokenize(text):
    return _TOKEN.findall(text)


def word_diff(old, new, markers=("[-", "-]", "{+", "+}")):
    """Old and new in one string, with the differences marked."""
    del_open, del_close, ins_open, ins_close = markers
    a, b = tokenize(old), tokenize(new)
    out = []
    for op in opcodes(a, b):
        removed = "".join(a[op.a0:op.a1])
        added = "".join(b[op.b0:op.b1])
        if op.tag == "equal":
            out.append(removed)
            continue
        if removed:
            out.append(del_open + removed + del_close)
        if added:
            out.append(ins_open + added + ins_close)
    return "".join(out)
