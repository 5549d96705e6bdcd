import pytest


def numbered(count, prefix="line"):
    return "".join(f"{prefix} {n}\n" for n in range(1, count + 1))


@pytest.fixture
def poem():
    return numbered(30)


@pytest.fixture
def two_files(tmp_path):
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("one\ntwo\nthree\n")
    new.write_text("one\n2\nthree\n")
    return old, new
