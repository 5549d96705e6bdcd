"""Tokens to a tree, by precedence climbing."""

from . import nodes
from .errors import PebbleSyntaxError
from .lexer import tokenize

# operator -> (binding power, right associative)
BINARY = {
    "??": (1, True),
    "|>": (2, False),
    "or": (3, False),
    "and": (4, False),
    "==": (6, False),
    "!=": (6, False),
    "<": (6, False),
    "<=": (6, False),
    ">": (6, False),
    ">=": (6, False),
    "in": (6, False),
    "+": (7, False),
    "-": (7, False),
    "*": (8, False),
    "/": (8, False),
    "//": (8, False),
    "%": (8, False),
    "**": (10, True),
}
UNARY = {"not": 5, "-": 9}


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def advance(self):
        token = self.current
        self.index += 1
        return token

    def at(self, *values):
        return self.current.kind in ("op", "keyword") and self.current.value in values

    def accept(self, value):
        if self.at(value):
            return self.advance()
        return None

    def expect(self, value):
        token = self.accept(value)
        if token is None:
            raise self.error(f"expected '{value}'")
        return token

    def expect_name(self):
        if self.current.kind != "name":
            raise self.error("expected a name")
        return self.advance().value

    def error(self, message):
        token = self.current
        found = "the end" if token.kind == "end" else repr(token.value)
        return PebbleSyntaxError(f"{message}, found {found}", token.line, token.column)

    def make(self, cls, token, *args):
        return cls(*args, line=token.line, column=token.column)

    def program(self):
        block = self.block("end")
        if self.current.kind != "end":
            raise self.error("expected ';'")
        return block

    def block(self, closer):
        start = self.current
        statements = []
        while not self._closed(closer):
            statements.append(self.statement())
            if not self.accept(";"):
                break
        return self.make(nodes.Block, start, statements)

    def _closed(self, closer):
        return self.current.kind == "end" if closer == "end" else self.at(closer)

    def statement(self):
        if self.at("let"):
            token = self.advance()
            name = self.expect_name()
            self.expect("=")
            return self.make(nodes.Let, token, name, self.expression())
        return self.expression()

    def expression(self, minimum=0):
        left = self.unary()
        while self.current.kind in ("op", "keyword") and self.current.value in BINARY:
            power, right_associative = BINARY[self.current.value]
            if power < minimum:
                break
            token = self.advance()
            right = self.expression(power if right_associative else power + 1)
            if token.value == "|>":
                left = self.pipe(token, left, right)
            else:
                left = self.make(nodes.Binary, token, token.value, left, right)
        return left

    def pipe(self, token, left, right):
        if isinstance(right, nodes.Call):
            return self.make(nodes.Call, token, right.function, [left] + right.arguments)
        return self.make(nodes.Call, token, right, [left])

    def unary(self):
        if self.at(*UNARY):
            token = self.advance()
            operand = self.expression(UNARY[token.value])
            return self.make(nodes.Unary, token, token.value, operand)
        return self.postfix()

    def postfix(self):
        node = self.atom()
        while True:
            token = self.current
            if self.accept("("):
                arguments = self.sequence(")", self.expression)
                node = self.make(nodes.Call, token, node, arguments)
            elif self.accept("["):
                key = self.expression()
                self.expect("]")
                node = self.make(nodes.Index, token, node, key)
            elif self.accept("."):
                node = self.make(nodes.Attribute, token, node, self.expect_name())
            else:
                return node

    def sequence(self, closer, item):
        """Items separated by commas; a comma before the closer is allowed."""
        items = []
        while not self.accept(closer):
            items.append(item())
            if not self.accept(","):
                self.expect(closer)
                break
        return items

    def atom(self):
        token = self.current
        if token.kind in ("number", "text"):
            self.advance()
            return self.make(nodes.Literal, token, token.value)
        if token.kind == "template":
            self.advance()
            return self.template(token)
        if token.kind == "name":
            self.advance()
            return self.make(nodes.Name, token, token.value)
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.accept(word):
                return self.make(nodes.Literal, token, value)
        if self.accept("("):
            block = self.block(")")
            self.expect(")")
            if len(block.statements) == 1 and not isinstance(block.statements[0], nodes.Let):
                return block.statements[0]
            return block
        if self.accept("["):
            return self.make(nodes.ListNode, token, self.sequence("]", self.expression))
        if self.accept("{"):
            return self.make(nodes.Record, token, self.sequence("}", self.entry))
        if self.accept("if"):
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            otherwise = self.expression() if self.accept("else") else None
            return self.make(nodes.If, token, condition, then, otherwise)
        if self.accept("fn"):
            self.expect("(")
            params = self.sequence(")", self.param)
            self.check_params(params, token)
            self.expect("=>")
            return self.make(nodes.Function, token, params, self.expression())
        raise self.error("expected an expression")

    def entry(self):
        if self.current.kind == "text":
            key = self.advance().value
        else:
            key = self.expect_name()
            if self.at(",", "}"):
                token = self.tokens[self.index - 1]
                return key, self.make(nodes.Name, token, key)
        self.expect(":")
        return key, self.expression()

    def param(self):
        name = self.expect_name()
        default = self.expression() if self.accept("=") else None
        return name, default

    def check_params(self, params, token):
        seen_default = False
        names = set()
        for name, default in params:
            if name in names:
                raise PebbleSyntaxError(f"parameter '{name}' twice", token.line, token.column)
            names.add(name)
            if default is None and seen_default:
                raise PebbleSyntaxError(
                    f"parameter '{name}' needs a default", token.line, token.column
                )
            seen_default = seen_default or default is not None

    def template(self, token):
        parts = []
        for part in token.value:
            if isinstance(part, str):
                parts.append(self.make(nodes.Literal, token, part))
            else:
                source, line, column = part
                inner = Parser(tokenize(source, line, column))
                node = inner.expression()
                if inner.current.kind != "end":
                    raise inner.error("expected '}'")
                parts.append(node)
        if len(parts) == 1 and isinstance(parts[0], nodes.Literal):
            return parts[0]
        return self.make(nodes.Template, token, parts)


def parse(source):
    return Parser(tokenize(source)).program()
