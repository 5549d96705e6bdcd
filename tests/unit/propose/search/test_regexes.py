"""What the search sees in a regular expression, and what it makes of it."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import Clues
from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.templates import TEMPLATES
from regreen.propose.search.templates.text.regexes import pattern_pieces

REPAIRS = {
    "a class that comes more than once": (r"r'[^a-z]'", r"r'[^a-z]+'"),
    "a digit that comes more than once": (r"r'\d'", r"r'\d+'"),
    "greed": (r"r'<.*>'", r"r'<.*?>'"),
    "a bare dot": (r"r'1.5'", r"r'1\.5'"),
    "a bare dot outside of raw text": ("'1.5'", "'1[.]5'"),
    "a group": (r"r'(ab)c'", r"r'(ab)+c'"),
    "the beginning": (r"r'ab'", r"r'^ab'"),
    "the end": (r"r'ab'", r"r'ab$'"),
    "an anchor too many": (r"r'^ab'", r"r'ab'"),
    "a class turned round": (r"r'[^,]+'", r"r'[,]+'"),
    "capitals": (r"r'[a-z]+'", r"r'[a-zA-Z]+'"),
    "one or more": (r"r'\s*'", r"r'\s+'"),
    "a bracket in a class": (r"r'[]a]'", r"r'[]a]+'"),
    "a word that begins a longer one": (r"r'(\d+)(?:m|s|ms)'", r"r'(\d+)(?:ms|m|s)'"),
    "words without a group": (r"'in|into|to'", r"'into|in|to'"),
    "letters for digits": (r"r'\d+'", r"r'\w+'"),
}


def patterns(literal: str) -> list[str]:
    """The literals that stand in the place of one."""
    source = f"import re\nx = re.sub({literal}, '-', y)\n"
    search = BestFirstSearch(source, [], Clues(), templates=[t for t in TEMPLATES if t.name == "tweak_pattern"])
    texts = [
        splice_edits(source, mutation.edits) for mutation in search.next_batch(500) if "+" not in mutation.template
    ]
    return [text.split("re.sub(", 1)[1].removesuffix(", '-', y)\n") for text in texts]


@pytest.mark.parametrize("slip", REPAIRS)
def test_a_slip_in_a_pattern_is_undone(slip: str) -> None:
    """And whatever else is suggested is a literal still."""
    wrong, right = REPAIRS[slip]
    found = patterns(wrong)
    assert right in found, found
    for literal in found:
        assert isinstance(ast.literal_eval(literal), str)


@pytest.mark.parametrize("literal", [r"'\\d'", "'a' 'b'", "f'{a}'", "r'" + "a" * 300 + "'"])
def test_what_cannot_be_seen_into_is_left_alone(literal: str) -> None:
    """Escapes outside of raw text, several literals in a row, values in the midst, and very long patterns."""
    assert patterns(literal) == []


def test_other_strings_are_no_patterns() -> None:
    """The text that is searched, and what is called `match` elsewhere."""
    source = "import re\nx = re.match(p, 'ab')\ny = z.match('ab')\n"
    search = BestFirstSearch(source, [], Clues(), templates=[t for t in TEMPLATES if t.name == "tweak_pattern"])
    assert search.next_batch(50) == []


@given(st.text(alphabet="ab.\\[]^(){}*+?|$,1-\n", max_size=40))
def test_any_text_is_taken_to_pieces_that_lie_side_by_side(pattern: str) -> None:
    """Whether it is a pattern or not."""
    at = 0
    for piece in pattern_pieces(pattern):
        assert piece.start >= at
        assert pattern[piece.start :].startswith(piece.atom + piece.repeat)
        assert piece.end == piece.start + len(piece.atom)
        at = piece.end + len(piece.repeat)


@given(st.from_regex(r"(?:[a-c.]|\\[dws]|\[\^?[a-c]{1,3}\]|\((?:ab|c)\))(?:[*+?]\??)?", fullmatch=True))
def test_what_is_a_pattern_stays_one(pattern: str) -> None:
    """Most suggestions compile: few candidates are wasted."""
    found = [ast.literal_eval(literal) for literal in patterns(f"r'{pattern}'")]
    fit = 0
    for suggestion in found:
        try:
            re.compile(suggestion)
        except re.error:
            continue
        fit += 1
    assert 2 * fit > len(found)
