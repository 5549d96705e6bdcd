"""Statements as spans of lines."""

from __future__ import annotations

import ast
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from regreen.localise.program_statements import statements
from regreen.syntax import parse

PROGRAM = dedent(
    '''\
    """A docstring is no statement."""
    import os
    @wrap(
        1)
    def f(a,
          b=2):
        """Nor is this."""
        if (a and
                b):
            return g(
                a,
                lambda x: x)
        else:
            x = 1; y = 2
        try:
            pass
        except (ValueError,
                KeyError):
            raise
        with open(a) as b:
            global z
            match b:
                case [1] if a:
                    def inner(): return 1
                case _: pass
    class C(B): attribute = 1
    '''
)


def spans(source: str) -> list[tuple[int, int, str]]:
    return [(s.first_line, s.last_line, type(s.node).__name__) for s in statements(parse(source))]


def test_compound_statements_are_their_header_and_the_rest_are_whole() -> None:
    """Headers end where their block begins, decorators belong to them, docstrings and declarations are left out."""
    assert spans(PROGRAM) == [
        (2, 2, "Import"),
        (3, 6, "FunctionDef"),
        (8, 9, "If"),
        (10, 12, "Return"),
        (14, 14, "Assign"),
        (14, 14, "Assign"),
        (15, 15, "Try"),
        (16, 16, "Pass"),
        (17, 18, "ExceptHandler"),
        (19, 19, "Raise"),
        (20, 20, "With"),
        (22, 22, "Match"),
        (23, 23, "match_case"),
        (24, 24, "FunctionDef"),
        (24, 24, "Return"),
        (25, 25, "match_case"),
        (25, 25, "Pass"),
        (26, 26, "ClassDef"),
        (26, 26, "Assign"),
    ]


def test_a_statement_knows_the_function_that_it_runs_in() -> None:
    """Headers of functions run where they are defined; class bodies at module level run at import."""
    owners = {(s.first_line, type(s.node).__name__): s.function for s in statements(parse(PROGRAM))}
    assert owners[3, "FunctionDef"] is None
    assert owners[26, "Assign"] is None
    assert getattr(owners[10, "Return"], "name", None) == "f"
    assert getattr(owners[24, "FunctionDef"], "name", None) == "f"
    assert getattr(owners[24, "Return"], "name", None) == "inner"


def test_parsing_prints_no_warning() -> None:
    """A doubtful escape in the user's program is not our business."""
    assert isinstance(parse(r"x = '\d'"), ast.Module)


@given(st.lists(st.sampled_from(["x = 1", "if x:\n    y = 2", "def f():\n    return (1,\n  2)", "for i in x: pass"])))
def test_spans_are_lines_of_the_program(blocks: list[str]) -> None:
    """Every span lies in the text and its end is not before its start."""
    source = "\n".join(blocks)
    assert all(1 <= first <= last <= source.count("\n") + 1 for first, last, _ in spans(source))
