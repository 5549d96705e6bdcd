from datetime import datetime, timezone

from logsift.formats import JsonFormat
from logsift.reader import merge, parse_lines, read_records
from logsift.record import LogRecord


def test_traceback_belongs_to_record(plain_log):
    records = list(read_records(plain_log))
    assert len(records) == 4
    assert records[1].exception == "Timeout"
    assert records[1].extra_lines[-1] == "Timeout: slow"
    assert records[2].line == 8


def test_traceback_at_the_end():
    lines = ["2024-03-01 10:00:00 ERROR boom", "ValueError: x"]
    (record,) = parse_lines(lines)
    assert record.text == "boom\nValueError: x"


def test_bad_bytes(tmp_path):
    path = tmp_path / "x.log"
    path.write_bytes(b"2024-03-01 10:00:00 INFO caf\xe9\n")
    (record,) = read_records(path)
    assert record.message == "caf\ufffd"


def test_gzip(make_gz):
    path = make_gz("2024-03-01 10:00:00 INFO grüß\n".encode())
    (record,) = read_records(path)
    assert record.message == "grüß"
    assert record.source == "old.log.gz"


def test_gzip_bad_bytes(make_gz):
    (record,) = read_records(make_gz(b"2024-03-01 10:00:00 INFO caf\xe9\n"))
    assert record.message == "caf\ufffd"


def test_skipped_lines_are_counted():
    skipped = []
    lines = ['{"msg": "a"}', "garbage", "", '{"msg": "b"}']
    records = list(parse_lines(lines, JsonFormat(), skipped=skipped))
    assert [r.message for r in records] == ["a", "b"]
    assert skipped == [2]


def test_leading_blank_lines():
    (record,) = parse_lines(["", "2024-03-01 10:00:00 INFO x"])
    assert record.line == 2


def _at(second, message):
    time = None if second is None else datetime(2024, 3, 1, 0, 0, second, tzinfo=timezone.utc)
    return LogRecord(time, "info", message)


def test_merge_by_time():
    a = [_at(1, "a1"), _at(4, "a4")]
    b = [_at(2, "b2"), _at(3, "b3")]
    assert [r.message for r in merge([a, b])] == ["a1", "b2", "b3", "a4"]


def test_merge_keeps_untimed_in_place():
    a = [_at(1, "a1"), _at(None, "a?"), _at(4, "a4")]
    b = [_at(2, "b2")]
    assert [r.message for r in merge([a, b])] == ["a1", "a?", "b2", "a4"]


def test_merge_same_time_keeps_order():
    assert [r.message for r in merge([[_at(1, "x")], [_at(1, "a")]])] == ["x", "a"]
