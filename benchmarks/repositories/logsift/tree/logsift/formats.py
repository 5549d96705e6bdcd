"""Line formats. A format's parse() gives a record, or None for a line not its own."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone, tzinfo

from .record import LogRecord


def parse_time(text: str, default_tz: tzinfo = timezone.utc) -> datetime:
    """ISO time; comma fractions and a Z are understood."""
    text = text.strip().replace(",", ".")
    if text.endswith(("Z", "z")):
        text = text[:-1] + "+00:00"
    match = re.match(r"(.*\.)(\d+)(.*)$", text)
    if match:
        text = match.group(1) + match.group(2)[:6].ljust(6, "0") + match.group(3)
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=default_tz)
    return moment


class LineFormat:
    name = ""
    #: whether lines that do not parse belong to the record before
    multiline = False

    def __init__(self, default_tz: tzinfo = timezone.utc):
        self.default_tz = default_tz

    def parse(self, line: str) -> LogRecord | None:
        raise NotImplementedError


class PlainFormat(LineFormat):
    name = "plain"
    multiline = True
    _line = re.compile(
        r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\s+"
        r"\[?(?P<level>[A-Za-z]+)\]?\s+"
        r"(?:(?P<logger>[\w.\-]+):\s+)?"
        r"(?P<message>.*)$"
    )
    _pair = re.compile(r'(?<!\S)([A-Za-z_][\w.]*)=("(?:[^"\\]|\\.)*"|\S+)')

    def parse(self, line):
        match = self._line.match(line)
        if match is None:
            return None
        message = match["message"]
        fields = {}
        for key, value in self._pair.findall(message):
            if value.startswith('"'):
                value = re.sub(r"\\(.)", r"\1", value[1:-1])
            fields[key] = convert(value)
        return LogRecord(
            time=parse_time(match["time"], self.default_tz),
            level=match["level"].lower(),
            logger=match["logger"] or "",
            message=message,
            fields=fields,
        )


class JsonFormat(LineFormat):
    name = "json"
    time_keys = ("time", "timestamp", "ts", "@timestamp")
    level_keys = ("level", "severity", "lvl")
    message_keys = ("message", "msg")

    def parse(self, line):
        line = line.strip()
        if not line.startswith("{"):
            return None
        try:
            data = json.loads(line)
        except ValueError:
            return None
        moment = self._take(data, self.time_keys)
        if isinstance(moment, (int, float)):
            moment = datetime.fromtimestamp(moment, timezone.utc)
        elif moment is not None:
            moment = parse_time(moment, self.default_tz)
        return LogRecord(
            time=moment,
            level=str(self._take(data, self.level_keys, "info")).lower(),
            message=str(self._take(data, self.message_keys, "")),
            logger=str(data.pop("logger", "")),
            fields=data,
        )

    @staticmethod
    def _take(data, keys, default=None):
        for key in keys:
            if key in data:
                return data.pop(key)
        return default


class AccessFormat(LineFormat):
    name = "access"
    _line = re.compile(
        r'(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] '
        r'"(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) (?P<size>\d+|-)'
        r'(?: "(?P<referer>[^"]*)" "(?P<agent>[^"]*)")?'
    )

    def parse(self, line):
        match = self._line.match(line)
        if match is None:
            return None
        status = int(match["status"])
        method, _, rest = match["request"].partition(" ")
        target = rest.rpartition(" ")[0] or rest
        path, _, query = target.partition("?")
        return LogRecord(
            time=datetime.strptime(match["time"], "%d/%b/%Y:%H:%M:%S %z"),
            level="error" if status >= 500 else "warning" if status >= 400 else "info",
            message=match["request"],
            logger="access",
            fields={
                "host": match["host"],
                "user": None if match["user"] == "-" else match["user"],
                "method": method,
                "path": path,
                "query": query,
                "status": status,
                "size": 0 if match["size"] == "-" else int(match["size"]),
                "agent": match["agent"],
            },
        )


FORMATS = {cls.name: cls for cls in (JsonFormat, AccessFormat, PlainFormat)}


def convert(value: str):
    """Numbers become numbers, all else stays text."""
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    return value


def detect(line: str, default_tz: tzinfo = timezone.utc) -> LineFormat:
    for cls in FORMATS.values():
        candidate = cls(default_tz)
        if candidate.parse(line) is not None:
            return candidate
    raise ValueError("cannot tell the format of the log")
