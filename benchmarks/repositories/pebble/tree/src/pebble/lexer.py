"""Source text to tokens."""

from collections import namedtuple

from .errors import PebbleSyntaxError

Token = namedtuple("Token", "kind value line column")

KEYWORDS = {
    "let", "fn", "if", "then", "else", "and", "or", "not", "in", "true", "false", "null",
}
# longer ones first
OPERATORS = (
    "=>", "==", "!=", "<=", ">=", "|>", "??", "**", "//",
    "+", "-", "*", "/", "%", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".",
)
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'", "$": "$"}


class Lexer:
    def __init__(self, source, line=1, column=1):
        self.source = source
        self.position = 0
        self.line = line
        self.column = column

    def peek(self, offset=0):
        index = self.position + offset
        return self.source[index] if index < len(self.source) else ""

    def step(self, count=1):
        text = self.source[self.position:self.position + count]
        self.position += count
        for char in text:
            if char == "\n":
                self.line += 1
                self.column = 1
            else:
                self.column += 1
        return text

    def error(self, message, line=None, column=None):
        return PebbleSyntaxError(message, line or self.line, column or self.column)

    def tokens(self):
        result = []
        while True:
            self.skip_blank()
            line, column = self.line, self.column
            char = self.peek()
            if not char:
                result.append(Token("end", None, line, column))
                return result
            if char.isdigit() or (char == "." and self.peek(1).isdigit()):
                kind, value = "number", self.number()
            elif char.isalpha() or char == "_":
                word = self.word()
                kind, value = ("keyword" if word in KEYWORDS else "name"), word
            elif char == '"':
                kind, value = "template", self.template()
            elif char == "'":
                kind, value = "text", self.raw_text()
            else:
                kind, value = "op", self.operator()
            result.append(Token(kind, value, line, column))

    def skip_blank(self):
        while True:
            char = self.peek()
            if char and char.isspace():
                self.step()
            elif char == "#":
                while self.peek() and self.peek() != "\n":
                    self.step()
            else:
                return

    def number(self):
        start = self.position
        while self.peek().isdigit() or (self.peek() == "_" and self.peek(1).isdigit()):
            self.step()
        is_float = False
        if self.peek() == "." and self.peek(1).isdigit():
            is_float = True
            self.step()
            while self.peek().isdigit():
                self.step()
        if self.peek() in ("e", "E"):
            width = 2 if self.peek(1) in ("+", "-") else 1
            if self.peek(width).isdigit():
                is_float = True
                self.step(width)
                while self.peek().isdigit():
                    self.step()
        if self.peek().isalpha():
            raise self.error("a number runs into a name")
        text = self.source[start:self.position].replace("_", "")
        return float(text) if is_float else int(text)

    def word(self):
        start = self.position
        while self.peek().isalnum() or self.peek() == "_":
            self.step()
        return self.source[start:self.position]

    def raw_text(self):
        """Single quotes: no escapes; a doubled quote stands for one."""
        line, column = self.line, self.column
        self.step()
        parts = []
        while True:
            char = self.peek()
            if not char:
                raise self.error("text is not closed", line, column)
            if char == "'":
                if self.peek(1) == "'":
                    parts.append("'")
                    self.step(2)
                    continue
                self.step()
                return "".join(parts)
            parts.append(self.step())

    def template(self):
        """Double quotes: a list of texts and of (source, line, column) of ``${}``."""
        line, column = self.line, self.column
        self.step()
        parts = []
        text = []
        while True:
            char = self.peek()
            if not char:
                raise self.error("text is not closed", line, column)
            if char == '"':
                self.step()
                if text or not parts:
                    parts.append("".join(text))
                return parts
            if char == "\\":
                escape = self.peek(1)
                if escape not in _ESCAPES:
                    raise self.error(f"unknown escape \\{escape}")
                text.append(_ESCAPES[escape])
                self.step(2)
            elif char == "$" and self.peek(1) == "{":
                if text:
                    parts.append("".join(text))
                    text = []
                self.step(2)
                parts.append(self.embedded())
            else:
                text.append(self.step())

    def embedded(self):
        line, column = self.line, self.column
        start = self.position
        depth = 1
        while True:
            char = self.peek()
            if not char:
                raise self.error("'${' is not closed", line, column)
            if char == "'":
                self.raw_text()
                continue
            if char == "{":
                depth += 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    source = self.source[start:self.position]
                    self.step()
                    return source, line, column
            self.step()

    def operator(self):
        for operator in OPERATORS:
            if self.source.startswith(operator, self.position):
                return self.step(len(operator))
        raise self.error(f"unexpected character {self.peek()!r}")


def tokenize(source, line=1, column=1):
    return Lexer(source, line, column).tokens()
