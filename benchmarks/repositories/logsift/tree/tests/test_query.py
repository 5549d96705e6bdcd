from datetime import datetime, timezone

import pytest

from logsift.query import QueryError, all_of, compile_query, time_range
from logsift.record import LogRecord


@pytest.mark.parametrize(
    "query, expected",
    [
        ("level>=warning", True),
        ("level=err", True),
        ("level<info", False),
        ("status=500", True),
        ("status>99", True),
        ("path~^/api", True),
        ("path!~^/api", False),
        ("user=ann", False),
        ("user!=ann", True),
        ("user!~ann", True),
        ('message="disk full"', True),
        ("status", True),
        ("user", False),
        ("not user", True),
        ("status=200 or path~api and level=error", True),
        ("(status=500 or status=502) and not user", True),
        ("not status=200 and not status=404", True),
        ("status=500 and level=info or level=error", True),
        ("level=error or level=info and status=1", True),
        ("", True),
    ],
)
def test_matches(rec, query, expected):
    record = rec("disk full", "error", status=500, path="/api/x")
    assert compile_query(query)(record) is expected


@pytest.mark.parametrize("query", ["(a=1", "a=", "and", "a=1 b=2", "a~(", 'x="', "=3"])
def test_errors(query):
    with pytest.raises(QueryError):
        compile_query(query)


def test_custom_levels(rec):
    levels = {"audit": 35}
    query = compile_query("level>=audit", levels)
    assert query(rec(level="audit"))
    assert query(rec(level="error"))
    assert not query(rec(level="warning"))


def test_unknown_level_of_record(rec):
    assert not compile_query("level>=info")(rec(level="weird"))


def test_unknown_level_in_query():
    with pytest.raises(ValueError, match="unknown level"):
        compile_query("level>=loud")


def test_multiline_text():
    record = LogRecord(None, "error", "boom", extra_lines=["KeyError: 'x'"])
    assert compile_query("text~KeyError")(record)
    assert not compile_query("message~KeyError")(record)


class TestTimeRange:
    noon = datetime(2024, 3, 1, 12, tzinfo=timezone.utc)

    def test_half_open(self, rec):
        assert time_range(since=self.noon)(rec(hour=12))
        assert not time_range(until=self.noon)(rec(hour=12))

    def test_untimed(self):
        record = LogRecord(None, "info", "x")
        assert time_range()(record)
        assert not time_range(since=self.noon)(record)


def test_all_of_takes_an_iterator(rec):
    check = all_of(compile_query(q) for q in ["a=1", "b=2"])
    assert check(rec(a=1, b=2))
    assert not check(rec(a=1, b=3))
    assert not check(rec(a=1, b=3))
