"""The language of --where: comparisons joined by and, or, not and parentheses."""

from __future__ import annotations

import re
from typing import Any, Callable

from .formats import convert
from .record import LogRecord, level_number

Predicate = Callable[[LogRecord], bool]


class QueryError(ValueError):
    pass


_KEYWORDS = ("and", "or", "not")
_TOKENS = re.compile(
    r"""\s*(?:
        (?P<paren>[()])
      | (?P<op><=|>=|!=|!~|=|<|>|~)
      | (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<word>[^\s()<>=!~"]+)
    )""",
    re.VERBOSE,
)


def tokenize(text: str) -> list[tuple[str, str]]:
    tokens = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKENS.match(text, position)
        if match is None:
            raise QueryError(f"cannot read {text[position:]!r}")
        kind = match.lastgroup
        tokens.append((kind, match.group(kind)))
        position = match.end()
    return tokens


class _QueryParser:
    def __init__(self, text: str, levels: dict[str, int] | None):
        self.tokens = tokenize(text)
        self.index = 0
        self.levels = levels

    def peek(self) -> tuple[str, str]:
        if self.index < len(self.tokens):
            return self.tokens[self.index]
        return ("end", "")

    def next(self) -> tuple[str, str]:
        token = self.peek()
        self.index += 1
        return token

    def accept_word(self, word: str) -> bool:
        kind, value = self.peek()
        if kind == "word" and value.lower() == word:
            self.index += 1
            return True
        return False

    def parse(self) -> Predicate:
        predicate = self.either()
        if self.peek()[0] != "end":
            raise QueryError(f"unexpected {self.peek()[1]!r}")
        return predicate

    def either(self) -> Predicate:
        parts = [self.both()]
        while self.accept_word("or"):
            parts.append(self.both())
        if len(parts) == 1:
            return parts[0]
        return lambda record: any(part(record) for part in parts)

    def both(self) -> Predicate:
        parts = [self.negation()]
        while self.accept_word("and"):
            parts.append(self.negation())
        if len(parts) == 1:
            return parts[0]
        return lambda record: all(part(record) for part in parts)

    def negation(self) -> Predicate:
        if self.accept_word("not"):
            inner = self.negation()
            return lambda record: not inner(record)
        if self.peek() == ("paren", "("):
            self.next()
            inner = self.either()
            if self.next() != ("paren", ")"):
                raise QueryError("missing ')'")
            return inner
        return self.comparison()

    def comparison(self) -> Predicate:
        kind, name = self.next()
        if kind != "word" or name.lower() in _KEYWORDS:
            raise QueryError(f"expected a field, found {name!r}" if name else "unexpected end")
        if self.peek()[0] != "op":
            return lambda record: bool(record.get(name))
        operator = self.next()[1]
        kind, raw = self.next()
        if kind not in ("word", "quoted"):
            raise QueryError(f"expected a value after {name}{operator}")
        if kind == "quoted":
            value: Any = re.sub(r"\\(.)", r"\1", raw[1:-1])
        else:
            value = convert(raw)
        return self.compare(name, operator, value)

    def compare(self, name: str, operator: str, value: Any) -> Predicate:
        if operator in ("~", "!~"):
            try:
                pattern = re.compile(str(value))
            except re.error as error:
                raise QueryError(f"bad pattern {value!r}: {error}") from error

            def matches(record: LogRecord) -> bool:
                actual = record.get(name)
                found = actual is not None and pattern.search(str(actual)) is not None
                return found == (operator == "~")

            return matches
        test = _OPERATORS[operator]
        if name == "level":
            wanted = level_number(str(value), self.levels)

            def by_level(record: LogRecord) -> bool:
                try:
                    number = level_number(record.level, self.levels)
                except ValueError:
                    return operator == "!="
                return test(number, wanted)

            return by_level

        def by_value(record: LogRecord) -> bool:
            actual = record.get(name)
            if actual is None:
                return operator == "!="
            if isinstance(actual, (int, float)) and isinstance(value, (int, float)):
                return test(actual, value)
            return test(str(actual), str(value))

        return by_value


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def compile_query(text: str, levels: dict[str, int] | None = None) -> Predicate:
    if not text.strip():
        return lambda record: True
    return _QueryParser(text, levels).parse()


def time_range(since=None, until=None) -> Predicate:
    """since <= time < until; records without a time match only an open range."""

    def inside(record: LogRecord) -> bool:
        if since is None and until is None:
            return True
        if record.time is None:
            return False
        if since is not None and record.time < since:
            return False
        if until is not None and record.time >= until:
            return False
        return True

    return inside


def all_of(predicates) -> Predicate:
    predicates = list(predicates)
    return lambda record: all(p(record) for p in predicates)
