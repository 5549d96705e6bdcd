"""How often a slip that is plain from the text stands in programs that work, and in those of the shelves that do not.

    python benchmarks/plain_slips.py [FOLDER ...] [--files 2500] [--show]

Of the Python files below the folders (the standard library's and the installed packages' without any), tests aside, a
sample that is the same each time is read; then every program of `bundled` and of the shelves, the right one and the
wrong one.
"""

from __future__ import annotations

import argparse
import random
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from regreen.plain_slips import plain_slips
from regreen.tasks.shipped import load_bundled, read_shelf
from regreen.types import Case
from regreen.verify.suites import read_suite

SHELVES = Path(__file__).parent / "shelves"
LONGEST = 400_000
"""Characters of a file that is read."""


def sample_of(folders: Sequence[Path], count: int) -> list[Path]:
    """Some Python files below the folders, none of them tests."""
    files = sorted(
        file
        for folder in folders
        for file in folder.rglob("*.py")
        if not any(part in ("test", "tests", "idle_test") for part in file.parts) and not file.name.startswith("test_")
    )
    random.Random(1).shuffle(files)
    return files[:count]


def programs_of_shelves() -> Iterator[Case]:
    """The cases of `bundled` and of every shelf."""
    yield from load_bundled(read_suite)
    for shelf in sorted(path for path in SHELVES.iterdir() if path.is_dir()):
        yield from read_shelf(shelf, shelf.name, read_suite)


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", help="whose Python files work")
    parser.add_argument("--files", type=int, default=2_500, help="how many of them are read")
    parser.add_argument("--show", action="store_true", help="print the line of each slip in them")
    options = parser.parse_args()
    folders = options.folders or [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    lines, found = 0, Counter[str]()
    for file in sample_of(folders, options.files):
        text = file.read_text(encoding="utf-8", errors="replace")
        if len(text) > LONGEST:
            continue
        lines += text.count("\n")
        for slip in plain_slips(text):
            found[slip.kind] += 1
            if options.show:
                line = text.count("\n", 0, slip.edits[0].start)
                print(f"{file}:{line + 1}: {slip.kind}: {text.splitlines()[line].strip()}")
    print(f"{lines:,} lines that work: {found.total()} slips {dict(found)}")
    cases = list(programs_of_shelves())
    for name, texts in (("right", [c.reference for c in cases]), ("wrong", [c.task.source for c in cases])):
        kinds = Counter(slip.kind for text in texts for slip in plain_slips(text))
        print(f"{len(texts):,} {name} programs of the shelves: {kinds.total()} slips {dict(kinds)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
