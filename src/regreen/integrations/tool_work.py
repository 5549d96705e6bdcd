"""The work behind a server's tools: tests, verdicts and repairs of what lies in one folder, or is given as text."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from regreen.config import Settings
from regreen.integrations.repairs import task_of
from regreen.integrations.served_calls import KeptResources, ServedCall
from regreen.integrations.served_folder import ServedFolder
from regreen.integrations.tool_reports import (
    FunctionRepair,
    ProjectReport,
    TestsReport,
    report_project,
    report_repair,
    report_tests,
)
from regreen.models import ChatModel
from regreen.strategies import chosen_name, open_strategy
from regreen.strategies.collector import rare_collections
from regreen.strategies.resources import Resources
from regreen.strategies.whole_projects.project_repair import (
    open_project_resources,
    project_agent,
    repair_project_within,
)
from regreen.tasks.local_task import ProgramFile
from regreen.tasks.patch_file import patch_name, unified_patch
from regreen.types import Attempt, Budget, Repair, Task, Verdict
from regreen.unified_diff import unified_diff
from regreen.verify.baseline import Reach, judge_by_need, judge_given, reach_of


class ToolWork:
    """Does what the tools ask for, several calls at a time; nothing of a program runs outside of the sandbox."""

    def __init__(self, folder: ServedFolder, settings: Settings, *, most: int) -> None:
        """`most` is the greatest number of characters of any text in an answer."""
        self.folder = folder
        self.settings = settings
        self.kept = KeptResources(settings)
        self._most = most
        self._lock = threading.Lock()
        self._open = contextlib.ExitStack()
        self._model: ChatModel | None = None

    def close(self) -> None:
        """Close the sandboxes and the model."""
        self.kept.close()
        self._open.close()

    def run_tests(
        self, call: ServedCall, program: str, tests: Sequence[str], keyword: str, source: str | None
    ) -> TestsReport:
        """Run the tests of a file, as it is or with another text in its place."""
        file, task = self._read(program, tests, keyword, None)
        with call.borrow() as resources:
            verdict, suite = judge_given(resources.judge, file.text, task.suite, self.settings.limits, task.companions)
            if source is not None:
                # Its author may not choose to have the checks run in its own process.
                reach = reach_of(suite)
                verdict = self._verdict(resources, source, task, lambda: reach)
        return report_tests(suite, verdict, self._most)

    def judge(self, call: ServedCall, source: str, checks: str, original: str | None) -> TestsReport:
        """Judge a program against checks, both as text; whether they may share a process, `original` decides."""
        task = task_of(source if original is None else original, checks)
        with call.borrow() as resources:

            def reach() -> Reach:
                if original is None:
                    return Reach.CALLS
                return reach_of(judge_given(resources.judge, original, task.suite, self.settings.limits, {})[1])

            verdict = self._verdict(resources, source, task, reach)
        return report_tests(task.suite, verdict, self._most)

    def repair_file(
        self,
        call: ServedCall,
        program: str,
        tests: Sequence[str],
        keyword: str,
        entry_point: str | None,
        budget: Budget,
    ) -> FunctionRepair:
        """Repair a file of the folder; it is not written."""
        file, task = self._read(program, tests, keyword, entry_point)
        repair = self._repair(call, task, budget)
        return report_repair(
            task.suite,
            repair,
            self._most,
            patch=self._patch(file, repair.chosen),
            partial_patch=self._patch(file, repair.partial),
        )

    def repair_text(
        self, call: ServedCall, source: str, checks: str, entry_point: str | None, statement: str, budget: Budget
    ) -> FunctionRepair:
        """Repair a program that is given as text, as are its checks."""
        task = task_of(source, checks, entry_point=entry_point, statement=statement)
        repair = self._repair(call, task, budget)
        patch, partial = (
            "" if attempt is None else unified_diff(source, attempt.candidate.source, f"{task.module}.py")
            for attempt in (repair.chosen, repair.partial)
        )
        repaired = repair.chosen.candidate.source if repair.chosen else ""
        return report_repair(task.suite, repair, self._most, patch=patch, partial_patch=partial, source=repaired)

    def repair_project(
        self, call: ServedCall, folder: str, pytest_arguments: Sequence[str], budget: Budget
    ) -> ProjectReport:
        """Repair the project that a folder is in; no file of it is written."""
        whole = self.folder.read_project(folder, pytest_arguments, self.settings)
        limited = {"max_seconds": budget.seconds, "max_candidates": budget.candidates}
        settings = self.settings.model_copy(update=limited)
        agent = project_agent(settings, self._opened_model())
        with rare_collections(), open_project_resources(whole, settings) as resources, call.holding(resources):
            repair = repair_project_within(resources, whole, seed=settings.seed, on_event=call.listen, agent=agent)
        return report_project(repair, self._most)

    def budget(self, seconds: float | None, candidates: int | None) -> Budget:
        """The budget of one repair: what it asks for, but no more than the server allows."""
        most = self.settings.budget
        return replace(
            most,
            seconds=min(seconds or most.seconds, most.seconds),
            candidates=min(candidates or most.candidates, most.candidates),
        )

    def _read(
        self, program: str, tests: Sequence[str], keyword: str, entry_point: str | None
    ) -> tuple[ProgramFile, Task]:
        return self.folder.read_task(program, tests, keyword or None, entry_point, self.settings)

    def _verdict(self, resources: Resources, source: str, task: Task, reach: Callable[[], Reach]) -> Verdict:
        limits = self.settings.limits
        return judge_by_need(resources.judge, source, task.suite, limits, task.companions, reach=reach)[0]

    def _repair(self, call: ServedCall, task: Task, budget: Budget) -> Repair:
        with (
            rare_collections(),
            call.borrow(budget) as resources,
            open_strategy(self.settings, resources, model=self._opened_model()) as strategy,
        ):
            return strategy.repair(task, self.settings.seed, call.listen)

    def _opened_model(self) -> ChatModel | None:
        """The model, opened by the first repair: its limits of money and tokens hold over all of them."""
        if chosen_name(self.settings) == "search":
            return None
        with self._lock:
            if self._model is None:
                from regreen.models import open_model

                self._model = self._open.enter_context(open_model(self.settings))
            return self._model

    def _patch(self, file: ProgramFile, attempt: Attempt | None) -> str:
        if attempt is None:
            return ""
        name = patch_name(file.path, self.folder.root)
        patch = unified_patch(file.render(file.text), file.render(attempt.candidate.source), name)
        return patch.decode(file.encoding, "backslashreplace")
