"""Scripts in files: what may stand there, and what is said of what may not."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from regreen.errors import ConfigError
from regreen.models import Message, Request, ToolCall, Usage
from regreen.models.scripted import Fault, FaultKind, FaultRule, ReplySpec, Rule, open_scripted, read_script
from regreen.models.scripted.script_file import ScriptFile

WHOLE = {
    "models": ["small"],
    "rules": [
        {
            "contains": "def f",
            "matches": "f\\(",
            "where": "last_user",
            "turn": 1,
            "tools": True,
            "counted": "tools",
            "replies": ["plain", {"text": ["two", "lines"], "reasoning": "why", "usage": {"prompt": 3}}],
        },
        {
            "contains": ["a", "b"],
            "marker": "n(\\d)",
            "replies": [
                {
                    "tool_calls": [
                        {"name": "run_code", "arguments": {"code": "x"}},
                        {"id": "1", "name": "f", "arguments": "{"},
                    ]
                }
            ],
        },
    ],
    "default": {"refusal": "No.", "latency": 0.5, "fault": {"kind": "busy", "times": 2, "retry_after": 1.5}},
    "faults": [{"nth": [1, 3], "fault": "cut"}, {"key": "sk-a", "fault": {"kind": "error", "status": 502}}],
}


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "script.json"


def refusal(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        read_script(path)
    assert str(path) in str(raised.value)
    assert raised.value.remedy
    return str(raised.value)


def test_all_that_a_script_may_hold_is_read(script: Path) -> None:
    """Long forms and short forms, as the values that code would build."""
    script.write_text(json.dumps(WHOLE), encoding="utf-8")
    read = read_script(script)
    assert read.models == ("small",)
    assert read.rules[0] == Rule(
        (ReplySpec("plain"), ReplySpec("two\nlines", reasoning="why", usage=Usage(3))),
        contains=("def f",),
        matches="f\\(",
        where="last_user",
        turn=1,
        tools=True,
        counted="tools",
    )
    calls = (ToolCall("", "run_code", '{"code": "x"}'), ToolCall("1", "f", "{"))
    assert read.rules[1] == Rule((ReplySpec(tool_calls=calls),), contains=("a", "b"), marker="n(\\d)")
    assert read.default == ReplySpec(refusal="No.", latency=0.5, fault=Fault("busy", times=2, retry_after=1.5))
    assert read.faults == (FaultRule(Fault("cut"), (1, 3)), FaultRule(Fault("error", status=502), key="sk-a"))


def test_json_lines_are_rules(tmp_path: Path) -> None:
    """One rule a line; a rule with no condition is a default; empty lines are nothing."""
    path = tmp_path / "script.jsonl"
    path.write_text('{"contains": "a", "replies": ["one"]}\n\n{"replies": ["two"]}\n', encoding="utf-8")
    model = open_scripted(path)
    answers = [model.ask(Request((Message("user", text),))).text for text in ("a", "b")]
    assert (model.name, answers) == (f"scripted:{path}", ["one", "two"])


def test_a_single_rule_is_a_script(script: Path) -> None:
    """A file of one line is not mistaken for the other form."""
    assert "a list is needed" in refusal(script, '{"replies": "x"}')
    script.write_text('\ufeff{"replies": ["x"]}', encoding="utf-8")
    assert read_script(script).rules == (Rule((ReplySpec("x"),)),)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "neither rules nor a default"),
        ([], "an object is needed"),
        ("text", "an object is needed"),
        ({"rules": {}}, "rules: a list is needed"),
        ({"rules": [{"contains": "a"}]}, "rules.0.replies: it is missing"),
        ({"rules": [{"replies": []}]}, "rules.0.replies: "),
        ({"rules": [{"replies": ["a"], "contain": "a"}]}, "rules.0.contain: there is no such field"),
        ({"rules": [{"replies": ["a"], "contains": 3}]}, "rules.0.contains: a list is needed"),
        ({"rules": [{"replies": ["a"], "matches": "("}]}, "rules.0.matches: no regular expression"),
        ({"rules": [{"replies": ["a"], "marker": "turn"}]}, "one group"),
        ({"rules": [{"replies": ["a"], "turn": -1}]}, "rules.0.turn"),
        ({"rules": [{"replies": ["a"], "where": "here"}]}, "'last_user'"),
        ({"rules": [{"replies": [{"text": 3}]}]}, "rules.0.replies.0.text"),
        ({"default": {"fault": "bsy"}}, "default.fault.kind"),
        ({"default": {"fault": {"kind": "error", "status": 200}}}, "default.fault.status"),
        ({"default": {"latency": -1}}, "default.latency"),
        ({"default": {"tool_calls": [{"arguments": "x"}]}}, "default.tool_calls.0.name: it is missing"),
        ({"default": {"usage": {"tokens": 3}}}, "default.usage.tokens: there is no such field"),
        ({"default": "x", "faults": [{"nth": [0], "fault": "cut"}]}, "faults.0.nth.0"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(script: Path, values: Any, words: str) -> None:
    """The field and the fault, in plain words."""
    assert words in refusal(script, json.dumps(values))


def test_a_line_that_is_wrong_is_named_by_its_number(script: Path) -> None:
    """No JSON, or no rule."""
    good = '{"replies": ["a"]}\n'
    assert "line 2 is no JSON" in refusal(script, f"{good}{{oops\n")
    assert "line 3: replies: it is missing" in refusal(script, f"{good}\n{{}}\n")
    assert "it is no JSON" in refusal(script, "[1,\n2")
    assert "it is no JSON" in refusal(script, "")
    assert "nested" in refusal(script, "[" * 100_000)


def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    """Not there, a folder, and not text."""
    with pytest.raises(ConfigError, match="No such file"):
        read_script(tmp_path / "none.json")
    with pytest.raises(ConfigError, match="directory"):
        read_script(tmp_path)
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"default": "\xe9"}')
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_script(path)


PAGE = (Path(__file__).parents[3] / "docs" / "testserver.md").read_text(encoding="utf-8")


def test_the_script_that_the_documentation_shows_works(script: Path) -> None:
    """It repairs at the second turn what it is about, and knows nothing else."""
    (shown,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    script.write_text(shown, encoding="utf-8")
    model = open_scripted(script)
    conversation = (Message("user", "Mend def median(xs)"), Message("assistant", "?"), Message("user", "It failed."))
    assert "xs = sorted(xs)" in model.ask(Request(conversation)).text
    assert model.ask(Request((Message("user", "def mode(xs)"),))).text == "I do not know."


def test_every_fault_and_every_field_is_documented() -> None:
    """Whoever writes a script finds all of it on one page."""
    nouns = (ScriptFile, Rule, ReplySpec, Fault, FaultRule)
    names = {*get_args(FaultKind), *(field.name for noun in nouns for field in fields(noun))}
    assert {name for name in names if not re.search(rf"`{name}`|\"{name}\"", PAGE)} == set()
