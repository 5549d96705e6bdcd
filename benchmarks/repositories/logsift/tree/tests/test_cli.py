import json
from datetime import timedelta

import pytest

from logsift.cli import main
from logsift.config import ConfigError, load_config, parse_offset


@pytest.fixture(autouse=True)
def in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_filtered_records(plain_log, capsys):
    assert main([str(plain_log), "--where", "level>=warning"]) == 0
    out = capsys.readouterr().out
    assert "query failed\nTraceback" in out
    assert "slow path=/report" in out
    assert "/index" not in out


def test_nothing_matched(plain_log, capsys):
    assert main([str(plain_log), "--where", "level=critical"]) == 1
    assert capsys.readouterr().out == ""


def test_several_where_must_all_match(plain_log, capsys):
    main([str(plain_log), "--where", "path=/index", "--where", "ms>12", "--top", "ms"])
    assert capsys.readouterr().out.splitlines()[3:] == ["15      1"]


def test_since_until(plain_log, capsys):
    args = ["--since", "2024-03-01T10:10:00", "--until", "2024-03-01T11:00:00", "--top", "path"]
    assert main([str(plain_log), *args, "--format", "csv"]) == 0
    assert capsys.readouterr().out == "path,count\n/report,1\n"


def test_timezone_applies_to_arguments(plain_log, capsys):
    args = ["--timezone", "+02:00", "--since", "2024-03-01T09:00:00Z", "--top", "path"]
    assert main([str(plain_log), *args, "--format", "csv"]) == 0
    assert capsys.readouterr().out == "path,count\n/index,1\n"


def test_histogram_json(plain_log, capsys):
    main([str(plain_log), "--histogram", "1h", "--format", "json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows == [
        {"time": "2024-03-01T10:00:00+00:00", "error": 1, "info": 1, "warning": 1},
        {"time": "2024-03-01T11:00:00+00:00", "error": 0, "info": 1, "warning": 0},
    ]


def test_limit_zero(plain_log, capsys):
    main([str(plain_log), "--top", "path", "--limit", "0", "--format", "csv"])
    assert capsys.readouterr().out == "path,count\n"


def test_errors_go_to_stderr(plain_log, capsys):
    assert main([str(plain_log), "--where", "(("]) == 2
    assert main(["missing.log"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("logsift: ") == 2


def test_skipped_note(tmp_path, capsys):
    path = tmp_path / "x.log"
    path.write_text('{"msg": "a"}\nnot json\n')
    assert main([str(path)]) == 0
    assert "1 lines skipped" in capsys.readouterr().err
    main([str(path), "--quiet"])
    assert capsys.readouterr().err == ""


def test_two_files_show_source(tmp_path, capsys):
    (tmp_path / "b.log").write_text("2024-03-01 10:00:01 INFO second\n")
    (tmp_path / "a.log").write_text("2024-03-01 10:00:02 INFO third\n")
    main(["a.log", "b.log"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["b.log", "a.log"]


class TestConfig:
    def test_defaults(self, tmp_path):
        config = load_config(tmp_path / "none.ini")
        assert (config.limit, config.output, config.levels) == (10, "text", {})

    def test_all(self, tmp_path):
        path = tmp_path / "logsift.ini"
        path.write_text("[logsift]\ntimezone = -03:30\nlevels = Trace=5, audit=35\nlimit = 3\n")
        config = load_config(path)
        assert config.tz.utcoffset(None) == -timedelta(hours=3, minutes=30)
        assert config.levels == {"trace": 5, "audit": 35}
        assert config.limit == 3

    @pytest.mark.parametrize("line", ["timezone = CET?", "levels = loud", "limit = many"])
    def test_errors(self, tmp_path, line):
        path = tmp_path / "logsift.ini"
        path.write_text(f"[logsift]\n{line}\n")
        with pytest.raises(ConfigError):
            load_config(path)

    def test_used_by_main(self, plain_log, tmp_path, capsys):
        (tmp_path / "logsift.ini").write_text("[logsift]\noutput = csv\nlimit = 1\n")
        main([str(plain_log), "--top", "path"])
        assert capsys.readouterr().out == "path,count\n/index,2\n"


@pytest.mark.parametrize("text", ["2:00", "+2", "+02:00:00", "Europe"])
def test_bad_offsets(text):
    with pytest.raises(ConfigError):
        parse_offset(text)
