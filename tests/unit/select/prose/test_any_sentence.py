"""Can a sentence of a docstring break what reads it?"""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from regreen.propose.search.clues import gather_clues
from regreen.select.inputs.scenarios import Scenario
from regreen.select.prose.prose_agreement import prose_cost, read_prose
from regreen.select.prose.stated_examples import documented_examples
from regreen.select.prose.stated_outcomes import documented_outcomes

WORDS = """05|1:05|0x|1e999|-|--1|007|1_|\u0663|[1, {}]|{[]: 1}|'a|\\"b|(1,|f(|f(1)|f([2], 05)|==|->|>>>|...|`|at least
|at most|less than|is|are|not|if|for|when|returns|raises|ValueError|None|empty|items|an empty list|size|every
|divisible by|multiples of|between|and|e.g.|only|digits|%|letters|[0, 7, 08]|the most|first|in case of a tie|strictly"""
ODD = ("9" * 5000, *WORDS.split("|"))
odd = st.sampled_from(ODD)
conditions = st.builds("{} is {}".format, st.sampled_from(["items", "size", "the list"]), odd)
outcomes = st.builds("{} {} {}".format, odd, st.sampled_from(["if", "for", "when"]), conditions | odd)
sentences = st.lists(odd | outcomes, min_size=1, max_size=6).map(" ".join)


@given(sentences, st.text(max_size=30))
def test_no_sentence_breaks_a_reader(said: str, more: str) -> None:
    """Neither in a docstring nor in the statement: numbers that Python does not write so, brackets that stay open."""
    program = f'def f(items, size=1):\n    """{said}"""\n    return items[size:]\n'
    ast.parse(program)
    scenario = Scenario((), ast.parse("f([1, 2], 3)", mode="eval").body)
    outcomes = documented_outcomes(program, said + more, [scenario])
    examples = documented_examples(program, said + more, {"f"})
    answers = [found.answer for found in (*examples, *outcomes) if not found.answer.startswith("raises ")]
    assert [repr(ast.literal_eval(answer)) for answer in answers] == answers
    assert gather_clues(program, statement=said + more).prose
    assert prose_cost(read_prose(program, said + more), program, program.replace("size:", "size + 1:")) >= 0
