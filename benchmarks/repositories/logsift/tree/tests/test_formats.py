from datetime import datetime, timedelta, timezone

import pytest

from logsift.formats import AccessFormat, JsonFormat, PlainFormat, convert, detect, parse_time

ACCESS = (
    '10.0.0.7 - ann [01/Mar/2024:10:00:00 +0100] "GET /a/b?x=1 HTTP/1.1" 404 - "-" "curl/8"'
)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2024-03-01T10:00:00Z", datetime(2024, 3, 1, 10, tzinfo=timezone.utc)),
        ("2024-03-01 10:00:00,5", datetime(2024, 3, 1, 10, 0, 0, 500000, tzinfo=timezone.utc)),
        (
            "2024-03-01T10:00:00.123456789+00:00",
            datetime(2024, 3, 1, 10, 0, 0, 123456, tzinfo=timezone.utc),
        ),
    ],
)
def test_parse_time(text, expected):
    assert parse_time(text) == expected


def test_parse_time_default_zone():
    zone = timezone(timedelta(hours=2))
    assert parse_time("2024-03-01T10:00:00", zone).utcoffset() == timedelta(hours=2)
    assert parse_time("2024-03-01T10:00:00Z", zone).utcoffset() == timedelta(0)


class TestPlain:
    def test_fields(self):
        record = PlainFormat().parse('2024-03-01 10:00:00 INFO web: done n=3 t=1.5 who="A \\"B\\""')
        assert record.logger == "web"
        assert record.fields == {"n": 3, "t": 1.5, "who": 'A "B"'}

    def test_without_logger(self):
        record = PlainFormat().parse("2024-03-01T10:00:00Z [WARN] disk almost full")
        assert (record.level, record.logger) == ("warn", "")
        assert record.message == "disk almost full"

    def test_url_is_no_field(self):
        record = PlainFormat().parse("2024-03-01 10:00:00 INFO got http://x/?a=1 ok=1")
        assert record.fields == {"ok": 1}

    def test_foreign_line(self):
        assert PlainFormat().parse("Traceback (most recent call last):") is None


class TestJson:
    def test_alternative_keys(self):
        record = JsonFormat().parse('{"ts": 0, "severity": "ERROR", "msg": "x", "a": {"b": 1}}')
        assert record.time == datetime(1970, 1, 1, tzinfo=timezone.utc)
        assert record.level == "error"
        assert record.get("a.b") == 1
        assert record.fields == {"a": {"b": 1}}

    def test_broken(self):
        assert JsonFormat().parse('{"ts": ') is None

    def test_no_time(self):
        assert JsonFormat().parse('{"msg": "x"}').time is None


class TestAccess:
    def test_all(self):
        record = AccessFormat().parse(ACCESS)
        assert record.level == "warning"
        assert record.fields == {
            "host": "10.0.0.7",
            "user": "ann",
            "method": "GET",
            "path": "/a/b",
            "query": "x=1",
            "status": 404,
            "size": 0,
            "agent": "curl/8",
        }

    def test_request_without_protocol(self):
        record = AccessFormat().parse('h - - [01/Mar/2024:10:00:00 +0000] "GET /old" 200 5')
        assert record.fields["path"] == "/old"
        assert record.fields["user"] is None


def test_detect():
    assert detect(ACCESS).name == "access"
    assert detect('{"msg": "x"}').name == "json"
    with pytest.raises(ValueError):
        detect("what is this")


@pytest.mark.parametrize("text, value", [("3", 3), ("-1.5", -1.5), ("x3", "x3"), ("1.2.3", "1.2.3")])
def test_convert(text, value):
    assert convert(text) == value
