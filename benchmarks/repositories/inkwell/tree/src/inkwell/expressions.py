"""The expression language used inside tags."""

import operator
import re

from .context import Undefined
from .errors import TemplateError, TemplateSyntaxError

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>\d+(?:\.\d+)?)
      | (?P<string>"[^"]*"|'[^']*')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<op>==|!=|<=|>=|[-+*/%<>.|,:()\[\]~])
    )""",
    re.X,
)

_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}
_CONSTANTS = {"true": True, "false": False, "none": None}


class Literal:
    def __init__(self, value):
        self.value = value

    def evaluate(self, ctx):
        return self.value


class Name:
    def __init__(self, name):
        self.name = name

    def evaluate(self, ctx):
        return ctx.lookup(self.name)


class Lookup:
    """``obj.key`` or ``obj[key]``: items first, then attributes."""

    def __init__(self, target, key):
        self.target = target
        self.key = key

    def evaluate(self, ctx):
        target = self.target.evaluate(ctx)
        key = self.key.evaluate(ctx)
        try:
            return target[key]
        except (KeyError, IndexError, TypeError, AttributeError):
            pass
        if isinstance(key, str) and not key.startswith("_"):
            try:
                return getattr(target, key)
            except AttributeError:
                pass
        return ctx.undefined(str(key))


class Call:
    def __init__(self, target, args):
        self.target = target
        self.args = args

    def evaluate(self, ctx):
        function = self.target.evaluate(ctx)
        return function(*[arg.evaluate(ctx) for arg in self.args])


class Filter:
    def __init__(self, value, name, args):
        self.value = value
        self.name = name
        self.args = args

    def evaluate(self, ctx):
        try:
            function = ctx.env.filters[self.name]
        except KeyError:
            raise TemplateError(f"no filter named {self.name!r}") from None
        return function(self.value.evaluate(ctx), *[arg.evaluate(ctx) for arg in self.args])


class Binary:
    def __init__(self, function, left, right):
        self.function = function
        self.left = left
        self.right = right

    def evaluate(self, ctx):
        return self.function(self.left.evaluate(ctx), self.right.evaluate(ctx))


class Logic:
    def __init__(self, kind, left, right):
        self.kind = kind
        self.left = left
        self.right = right

    def evaluate(self, ctx):
        left = self.left.evaluate(ctx)
        if bool(left) == (self.kind == "or"):
            return left
        return self.right.evaluate(ctx)


class Not:
    def __init__(self, value):
        self.value = value

    def evaluate(self, ctx):
        return not self.value.evaluate(ctx)


def _contains(item, collection):
    if isinstance(collection, Undefined):
        return False
    return item in collection


class ExpressionParser:
    def __init__(self, source, lineno=None):
        self.lineno = lineno
        self.tokens = self._split(source)
        self.pos = 0

    def _split(self, source):
        tokens = []
        pos = 0
        source = source.rstrip()
        while pos < len(source):
            match = _TOKEN.match(source, pos)
            if match is None:
                self.fail(f"unexpected character {source[pos:].lstrip()[:1]!r}")
            tokens.append((match.lastgroup, match.group(match.lastgroup)))
            pos = match.end()
        tokens.append(("end", ""))
        return tokens

    def fail(self, message):
        raise TemplateSyntaxError(message, self.lineno)

    # -- token helpers ---------------------------------------------------
    def peek(self):
        return self.tokens[self.pos]

    def next(self):
        token = self.tokens[self.pos]
        self.pos += 1
        return token

    def accept(self, *values):
        kind, value = self.peek()
        if kind in ("op", "name") and value in values:
            self.pos += 1
            return value
        return None

    def expect(self, value):
        if not self.accept(value):
            self.fail(f"expected {value!r}, found {self.peek()[1] or 'end of tag'!r}")

    def expect_name(self):
        kind, value = self.next()
        if kind != "name":
            self.fail("expected a name")
        return value

    def finish(self):
        if self.peek()[0] != "end":
            self.fail(f"unexpected {self.peek()[1]!r}")

    # -- grammar ---------------------------------------------------------
    def parse(self):
        node = self.parse_or()
        return node

    def parse_or(self):
        node = self.parse_and()
        while self.accept("or"):
            node = Logic("or", node, self.parse_and())
        return node

    def parse_and(self):
        node = self.parse_not()
        while self.accept("and"):
            node = Logic("and", node, self.parse_not())
        return node

    def parse_not(self):
        if self.accept("not"):
            return Not(self.parse_not())
        return self.parse_comparison()

    def parse_comparison(self):
        node = self.parse_sum()
        op = self.accept(*_COMPARE)
        if op:
            return Binary(_COMPARE[op], node, self.parse_sum())
        if self.accept("in"):
            return Binary(_contains, node, self.parse_sum())
        if self.peek() == ("name", "not") and self.tokens[self.pos + 1] == ("name", "in"):
            self.pos += 2
            return Not(Binary(_contains, node, self.parse_sum()))
        return node

    def parse_sum(self):
        node = self.parse_product()
        while True:
            op = self.accept("+", "-", "~")
            if not op:
                return node
            right = self.parse_product()
            if op == "~":
                node = Binary(lambda a, b: str(a) + str(b), node, right)
            else:
                node = Binary(_ARITHMETIC[op], node, right)

    def parse_product(self):
        node = self.parse_filtered()
        while True:
            op = self.accept("*", "/", "%")
            if not op:
                return node
            node = Binary(_ARITHMETIC[op], node, self.parse_filtered())

    def parse_filtered(self):
        node = self.parse_postfix()
        while self.accept("|"):
            name = self.expect_name()
            args = self.parse_args() if self.accept("(") else []
            node = Filter(node, name, args)
        return node

    def parse_postfix(self):
        node = self.parse_atom()
        while True:
            if self.accept("."):
                kind, value = self.next()
                if kind == "name":
                    node = Lookup(node, Literal(value))
                elif kind == "number" and value.isdigit():
                    node = Lookup(node, Literal(int(value)))
                else:
                    self.fail("expected an attribute name after '.'")
            elif self.accept("["):
                node = Lookup(node, self.parse())
                self.expect("]")
            elif self.accept("("):
                node = Call(node, self.parse_args())
            else:
                return node

    def parse_args(self):
        args = []
        if self.accept(")"):
            return args
        while True:
            args.append(self.parse())
            if self.accept(")"):
                return args
            self.expect(",")

    def parse_atom(self):
        kind, value = self.next()
        if kind == "number":
            return Literal(float(value) if "." in value else int(value))
        if kind == "string":
            return Literal(value[1:-1])
        if kind == "name":
            if value in _CONSTANTS:
                return Literal(_CONSTANTS[value])
            return Name(value)
        if value == "(":
            node = self.parse()
            self.expect(")")
            return node
        if value == "-":
            return Binary(operator.sub, Literal(0), self.parse_postfix())
        self.fail(f"unexpected {value or 'end of tag'!r}")


def parse_expression(source, lineno=None):
    parser = ExpressionParser(source, lineno)
    node = parser.parse()
    parser.finish()
    return node
