import re

LINE = re.compile(r"(?P<level>[A-Z]+) \[(?P<where>\w+)\] (?P<text>.*)")


def parse_line(line):
    """The parts of one line of a log; None for any other line."""
    found = LINE.match(line)
    return found.groupdict() if found else None
