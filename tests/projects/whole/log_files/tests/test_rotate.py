import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from rotate import rotate


def write(path, text):
    path.write_text(text)
    return path


def test_first(tmp_path):
    log = write(tmp_path / "a.log", "new")
    rotate(log)
    assert (tmp_path / "a.log.1").read_text() == "new"
    assert not log.exists()


def test_all(tmp_path):
    log = write(tmp_path / "a.log", "0")
    write(tmp_path / "a.log.1", "1")
    write(tmp_path / "a.log.2", "2")
    rotate(log)
    assert [(tmp_path / f"a.log.{n}").read_text() for n in (1, 2, 3)] == ["0", "1", "2"]
