import json
from datetime import datetime, timezone

import pytest

from logsift.report import Table, format_record, to_csv, to_json, to_text


@pytest.fixture
def table():
    table = Table("top path", ["path", "count"])
    table.add("/index", 12)
    table.add("/a,b", 3)
    return table


def test_text(table):
    assert to_text(table) == (
        "top path\n"
        "path    count\n"
        "------  -----\n"
        "/index     12\n"
        "/a,b        3\n"
    )


def test_text_without_rows():
    assert to_text(Table("t", ["a", "bc"])) == "t\na  bc\n-  --\n"


def test_csv_quotes(table):
    assert to_csv(table) == 'path,count\n/index,12\n"/a,b",3\n'


def test_json_keeps_numbers_and_umlauts():
    table = Table("größe", ["time", "n"])
    table.add(datetime(2024, 3, 1, tzinfo=timezone.utc), 3)
    text = to_json(table)
    assert "größe" in text
    assert json.loads(text)["rows"] == [{"time": "2024-03-01T00:00:00+00:00", "n": 3}]


def test_wrong_number_of_cells(table):
    with pytest.raises(ValueError):
        table.add("x")


def test_tables_share_nothing():
    first, second = Table("a", ["x"]), Table("b", ["x"])
    first.add(1)
    assert second.rows == []


def test_format_record(rec):
    record = rec("hi", "warning")
    record.logger, record.source, record.line = "web", "a.log", 3
    record.extra_lines.append("  more")
    assert format_record(record) == "2024-03-01T10:00:00+00:00 WARNING web: hi\n  more"
    assert format_record(record, True).startswith("a.log:3: 2024")
