"""Regreen as an installed agent of the Harbor framework.

Imported by Harbor, by `--agent`: the extra `harbor`, for Python 3.12 and newer.
"""

from __future__ import annotations

import json
import shlex
from typing import Any

from harbor.agents.installed.base import BaseInstalledAgent

_HOME = "/installed-agent/regreen"
_RECORD = "/logs/agent/regreen.json"


class RegreenAgent(BaseInstalledAgent):
    """Repairs the project in the container's working folder; what is red there decides, not the instruction."""

    def __init__(self, *given: Any, package: str = "regreen", arguments: str = "", **more: Any) -> None:
        """`package` is what pip installs in the container, `arguments` further ones of `regreen fix`."""
        super().__init__(*given, **more)
        self.package = package
        self.arguments = arguments

    @staticmethod
    def name() -> str:
        """Its name in Harbor's results."""
        return "regreen"

    def get_version_command(self) -> str:
        """Says which version was installed."""
        return f"{_HOME}/bin/regreen --version"

    def parse_version(self, stdout: str) -> str:
        """The version alone."""
        return stdout.strip().removeprefix("regreen ")

    async def install(self, environment: Any) -> None:
        """Install Regreen, and pytest, in an environment of their own beside the container's Python."""
        package = self.package + (f"=={self._version}" if self._version and self.package == "regreen" else "")
        await self.exec_as_root(
            environment,
            f"python3 -m venv --system-site-packages {_HOME} && "
            f"{_HOME}/bin/python -m pip install --quiet {shlex.quote(package)} pytest",
        )

    async def run(self, instruction: str, environment: Any, context: Any) -> None:
        """Repair what is red; that nothing could be repaired is a result, and no failure of the agent."""
        model = f" --model {shlex.quote(self.model_name)}" if self.model_name else ""
        given = " ".join(map(shlex.quote, shlex.split(self.arguments)))
        await self.exec_as_agent(
            environment,
            f"mkdir -p /logs/agent && {{ {_HOME}/bin/regreen fix . --apply --json --python {_HOME}/bin/python"
            f"{model} {given} > {_RECORD}; status=$?; cat {_RECORD}; [ $status -le 1 ]; }}",
        )

    def populate_context_post_run(self, context: Any) -> None:
        """Tell Harbor what came of it."""
        record = self.logs_dir / "regreen.json"
        if not record.is_file():
            return
        try:
            told = json.loads(record.read_text(encoding="utf-8"))
        except ValueError:
            return
        context.metadata = {name: told.get(name) for name in ("outcome", "stop", "likelihood", "candidates", "seconds")}
