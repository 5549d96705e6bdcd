"""Python text as a tree, and what is wrong with it in words; nothing is ever run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence

from regreen.errors import TaskError
from regreen.syntax import parse

CODE_SHOWN = 500
"""Characters of a check's text that are shown to people."""

LEAVES = frozenset({ast.Constant, ast.Load, ast.Store, ast.Del})
TOO_DEEP = "The code is nested too deeply to be read."
PLAINER = {
    "invalid syntax": "this is not valid Python",
    "expected ':'": "a colon is missing here",
    "unexpected EOF while parsing": "the text ends in the middle of a statement",
    "invalid syntax. Perhaps you forgot a comma?": "this is not valid Python; a comma may be missing",
    "expected an indented block": "an indented block is missing here",
    "unindent does not match any outer indentation level": "this line is indented less than the block it is in, "
    "but matches no outer block",
    "inconsistent use of tabs and spaces in indentation": "tabs and spaces are mixed in the indentation",
}


def normalised(text: str) -> str:
    """The text without a byte order mark and with "\\n" line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def parsed(text: str) -> ast.Module | None:
    """The tree of Python text, or None when it has a syntax error."""
    try:
        return parse(normalised(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def python_problem(source: str) -> str | None:
    """What keeps `source` from being Python, in words with line, text and caret; None when nothing does."""
    text = normalised(source)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return f"Line {line} holds a null byte: the file is binary or damaged."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _in_words(error, text)
    except (RecursionError, MemoryError):
        return TOO_DEEP
    except UnicodeEncodeError:
        return "The text holds half of a surrogate pair, which cannot be written to a file."
    except ValueError as error:
        return f"The text cannot be read as Python: {error}."
    return None


def read_tests(text: str, origin: str) -> ast.Module:
    """The tree of a test file. Raises TaskError, in words that say where to look, when it is not Python."""
    problem = python_problem(text)
    if problem is not None:
        raise TaskError(f"The tests in {origin} are not valid Python. {problem}", remedy="\nCorrect the tests first.")
    try:
        return parse(text)
    except (RecursionError, MemoryError) as error:
        raise TaskError(f"The tests in {origin} cannot be read. {TOO_DEEP}") from error


def shown(code: str) -> str:
    """Code cut to a length that people read."""
    return code if len(code) <= CODE_SHOWN else code[: CODE_SHOWN - 4] + " ..."


def _in_words(error: SyntaxError, text: str) -> str:
    message = error.msg or "this is not valid Python"
    message = PLAINER.get(message, message)
    if not error.lineno:
        return f"{_sentence(message)}"
    lines = text.split("\n")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    column = min(max(error.offset or 1, 1), len(line) + 1)
    head = f"Line {error.lineno}, column {column}: {_sentence(message)}"
    return f"{head}\n{_pointer(line, column)}" if line.strip() else head


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else message + "."


def _pointer(line: str, column: int) -> str:
    start = max(0, column - 60)
    piece = line[start : start + 100]
    pad = "".join("\t" if character == "\t" else " " for character in line[start : column - 1])
    return f"    {piece}\n    {pad}^"


class Source:
    """Test text from which statements are cut without changing what they mean."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")

    def text_of(self, node: ast.expr | ast.stmt) -> str:
        """The node's text; the first line starts at the node, the others stay as they are."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        end = _characters(self.lines[last], node.end_col_offset or 0)
        start = _characters(self.lines[first], node.col_offset)
        if first == last:
            return self.lines[first][start:end]
        return "\n".join([self.lines[first][start:], *self.lines[first + 1 : last], self.lines[last][:end]])

    def statement(self, node: ast.stmt) -> tuple[str, int]:
        """A statement that stands by itself at the left margin, and the line at which its text starts."""
        text, first = self.text_of(node), first_line(node)
        if decorators := getattr(node, "decorator_list", []):
            text = "\n".join([*self.lines[first - 1 : node.lineno - 1], self._indent(node) + text])
            text = text.removeprefix(self.lines[decorators[0].lineno - 1][: node.col_offset])
        if node.col_offset == 0 or "\n" not in text:
            return text, first
        for form in (self._dedented(text, self._indent(node)), text):
            if self._means(form, node):
                return form, first
        # A string that spans lines would change if it were dedented: the block keeps its indentation instead.
        return f"if True:\n{self._indent(node)}{text}", first - 1

    def _indent(self, node: ast.stmt) -> str:
        return self.lines[node.lineno - 1][: _characters(self.lines[node.lineno - 1], node.col_offset)]

    @staticmethod
    def _dedented(text: str, indent: str) -> str:
        return "\n".join(line.removeprefix(indent) for line in text.split("\n"))

    @staticmethod
    def _means(text: str, node: ast.stmt) -> bool:
        tree = parsed(text)
        return tree is not None and same_trees(tree.body, [node])


def first_line(node: ast.stmt) -> int:
    """The line at which a statement starts, decorators included."""
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def same_trees(left: Sequence[ast.AST], right: Sequence[ast.AST]) -> bool:
    """Whether two lists of nodes mean the same, positions aside."""
    pending = [(list(left), list(right))]
    while pending:
        ours, theirs = pending.pop()
        if len(ours) != len(theirs):
            return False
        for one, other in zip(ours, theirs, strict=True):
            if type(one) is not type(other) or _plain_fields(one) != _plain_fields(other):
                return False
            pending.append((list(ast.iter_child_nodes(one)), list(ast.iter_child_nodes(other))))
    return True


def _plain_fields(node: ast.AST) -> list[object]:
    return [(name, type(value), repr(value)) for name, value in ast.iter_fields(node) if not _holds_nodes(value)]


def _holds_nodes(value: object) -> bool:
    return isinstance(value, ast.AST) or (isinstance(value, list) and any(isinstance(v, ast.AST) for v in value))


def walk(*roots: ast.AST) -> Iterator[ast.AST]:
    """The nodes and all below them in the order of the text, but for constants: test data can be millions of them."""
    pending = list(reversed(roots))
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))


def walk_here(root: ast.AST) -> Iterator[ast.AST]:
    """As `walk`, without the bodies of functions and classes."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            pending.extend(reversed(children(node)))


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes just below a node, but for constants and contexts."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found.extend(item for item in value if isinstance(item, ast.AST) and type(item) not in LEAVES)
        elif isinstance(value, ast.AST) and type(value) not in LEAVES:
            found.append(value)
    return found


def _characters(line: str, byte_offset: int) -> int:
    """An offset in characters for one in UTF-8 bytes, which is what `ast` counts."""
    return byte_offset if line.isascii() else len(line.encode("utf-8")[:byte_offset].decode("utf-8", "ignore"))
