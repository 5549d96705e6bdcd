from collections import Counter

from logkit.parse import parse_line


def count_by_level(lines):
    parsed = (parse_line(line) for line in lines)
    return dict(Counter(part["level"] for part in parsed if part))
