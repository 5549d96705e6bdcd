"""The syntax tree."""

from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple


@dataclass
class Node:
    # position takes no part in comparisons
    line: int = field(default=0, compare=False, repr=False, kw_only=True)
    column: int = field(default=0, compare=False, repr=False, kw_only=True)


@dataclass
class Literal(Node):
    value: Any


@dataclass
class Template(Node):
    parts: List[Node]


@dataclass
class Name(Node):
    name: str


@dataclass
class ListNode(Node):
    items: List[Node]


@dataclass
class Record(Node):
    entries: List[Tuple[str, Node]]


@dataclass
class Unary(Node):
    op: str
    operand: Node


@dataclass
class Binary(Node):
    op: str
    left: Node
    right: Node


@dataclass
class If(Node):
    condition: Node
    then: Node
    otherwise: Optional[Node]


@dataclass
class Function(Node):
    params: List[Tuple[str, Optional[Node]]]
    body: Node


@dataclass
class Call(Node):
    function: Node
    arguments: List[Node]


@dataclass
class Index(Node):
    target: Node
    key: Node


@dataclass
class Attribute(Node):
    target: Node
    name: str


@dataclass
class Let(Node):
    name: str
    value: Node


@dataclass
class Block(Node):
    statements: List[Node]
