"""A repair as a commit on a branch of its own: the user's branch, index and files stay as they are.

The commit is made of objects alone: the trees on the way to each changed file are written anew, a commit on top of HEAD
names them, and a new reference names the commit. Nothing that the repository configures is run (`git_commands`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from regreen.errors import TaskError
from regreen.sandbox.git_commands import git_output, has_git, is_repository
from regreen.sandbox.git_history import recorded_texts

_HEADS = "refs/heads/"
_MOST_NAMES = 99
_FILE_MODES = (b"100644", b"100755")
_WITHOUT_IT = "Write it with --apply, or save it with --out PATCH."
_OTHERWISE = ("Regreen", "regreen@localhost")
"""Who commits where git knows no name and no address."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A file that a commit changes."""

    path: str
    """Below the folder that is committed in."""
    before: bytes
    """Its content as it lies in the user's folder."""
    after: bytes


@dataclass(frozen=True, slots=True)
class BranchCommit:
    """A commit, and the branch that was made for it."""

    branch: str
    commit: str
    """Its id, in hexadecimal."""
    onto: str
    """The branch that was checked out; "" where HEAD names a commit itself."""


def refuse_without_commit(folder: Path) -> None:
    """Raise TaskError where no commit could be made in a folder."""
    if not has_git():
        raise TaskError("git is not installed, so nothing can be committed.", remedy=_WITHOUT_IT)
    if not is_repository(folder):
        raise TaskError(f"{folder} is in no git repository, so nothing can be committed.", remedy=_WITHOUT_IT)
    if not _head(folder):
        raise TaskError(
            f"git names no commit that is checked out in {folder}.",
            remedy=f"Commit once; where the repository is another user's, have git trust it first. {_WITHOUT_IT}",
        )


def commit_on_branch(folder: Path, files: Sequence[FileVersion], name: str, message: str) -> BranchCommit:
    """Commit changed files on top of HEAD, on a new branch called `name`, or that and a number where it is taken.

    The same change on the same commit has the branch that it got before. Raises TaskError where a file is not
    committed as it is, and where git fails; then there is no new branch.
    """
    refuse_without_commit(folder)
    head = _head(folder)
    contents = _as_recorded(folder, files)
    _refuse_links(folder)
    prefix = _asked(folder, "rev-parse", "--show-prefix").removesuffix("\n")
    tree = _asked(folder, "rev-parse", f"{head}^{{tree}}").strip()
    for path, content in contents.items():
        tree = _with_file(folder, tree, PurePosixPath(prefix, path).parts, content)
    onto = (_said(folder, "symbolic-ref", "--quiet", "HEAD") or "").strip().removeprefix(_HEADS)
    for branch in _names(folder, name):
        there = _said(folder, "rev-parse", "--verify", "--quiet", f"{_HEADS}{branch}^{{commit}}")
        if there is None:
            return BranchCommit(branch, _committed(folder, head, tree, branch, message), onto)
        if _asked(folder, "rev-parse", f"{_HEADS}{branch}^{{tree}}", f"{_HEADS}{branch}^@").split() == [tree, head]:
            return BranchCommit(branch, there.strip(), onto)
    raise TaskError(f"there are {_MOST_NAMES} branches called {name} already.", remedy="Delete those of no use.")


def unlike_committed(folder: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of the files below a folder that are not committed as they lie there."""
    recorded = recorded_texts(str(folder), paths, ["HEAD"])
    return tuple(path for path in paths if not _is_recorded(folder / path, recorded.get(("HEAD", path))))


def _is_recorded(file: Path, recorded: bytes | None) -> bool:
    try:
        content = file.read_bytes()
    except OSError:
        return recorded is None
    return recorded in (content, _unix(content))


def _unix(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")


def _as_recorded(folder: Path, files: Sequence[FileVersion]) -> dict[str, bytes]:
    """Path -> new content, with line ends as git keeps them: it may have "\\n" for the "\\r\\n" of the folder."""
    recorded = recorded_texts(str(folder), [file.path for file in files], ["HEAD"])
    contents = {}
    for file in files:
        committed = recorded.get(("HEAD", file.path))
        if committed == file.before:
            contents[file.path] = file.after
        elif committed is not None and committed == _unix(file.before):
            contents[file.path] = _unix(file.after)
        else:
            why = "is in no commit yet" if committed is None else "has changes that are not committed"
            raise TaskError(
                f"{file.path} {why}, and a commit of the repair would take them in.",
                remedy=f"Commit it first, or stash it and run again. {_WITHOUT_IT}",
            )
    return contents


def _refuse_links(folder: Path) -> None:
    """Raise TaskError where git would write through a link to somewhere else."""
    store = Path(folder, _asked(folder, "rev-parse", "--git-common-dir").removesuffix("\n"))
    written = [store / "objects", *(store / "objects").glob("??"), store / "refs/heads", store / "logs/refs/heads"]
    written += [each for top in (".", "logs") for each in (store / top / "refs/heads").glob("regreen*")]
    written += [each for top in (".", "logs") for each in (store / top / "refs/heads/regreen").glob("*")]
    for place in {step for each in written for step in (each, *each.parents) if step.is_relative_to(store)} - {store}:
        if place.is_symlink():
            raise TaskError(f"{place} is a link, and nothing is written through it.", remedy=_WITHOUT_IT)


def _with_file(folder: Path, tree: str, parts: Sequence[str], content: bytes) -> str:
    """The id of a tree in which one file has another content."""
    name = parts[0].encode("utf-8", "surrogateescape")
    lines = _bytes(folder, "ls-tree", "--full-tree", "-z", tree).split(b"\0")
    entries = {entry: (mode, kind, named) for line in lines if line for mode, kind, named, entry in [_entry(line)]}
    mode, kind, named = entries.get(name, (b"", b"", ""))
    if len(parts) > 1 and kind == b"tree":
        fresh = _with_file(folder, named, parts[1:], content)
    elif len(parts) == 1 and mode in _FILE_MODES:
        fresh = _asked(folder, "hash-object", "-w", "--no-filters", "--stdin", given=content).strip()
    else:
        raise TaskError(f"git does not keep {parts[0]} as a plain file, or a folder of such.", remedy=_WITHOUT_IT)
    entries[name] = (mode, kind, fresh)
    listed = b"".join(b"%s %s %s\t%s\0" % (m, k, n.encode(), entry) for entry, (m, k, n) in entries.items())
    return _asked(folder, "mktree", "-z", "--missing", given=listed).strip()


def _entry(line: bytes) -> tuple[bytes, bytes, str, bytes]:
    """Mode, kind, id and name of a line of a tree."""
    about, _, name = line.partition(b"\t")
    mode, kind, named = about.split(b" ")
    return mode, kind, named.decode(), name


def _names(folder: Path, name: str) -> list[str]:
    # A branch called like the folder of ours leaves no room for one below it.
    top, _, rest = name.partition("/")
    taken = rest and _said(folder, "rev-parse", "--verify", "--quiet", f"{_HEADS}{top}") is not None
    first = f"{top}-{rest}" if taken else name
    return [first, *(f"{first}-{number}" for number in range(2, _MOST_NAMES + 1))]


def _committed(folder: Path, head: str, tree: str, branch: str, message: str) -> str:
    """The id of a new commit on a new branch."""
    name, address = (_said(folder, "config", "--get", key) for key in ("user.name", "user.email"))
    person = {"NAME": (name or "").strip() or _OTHERWISE[0], "EMAIL": (address or "").strip() or _OTHERWISE[1]}
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    arguments = ("commit-tree", tree, "-p", head, "-F", "-")
    commit = _text(_bytes(folder, *arguments, given=message.encode("utf-8", "replace"), variables=who)).strip()
    _asked(folder, "update-ref", "--no-deref", f"{_HEADS}{branch}", commit, "0" * len(commit))
    return commit


def _head(folder: Path) -> str:
    return (_said(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") or "").strip()


def _said(folder: Path, *arguments: str) -> str | None:
    answer = git_output(folder, arguments, home=Path.home())
    return None if answer is None else _text(answer)


def _asked(folder: Path, *arguments: str, given: bytes = b"") -> str:
    return _text(_bytes(folder, *arguments, given=given))


def _bytes(folder: Path, *arguments: str, given: bytes = b"", variables: Mapping[str, str] | None = None) -> bytes:
    """What git says. Raises TaskError where it fails."""
    answer = git_output(folder, arguments, given=given, home=Path.home(), variables=variables)
    if answer is None:
        raise TaskError(f"git {arguments[0]} failed in {folder}, so nothing was committed.", remedy=_WITHOUT_IT)
    return answer


def _text(answer: bytes) -> str:
    return answer.decode("utf-8", "surrogateescape")
