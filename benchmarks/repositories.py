"""How often small repositories are repaired as their own bug fix did it: each fix undone, one at a time.

    python benchmarks/repositories.py [--only NAME] [--seconds 60] [--show]

`benchmarks/repositories` holds twenty-two of them, each whole in `tree/` and with five patches in `bugs/` that bring a
bug back, beside the title under which somebody might have reported it. Every test is seen, so a repair passes all of
them: it counts as right here where each syntax tree is that of the fix. What differs from it is shown with --show, for
a reader to judge.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import regreen
from regreen.config import load_settings

FOLDER = Path(__file__).parent / "repositories"
DOUBTFUL = 0.5


@dataclass(frozen=True)
class Bug:
    """One fix that is undone."""

    tree: Path
    """The repository as it should be."""
    patch: Path

    @property
    def name(self) -> str:
        """Of the repository and the bug, as `jot-03`."""
        return f"{self.tree.parent.name}-{self.patch.stem}"

    @property
    def title(self) -> str:
        """What is wrong, in a sentence."""
        return self.patch.with_suffix(".txt").read_text(encoding="utf-8").strip()


@dataclass(frozen=True)
class Outcome:
    """What became of one bug."""

    fixed: bool
    as_mended: bool
    """Whether every module is as the fix had it, but for its layout."""
    likelihood: float | None
    seconds: float
    diff: str


def bugs(folder: Path, only: str) -> Iterator[Bug]:
    """The bugs of the repositories whose names begin so, in order."""
    for patch in sorted(folder.glob("*/bugs/*.patch")):
        bug = Bug(patch.parent.parent / "tree", patch)
        if bug.name.startswith(only):
            yield bug


def with_bug(bug: Bug, folder: Path) -> Path:
    """A copy of the repository, in a folder, with the bug in it."""
    copy = Path(shutil.copytree(bug.tree, folder / bug.tree.parent.name))
    # Tabs at the ends of a patch's lines are its own, and `git apply` needs no repository.
    subprocess.run(["git", "apply", str(bug.patch)], cwd=copy, check=True)
    return copy


def measure(bug: Bug, seconds: float) -> Outcome:
    """Repair one bug, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        copy = with_bug(bug, Path(folder))
        repair = regreen.repair_project(copy, settings=load_settings({"max_seconds": seconds}))
        changed = {change.path: change.after for change in repair.changes}
        touched = {path.relative_to(copy).as_posix() for path in copy.rglob("*.py")}
        as_mended = repair.fixed and all(
            _same(changed.get(path, (copy / path).read_text(encoding="utf-8")), bug.tree / path) for path in touched
        )
    return Outcome(repair.fixed, as_mended, repair.likelihood, repair.cost.seconds, repair.diff)


def _same(source: str, mended: Path) -> bool:
    return ast.dump(ast.parse(source)) == ast.dump(ast.parse(mended.read_text(encoding="utf-8")))


def show(bug: Bug, outcome: Outcome) -> None:
    """The fix backwards, as the patch has it, and the repair."""
    print(
        f"\n{bug.name}: {bug.title}\n\nthe bug:\n{bug.patch.read_text(encoding='utf-8')}\nthe repair:\n{outcome.diff}"
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="the beginning of a name, as `jot` or `jot-03`")
    parser.add_argument("--seconds", type=float, default=60, help="of one repair")
    parser.add_argument("--show", action="store_true", help="the repairs that differ from the fix")
    given = parser.parse_args()
    found = [(bug, measure(bug, given.seconds)) for bug in bugs(FOLDER, given.only)]
    for bug, outcome in found:
        said = "" if outcome.likelihood is None else f"{outcome.likelihood:.2f}"
        word = "as mended" if outcome.as_mended else "otherwise" if outcome.fixed else "not fixed"
        print(f"{bug.name:<16}{word:<12}{said:>5}{outcome.seconds:>8.1f} s  {bug.title}")
    fixed = [(bug, outcome) for bug, outcome in found if outcome.fixed]
    mended = sum(outcome.as_mended for _, outcome in fixed)
    doubted = sum((outcome.likelihood or 0) < DOUBTFUL for _, outcome in fixed)
    print(f"{len(found)} bugs: {len(fixed)} fixed, {mended} of them as they were mended; {doubted} with a warning")
    for bug, outcome in fixed if given.show else ():
        if not outcome.as_mended:
            show(bug, outcome)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
