"""Parsing of unit expressions such as ``kg*m/s^2``, ``kg m s-2`` or ``J/(mol K)``."""

import re
from fractions import Fraction

from .errors import UnitSyntaxError
from .units import CompoundUnit

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<pow>\*\*|\^)
      | (?P<op>[*/()·])
      | (?P<num>[+-]?\d+(?:\.\d+)?)
      | (?P<name>[^\W\d]\w*|°\w+|Δ°\w+|%|µ\w+)
      | (?P<sup>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
    )""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_SUPERS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")


def tokenize(text):
    tokens = []
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise UnitSyntaxError(text, position, "unexpected character")
        kind = match.lastgroup
        value = match.group(kind)
        if kind == "sup":
            value = value.translate(_SUPERS)
        tokens.append((kind, value, match.start(kind)))
        position = match.end()
    tokens.append(("end", "", len(stripped)))
    return tokens


class _Parser:
    def __init__(self, text, registry):
        self.text = text
        self.registry = registry
        self.tokens = tokenize(text)
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def advance(self):
        token = self.tokens[self.index]
        self.index += 1
        return token

    def fail(self, reason):
        raise UnitSyntaxError(self.text, self.current[2], reason)

    def parse(self):
        if self.current[0] == "end":
            return CompoundUnit()
        unit = self.product()
        if self.current[0] != "end":
            self.fail("unexpected " + repr(self.current[1]))
        return unit

    def product(self):
        unit = self.power()
        while True:
            kind, value, _ = self.current
            if kind == "op" and value in "*·":
                self.advance()
                unit = unit * self.power()
            elif kind == "op" and value == "/":
                self.advance()
                unit = unit / self.power()
            elif kind == "name" or (kind == "op" and value == "("):
                unit = unit * self.power()
            else:
                return unit

    def power(self):
        unit = self.atom()
        kind, value, _ = self.current
        if kind == "pow":
            self.advance()
            return unit ** self.exponent()
        if kind in ("num", "sup"):
            self.advance()
            return unit ** Fraction(value)
        return unit

    def exponent(self):
        kind, value, _ = self.advance()
        if kind == "num":
            return Fraction(value)
        if (kind, value) == ("op", "("):
            top = self.exponent()
            if self.current[:2] == ("op", "/"):
                self.advance()
                top = top / self.exponent()
            if self.advance()[:2] != ("op", ")"):
                self.index -= 1
                self.fail("expected ')'")
            return top
        self.index -= 1
        self.fail("expected an exponent")

    def atom(self):
        kind, value, _ = self.current
        if kind == "name":
            self.advance()
            return CompoundUnit.of(self.registry.get(value))
        if (kind, value) == ("op", "("):
            self.advance()
            unit = self.product()
            if self.current[:2] != ("op", ")"):
                self.fail("expected ')'")
            self.advance()
            return unit
        if (kind, value) == ("num", "1"):
            self.advance()
            return CompoundUnit()
        self.fail("expected a unit")


def parse_unit(text, registry):
    return _Parser(text, registry).parse()


def parse_quantity(text, registry):
    """Split ``"9.81 m/s^2"`` to ``(9.81, unit)``; a missing number means 1."""
    match = _NUMBER.match(text)
    if match is None:
        return 1, parse_unit(text, registry)
    literal = match.group(1).replace("_", "")
    try:
        value = int(literal)
    except ValueError:
        value = float(literal)
    rest = text[match.end():]
    if rest.lstrip().startswith("/"):
        rest = "1" + rest.lstrip()
    return value, parse_unit(rest, registry)
