"""The tool as an agent sees it: what it may say, and what it is told."""

from __future__ import annotations

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool

from regreen.config import load_settings
from regreen.errors import SandboxUnavailable
from regreen.integrations.langchain import RepairTool, describe_repair, repair_node, repair_tool
from regreen.integrations.repairs import Repairs
from regreen.types import Attempt, Candidate, CheckResult, Cost, Outcome, Repair, Stop, Verdict

SOURCE = "def one():\n    return 2\n"
RIGHT = "def one():\n    return 1\n"
SETTINGS = load_settings({"workers": 1}, environ={})


class Broken(Repairs):
    """Opens nothing, and fails as it is told to."""

    def __init__(self, error: Exception) -> None:
        super().__init__(SETTINGS)
        self.error = error

    def repair(self, *args: object, **more: object) -> Repair:
        raise self.error


def call(**arguments: object) -> dict[str, object]:
    return {"type": "tool_call", "id": "1", "name": "repair_python", "args": arguments}


def outcome(source: str | None = RIGHT, stop: Stop = Stop.FIXED) -> Repair:
    passed = Verdict({"check-1": CheckResult(Outcome.PASSED)})
    chosen = Attempt(Candidate(source, "test"), passed) if source else None
    return Repair("program", chosen, Verdict({}), (), Cost(), stop, explanation="Because.")


def test_a_model_is_told_what_each_argument_is() -> None:
    """Two are needed, each has a description, and nothing else may be said."""
    function = convert_to_openai_tool(repair_tool(SETTINGS))["function"]
    assert function["name"] == "repair_python"
    assert len(function["description"]) > 40
    arguments = function["parameters"]
    assert set(arguments["properties"]) == {"source", "tests", "entry_point", "statement"}
    assert arguments["required"] == ["source", "tests"]
    assert all(len(argument["description"]) > 20 for argument in arguments["properties"].values())


def test_the_tool_may_bear_another_name() -> None:
    """Where an agent has tools of several makers."""
    tool = repair_tool(SETTINGS, name="mend", description="Mends Python.")
    assert (tool.name, tool.description) == ("mend", "Mends Python.")


def test_what_goes_wrong_on_our_side_is_the_text_of_a_failed_call() -> None:
    """With its remedy, so that the agent can act on it; never a traceback."""
    tool = RepairTool(Broken(SandboxUnavailable("no jail here.", remedy="Use Linux.")))
    message = tool.invoke(call(source=SOURCE, tests="assert one() == 1"))
    assert isinstance(message, ToolMessage)
    assert (message.status, message.text, message.artifact) == ("error", "no jail here. Use Linux.", None)
    with pytest.raises(ToolException, match="Use Linux"):
        tool._run(SOURCE, "assert one() == 1")


def test_a_slip_of_our_own_is_not_hidden_from_the_program() -> None:
    """What we did not raise on purpose is no word for an agent."""
    with pytest.raises(ZeroDivisionError):
        RepairTool(Broken(ZeroDivisionError())).invoke(call(source=SOURCE, tests="assert one() == 1"))


def test_arguments_that_do_not_fit_are_named_and_not_repeated() -> None:
    """A model mends a call by its faults, not by its text."""
    message = repair_tool(SETTINGS).invoke(call(source=["secret"], tests="x", depth=3))
    assert message.status == "error"
    assert "source: Input should be a valid string" in message.text
    assert "depth" in message.text
    assert "secret" not in message.text


def test_the_text_says_first_whether_it_is_fixed() -> None:
    """Then the patch, then why."""
    text = describe_repair(outcome(), SOURCE)
    assert text.startswith("Fixed")
    assert text.index("-    return 2\n+    return 1") < text.index("Because.")
    assert describe_repair(outcome(None, Stop.EXHAUSTED), SOURCE) == "Not fixed.\n\nBecause."
    assert describe_repair(outcome(None, Stop.NOTHING_RED), RIGHT).startswith("Nothing to repair")


def test_a_patch_without_end_is_cut_and_said_to_be() -> None:
    """A reply of a model may be as long as it likes; what an agent reads is paid for."""
    text = describe_repair(outcome("x = 1\n" * 10_000), SOURCE)
    assert len(text) < 12_200
    assert "the patch goes on for" in text


def test_nothing_is_opened_before_it_is_needed() -> None:
    """A tool or node that is made and not used holds nothing."""
    with repair_tool(SETTINGS) as tool, repair_node(settings=SETTINGS) as node:
        assert tool._repairs._strategy is node._repairs._strategy is None
