import io

import pytest

from tally.cli import main


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.txt").write_text("To be or not to be", encoding="utf-8")
    (tmp_path / "b.txt").write_text("be quick", encoding="utf-8")
    return [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]


def run(*arguments):
    out = io.StringIO()
    return main(list(arguments), out), out.getvalue()


def test_one_file(files):
    assert run(files[0], "-n", "1") == (0, "   2 be\n")


def test_case(files):
    assert run(files[0], "-i", "-n", "2") == (0, "   2 be\n   2 to\n")


def test_several_files(files):
    assert run(*files, "-n", "2") == (0, "   3 be\n   1 To\n")


def test_a_missing_file(files):
    status, said = run(files[0] + "x")
    assert status == 2
    assert "No such file" in said
