"""Trees into values."""
from . import parser as ast
from .errors import DIV0, NAME, VALUE, CellError
from .functions import EAGER, LAZY
from .values import compare, to_number, to_text

_COMPARE = {
    "=": lambda c: c == 0,
    "<>": lambda c: c != 0,
    "<": lambda c: c < 0,
    ">": lambda c: c > 0,
    "<=": lambda c: c <= 0,
    ">=": lambda c: c >= 0,
}


class Evaluator:
    def __init__(self, lookup):
        self.lookup = lookup

    def run(self, node):
        """Value of a tree; an error is returned, not raised."""
        try:
            value = self.eval(node)
        except CellError as exc:
            return exc
        if isinstance(value, list):
            return CellError(VALUE)
        return 0 if value is None else value

    def eval(self, node):
        method = getattr(self, "eval_" + type(node).__name__.lower())
        return method(node)

    def eval_literal(self, node):
        return node.value

    def eval_errorliteral(self, node):
        raise CellError(node.code)

    def eval_ref(self, node):
        value = self.lookup(node.ref.key)
        if isinstance(value, CellError):
            raise value
        return value

    def eval_range(self, node):
        return [[self.lookup(key) for key in row] for row in node.ref.rows()]

    def eval_unary(self, node):
        value = to_number(self.eval(node.operand))
        if node.op == "-":
            return -value
        if node.op == "%":
            return value / 100
        return value

    def eval_binary(self, node):
        left, right = self.eval(node.left), self.eval(node.right)
        if isinstance(left, list) or isinstance(right, list):
            raise CellError(VALUE)
        if node.op == "&":
            return to_text(left) + to_text(right)
        if node.op in _COMPARE:
            return _COMPARE[node.op](compare(left, right))
        left, right = to_number(left), to_number(right)
        if node.op == "+":
            return left + right
        if node.op == "-":
            return left - right
        if node.op == "*":
            return left * right
        if node.op == "^":
            return left ** right
        if right == 0:
            raise CellError(DIV0)
        result = left / right
        return int(result) if result.is_integer() else result

    def eval_call(self, node):
        if node.name in LAZY:
            func = LAZY[node.name]
            args = [lambda arg=arg: self.eval(arg) for arg in node.args]
        elif node.name in EAGER:
            func = EAGER[node.name]
            args = [self.eval(arg) for arg in node.args]
        else:
            raise CellError(NAME)
        try:
            return func(*args)
        except TypeError:
            raise CellError(VALUE) from None
