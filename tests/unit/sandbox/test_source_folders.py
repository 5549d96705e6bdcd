"""Which parts of a project's folder on Python's path a program may read."""

from __future__ import annotations

from pathlib import Path

from regreen.sandbox.source_folders import is_source_folder, shown_parts

FILES = {
    "program.py": "def f(): pass\n",
    "test_program.py": "assert f() == 1\n",
    "checks.py": "from program import f\nassert f() == 1\n",
    "cases.jsonl": "{}",
    "notes.txt": "",
    ".git/objects/ab": "",
    "tests/test_more.py": "",
    "runs/results.json": "",
    "whole/__init__.py": "",
    "whole/data.json": "{}",
    "mixed/__init__.py": "",
    "mixed/part.py": "",
    "mixed/tests/test_part.py": "",
    "mixed/__pycache__/test_part.cpython-311-pytest.pyc": "",
    "__pycache__/test_program.cpython-311-pytest.pyc": "",
}


def test_modules_are_shown_and_tests_are_not(tmp_path: Path) -> None:
    """A package without tests as a whole; of another, the rest."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "whole-too.py").symlink_to("test_program.py")
    shown = {str(Path(part).relative_to(tmp_path)) for part in shown_parts(str(tmp_path))}
    assert shown == {"program.py", "whole", "mixed/__init__.py", "mixed/part.py"}


def test_installed_packages_and_pythons_own_folders_are_no_source_folders(tmp_path: Path) -> None:
    """Nor is what is no folder."""
    inside, packages = tmp_path / "venv" / "lib", tmp_path / "elsewhere" / "site-packages"
    for folder in (inside, packages):
        folder.mkdir(parents=True)
    roots = [str(tmp_path / "venv")]
    assert is_source_folder(str(tmp_path), roots)
    assert not any(is_source_folder(str(path), roots) for path in (inside, packages, tmp_path / "archive.zip"))
