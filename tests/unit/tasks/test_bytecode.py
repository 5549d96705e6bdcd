"""Which compiled files of a project are taken along."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import time
from pathlib import Path

import pytest

from regreen.tasks.bytecode import bytecode_of, source_of
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import narrowed, read_whole_project

SOURCE = b"VALUE = 1\n"
LONG_AGO = 1_600_000_000


def compiled_module(folder: Path, name: str = "app/core.py", **options: object) -> Path:
    """A module that was changed long ago, with its compiled file, whose path is returned."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(SOURCE)
    os.utime(path, (LONG_AGO, LONG_AGO))
    return Path(str(py_compile.compile(str(path), **options)))  # type: ignore[arg-type]


def found(folder: Path, name: str = "app/core.py", *, began: float | None = None) -> dict[str, bytes]:
    """What is taken along for one module."""
    return bytecode_of(folder, {name: SOURCE}, [name], began=time.time() if began is None else began)


@pytest.mark.parametrize("name", ["app/core.py", "core.py"])
def test_a_compiled_file_that_is_up_to_date_is_taken_along(tmp_path: Path, name: str) -> None:
    """By the path at which Python looks for it."""
    kept = compiled_module(tmp_path, name)
    assert found(tmp_path, name) == {str(kept.relative_to(tmp_path)): kept.read_bytes()}
    assert source_of(str(kept.relative_to(tmp_path))) == name
    assert importlib.util.cache_from_source(tmp_path / name) == str(kept)


def test_one_of_another_text_is_not(tmp_path: Path) -> None:
    """Of another time, of another size, of a source that may change within the same second, or cut short."""
    kept = compiled_module(tmp_path)
    assert found(tmp_path, began=LONG_AGO + 1.0) == {}
    assert bytecode_of(tmp_path, {"app/core.py": SOURCE + b"#"}, ["app/core.py"], began=time.time()) == {}
    kept.write_bytes(kept.read_bytes()[:16])
    assert found(tmp_path) == {}
    os.utime(tmp_path / "app/core.py", (LONG_AGO + 5, LONG_AGO + 5))
    py_compile.compile(str(tmp_path / "app/core.py"))
    assert found(tmp_path)
    os.utime(tmp_path / "app/core.py", (LONG_AGO, LONG_AGO))
    assert found(tmp_path) == {}


def test_one_that_holds_whatever_its_source_says_is_not(tmp_path: Path) -> None:
    """A file that Python believes unseen may come with a project from anywhere."""
    compiled_module(tmp_path, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert found(tmp_path) == {}


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither to a file nor to a folder."""
    kept = compiled_module(tmp_path)
    kept.rename(tmp_path / "elsewhere.pyc")
    kept.symlink_to(tmp_path / "elsewhere.pyc")
    assert found(tmp_path) == {}
    kept.unlink()
    (tmp_path / "elsewhere.pyc").rename(kept)
    kept.parent.rename(tmp_path / "folder")
    kept.parent.symlink_to(tmp_path / "folder")
    assert found(tmp_path) == {}


def test_what_is_changed_loses_it_and_what_is_not_keeps_it(tmp_path: Path) -> None:
    """A project with one module under repair and another changed; tests are compiled by us in any case."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    for name in ("one.py", "two.py", "three.py", "test_one.py"):
        compiled_module(tmp_path, name)
    whole = read_whole_project(tmp_path, (), UserPlace())
    assert {source_of(path) for path in whole.project.bytecode} == {"one.py", "two.py", "three.py"}
    project = whole.targeting("one.py", {"two.py": "VALUE = 2\n"})
    assert {source_of(path) for path in project.bytecode} == {"three.py"}
    assert project.digest == whole.targeting("one.py", {"two.py": "VALUE = 2\n"}).digest


def test_a_few_tests_of_many_leave_many_of_them_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Laying them out would take longer than compiling the few that are imported."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    names = [f"test_{number}.py" for number in range(9)]
    for name in ("core.py", *names):
        compiled_module(tmp_path, name)
    project = read_whole_project(tmp_path, (), UserPlace()).project
    assert narrowed(project, names[:1]).bytecode == project.bytecode
    monkeypatch.setattr("regreen.tasks.whole_project._ALWAYS_LAID_OUT", 0)
    assert narrowed(project, names[:1]).bytecode == {}
    assert narrowed(project, names[:3]).bytecode == project.bytecode
