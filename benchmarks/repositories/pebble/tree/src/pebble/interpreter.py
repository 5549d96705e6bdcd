"""Evaluation of the tree."""

import operator

from . import nodes
from .builtins import BUILTINS, to_text, type_name
from .environment import Environment
from .errors import PebbleError, PebbleNameError, PebbleRuntimeError
from .parser import parse


class Closure:
    """A function of the language, callable from Python as well."""

    def __init__(self, interpreter, node, env):
        self.interpreter = interpreter
        self.node = node
        self.env = env

    def __call__(self, *arguments):
        params = self.node.params
        if len(arguments) > len(params):
            raise PebbleRuntimeError(
                f"function takes {len(params)} arguments, {len(arguments)} given"
            )
        scope = Environment(outer=self.env)
        for position, (name, default) in enumerate(params):
            if position < len(arguments):
                scope.define(name, arguments[position])
            elif default is not None:
                scope.define(name, self.interpreter.visit(default, scope))
            else:
                raise PebbleRuntimeError(f"argument '{name}' is missing")
        return self.interpreter.call_body(self.node.body, scope)


def _both_numbers(a, b):
    return type_name(a) == "number" and type_name(b) == "number"


def _add(a, b):
    if _both_numbers(a, b):
        return a + b
    if type_name(a) == type_name(b) and type_name(a) in ("text", "list"):
        return a + b
    raise TypeError


def _arithmetic(function):
    def apply(a, b):
        if not _both_numbers(a, b):
            raise TypeError
        return function(a, b)

    return apply


def _ordering(function):
    def apply(a, b):
        if type_name(a) != type_name(b) or type_name(a) not in ("number", "text", "list"):
            raise TypeError
        return function(a, b)

    return apply


def _equal(a, b):
    # in Python 1 == True, here not
    return type_name(a) == type_name(b) and a == b


def _contains(item, container):
    kind = type_name(container)
    if kind == "list":
        return any(_equal(item, other) for other in container)
    if kind == "record":
        return item in container
    if kind == "text" and isinstance(item, str):
        return item in container
    raise TypeError


OPERATIONS = {
    "+": _add,
    "-": _arithmetic(operator.sub),
    "*": _arithmetic(operator.mul),
    "/": _arithmetic(operator.truediv),
    "//": _arithmetic(operator.floordiv),
    "%": _arithmetic(operator.mod),
    "**": _arithmetic(operator.pow),
    "<": _ordering(operator.lt),
    "<=": _ordering(operator.le),
    ">": _ordering(operator.gt),
    ">=": _ordering(operator.ge),
    "==": _equal,
    "!=": lambda a, b: not _equal(a, b),
    "in": _contains,
}


class Interpreter:
    """Keeps its global names from one run() to the next."""

    def __init__(self, names=None, max_depth=100, max_steps=None):
        self.globals = Environment(names, Environment(BUILTINS))
        self.max_depth = max_depth
        self.max_steps = max_steps
        self.depth = 0
        self.steps = 0

    def run(self, source):
        self.steps = 0
        return self.visit_statements(parse(source).statements, self.globals)

    def call_body(self, body, scope):
        if self.depth >= self.max_depth:
            raise PebbleRuntimeError("too many nested calls")
        self.depth += 1
        try:
            return self.visit(body, scope)
        finally:
            self.depth -= 1

    def visit(self, node, env):
        self.steps += 1
        if self.max_steps is not None and self.steps > self.max_steps:
            raise PebbleRuntimeError("too many steps", node.line, node.column)
        method = getattr(self, "visit_" + type(node).__name__.lower())
        try:
            return method(node, env)
        except PebbleError as error:
            if error.line is None:
                error.line, error.column = node.line, node.column
            raise

    def visit_statements(self, statements, env):
        result = None
        for statement in statements:
            result = self.visit(statement, env)
        return result

    def visit_block(self, node, env):
        return self.visit_statements(node.statements, Environment(outer=env))

    def visit_let(self, node, env):
        value = self.visit(node.value, env)
        env.define(node.name, value)
        return value

    def visit_literal(self, node, env):
        return node.value

    def visit_template(self, node, env):
        return "".join(to_text(self.visit(part, env)) for part in node.parts)

    def visit_name(self, node, env):
        return env.lookup(node.name)

    def visit_listnode(self, node, env):
        return [self.visit(item, env) for item in node.items]

    def visit_record(self, node, env):
        return {key: self.visit(value, env) for key, value in node.entries}

    def visit_unary(self, node, env):
        value = self.visit(node.operand, env)
        if node.op == "not":
            return not self.truth(value)
        if type_name(value) != "number":
            raise PebbleRuntimeError(f"cannot negate {type_name(value)}")
        return -value

    def visit_binary(self, node, env):
        left = self.visit(node.left, env)
        if node.op == "and":
            return self.visit(node.right, env) if self.truth(left) else left
        if node.op == "or":
            return left if self.truth(left) else self.visit(node.right, env)
        if node.op == "??":
            return self.visit(node.right, env) if left is None else left
        right = self.visit(node.right, env)
        try:
            return OPERATIONS[node.op](left, right)
        except ZeroDivisionError:
            raise PebbleRuntimeError("division by zero") from None
        except TypeError:
            raise PebbleRuntimeError(
                f"cannot apply '{node.op}' to {type_name(left)} and {type_name(right)}"
            ) from None

    @staticmethod
    def truth(value):
        """Only false and null are false; zero and empty texts are not."""
        return value is not None and value is not False

    def visit_if(self, node, env):
        if self.truth(self.visit(node.condition, env)):
            return self.visit(node.then, env)
        if node.otherwise is None:
            return None
        return self.visit(node.otherwise, env)

    def visit_function(self, node, env):
        return Closure(self, node, env)

    def visit_call(self, node, env):
        function = self.visit(node.function, env)
        arguments = [self.visit(argument, env) for argument in node.arguments]
        if not callable(function):
            raise PebbleRuntimeError(f"{type_name(function)} is not a function")
        try:
            return function(*arguments)
        except PebbleError:
            raise
        except RecursionError:
            raise PebbleRuntimeError("too many nested calls") from None
        except Exception as error:
            raise PebbleRuntimeError(str(error)) from error

    def visit_index(self, node, env):
        target = self.visit(node.target, env)
        key = self.visit(node.key, env)
        if isinstance(target, dict):
            return target.get(key)
        if not isinstance(target, (list, str)):
            raise PebbleRuntimeError(f"cannot index {type_name(target)}")
        if type_name(key) != "number" or key != int(key):
            raise PebbleRuntimeError("an index must be a whole number")
        try:
            return target[int(key)]
        except IndexError:
            raise PebbleRuntimeError(f"index {key} is out of range") from None

    def visit_attribute(self, node, env):
        target = self.visit(node.target, env)
        if not isinstance(target, dict):
            raise PebbleRuntimeError(f"{type_name(target)} has no fields")
        if node.name not in target:
            raise PebbleRuntimeError(f"no field '{node.name}'")
        return target[node.name]


def evaluate(source, names=None, default=PebbleNameError):
    """Evaluate once. With ``default`` an unknown name gives that instead of an error."""
    try:
        return Interpreter(names).run(source)
    except PebbleNameError:
        if default is PebbleNameError:
            raise
        return default
