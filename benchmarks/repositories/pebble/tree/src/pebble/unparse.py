"""The tree back to source, with no more parentheses than needed."""

from . import nodes
from .builtins import to_text
from .parser import BINARY, UNARY

_ATOM = 100
_LOWEST = 0


def _power(node):
    if isinstance(node, nodes.Binary):
        return BINARY[node.op][0]
    if isinstance(node, nodes.Unary):
        return UNARY[node.op]
    if isinstance(node, (nodes.If, nodes.Function)):
        return _LOWEST
    return _ATOM


def _wrap(node, minimum):
    text = unparse(node)
    return f"({text})" if _power(node) < minimum else text


def _escape(text):
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("$", "\\$")):
        text = text.replace(char, escape)
    return text


def _key(key):
    return key if key.isidentifier() and key.isascii() else to_text(key, True)


def unparse(node):
    if isinstance(node, nodes.Literal):
        return to_text(node.value, quoted=True)
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Template):
        parts = []
        for part in node.parts:
            if isinstance(part, nodes.Literal) and isinstance(part.value, str):
                parts.append(_escape(part.value))
            else:
                parts.append("${" + unparse(part) + "}")
        return '"' + "".join(parts) + '"'
    if isinstance(node, nodes.ListNode):
        return "[" + ", ".join(unparse(item) for item in node.items) + "]"
    if isinstance(node, nodes.Record):
        return "{" + ", ".join(f"{_key(k)}: {unparse(v)}" for k, v in node.entries) + "}"
    if isinstance(node, nodes.Unary):
        space = " " if node.op.isalpha() else ""
        return node.op + space + _wrap(node.operand, UNARY[node.op])
    if isinstance(node, nodes.Binary):
        power, right_associative = BINARY[node.op]
        left = _wrap(node.left, power + 1 if right_associative else power)
        right = _wrap(node.right, power if right_associative else power + 1)
        return f"{left} {node.op} {right}"
    if isinstance(node, nodes.If):
        text = f"if {unparse(node.condition)} then {unparse(node.then)}"
        if node.otherwise is not None:
            text += f" else {unparse(node.otherwise)}"
        return text
    if isinstance(node, nodes.Function):
        params = ", ".join(n if d is None else f"{n} = {unparse(d)}" for n, d in node.params)
        return f"fn({params}) => {unparse(node.body)}"
    if isinstance(node, nodes.Call):
        arguments = ", ".join(unparse(argument) for argument in node.arguments)
        return f"{_wrap(node.function, _ATOM)}({arguments})"
    if isinstance(node, nodes.Index):
        return f"{_wrap(node.target, _ATOM)}[{unparse(node.key)}]"
    if isinstance(node, nodes.Attribute):
        return f"{_wrap(node.target, _ATOM)}.{node.name}"
    if isinstance(node, nodes.Let):
        return f"let {node.name} = {unparse(node.value)}"
    if isinstance(node, nodes.Block):
        return "(" + "; ".join(unparse(statement) for statement in node.statements) + ")"
    raise TypeError(f"cannot unparse {type(node).__name__}")
