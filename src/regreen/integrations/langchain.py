"""The repair as a LangChain tool and as a LangGraph node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.tools import BaseTool, ToolException
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from regreen.config import Settings
from regreen.errors import ConfigError, RegreenError
from regreen.integrations.repairs import Repairs, as_data
from regreen.types import Repair, Stop

__all__ = ["RepairArguments", "RepairNode", "RepairTool", "repair_node", "repair_tool"]

_MAX_PATCH_CHARS = 12_000
"""Characters of a patch that a model is shown; the whole patch is in the artifact."""


class RepairArguments(BaseModel):
    """Arguments of the tool, as a model fills them in."""

    model_config = ConfigDict(extra="forbid")

    source: str = Field(description="The whole text of the Python module that fails its tests.")
    tests: str = Field(
        description="The text of the tests: assert statements, functions named test_*, or a unittest class. They may "
        "call the module's functions by name, or import them from `program`. Empty for the module's doctest examples."
    )
    entry_point: str | None = Field(
        None, description="The name of the function to repair, if it is known; found from the tests otherwise."
    )
    statement: str = Field("", description="What the function is meant to do, in words, if the tests do not tell all.")


class RepairTool(BaseTool):
    """A tool that repairs a Python module, with sandboxes that are opened at its first use and kept until `close`."""

    name: str = "repair_python"
    description: str = (
        "Find the smallest change that makes a Python module pass its tests. Every change is proved by running the "
        "tests in a sandbox. Gives the patch and an explanation, or says that none was found."
    )
    args_schema: Any = RepairArguments
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    _repairs: Repairs = PrivateAttr()

    def __init__(self, repairs: Repairs, **more: Any) -> None:
        super().__init__(
            **{"handle_tool_error": True, "handle_validation_error": _misused, **more},
        )
        self._repairs = repairs

    def close(self) -> None:
        """Close the sandboxes and the model."""
        self._repairs.close()

    def __enter__(self) -> RepairTool:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _run(
        self, source: str, tests: str, entry_point: str | None = None, statement: str = "", **_: Any
    ) -> tuple[str, Repair]:
        try:
            repair = self._repairs.repair(source, tests, entry_point=entry_point, statement=statement)
        except RegreenError as error:
            raise ToolException(str(error)) from error
        return describe_repair(repair, source), repair


def repair_tool(
    settings: Settings | None = None, *, name: str | None = None, description: str | None = None, at_once: int = 1
) -> RepairTool:
    """The repair as a tool for an agent: its content is a short text, its artifact the `regreen.Repair`.

    `settings` are those of `load_settings()` when None; limits of money and tokens hold over all of its repairs.
    `at_once` is how many calls may be under way together. A failure on our side reaches the agent as the text
    of a failed call. Close the tool, or use it in a `with` block.
    """
    words = {key: text for key, text in (("name", name), ("description", description)) if text is not None}
    return RepairTool(Repairs(settings, at_once=at_once), **words)


class RepairNode:
    """A node that reads a program and its tests from a state, and returns the repair as plain data."""

    def __init__(
        self,
        repairs: Repairs,
        *,
        source: str,
        tests: str,
        into: str,
        entry_point: str | None = None,
        statement: str | None = None,
    ) -> None:
        self.__name__ = "repair"
        self._repairs = repairs
        self._source, self._tests, self._into = source, tests, into
        self._entry_point, self._statement = entry_point, statement

    def __call__(self, state: Any) -> dict[str, Any]:
        """The update of the state: one key, with plain data."""
        source = _text(state, self._source)
        repair = self._repairs.repair(
            source,
            _text(state, self._tests),
            entry_point=_text(state, self._entry_point, default="") or None,
            statement=_text(state, self._statement, default=""),
        )
        return {self._into: as_data(repair, source)}

    def close(self) -> None:
        """Close the sandboxes and the model."""
        self._repairs.close()

    def __enter__(self) -> RepairNode:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def repair_node(
    source: str = "source",
    tests: str = "tests",
    into: str = "repair",
    *,
    entry_point: str | None = None,
    statement: str | None = None,
    settings: Settings | None = None,
    at_once: int = 1,
) -> RepairNode:
    """The repair as a node of anyone's graph, whose state is a TypedDict, a dataclass or a pydantic model.

    `source`, `tests`, `entry_point` and `statement` name the keys that are read (None: there is no such key), `into`
    the one that is written: a dict with "fixed", "source" (the program as it was where it is not fixed), "diff",
    "explanation", "stop" and "cost". `settings` and `at_once` are as for `repair_tool`. Raises what `regreen.repair`
    raises, and ConfigError for a key that is not there.
    """
    return RepairNode(
        Repairs(settings, at_once=at_once),
        source=source,
        tests=tests,
        into=into,
        entry_point=entry_point,
        statement=statement,
    )


def describe_repair(repair: Repair, source: str) -> str:
    """A repair in a few lines of text for a model."""
    if repair.stop is Stop.NOTHING_RED:
        return "Nothing to repair: the module passes every test as it is."
    data = as_data(repair, source)
    head = "Fixed: the module passes every test with this patch." if repair.fixed else "Not fixed."
    return "\n\n".join(part for part in (head, _shortened(data["diff"]), data["explanation"]) if part)


def _shortened(diff: str) -> str:
    if len(diff) <= _MAX_PATCH_CHARS:
        return diff.rstrip("\n")
    return f"{diff[:_MAX_PATCH_CHARS]}\n[the patch goes on for {len(diff) - _MAX_PATCH_CHARS} characters]"


def _misused(error: Any) -> str:
    """The arguments that do not fit, and why; their values are not repeated."""
    faults = error.errors(include_input=False, include_url=False) if isinstance(error, ValidationError) else []
    listed = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return f"The arguments do not fit: {listed or error}."


def _text(state: Any, key: str | None, *, default: str | None = None) -> str:
    """The text that a state holds under a key."""
    if key is None:
        return default or ""
    value = state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        found = "holds nothing" if value is None else f"holds a {type(value).__name__}"
        raise ConfigError(
            f"The graph's state {found} under {key!r}, where repair_node looks for a text.",
            remedy="Name the keys that your state has, as in repair_node(source=..., tests=...).",
        )
    return value
