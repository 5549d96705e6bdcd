"""What `--sandbox restricted` lets a program say: RestrictedPython's rules, fitted to ordinary pure-Python functions.

RestrictedPython (the extra `restricted`) was made to hand trusted objects to scripts of the web: its compiler refuses
names and nodes that lead around its guards, and puts a guard of the host's around every access that is left. Here the
program is handed nothing, so there is nothing to guard: what the rules let pass is run as plain Python compiles it, and
the verdict is plain Python's. The rules are narrowed and widened below, each with its reason; a node that is known
neither here nor there is refused, as RestrictedPython does.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Mapping

from RestrictedPython.transformer import INSPECT_ATTRIBUTES, RestrictingNodeTransformer

PURE_MODULES = frozenset(
    """
    __future__ abc array base64 binascii bisect calendar cmath collections colorsys contextlib copy dataclasses
    datetime decimal difflib enum fractions functools graphlib hashlib heapq hmac html itertools json keyword math
    numbers operator pprint random re reprlib secrets statistics string struct textwrap time types typing
    typing_extensions unicodedata uuid warnings zlib zoneinfo
    """.split()
)
"""Modules that compute and touch nothing outside of the process."""
PARTLY: Mapping[str, frozenset[str]] = {
    "sys": frozenset(
        "byteorder exit float_info getrecursionlimit getsizeof hash_info int_info intern maxsize maxunicode "
        "setrecursionlimit stderr stdout version version_info".split()
    ),
    "io": frozenset(("BytesIO", "StringIO", "TextIOWrapper")),
    "urllib.parse": frozenset("parse_qs parse_qsl quote quote_plus unquote unquote_plus urlencode urlparse".split()),
}
"""Modules of which only these names may be used: others lead to files, to processes or to every loaded module."""
_REFUSED_BUILTINS = frozenset(
    "breakpoint compile eval exec globals help locals open vars __import__ __builtins__ __loader__ __spec__".split()
)
_BY_NAME = frozenset(("delattr", "getattr", "setattr"))
"""Functions that reach an attribute by a text: it has to be written out, so that it can be looked at."""
_MODULE_NAMES = frozenset(
    "__all__ __author__ __doc__ __name__ __slots__ __match_args__ __version__ __annotations__".split()
)
_OPERATIONS = frozenset(
    f"__{name}__"
    for name in (
        "abs add and bool bytes call ceil complex contains copy deepcopy delitem divmod enter eq exit float floor "
        "floordiv format ge getitem gt hash iadd iand ifloordiv ilshift imatmul imod imul index init init_subclass "
        "int invert ior ipow irshift isub iter itruediv ixor le len length_hint lshift lt matmul missing mod mul ne "
        "neg new next or pos post_init pow radd rand rdivmod repr reversed rfloordiv rlshift rmatmul rmod rmul ror "
        "round rpow rrshift rshift rsub rtruediv rxor set_name setitem sizeof str sub truediv trunc xor aenter "
        "aexit aiter anext await class doc name qualname get set delete"
    ).split()
)
"""Attributes of the data model that an honest program reads: operations, and what a thing is called."""
_AS_IN_PYTHON = """
AnnAssign Assign AsyncFor AsyncWith AugAssign Await For Match MatchAs MatchClass MatchMapping MatchOr MatchSequence
MatchSingleton MatchStar MatchValue Module Nonlocal ParamSpec Subscript TryStar TypeAlias TypeVar TypeVarTuple With
comprehension match_case
""".split()
"""Nodes that RestrictedPython refuses for want of a guard, or rewrites to put one in: left as they are."""


class _Definitions(ast.NodeVisitor):
    """Every name and attribute that a program makes itself."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.attributes: set[str] = set()

    def generic_visit(self, node: ast.AST) -> None:
        """Note what the node defines, and go on with its parts."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.names.add(node.name)
        elif isinstance(node, ast.arg):
            self.names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self.names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self.attributes.add(node.attr)
        elif isinstance(node, ast.alias):
            self.names.add(node.asname or node.name.partition(".")[0])
        super().generic_visit(node)


class AccidentPolicy(RestrictingNodeTransformer):  # type: ignore[misc, unused-ignore]
    """Collects in `errors` what of one program cannot be run; the tree that it makes is thrown away.

    `companions`: the names of modules beside the program, which are looked at by themselves.
    """

    def __init__(self, tree: ast.Module, companions: Collection[str] = ()) -> None:
        super().__init__()
        self.companions = frozenset(companions)
        defined = _Definitions()
        defined.visit(tree)
        self.own_names = defined.names
        self.own_attributes = defined.attributes | defined.names
        self.partly: dict[str, str] = {}
        """Name in the program -> module of which only a part may be used."""

    def check_name(self, node: ast.AST, name: str | None, allow_magic_methods: bool = False) -> None:
        """A name that the program gives: private ones are its own affair, the interpreter's are not."""
        is_magic = name is not None and name.startswith("__") and name.endswith("__")
        if is_magic and name not in _MODULE_NAMES | _OPERATIONS and not allow_magic_methods:
            self.error(node, f"the name {name}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name that is read has to be the program's own, or that of a harmless built-in function."""
        if isinstance(node.ctx, ast.Load) and node.id not in self.own_names:
            if node.id in _REFUSED_BUILTINS:
                self.error(node, f"{node.id}()" if hasattr(builtins, node.id) else f"the name {node.id}")
                return node
            if node.id in _BY_NAME:
                self.error(node, f"{node.id} without a call")
                return node
        elif node.id in self.partly:
            self.error(node, f"the module {self.partly[node.id]} as a value")
        self.check_name(node, node.id)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """getattr() and its like are looked at as the attribute that they name."""
        function = node.func
        if not (isinstance(function, ast.Name) and function.id in _BY_NAME and function.id not in self.own_names):
            return self.node_contents_visit(node)
        name = node.args[1] if len(node.args) > 1 else None
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            self.error(node, f"{function.id}() with a name that is not written out")
            return node
        self._look_at_attribute(node, name.value)
        for part in (*node.args, *node.keywords):
            self.visit(part)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Attributes of the interpreter's are refused, private ones of other modules, and the rest of a partial one."""
        if isinstance(node.value, ast.Name) and node.value.id in self.partly:
            module = self.partly[node.value.id]
            if node.attr not in PARTLY[module]:
                self.error(node, f"{module}.{node.attr}")
            return node
        self._look_at_attribute(node, node.attr)
        return self.node_contents_visit(node)

    def _look_at_attribute(self, node: ast.AST, name: str) -> None:
        is_private = name.startswith("_") and name not in self.own_attributes | _OPERATIONS
        if is_private or name in INSPECT_ATTRIBUTES or name.endswith("__roles__"):
            self.error(node, f"the attribute {name}")

    def visit_Import(self, node: ast.Import) -> ast.AST:
        """Whole modules: those that only compute, and the program's own."""
        for each in node.names:
            if each.name in PARTLY and (each.asname or "." not in each.name):
                self.partly[each.asname or each.name] = each.name
            elif not self._is_harmless(each.name):
                self.error(node, f"import {each.name}")
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Names of a module."""
        module = "." * node.level + (node.module or "")
        for each in node.names:
            known = each.name in PARTLY[module] if module in PARTLY else self._is_harmless(module)
            if not known or (each.name.startswith("_") and module not in self.companions):
                self.error(node, f"from {module} import {each.name}")
        return node

    def _is_harmless(self, module: str) -> bool:
        root = module.lstrip(".").partition(".")[0]
        return (
            module in self.companions
            or root in self.companions
            or (not module.startswith(".") and root in PURE_MODULES)
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Methods of the data model may be defined; a class's own operations reach nobody else."""
        self.check_name(node, node.name, allow_magic_methods=True)
        self.check_function_argument_names(node)
        return self.node_contents_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """As other functions."""
        self.check_name(node, node.name, allow_magic_methods=True)
        self.check_function_argument_names(node)
        return self.node_contents_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class is made by its own metaclass, not by a guard of ours."""
        self.check_name(node, node.name)
        return self.node_contents_visit(node)


for _name in _AS_IN_PYTHON:
    setattr(AccidentPolicy, f"visit_{_name}", RestrictingNodeTransformer.node_contents_visit)
