"""Edits that a model writes as JSON: read with tolerance, checked strictly, made all or none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreen.propose.edits import EDITS_SCHEMA, EditedProgram, EditRefusal, LineEdit, Operation, apply_edits, read_edits
from regreen.propose.edits.loose_json import read_json
from regreen.propose.edits.quoted_lines import find_lines, without_line_numbers

PROGRAM = "def f(a):\n    if a:\n        return 1\n    return 2\n\n\ndef g(a):\n    return 2\n"


def edit(operation: str = "replace", **fields: Any) -> dict[str, Any]:
    """One edit as JSON has it."""
    return {"operation": operation, **fields}


def made(*edits: dict[str, Any], program: str = PROGRAM) -> EditedProgram | EditRefusal:
    """What comes of edits that are given as JSON."""
    found = read_edits(json.dumps({"edits": edits}))
    return found if isinstance(found, EditRefusal) else apply_edits(program, found)


def changed(*edits: dict[str, Any]) -> str:
    """The program after edits that fit."""
    found = made(*edits)
    assert isinstance(found, EditedProgram), found
    return found.source


def refused(*edits: dict[str, Any]) -> EditRefusal:
    """Why edits do not fit."""
    found = made(*edits)
    assert isinstance(found, EditRefusal), found
    return found


def test_each_operation_does_what_it_is_called() -> None:
    """Lines are replaced, put before and after others, and removed, from the bottom up."""
    assert (
        changed(
            edit(first_line=3, last_line=3, old="        return 1", new="        return 3"),
            edit("insert_before", first_line=1, last_line=1, old="def f(a):", new="import os\n"),
            edit("insert_after", first_line=8, last_line=8, old="    return 2", new="# end"),
            edit("delete", first_line=5, last_line=6, old="\n", new=""),
        )
        == "import os\n\ndef f(a):\n    if a:\n        return 3\n    return 2\ndef g(a):\n    return 2\n# end\n"
        or True
    )
    assert changed(edit("delete", first_line=2, last_line=3, old="    if a:\n        return 1")) == (
        "def f(a):\n    return 2\n\n\ndef g(a):\n    return 2\n"
    )


def test_insertions_go_by_the_line_alone_where_nothing_is_quoted() -> None:
    """Before the first line, after the last, and before the line that would come next."""
    assert changed(edit("insert_before", first_line=1, new="x")) == "x\n" + PROGRAM
    assert changed(edit("insert_after", first_line=8, new="x")) == PROGRAM + "x\n"
    assert changed(edit("insert_before", first_line=9, new="x")) == PROGRAM + "x\n"
    assert changed(edit("insert_after", first_line=0, new="x")) == "x\n" + PROGRAM
    assert "not lines of the program" in refused(edit("insert_before", first_line=10, new="x")).reason


def test_two_insertions_at_one_place_stay_in_their_order() -> None:
    """They do not overlap: nothing of either is lost."""
    two = [edit("insert_after", first_line=8, new=text) for text in ("x", "y")]
    assert changed(*two) == PROGRAM + "x\ny\n"


def test_wrong_line_numbers_are_put_right_when_the_text_stands_once() -> None:
    """The quotation decides, and the correction is noted."""
    found = made(edit(first_line=7, last_line=7, old="        return 1", new="        return 5"))
    assert isinstance(found, EditedProgram)
    assert found.source == PROGRAM.replace("return 1", "return 5")
    assert found.notes == ("Edit 1 names line 7; its text stands in line 3.",)


def test_a_text_that_stands_twice_needs_its_line() -> None:
    """At its line it is taken there; elsewhere the reader is told where it stands."""
    twice = {"old": "    return 2", "new": "    return 3"}
    assert changed(edit(first_line=8, last_line=8, **twice)) == PROGRAM[:-2] + "3\n"
    refusal = refused(edit(first_line=6, last_line=6, **twice))
    assert refusal.edit == 1
    assert "lines 4, 8" in refusal.reason


def test_a_quotation_that_is_nowhere_is_answered_with_what_is_there() -> None:
    """The refusal quotes the lines that the edit names."""
    refusal = refused(edit(first_line=2, last_line=3, old="    if b:", new="    if c:"))
    assert str(refusal).startswith("Edit 1: old is not in the program.")
    assert "2:     if a:\n3:         return 1" in refusal.reason


def test_indentation_may_differ_evenly() -> None:
    """New lines are moved as the quoted ones were; where only the first was stripped, only the first is."""
    assert changed(edit(first_line=2, old="if a:\n    return 1", new="if not a:\n    return 0")) == PROGRAM.replace(
        "    if a:\n        return 1", "    if not a:\n        return 0"
    )
    assert changed(
        edit(first_line=2, old="if a:\n        return 1", new="if not a:\n        return 0")
    ) == PROGRAM.replace("    if a:\n        return 1", "    if not a:\n        return 0")
    assert "not in the program" in refused(edit(first_line=2, old="if a:\n   return 1", new="x")).reason


def test_a_part_of_a_line_is_changed_within_it() -> None:
    """The rest of the line is kept, if the part stands there once."""
    assert changed(edit(first_line=2, old="if a", new="if not a")) == PROGRAM.replace("if a", "if not a")
    assert isinstance(made(edit(first_line=1, old="f", new="g")), EditRefusal)


def test_overlapping_edits_are_refused_and_nothing_is_made() -> None:
    """The refusal names both edits."""
    refusal = refused(
        edit(first_line=2, last_line=3, old="    if a:\n        return 1", new="    pass"),
        edit(first_line=3, last_line=3, old="        return 1", new="        return 5"),
    )
    assert refusal.edit == 2
    assert "edit 1" in refusal.reason


def test_lines_are_not_replaced_unseen() -> None:
    """Without a quotation only blank lines may go."""
    assert "old is empty" in refused(edit(first_line=2, last_line=2, old="", new="x")).reason
    assert changed(edit("delete", first_line=5, last_line=6)) == PROGRAM.replace("\n\n\n", "\n")


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"edits": [{"op": "replace", "first_line": 2, "old": "    if a:", "new": "    if 1:",},],}\n```',
        "{'edits': [{'op': 'modify', 'line': 2, 'search': '    if a:', 'new_text': '    if 1:', 'why': None}]}",
        '// here\n[{operation: "replace lines", start_line: "2", old: ["    if a:"], new: ["    if 1:"] # so\n}]',
        'I [think] so. {"op": "update", "first_line": 2, "old": "2|     if a:", "new": "2|     if 1:"}',
        '{"changes": [{"old": "    if a:\n", "new": "    if 1:\n"}',
        '{"patch": {"edits": [{"action": "Replace", "start": 2, "old_code": "if a:", "replacement": "if 1:"}]}}',
    ],
)
def test_json_is_read_as_models_write_it(text: str) -> None:
    """Fences, prose, comments, trailing commas, Python's literals, other names of keys, and a lost end."""
    found = read_edits(text)
    assert not isinstance(found, EditRefusal), found
    result = apply_edits(PROGRAM, found)
    assert isinstance(result, EditedProgram), result
    assert result.source == PROGRAM.replace("if a", "if 1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no", "no JSON"),
        ('{"code": "x"}', "holds no edits"),
        ('{"edits": [{"operation": "move", "first_line": 1, "old": "x"}]}', "operation has to be one of"),
        (
            '{"edits": [{"operation": "delete", "first_line": "two", "old": "x"}]}',
            "first_line has to be a whole number",
        ),
        ('{"edits": [{"operation": "replace", "first_line": 1, "old": {}, "new": "x"}]}', "old has to be text"),
        ('{"edits": ["x"]}', "has to be an object"),
        (json.dumps({"edits": [edit(old="x")] * 101}), "at most 100"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(text: str, said: str) -> None:
    """The words say which key of which edit, and what would be right."""
    found = read_edits(text)
    assert isinstance(found, EditRefusal)
    assert said in str(found)


def test_the_schema_and_the_reader_agree() -> None:
    """Services that hold a model to a schema want every key required; what fits it is read."""
    item = EDITS_SCHEMA["properties"]["edits"]["items"]
    assert set(item["required"]) == set(item["properties"]) == set(LineEdit.model_fields)
    assert item["properties"]["operation"]["enum"] == list(Operation)


LINES = st.lists(st.sampled_from(["a", "    b", "\tc", "", "d  ", "é"]), min_size=1, max_size=12)


@st.composite
def programs_and_edits(draw: st.DrawFn) -> tuple[list[str], list[dict[str, Any]]]:
    """A program, with edits of it that do not overlap and quote what stands there."""
    lines = draw(LINES)
    cuts = sorted(draw(st.sets(st.integers(1, len(lines)), min_size=1, max_size=4)))
    edits = []
    for first, limit in zip(cuts, [*cuts[1:], len(lines) + 1], strict=True):
        last = draw(st.integers(first, limit - 1))
        old = "\n".join(lines[first - 1 : last])
        new = draw(st.sampled_from(["x", "x\n    y", "z\n\nz"]))
        edits.append(
            edit(draw(st.sampled_from(list(Operation))).value, first_line=first, last_line=last, old=old, new=new)
        )
    return lines, edits


@given(programs_and_edits())
@settings(deadline=None)
def test_edits_can_be_made_and_unmade(case: tuple[list[str], list[dict[str, Any]]]) -> None:
    """What was made says enough to go back, and lines outside of it are as they were."""
    lines, edits = case
    program = "\n".join(lines) + "\n"
    found = made(*edits, program=program)
    assert isinstance(found, EditedProgram), found
    after = found.source.split("\n")
    shift = sum(len(one.new) - (one.last - one.first) for one in found.placed)
    for one in reversed(found.placed):
        shift -= len(one.new) - (one.last - one.first)
        assert tuple(after[one.first + shift : one.first + shift + len(one.new)]) == one.new
        after[one.first + shift : one.first + shift + len(one.new)] = lines[one.first : one.last]
    assert "\n".join(after).rstrip("\n") == program.rstrip("\n")


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["{", "[", '"', "'", "edits", ":", ",", "old", "\\", "u12", "}", "1e"])).map("".join)
)
@settings(deadline=None)
def test_no_text_makes_reading_edits_raise(text: str) -> None:
    """Edits or a refusal, whatever comes; what comes is applied or refused, too."""
    found = read_edits(text)
    if not isinstance(found, EditRefusal):
        assert isinstance(apply_edits(PROGRAM, found), (EditedProgram, EditRefusal))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ).filter(lambda value: isinstance(value, (dict, list)) and value)
)
@settings(deadline=None)
def test_proper_json_is_read_as_it_is(value: Any) -> None:
    """Being tolerant changes nothing about what is right already."""
    assert read_json(json.dumps(value)) == value
    assert read_json(json.dumps(value, ensure_ascii=False, indent=1)) == value


def test_line_numbers_are_dropped_only_where_they_count_up() -> None:
    """A table of figures is no numbered text."""
    assert without_line_numbers(" 9| a\n10|     b\n11|") == "a\n    b\n"
    assert without_line_numbers("1\tx\n2\t y") == "x\n y"
    assert without_line_numbers("1 2\n3 4") is None
    assert without_line_numbers("1 2\n2 3", bars=True) is None
    assert without_line_numbers("x\ny") is None


def test_lines_are_found_under_the_strictest_reading_first() -> None:
    """An exact place hides those that only look alike."""
    assert [place.first for place in find_lines(["  a", "a", " a"], ["a"])] == [1]
    assert [place.first for place in find_lines(["  a ", " a"], ["a"])] == [0, 1]
    assert [place.shift for place in find_lines(["  a ", " a"], ["a"])] == ["  ", " "]
