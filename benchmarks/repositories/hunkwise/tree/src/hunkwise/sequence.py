"""Comparing two sequences."""
from collections import namedtuple

Op = namedtuple("Op", "tag a0 a1 b0 b1")


class Normalizer:
    """Turns a line into the key it is compared by."""

    def __init__(self, ignore_case=False, ignore_space=False):
        self.ignore_case = ignore_case
        self.ignore_space = ignore_space

    def __call__(self, line):
        if self.ignore_space:
            line = " ".join(line.split())
        if self.ignore_case:
            line = line.casefold()
        return line


def _trim(a, b):
    """Lengths of the common head and tail of two sequences."""
    limit = min(len(a), len(b))
    head = 0
    while head < limit and a[head] == b[head]:
        head += 1
    limit -= head
    tail = 0
    while tail < limit and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    return head, tail


def _lcs_table(a, b):
    rows, cols = len(a), len(b)
    table = [[0] * (cols + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below = table[i], table[i + 1]
        for j in range(cols - 1, -1, -1):
            if a[i] == b[j]:
                row[j] = below[j + 1] + 1
            else:
                row[j] = max(below[j], row[j + 1])
    return table


def matches(a, b, key=None):
    """Yield pairs (i, j) of matching positions, in order."""
    if key is not None:
        a = [key(item) for item in a]
        b = [key(item) for item in b]
    head, tail = _trim(a, b)
    for i in range(head):
        yield i, i
    mid_a = a[head:len(a) - tail]
    mid_b = b[head:len(b) - tail]
    table = _lcs_table(mid_a, mid_b)
    i = j = 0
    while i < len(mid_a) and j < len(mid_b):
        if mid_a[i] == mid_b[j]:
            yield head + i, head + j
            i += 1
            j += 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    for k in range(tail, 0, -1):
        yield len(a) - k, len(b) - k


def opcodes(a, b, key=None):
    """List of :class:`Op` that together cover both sequences."""
    ops = []
    i = j = 0

    def gap(a1, b1):
        if i < a1 and j < b1:
            ops.append(Op("replace", i, a1, j, b1))
        elif i < a1:
            ops.append(Op("delete", i, a1, j, b1))
        elif j < b1:
            ops.append(Op("insert", i, a1, j, b1))

    for x, y in matches(a, b, key):
        gap(x, y)
        last = ops[-1] if ops else None
        if last and last.tag == "equal" and (last.a1, last.b1) == (x, y):
            ops[-1] = last._replace(a1=x + 1, b1=y + 1)
        else:
            ops.append(Op("equal", x, x + 1, y, y + 1))
        i, j = x + 1, y + 1
    gap(len(a), len(b))
    return ops


def ratio(a, b):
    """Similarity between 0.0 and 1.0."""
    total = len(a) + len(b)
    if not total:
        return 1.0
    return 2 * sum(1 for _ in matches(a, b)) / total
