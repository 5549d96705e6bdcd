"""Parsing, and walking over what was parsed."""

from __future__ import annotations

import ast
import gc
import weakref
from pathlib import Path

import pytest

from regreen import syntax


def test_a_parse_that_another_thread_disturbed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A SystemError says nothing about the text; the tree comes out all the same."""
    faults = [SystemError("recursion depth mismatch")] * 2
    real = ast.parse

    def disturbed(text: str) -> ast.Module:
        if faults:
            raise faults.pop()
        return real(text)

    monkeypatch.setattr(syntax.ast, "parse", disturbed)
    assert isinstance(syntax.parse("x = 1\n").body[0], ast.Assign)
    assert not faults


def test_text_that_is_no_python_is_said_to_be_none() -> None:
    """A fault of the text is no fault of ours."""
    with pytest.raises(SyntaxError):
        syntax.parse("x = = 1\n")


def test_all_readers_of_a_text_share_one_tree() -> None:
    """Whoever changes what was parsed asks for a tree of their own."""
    text = "y = 1\n"
    assert syntax.tree(text) is syntax.tree(text)
    assert syntax.parse(text) is not syntax.tree(text)


@pytest.mark.parametrize("file", sorted(Path(syntax.__file__).parent.glob("*.py")), ids=lambda file: file.stem)
def test_a_walk_meets_what_python_s_own_does(file: Path) -> None:
    """The same nodes in the same order, contexts of names aside."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert syntax.walk(tree) == [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]


@pytest.mark.parametrize("file", sorted(Path(syntax.__file__).parent.glob("*.py")), ids=lambda file: file.stem)
def test_the_nodes_of_a_kind_are_those_that_a_walk_meets(file: Path) -> None:
    """Of a tree that is cached, of a function in it, and of a tree that is not; asked once or twice."""
    text = file.read_text(encoding="utf-8")
    for tree in (syntax.tree(text), ast.parse(text)):
        for root in (tree, *syntax.functions_of(tree)):
            met = [*ast.walk(root)]
            functions = [node for node in met if isinstance(node, syntax.FUNCTIONS)]
            assert syntax.nodes_of(root, ast.Call) == [node for node in met if isinstance(node, ast.Call)]
            assert syntax.functions_of(root) == syntax.functions_of(root) == functions


def test_the_nodes_of_a_tree_are_forgotten_with_it() -> None:
    """A search reads tens of thousands of programs."""
    text = "def f(x):\n    if x:\n        return f(x - 1)\n"
    function = weakref.ref(syntax.functions_of(syntax.tree(text))[0])
    syntax.walk(syntax.tree(text).body[0])
    syntax.nodes_of(syntax.tree(text), ast.If)
    syntax.tree.clear()
    gc.collect()
    assert function() is None


HOLDERS = (ast.mod, ast.stmt, ast.excepthandler, ast.match_case)
EVERY_BLOCK = """
class Box:
    def put(self):
        try:
            with self as me:
                match me:
                    case 1:
                        return lambda: 1
        except ValueError:
            for x in []:
                pass
            else:
                x = 1
        else:
            while x:
                break
        finally:
            if x:
                def inner(): return [y for y in x]
            else:
                async def outer(): ...
"""


def test_a_walk_over_statements_meets_all_of_them() -> None:
    """Whatever they stand in, outer ones first."""
    tree = ast.parse(EVERY_BLOCK)
    met = list(syntax.walk_statements(tree))
    assert len(met) == len(set(met))
    assert set(met) == {node for node in ast.walk(tree) if isinstance(node, HOLDERS)}
    assert met[:2] == [tree, tree.body[0]]


def test_a_walk_over_statements_leaves_out_what_stands_in_closed_ones() -> None:
    """The closed ones themselves are met."""
    tree = ast.parse(EVERY_BLOCK)
    closed = (ast.FunctionDef, ast.AsyncFunctionDef)
    kinds = [type(node) for node in syntax.walk_statements(tree, closed=closed)]
    assert kinds == [ast.Module, ast.ClassDef, ast.FunctionDef]


def test_the_nodes_below_a_node_are_those_of_ast_without_constants_and_contexts() -> None:
    """In the order of the text, for each node of this file."""
    for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8"))):
        below = [
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Constant | ast.expr_context)
        ]
        assert syntax.child_nodes(node) == below


def test_the_nodes_below_one_that_was_built_are_in_the_order_of_its_fields() -> None:
    """Whatever the order in which they were given, and though some were not."""
    left, right = ast.Name("a", ast.Load()), ast.Name("b", ast.Load())
    assert syntax.child_nodes(ast.BinOp(right=right, op=ast.Add(), left=left))[::2] == [left, right]
    assert syntax.child_nodes(ast.Call(args=[right], func=left)) == [left, right]
    assert syntax.child_nodes(ast.Dict(keys=[None, left], values=[right, ast.Constant(1)])) == [left, right]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("x += y", ("x", "y")),
        ("x = x + y * 2", ("x", "y * 2")),
        ("a.n[i] = a.n[i] + 1", ("a.n[i]", "1")),
        ("x -= y", None),
        ("x = y + x", None),
        ("x = y", None),
    ],
)
def test_an_update_is_one_however_it_is_written(line: str, found: tuple[str, str] | None) -> None:
    """What is added to stands first."""
    (statement,) = ast.parse(line).body
    assert isinstance(statement, ast.Assign | ast.AugAssign)
    parts = syntax.updated(statement, ast.Add)
    assert (parts and tuple(map(ast.unparse, parts))) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a = 1", [("a", "1")]),
        ("a = b = 1", [("a", "1"), ("b", "1")]),
        ("a, x.b = [], 2", [("a", "[]"), ("x.b", "2")]),
        ("a, b = f()", [("(a, b)", "f()")]),
        ("a, b = c = 1, 2", [("a", "1"), ("b", "2"), ("c", "(1, 2)")]),
        ("() = ()", [("()", "()")]),
    ],
)
def test_each_target_of_an_assignment_is_told_with_its_value(line: str, found: list[tuple[str, str]]) -> None:
    """Chains and tuples are the same as several statements."""
    node = ast.parse(line).body[0]
    assert isinstance(node, ast.Assign)
    assert [(ast.unparse(target), ast.unparse(value)) for target, value in syntax.bound_values(node)] == found
