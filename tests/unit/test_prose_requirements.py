"""Which steps prose asks for, and which of them a program does nothing of."""

from __future__ import annotations

import pytest

from regreen.prose_requirements import requirements_in
from regreen.select.prose.prose_agreement import prose_cost, read_prose
from regreen.select.prose.stated_steps import lost_texts, unanswered


@pytest.mark.parametrize(
    ("prose", "required"),
    [
        ("Case and blanks are ignored.", {"case", "blanks"}),
        ("The sum, ignoring case. Spaces between words separate them.", {"case"}),
        ("Compared without regard to case; punctuation does not matter.", {"case", "punctuation"}),
        ("Two different letters, because case doesn't count.", {"case"}),
        ("Upper and lower case are the same.", {"case"}),
        ("Words that begin with a vowel, capital or not.", {"case"}),
        ("It does not matter whether it went up or down.", {"absolute"}),
        ("Sums are rounded up or down.", {"rounding"}),
        ("Multiply all of its digits.", {"product"}),
        ("The most frequent one, the smallest of them at ties.", {"ties"}),
        ("Best first, equal ones by name.", {"ties"}),
        ("Ties are broken by the alphabet.", {"ties"}),
        ("Numbers equal to the first are counted.", set()),
        ("Only letters and digits count.", {"alphanumeric"}),
        ("Only the letters count.", {"letters"}),
        ("Only the letters a-z and A-Z occur.", set()),
        ("Everything that is not a letter is ignored.", {"letters"}),
        ("Characters that are no letters stay.", {"letters"}),
        ("Everything that is not a letter or a digit goes.", set()),
        ("The second largest distinct number, rounded to 2 places.", {"distinct", "rounding"}),
        ("One step leads up, down, left or right to a free cell.", {"straight"}),
        ("Up, down, left, right and the diagonals.", set()),
        ("The division rounds towards zero.", {"truncation"}),
        ("It begins with a copy of this list.", {"copy"}),
        ("The rows are copied; a copy machine is not.", {"copy"}),
        ("In alphabetical order. The list itself is not changed.", {"order", "unchanged"}),
        ("The sign does not matter.", {"absolute"}),
        ("Whether any two are closer to each other than `limit`.", {"absolute"}),
        ("The number of unique letters in a list of distinct words.", {"distinct"}),
        ("Takes a list of unique numbers; all are distinct.", set()),
        ("Empty words are left out; negative numbers are ignored.", {"empties", "negatives"}),
        ("Zeros are ignored.", {"zeros"}),
        ("The product of the multiples of 3.", {"product", "remainder"}),
        ("If two sums are equally close, return the smaller one.", {"ties"}),
        ("With equal numbers to the lane with the lowest number.", set()),
        ("Of several that are equal, the smallest list index.", set()),
        ("Both have the same length. The smaller one is kept.", set()),
        ("The same without regard to upper and lower case.", {"case"}),
        ("In this case the round trip is in order; a space, and a sign.", set()),
    ],
)
def test_what_prose_asks_for(prose: str, required: set[str]) -> None:
    """Words that only look like it ask for nothing."""
    assert requirements_in(prose) == required


@pytest.mark.parametrize(
    ("required", "line", "lacking"),
    [
        ({"case"}, "return text == other", 1),
        ({"case"}, "return text.upper() == other.upper()", 0),
        ({"blanks", "case"}, "return text.split()", 1),
        ({"distinct"}, "return sorted(text)[-2]", 1),
        ({"distinct"}, "return sorted({*text})[-2]", 0),
        ({"absolute"}, "return -text if text < 0 else text", 0),
        ({"straight"}, "return [(0, 1), (1, -1)]", 1),
        ({"straight"}, "return [(0, 1), (-1, 0)]", 0),
        ({"truncation"}, "return text // 2", 1),
        ({"truncation"}, "return int(text / 2)", 0),
        ({"copy"}, "return text", 1),
        ({"copy"}, "return text[:]", 0),
        ({"unchanged"}, "text.sort()\n    return text", 1),
        ({"unchanged"}, "text = sorted(text)\n    return text", 0),
        ({"order"}, "return [i for i, one in enumerate(text) if one == other]", 0),
        ({"order"}, "return [one for i, one in enumerate(text) if one == other]", 1),
        ({"order"}, "for i in range(len(text)):\n        if text[i] == other:\n            yield i + 1", 0),
        ({"order"}, "while text:\n        least = min(text)\n        text.remove(least)\n        yield least", 0),
        ({"order"}, "return [max(text), *text]", 1),
        ({"case"}, "return (", 0),
    ],
)
def test_what_a_program_does_nothing_of(required: set[str], line: str, lacking: int) -> None:
    """A name, an operator or a display that does such a step answers for it."""
    assert unanswered(required, f'def f(text, other):\n    """Says lower() and set."""\n    {line}\n') == lacking


def test_a_repair_that_does_what_prose_asks_for_comes_first() -> None:
    """So does one that loses no quoted text, and one that takes in a number which prose writes."""
    before = 'def kind(word):\n    if word == word[::-1]:\n        return "same"\n    return "other"\n'
    prose = read_prose(before, 'Returns "same" or "other". Case is ignored, and so are words of 40 letters.')
    costs = [
        prose_cost(prose, before, after)
        for after in (
            before.replace("def kind(word):\n", "def kind(word):\n    word = word.lower()[:40]\n"),
            before.replace("def kind(word):\n", "def kind(word):\n    word = word.lower()\n"),
            before.replace("==", "<="),
            before.replace("==", "<=").replace('"other"', '"same"'),
        )
    ]
    assert costs == sorted(set(costs))


def test_only_texts_that_were_there_are_lost() -> None:
    """What prose quotes need not stand in the program."""
    assert lost_texts({"a", "b"}, "x = 'a'\n", "x = 'c'\n") == 1
    assert lost_texts({"a", "b"}, "x = 'a'\n", "y = 'a'\n") == 0
