import gzip
from datetime import datetime, timezone

import pytest

from logsift.record import LogRecord

PLAIN = """\
2024-03-01 10:00:00,120 INFO app.web: request path=/index ms=12
2024-03-01 10:00:05,000 ERROR app.db: query failed
Traceback (most recent call last):
  File "db.py", line 3, in run
    raise Timeout("slow")
Timeout: slow

2024-03-01 10:20:00,500 WARNING app.web: slow path=/report ms=950 who="Ann Lee"
2024-03-01 11:05:00,000 INFO app.web: request path=/index ms=15
"""


@pytest.fixture
def plain_log(tmp_path):
    path = tmp_path / "app.log"
    path.write_text(PLAIN, encoding="utf-8")
    return path


@pytest.fixture
def make_gz(tmp_path):
    def make(data, name="old.log.gz"):
        path = tmp_path / name
        with gzip.open(path, "wb") as stream:
            stream.write(data)
        return path

    return make


@pytest.fixture
def rec():
    def make(message="hello", level="info", minute=0, hour=10, **fields):
        moment = datetime(2024, 3, 1, hour, minute, tzinfo=timezone.utc)
        return LogRecord(moment, level, message, fields=fields)

    return make
