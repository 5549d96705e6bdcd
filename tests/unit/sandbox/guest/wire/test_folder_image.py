"""Two images of one folder: what changed on one side is made on the other, and nothing else can be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from regreen.sandbox.guest.wire.codec_format import BadMessage, Unplain
from regreen.sandbox.guest.wire.folder_image import FolderImage

TOO_MANY = 1_001


@pytest.fixture
def sides(tmp_path: Path) -> tuple[FolderImage, FolderImage]:
    """The images of two empty folders; the second side spares "suite"."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    return FolderImage(str(tmp_path / "one"), ()), FolderImage(str(tmp_path / "two"), {"suite"})


def tell(source: FolderImage, target: FolderImage) -> None:
    """Have one side do what changed on the other."""
    target.apply(*source.changes())


def shown(image: FolderImage) -> dict[str, str]:
    """Path -> content of all files of a side, "/" for folders."""
    root = Path(image.root)
    return {str(p.relative_to(root)): "/" if p.is_dir() else p.read_text() for p in sorted(root.rglob("*"))}


def test_files_and_folders_become_those_of_the_other_side(sides: tuple[FolderImage, FolderImage]) -> None:
    """Made, changed, renamed, removed; and nothing is told twice."""
    one, two = sides
    root = Path(one.root)
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "c").write_text("1")
    (root / "d").write_text("2")
    tell(one, two)
    assert shown(two) == {"a": "/", "a/b": "/", "a/b/c": "1", "d": "2"}
    assert (one.changes(), two.changes()) == (((), ()), ((), ()))
    (Path(two.root) / "d").rename(Path(two.root) / "e")
    (Path(two.root) / "a" / "b" / "c").unlink()
    (Path(two.root) / "a" / "b").rmdir()
    tell(two, one)
    assert shown(one) == {"a": "/", "e": "2"}


def test_a_change_within_one_tick_of_the_clock_is_told(sides: tuple[FolderImage, FolderImage]) -> None:
    """Same length, same time."""
    one, two = sides
    file = Path(one.root) / "a"
    for text in ("abc", "xyz", "uvw"):
        file.write_text(text)
        os.utime(file, ns=(5, 5))
        tell(one, two)
        assert shown(two) == {"a": text}
        assert (Path(two.root) / "a").stat().st_mtime_ns == 5


def test_a_file_that_is_open_sees_what_is_told(sides: tuple[FolderImage, FolderImage]) -> None:
    """A file that was changed is the same file, one that was replaced is another."""
    one, two = sides
    (Path(one.root) / "a").write_text("old\n")
    tell(one, two)
    with (Path(two.root) / "a").open() as file:
        file.readline()
        with (Path(one.root) / "a").open("a") as writer:
            writer.write("more\n")
        tell(one, two)
        assert file.readline() == "more\n"
        (Path(one.root) / "b").write_text("new\n")
        (Path(one.root) / "b").replace(Path(one.root) / "a")
        tell(one, two)
        assert file.readline() == ""
    assert shown(two) == {"a": "new\n"}


def test_a_folder_and_a_file_change_places(sides: tuple[FolderImage, FolderImage]) -> None:
    """What lay in the folder goes first."""
    one, two = sides
    (Path(one.root) / "a").mkdir()
    (Path(one.root) / "a" / "b").write_text("x")
    tell(one, two)
    (Path(one.root) / "a" / "b").unlink()
    (Path(one.root) / "a").rmdir()
    (Path(one.root) / "a").write_text("file")
    tell(one, two)
    assert shown(two) == {"a": "file"}


def links(root: Path) -> None:
    """A link to somewhere else."""
    (root / "a").symlink_to("/etc/passwd")


def names(root: Path) -> None:
    """One file by two names."""
    (root / "a").write_text("")
    (root / "b").hardlink_to(root / "a")


def pipes(root: Path) -> None:
    """A pipe, which would keep its reader waiting."""
    os.mkfifo(root / "a")


def crowds(root: Path) -> None:
    """More files than may be."""
    for number in range(TOO_MANY):
        (root / str(number)).touch()


@pytest.mark.parametrize("deed", [links, names, pipes, crowds])
def test_what_is_no_ordinary_file_is_not_told(sides: tuple[FolderImage, FolderImage], deed: Any) -> None:
    """The two folders would not be alike."""
    deed(Path(sides[0].root))
    with pytest.raises(Unplain):
        sides[0].changes()


def test_a_mode_that_changed_is_not_told(sides: tuple[FolderImage, FolderImage]) -> None:
    """Neither side could always change it."""
    file = Path(sides[0].root) / "a"
    file.write_text("")
    tell(*sides)
    file.chmod(0o600)
    with pytest.raises(Unplain):
        sides[0].changes()


FORGED: dict[str, tuple[Any, Any]] = {
    "upwards": ((), (("../x", b"", True, 0),)),
    "from the top": ((), (("/x", b"", True, 0),)),
    "through a folder that is not there": ((), (("a/x", b"", True, 0),)),
    "through a file": ((), (("a", b"", True, 0), ("a/x", b"", True, 0))),
    "no name": ((), (("", b"", True, 0),)),
    "a dot": ((), (("./x", b"", True, 0),)),
    "no text": ((), ((7, b"", True, 0),)),
    "a torn name": ((), (("a\0b", b"", True, 0),)),
    "content of another kind": ((), (("a", "text", True, 0),)),
    "a time before all": ((), (("a", b"", True, -1),)),
    "gone before it was there": (("a",), ()),
    "gone upwards": (("../two",), ()),
    "no tuple": ([], ()),
    "too many": ((), tuple((str(n), b"", True, 0) for n in range(3 * TOO_MANY))),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_changes_are_no_message(sides: tuple[FolderImage, FolderImage], name: str) -> None:
    """Nothing is written beside the folder."""
    beside = Path(sides[1].root).parent
    before = sorted(beside.rglob("*"))
    with pytest.raises(BadMessage):
        sides[1].apply(*FORGED[name])
    assert [path for path in sorted(beside.rglob("*")) if path not in before] in ([], [Path(sides[1].root) / "a"])


@pytest.mark.parametrize("path", ["suite", "suite/conftest.py"])
def test_a_spared_name_is_nobody_elses(sides: tuple[FolderImage, FolderImage], path: str) -> None:
    """Nor is it told what lies there."""
    _, two = sides
    (Path(two.root) / "suite").mkdir()
    (Path(two.root) / "suite" / "test_a.py").write_text("assert answer() == 42")
    assert two.changes() == ((), ())
    with pytest.raises((BadMessage, Unplain)):
        two.apply((), ((path, b"", True, 0),))
    assert shown(two) == {"suite": "/", "suite/test_a.py": "assert answer() == 42"}


def test_a_link_of_the_other_sides_is_never_followed(sides: tuple[FolderImage, FolderImage]) -> None:
    """Where a link lies in the place of a file, nothing is written through it."""
    target = Path(sides[1].root).parent / "target"
    target.write_text("kept")
    (Path(sides[1].root) / "acurrent").symlink_to(target)
    with pytest.raises(Unplain):
        sides[1].apply((), (("acurrent", b"lost", True, 0),))
    assert target.read_text() == "kept"
