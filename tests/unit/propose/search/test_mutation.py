"""Edits: applying, composing, describing them, and brackets only where they are needed."""

from __future__ import annotations

import ast
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from regreen.propose.search.clues import Clues
from regreen.propose.search.deduplication import DeduplicationKeys, normal_form
from regreen.propose.search.expressions import Expression, level_of_node
from regreen.propose.search.mutation import compose_edits, describe_edits, splice_edits, trimmed_edits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.scope import Scope
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit

BINARY = ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", " and ", " or ", " < ", " == ", " in "]
LEAVES = st.sampled_from(["a", "b", "1", "'é'", "f(a, b)", "x[0]", "x.y", "(a, b)", "[a]", "-a", "not a"])


def expressions() -> st.SearchStrategy[str]:
    """Expressions with brackets here and there, as people write them."""

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(BINARY), inner).map("".join),
            st.tuples(inner, st.sampled_from(BINARY), inner).map(lambda p: f"({''.join(p)})"),
            st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
            inner.map(lambda p: f"g({p})"),
            inner.map(lambda p: f"[{p}, {p}]"),
            inner.map(lambda p: f"(lambda q: {p})"),
            inner.map(lambda p: f"sum({p} for q in r)"),
            inner.map(lambda p: f"x[({p}):]"),
        )

    return st.recursive(LEAVES, grow, max_leaves=8).filter(_parses)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def texts_and_edits() -> st.SearchStrategy[tuple[str, list[Edit]]]:
    """A text with edits of it that are sorted and do not overlap."""

    def edits(text: str) -> st.SearchStrategy[tuple[str, list[Edit]]]:
        cuts = st.lists(st.integers(0, len(text)), max_size=8, unique=True).map(sorted)
        words = st.lists(st.text("xyz", max_size=3), min_size=4, max_size=4)
        return st.tuples(st.just(text), st.builds(_paired, cuts, words))

    return st.text("abc\n", max_size=30).flatmap(edits)


def _paired(cuts: list[int], words: list[str]) -> list[Edit]:
    return [Edit(start, end, word) for start, end, word in zip(cuts[::2], cuts[1::2], words, strict=False)]


@given(texts_and_edits())
def test_applying_keeps_everything_outside_the_edits(case: tuple[str, list[Edit]]) -> None:
    """What stands between the edits comes out byte for byte."""
    text, edits = case
    result = splice_edits(text, edits)
    at = 0
    last = 0
    for edit in edits:
        kept = text[last : edit.start]
        assert result[at : at + len(kept)] == kept
        at += len(kept) + len(edit.text)
        last = edit.end
    assert result[at:] == text[last:]


@given(texts_and_edits(), st.data())
def test_composing_is_applying_one_after_the_other(case: tuple[str, list[Edit]], data: st.DataObject) -> None:
    """`compose` gives sorted edits of the first text that do what both do, and never overlap."""
    text, first = case
    middle = splice_edits(text, first)
    cuts = data.draw(st.lists(st.integers(0, len(middle)), max_size=8, unique=True).map(sorted))
    second = _paired(cuts, ["p", "", "qq", "r"])
    composed = compose_edits(text, first, second)
    assert splice_edits(text, composed) == splice_edits(middle, second)
    assert all(one.end <= two.start for one, two in pairwise(composed))


class _Put(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


@given(expressions(), expressions(), st.integers(0, 40))
def test_an_expression_put_in_the_place_of_another_is_read_as_meant(host: str, guest: str, which: int) -> None:
    """The edited text parses to the tree with the one node replaced: brackets appear wherever they are needed."""
    program = ParsedProgram(f"def é():\n    return {host}\n")
    place = TemplateContext(program, Scope(program, program.functions[0]), Clues())
    nodes = [
        n for n in program.nodes if isinstance(n, ast.expr) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)
    ]
    node = nodes[which % len(nodes)]
    value = ast.parse(guest, mode="eval").body
    level = level_of_node(value)
    draft = place.put(
        node, Expression(guest, level if not isinstance(value, ast.Tuple) or guest.startswith("(") else 0)
    )
    expected = ast.dump(ast.fix_missing_locations(_Put(node, value).visit(program.tree)))
    assert ast.dump(ast.parse(splice_edits(program.source, draft.edits))) == expected


def test_brackets_appear_only_where_they_are_needed() -> None:
    """`a + b` needs none as an argument, and does as a factor."""
    program = ParsedProgram("x = f(n) * n\n")
    place = TemplateContext(program, Scope(program, None), Clues())
    inner, outer = [n for n in program.nodes if isinstance(n, ast.Name) and n.id == "n"]
    code = Expression("a + b", 11)
    assert splice_edits(program.source, place.put(inner, code).edits) == "x = f(a + b) * n\n"
    assert splice_edits(program.source, place.put(outer, code).edits) == "x = f(n) * (a + b)\n"


def test_offsets_are_right_on_lines_that_are_not_ascii() -> None:
    """Python counts columns in bytes of UTF-8; the edits count characters."""
    program = ParsedProgram("x = 'äöü€𝄞' + (y)\n")
    node = next(n for n in program.nodes if isinstance(n, ast.Name) and n.id == "y")
    assert program.text(node) == "y"
    assert program.bracketed(node)


def test_a_generator_keeps_the_brackets_of_its_call() -> None:
    """`sum(x for x in y)` shares its brackets with the generator: they must survive a replacement."""
    program = ParsedProgram("a = sum(x for x in y)\n")
    place = TemplateContext(program, Scope(program, None), Clues())
    node = next(n for n in program.nodes if isinstance(n, ast.GeneratorExp))
    assert splice_edits(program.source, place.put(node, "z").edits) == "a = sum(z)\n"


def test_edits_are_told_in_plain_words() -> None:
    """A note names what became what, and where."""
    source = "a = 1\nb = a < 2\n"
    assert describe_edits(source, [Edit(12, 13, "<=")]) == "`<` became `<=` in line 2"
    assert describe_edits(source, [Edit(0, 5, "")]) == "removed `a = 1` from line 1"
    assert describe_edits(source, [Edit(6, 6, "c = 3\n")]) == "inserted `c = 3` in line 2"


def test_candidates_are_equal_when_only_blanks_comments_or_needless_brackets_differ() -> None:
    """Strings count as they are; a statement that says the same as before has no key at all."""
    assert normal_form("a = ( b )  # c") == normal_form("a=b")
    assert normal_form("a = ' '") != normal_form("a = ''")
    assert normal_form("return not a") == "return not a"
    normal = DeduplicationKeys(ParsedProgram("a = b + c\nd = 1\n"))
    assert normal.key([Edit(4, 9, "b  +  c")]) is None
    assert normal.key([Edit(4, 9, "b")]) == normal.key([Edit(5, 9, "")])
    assert normal.key([Edit(10, 10, "x\n")]) != normal.key([Edit(10, 10, "  x\n")])


@given(expressions().filter(lambda text: "'" not in text))
def test_a_comment_changes_no_normal_form(text: str) -> None:
    """Statements that have no comment and no string are dealt with in a shorter way, to the same end."""
    assert normal_form(f"  x = {text} ") == normal_form(f"x  =  {text}# so")


def test_a_word_as_long_as_a_book_is_gone_through_once() -> None:
    """Not once from each of its characters, which would take minutes."""
    word = "f" * 400_000
    assert normal_form(f"x = {word} # end") == f"x={word}"


def test_two_changes_of_one_call_fit_together_once_they_are_narrowed() -> None:
    """A change of a whole expression leaves most of it as it is; what stays is free for another one."""
    source = "range(a, max(b, c))"
    end, inner = trimmed_edits(source, [Edit(0, 19, "range(a, max(b, c) + 1)"), Edit(9, 18, "min(b, c)")])
    assert inner == Edit(9, 12, "min")
    assert splice_edits(source, [inner, end]) == "range(a, min(b, c) + 1)"


@given(st.text("ab1_é( +", max_size=8), st.text("ab1_é( +", max_size=8))
def test_a_narrowed_edit_makes_the_same_text(old: str, new: str) -> None:
    """Whatever becomes of what, words are not cut, and what had something to replace still has."""
    (edit,) = trimmed_edits(old, [Edit(0, len(old), new)])
    assert splice_edits(old, [edit]) == new
    assert not old or edit.end > edit.start
