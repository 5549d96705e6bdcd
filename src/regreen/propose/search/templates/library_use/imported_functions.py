"""Functions that are imported for a purpose and not called: `quote` around a name, `html.escape` around a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE
from regreen.propose.search.expressions import Expression, function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.unread_imports import unread_imports

_HELD: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.JoinedStr)
_OF_MODULES: Final[dict[str, tuple[str, ...]]] = {
    "html": ("escape", "unescape"),
    "shlex": ("quote", "split"),
    "re": ("escape",),
    "copy": ("deepcopy", "copy"),
    "textwrap": ("dedent",),
    "json": ("dumps", "loads"),
    "math": ("floor", "ceil", "sqrt", "radians", "degrees", "log", "log2", "fabs"),
    "os": ("path.abspath", "path.normpath", "path.basename", "path.expanduser", "path.dirname", "fspath"),
    "ast": ("literal_eval",),
    "binascii": ("hexlify", "unhexlify"),
    "base64": ("b64encode", "b64decode"),
    "statistics": ("mean", "median"),
    "inspect": ("unwrap", "cleandoc"),
    "urllib.parse": ("quote", "unquote", "quote_plus", "urlencode"),
}
"""Functions of one argument of modules that are imported as a whole."""


def call_imported(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base + name` becomes `base + quote(name)` where `quote` is imported and nothing calls it."""
    around = context.parent(node)
    if not context.is_read(node) or isinstance(around, ast.Expr):
        return
    if isinstance(around, ast.Attribute) and not (context.is_called(around) and context.kind(node) in ("str", "")):
        return
    for function in context.cached_of_program("imported functions", lambda: _idle_functions(context)):
        yield context.put(node, function_call(function, context.expression(node)))
        for name in (*sorted(context.scope.unused), *_own_addresses(context)):
            # A parameter that nothing reads goes with it, or an attribute: `urljoin(self.base, address)`.
            yield context.put(node, function_call(function, Expression(name), context.expression(node)), LIKELY)
            yield context.put(node, function_call(function, context.expression(node), Expression(name)), HALF)
    for function in context.cached_of_program("functions of modules", lambda: _functions_of_modules(context)):
        yield context.put(node, function_call(function, context.expression(node)), POSSIBLE)


def _own_addresses(context: TemplateContext) -> list[str]:
    """The attributes of the object that hold an address or a folder, by their names."""
    own = context.scope.receiver
    return (
        [f"{own}.{name}" for name in context.scope.attributes if _OF_PLACES.search(name)][:_MOST_PLACES] if own else []
    )


_OF_PLACES: Final = re.compile(r"url|uri|base|root|path|folder|dir", re.IGNORECASE)
_MOST_PLACES: Final = 3


def _idle_functions(context: TemplateContext) -> list[str]:
    """Names imported from modules, and functions of modules imported as a whole, where nothing reads the name."""
    unread = unread_imports(context.program.source)
    found = []
    for node in context.program.nodes:
        if isinstance(node, ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names]
            found += [name for name in names if name in unread and name.islower()]
        elif isinstance(node, ast.Import):
            known = [(alias.asname or alias.name, _OF_MODULES.get(alias.name, ())) for alias in node.names]
            found += [f"{name}.{member}" for name, members in known for member in members if _root(name) in unread]
    return found


def _functions_of_modules(context: TemplateContext) -> list[str]:
    """Functions of modules that are imported as a whole and used for something else."""
    unread = unread_imports(context.program.source)
    return [
        f"{name}.{member}"
        for node in context.program.nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if _root(name := alias.asname or alias.name) not in unread
        for member in _OF_MODULES.get(alias.name, ())
        if alias.name not in ("math", "json", "copy", "base64", "statistics")
    ]


def _root(name: str) -> str:
    return name.partition(".")[0]


def quote_words(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`" ".join(command)` becomes `shlex.join(command)`, where prose speaks of a command or a shell."""
    if callee_name(node) != "join" or len(node.args) != 1 or not isinstance(node.func, ast.Attribute):
        return
    joint = node.func.value
    name = getattr(context.scope.function, "name", "")
    if isinstance(joint, ast.Constant) and joint.value == " " and _OF_A_SHELL.search(f"{name} {context.clues.prose}"):
        join, imports = context.member_of("shlex", "join")
        yield WeightedEdits((*imports, context.edit(node, function_call(join, context.expression(node.args[0])))))


_OF_A_SHELL: Final = re.compile(r"shell|command|cmd|argv", re.IGNORECASE)


def escape_fields(node: ast.FormattedValue, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"<b>{name}</b>"` becomes `f"<b>{html.escape(name)}</b>"`, and `f"?q={name}"` takes `quote(name)`."""
    text = context.text(context.parent(node))
    kinds = (("html", "escape", "<"), ("urllib.parse", "quote", "="), ("shlex", "quote", " "))
    for module, name, sign in kinds:
        if sign in text and ("<" in text) == (module == "html"):
            function, imports = context.member_of(module, name)
            edits = context.put(node.value, function_call(function, context.expression(node.value))).edits
            yield WeightedEdits((*imports, *edits), LIKELY)


def call_what_is_imported(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(abs(a - b), abs(c - d))` becomes `gcd(a - b, c - d)` where `gcd` is imported and nothing calls it: it stands
    in the place of a function that everybody has."""
    if not isinstance(node.func, ast.Name) or not node.args or node.keywords:
        return
    bare = [part.args[0] if _is_size(part) else part for part in node.args]  # type: ignore[attr-defined]
    for name in context.cached_of_program("idle functions", lambda: _idle_functions(context)):
        if name != node.func.id:
            yield context.put(node, f"{name}({', '.join(map(context.text, bare))})")


def _is_size(node: ast.expr) -> bool:
    """Whether an expression is `abs(x)`."""
    return isinstance(node, ast.Call) and callee_name(node) == "abs" and len(node.args) == 1


TEMPLATES = (
    Template("call_what_is_imported", (ast.Call,), call_what_is_imported, ("content",)),
    Template("call_imported", _HELD, call_imported, ("content", "convert", "kind")),
    Template("quote_words", (ast.Call,), quote_words, ("content",)),
    Template("escape_fields", (ast.FormattedValue,), escape_fields, ("content",)),
)
