import importlib.util
import io
import pathlib
import runpy

PROGRAM = pathlib.Path(__file__).parent / "best_pair.py"


def test_as_a_program(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n1 2 3\n"))
    runpy.run_path(str(PROGRAM), run_name="__main__")
    assert capsys.readouterr().out == "5\n"


def test_by_its_path(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n4 4\n"))
    spec = importlib.util.spec_from_file_location("pair", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.best == 8


def test_by_its_text(monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", iter(["2", "5 7"]).__next__)
    exec(PROGRAM.read_text(), {})
    assert capsys.readouterr().out.split() == ["12"]


def test_no_pair(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n4\n"))
    runpy.run_path(str(PROGRAM))
    assert capsys.readouterr().out == "0\n"
