"""Which programs count as the same."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.propose.reply import same_code
from regreen.syntax import tree

ONE = '''def f(items):
    """Doc."""
    best = 0
    for item in items:  # each
        best += item
    return best
'''


@pytest.mark.parametrize(
    "other",
    [
        ONE.replace('    """Doc."""\n', ""),
        ONE.replace("best", "total").replace("item in", "x in").replace("+= item", "+= x"),
        ONE.replace("def f(items)", "def f(items: list[int]) -> int").replace("  # each", ""),
        ONE.replace("best = 0", "best = (0)").replace("\n    for", "\n\n    for"),
    ],
)
def test_looks_and_names_of_variables_do_not_count(other: str) -> None:
    """Comments, docstrings, annotations, brackets, blank lines and local names are looks."""
    assert same_code(ONE, other)


@pytest.mark.parametrize(
    "other",
    [
        ONE.replace("0", "1"),
        ONE.replace("def f(items)", "def f(values)").replace("in items", "in values"),
        ONE.replace("return best", "return item"),
        ONE.replace("+=", "-="),
        ONE.replace("    return best", "return_best = 1"),
        ONE + "x = 1\n",
    ],
)
def test_what_a_caller_could_notice_does(other: str) -> None:
    """Values, parameters, operators, which variable is returned: any of them makes another program."""
    assert not same_code(ONE, other)


def test_names_that_are_seen_from_elsewhere_are_not_renamed() -> None:
    """Globals, attributes, and variables in a function that looks at its own names."""
    assert not same_code("def f():\n    global a\n    a = 1\n", "def f():\n    global b\n    b = 1\n")
    assert not same_code("def f():\n    a = 1\n    return locals()\n", "def f():\n    b = 1\n    return locals()\n")
    assert not same_code(
        "def f():\n    class A:\n        a = 1\n    return A\n", "def f():\n    class A:\n        b = 1\n    return A\n"
    )
    assert not same_code("a = 1\n", "b = 1\n")


def test_two_variables_stay_two() -> None:
    """Numbering them must not make one of two."""
    assert not same_code(
        "def f(x):\n    a = x\n    b = 1\n    return a\n", "def f(x):\n    a = x\n    a = 1\n    return a\n"
    )


def test_text_that_does_not_parse_is_compared_by_its_lines() -> None:
    """Blank lines and blanks at line ends do not count even there."""
    assert same_code("def f(:\n\n  x  \n", "def f(:\n  x\n")
    assert not same_code("def f(:\n  x\n", "def f(:\n  y\n")


@given(
    st.lists(
        st.sampled_from(
            ["x = 1", "y = [x for x in p]", "if p:\n        z = p\n        p += z", "p.q = lambda v: v + 1"]
        )
    )
)
def test_rewriting_a_program_from_its_tree_keeps_its_form(statements: list[str]) -> None:
    """What Python itself prints for a program says the same as it."""
    source = "def f(p):\n" + "".join(f"    {s}  # said\n" for s in statements) + "    return p\n"
    assert same_code(source, ast.unparse(ast.parse(source)))


def test_annotations_of_functions_do_not_count_wherever_they_stand() -> None:
    """Nor do the names in them, though a variable has one of those names."""
    plain = "def f(a, b):\n    def g(c):\n        return c\n    total = g(a)\n    n = b\n    return total + n\n"
    annotated = (
        "def f(a: 'n', b: n = ...) -> total:\n    def g(c: total) -> n:\n        return c\n"
        "    total = g(a)\n    n = b\n    return total + n\n"
    ).replace(" = ...", "")
    assert same_code(plain, annotated)


def test_comparing_leaves_the_trees_that_others_read_as_they_were() -> None:
    """What is no word of the program is passed over, and nothing of it is taken out."""
    text = f'"""Doc."""\n{ONE}\nclass C:\n    """Doc."""\n'
    before = ast.dump(tree(text))
    assert not same_code(text, "x = 1\n")
    assert ast.dump(tree(text)) == before
