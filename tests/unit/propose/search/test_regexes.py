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
from regreen.propose.search.templates.text.pattern_changes import (
    PatternUse,
    pattern_changes,
    pattern_groups,
    pattern_pieces,
)

REPAIRS = {
    "a class that comes more than once": (r"r'[^a-z]'", r"r'[^a-z]+'"),
    "a digit that comes more than once": (r"r'\d'", r"r'\d+'"),
    "greed of two": (r"r'<(.*)>(.*)<'", r"r'<(.*?)>(.*?)<'"),
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
    "whatever comes before the closing sign": (r"r'<(\w+)>'", r"r'<([^>]+)>'"),
    "a bracket in a class that ends with it": (r"r'\w+\]'", r"r'[^\]]+\]'"),
    "a group that is not handed out": (r"r'(,|;)'", r"r'(?:,|;)'"),
    "a part that may be missing with its sign": (r"r'(\d+):(\d+)'", r"r'(\d+)(?::(\d+))?'"),
    "other ends of lines": (r"r'a\nb'", r"r'a\r?\nb'"),
    "empty lines": (r"r'\n\n+'", r"r'(?:\r?\n){2,}'"),
    "names": (r"r'[a-z]+'", r"r'[a-zA-Z_]\w*'"),
    "the edge of a word": (r"r'^cat'", r"r'\bcat'"),
    "both edges of a word": (r"r'cat'", r"r'\bcat\b'"),
    "two literals side by side": (r"r'(\d)' r'(\w)'", r"r'(\d+)' r'(\w)'"),
    "the second of two literals": (r"r'(\d)' r'(\w)'", r"r'(\d)' r'(\w+)'"),
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


@pytest.mark.parametrize("literal", [r"'\\d'", "f'{a}'", "r'" + "a" * 1_200 + "'"])
def test_what_cannot_be_seen_into_is_left_alone(literal: str) -> None:
    """Escapes outside of raw text, values in the midst, and very long patterns."""
    assert patterns(literal) == []


def test_other_strings_are_no_patterns() -> None:
    """The text that is searched, and what is called `match` elsewhere."""
    source = "import re\nx = re.match(p, 'ab')\ny = z.match('ab')\n"
    search = BestFirstSearch(source, [], Clues(), templates=[t for t in TEMPLATES if t.name == "tweak_pattern"])
    assert search.next_batch(50) == []


def test_a_table_of_patterns_is_seen_into() -> None:
    """Raw texts in a list, a dict or a variable, in a program that uses `re`; other texts are none."""
    source = "import re\nTOKENS = [('name', r'[a-z]')]\nADDRESS = r'[0-9a-z]{3}'\nWORDS = ['[a-z]']\n"
    search = BestFirstSearch(source, [], Clues(), templates=[t for t in TEMPLATES if t.name == "tweak_pattern"])
    made = [splice_edits(source, mutation.edits) for mutation in search.next_batch(199)]
    assert source.replace("r'[a-z]'", "r'[a-z]+'") in made
    assert source.replace("[0-9a-z]{3}", "[0-9a-z_-]{3}") in made
    assert all("WORDS = ['[a-z]']" in text for text in made)


def test_a_word_of_the_checks_is_a_further_alternative() -> None:
    """Beside plain alternatives, in the case that they have."""
    source = "import re\nx = re.match(r'(kb|mb)', y)\n"
    clues = Clues(input_strings=("5 GB",))
    search = BestFirstSearch(source, [], clues, templates=[t for t in TEMPLATES if t.name == "tweak_pattern"])
    made = [splice_edits(source, mutation.edits) for mutation in search.next_batch(99)]
    assert source.replace("kb|mb", "kb|mb|gb") in made


@given(st.text(alphabet="ab.\\[]^(){}*+?|$,1-\n", max_size=30))
def test_no_change_of_a_pattern_lies_outside_of_it(pattern: str) -> None:
    """Whatever the text is: each change is of a part of it, with a weight that is a share."""
    use = PatternUse(raw=True, parts=True, signs=("-", "]", "^"), words=("a", "b"))
    for start, end, text, weight in pattern_changes(pattern, use):
        assert 0 <= start <= end <= len(pattern)
        assert 0 < weight <= 1
        assert isinstance(text, str)


@given(st.text(alphabet="ab(\\)[]?:", max_size=30))
def test_groups_are_told_by_their_brackets(pattern: str) -> None:
    """As Python's own reading of the pattern has them, where it is one."""
    try:
        compiled = re.compile(pattern)
    except (re.error, FutureWarning):
        return
    plain = [start for start, _ in pattern_groups(pattern) if not pattern.startswith("(?", start)]
    assert len(plain) == compiled.groups


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
