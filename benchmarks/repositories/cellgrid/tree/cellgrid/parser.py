"""Tokens into a tree, by precedence climbing."""
from dataclasses import dataclass

from .errors import FormulaSyntaxError
from .lexer import tokenize
from .refs import CellRef, RangeRef


@dataclass(frozen=True)
class Literal:
    value: object


@dataclass(frozen=True)
class ErrorLiteral:
    code: str


@dataclass(frozen=True)
class Ref:
    ref: CellRef


@dataclass(frozen=True)
class Range:
    ref: RangeRef


@dataclass(frozen=True)
class Unary:
    op: str
    operand: object


@dataclass(frozen=True)
class Binary:
    op: str
    left: object
    right: object


@dataclass(frozen=True)
class Call:
    name: str
    args: tuple


PRECEDENCE = {
    "=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1,
    "&": 2,
    "+": 3, "-": 3,
    "*": 4, "/": 4,
    "^": 5,
}


class Parser:
    def __init__(self, text):
        self.tokens = tokenize(text)
        self.index = 0

    @property
    def token(self):
        return self.tokens[self.index]

    def advance(self):
        token = self.token
        self.index += 1
        return token

    def at(self, text):
        return self.token.kind == "OP" and self.token.text == text

    def expect(self, text):
        if not self.at(text):
            raise FormulaSyntaxError(f"expected {text!r}", self.token.pos)
        return self.advance()

    def parse(self):
        node = self.expression(1)
        if self.token.kind != "END":
            raise FormulaSyntaxError(f"unexpected {self.token.text!r}", self.token.pos)
        return node

    def expression(self, lowest):
        left = self.unary()
        while self.token.kind == "OP":
            op = self.token.text
            level = PRECEDENCE.get(op, 0)
            if level < lowest:
                break
            self.advance()
            right = self.expression(level + 1)
            left = Binary(op, left, right)
        return left

    def unary(self):
        if self.at("-") or self.at("+"):
            op = self.advance().text
            return Unary(op, self.unary())
        return self.postfix()

    def postfix(self):
        node = self.primary()
        while self.at("%"):
            self.advance()
            node = Unary("%", node)
        return node

    def primary(self):
        token = self.advance()
        if token.kind == "NUMBER":
            text = token.text
            return Literal(int(text) if text.isdigit() else float(text))
        if token.kind == "STRING":
            return Literal(token.text[1:-1].replace('""', '"'))
        if token.kind == "ERROR":
            return ErrorLiteral(token.text)
        if token.kind == "RANGE":
            return Range(RangeRef.parse(token.text))
        if token.kind == "CELL":
            return Ref(CellRef.parse(token.text))
        if token.kind == "NAME":
            return self.name(token)
        if token.kind == "OP" and token.text == "(":
            node = self.expression(1)
            self.expect(")")
            return node
        raise FormulaSyntaxError(f"unexpected {token.text or 'end'!r}", token.pos)

    def name(self, token):
        upper = token.text.upper()
        if not self.at("("):
            if upper in ("TRUE", "FALSE"):
                return Literal(upper == "TRUE")
            return ErrorLiteral("#NAME?")
        self.expect("(")
        args = []
        if not self.at(")"):
            args.append(self.expression(1))
            while self.at(","):
                self.advance()
                args.append(self.expression(1))
        self.expect(")")
        return Call(upper, tuple(args))


def parse(text):
    """Tree of a formula, with or without its leading = sign."""
    return Parser(text[1:] if text.startswith("=") else text).parse()


def references(node):
    """Keys of every cell that a tree reads."""
    if isinstance(node, Ref):
        return {node.ref.key}
    if isinstance(node, Range):
        return set(node.ref.keys())
    if isinstance(node, Unary):
        return references(node.operand)
    if isinstance(node, Binary):
        return references(node.left) | references(node.right)
    if isinstance(node, Call):
        return set().union(*(references(arg) for arg in node.args))
    return set()
