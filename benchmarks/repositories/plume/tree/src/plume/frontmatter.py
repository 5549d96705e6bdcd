"""``key: value`` lines between two lines of dashes at the very top."""

import re

_FENCE = re.compile(r"---[ \t]*$")
_ITEM = re.compile(r"(?P<key>[A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(?P<value>.*))?$")


class FrontMatterError(ValueError):
    pass


def split(text):
    """Return ``(meta, rest of the text)``."""
    lines = text.splitlines(keepends=True)
    if not lines or not _FENCE.match(lines[0].rstrip("\r\n")):
        return {}, text
    for index, line in enumerate(lines[1:], 1):
        if _FENCE.match(line.rstrip("\r\n")):
            meta = parse_lines([item.rstrip("\r\n") for item in lines[1:index]])
            return meta, "".join(lines[index + 1 :])
    return {}, text  # a lone rule, not front matter


def parse_lines(lines):
    meta = {}
    key = None
    for number, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line.startswith(("- ", "  - ")) and key is not None:
            if not isinstance(meta[key], list):
                if meta[key] != "":
                    raise FrontMatterError(f"line {number}: {key} has a value already")
                meta[key] = []
            meta[key].append(parse_value(line.strip()[2:]))
            continue
        match = _ITEM.match(line)
        if match is None:
            raise FrontMatterError(f"line {number}: expected 'key: value'")
        key = match.group("key").lower()
        meta[key] = parse_value(match.group("value") or "")
    return meta


def parse_value(text):
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return [parse_value(part) for part in text[1:-1].split(",") if part.strip()]
    if text.lower() in ("true", "yes"):
        return True
    if text.lower() in ("false", "no"):
        return False
    if re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    return text
