"""Three-way merge."""
from dataclasses import dataclass

from .sequence import matches
from .unified import split_lines


@dataclass
class MergeResult:
    text: str
    conflicts: int

    @property
    def clean(self):
        return self.conflicts == 0


def _anchors(base, ours, theirs):
    """Positions (base, ours, theirs) where all three agree, then the ends."""
    to_ours = dict(matches(base, ours))
    to_theirs = dict(matches(base, theirs))
    for i in range(len(base)):
        if i in to_ours and i in to_theirs:
            yield i, to_ours[i], to_theirs[i]
    yield len(base), len(ours), len(theirs)


def _ended(lines):
    """Conflict markers need a line of their own."""
    if lines and not lines[-1].endswith("\n"):
        return lines[:-1] + [lines[-1] + "\n"]
    return lines


def merge3(base, ours, theirs, labels=("ours", "theirs")):
    base, ours, theirs = (split_lines(text) for text in (base, ours, theirs))
    out = []
    conflicts = 0
    i = j = k = 0
    for x, y, z in _anchors(base, ours, theirs):
        was, left, right = base[i:x], ours[j:y], theirs[k:z]
        if left == right or right == was:
            out += left
        elif left == was:
            out += right
        else:
            conflicts += 1
            out.append(f"<<<<<<< {labels[0]}\n")
            out += _ended(left)
            out.append("=======\n")
            out += _ended(right)
            out.append(f">>>>>>> {labels[1]}\n")
        if x < len(base):
            out.append(base[x])
        i, j, k = x + 1, y + 1, z + 1
    return MergeResult("".join(out), conflicts)
