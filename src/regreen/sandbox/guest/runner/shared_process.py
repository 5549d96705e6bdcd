"""Shared mode: checks and candidate in one process, for checks that need live objects.

Here a candidate can reach whatever the checks hold. So results are signed with a key that arrives before the candidate
is loaded, a passing run is repeated with every assertion flipped (which must then fail), and what remains possible is
written in docs/security.md.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks import unittest_cases  # noqa: F401  before any program, and watched
from regreen.sandbox.guest.runner.checks.assertions import AssertionRecorder
from regreen.sandbox.guest.runner.checks.captured_output import VERDICT_CHARACTERS, CappedText
from regreen.sandbox.guest.runner.checks.check_runner import IsWanted, ProgramUnderTest, ReportResult, Runner
from regreen.sandbox.guest.runner.checks.program_failures import program_failure, raised_in_program
from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.checks.suite_runner import prepare_suite
from regreen.sandbox.guest.runner.program_loading.program_module import fresh_module, install_companions, seed_random
from regreen.sandbox.guest.runner.tampering.tamper_looks import TamperLooks
from regreen.sandbox.guest.runner.tampering.tamper_watch import TamperWatch, pristine_builtins
from regreen.sandbox.guest.runner.timing import time_limits
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed
from regreen.sandbox.guest.wire.signed_message import sign


def main(fd: int, limits: dict[str, Any]) -> None:
    """Run one suite on one program and send each result as it is known."""
    time_limits.install()
    wire = Connection.from_fd(fd)
    with contextlib.suppress(ConnectionClosed):
        order = wire.receive_json(with_fds=True)
        tell = _teller(wire, bytes.fromhex(order["key"]))
        output = CappedText(limits["output_bytes"])
        sys.stdout = sys.stderr = output
        if order["suite"]["project"]:
            archive = wire.take_fd()
            _enter_project(order, archive)
            os.close(archive)
        examples = _run(order, limits, tell)
        tell({"done": True, "stdout": output.take()[:VERDICT_CHARACTERS], "examples": examples})


def _teller(wire: Connection, key: bytes) -> Any:
    count = 0

    def tell(message: dict[str, Any]) -> None:
        nonlocal count
        payload = json.dumps(message)
        wire.send_json([payload, sign(key, count, payload.encode("ascii"))])
        count += 1

    return tell


def _enter_project(order: dict[str, Any], archive: int) -> None:
    # Imported late: a project is asked for by pytest suites alone.
    from regreen.sandbox.guest.runner.projects.project_folder import enter_project

    enter_project(order["suite"]["project"], archive, order["program"])


def _run(order: dict[str, Any], limits: dict[str, Any], tell: Any) -> dict[str, list[str]]:
    """Run the suite; returns the failing examples that its property tests found."""
    suite, program, seconds = order["suite"], order["program"], limits["seconds"]
    install_companions(suite["companions"] | program["companions"])
    try:
        runner = prepare_suite({**suite, "vetted": True}, flipped=order["flipped"])
        watch = TamperWatch(_texts(suite), tests_come_later=bool(suite["project"]))
    except (SyntaxError, ValueError, RecursionError, ImportError) as error:
        tell({"broken": f"{type(error).__name__}: {error}"})
        return {}
    skip, deadline = frozenset(order["skip"]), time.monotonic() + order["seconds_left"]

    survey, looks = _survey(runner, order), TamperLooks(watch, tell, proves=order["proves"])
    loading = _Loading(program, watch, tell, limits["seconds"], told=runner.loads_program)

    def report(check: str, result: Result) -> bool:
        nonlocal seconds
        if looks.finds_after():
            return False
        seen = survey.taken() if survey is not None else {}
        told = _plainly(loading.or_failure(looks.marked(result)), runner.place)
        tell({"check": check, "result": told, **seen})
        if order["shorten_after_timeout"] and result["outcome"] == "timed_out":
            seconds = time_limits.shortened_limit(limits["seconds"])
        return not order["fail_fast"] or result["outcome"] == "passed"

    def wanted(check: str) -> bool:
        loading.done()
        return check not in skip and time.monotonic() < deadline

    # The program is loaded after this: nobody can say later that the checks are broken.
    tell({"prepared": True})
    apart: dict[str, Any] = {"recorder": AssertionRecorder({runner.origin}), "builtins": pristine_builtins()}
    apart["recorder"].genuine, apart["defined"] = watch.is_genuine, watch.learn_own
    seed_random(program["seed"])
    if runner.loads_program:
        _run_project(runner, program, limits, wanted, report, tell, apart, survey, looks)
        return runner.found_examples()
    module = loading.begin(runner, by_import=not suite["one_namespace"])
    if module is None:
        return {}
    subject = ProgramUnderTest(
        module,
        lambda error: raised_in_program(error, program["filename"]),
        lambda check: time_limits.time_limit(seconds),
        is_whole=True,
        importer=loading.importer,
        **apart,
    )
    runner.run(subject, wanted, report)
    return runner.found_examples()


def _texts(suite: dict[str, Any]) -> list[str]:
    """What is known of the checks before anything is run; where they lie in their project, it is read later."""
    conftests = [text for name, text in suite["companions"].items() if os.path.basename(name) == "conftest.py"]  # noqa: PTH119
    return [suite["source"], *conftests, *(step["code"] for step in suite["steps"])]


class _Loading:
    """How the program comes to be loaded: by the tests' own import of it, or before them."""

    def __init__(self, program: dict[str, Any], watch: TamperWatch, tell: Any, seconds: float, *, told: bool) -> None:
        self.program = program
        self.watch = watch
        self.tell = tell
        self.seconds = seconds
        self.importer: Any = None
        """What loads it where the tests import it."""
        self.told = told
        """Whether the host was told that the program is loaded: where tests lie in their project, others tell it."""

    def begin(self, runner: Runner, *, by_import: bool) -> ModuleType | None:
        """The program's module, empty where the tests will import it; None where loading it decided all checks."""
        find = runner.program_finder(self.program) if by_import else None
        if find is None:
            return self._loaded(runner)
        from regreen.sandbox.guest.runner.program_loading.program_importer import ProgramImporter

        self.importer = ProgramImporter(self.program["module"], find, self._around, self.done)
        self.importer.install()
        empty = ModuleType(self.program["module"])
        empty.__file__ = self.program["filename"]
        return empty

    def done(self) -> None:
        """Tell, once, that what is run from now on are checks."""
        if not self.told:
            self.told = True
            self.tell({"loaded": True})

    def or_failure(self, result: Result) -> Result:
        """The result of a check, or that of the import of the program which kept it from being run."""
        if self.importer is None or self.importer.error is None or result["outcome"] == "passed":
            return result
        return program_failure(self.importer.error, self.program["filename"])

    def _loaded(self, runner: Runner) -> ModuleType | None:
        program = self.program
        try:
            with self._around():
                module = runner.load_program(program["source"], program["module"], program["filename"])
        except BaseException as error:  # noqa: BLE001  whatever the program raises is the result of every check
            _tell_every(self.tell, _plainly(program_failure(error, program["filename"]), runner.place), runner, program)
            return None
        self.done()
        return module

    @contextlib.contextmanager
    def _around(self) -> Iterator[None]:
        """Surrounds the run of the program's text; where that has tampered, this process ends with it."""
        self.watch.start()
        before = self.watch.changed()
        with contextlib.nullcontext() if time_limits.TIMER.armed else time_limits.time_limit(self.seconds):
            yield
        if changed := self.watch.changed_by_loading(before):
            self.tell({"tampered": changed})
            os._exit(0)


def _run_project(
    runner: Any,
    program: dict[str, Any],
    limits: dict[str, Any],
    wanted: IsWanted,
    report: ReportResult,
    tell: Any,
    apart: dict[str, Any],
    survey: Any,
    looks: TamperLooks,
) -> None:
    """Run tests that import the program themselves."""

    def ended(error: BaseException) -> Result | None:
        if survey is not None:
            survey.raised(error)
        return raised_in_program(error, program["filename"])

    @contextlib.contextmanager
    def around(check: str) -> Iterator[None]:
        looks.before(check)
        with time_limits.time_limit(limits["seconds"]), survey.around():
            yield

    subject = ProgramUnderTest(
        ModuleType(program["module"]),
        ended,
        around if survey is not None else lambda check: time_limits.time_limit(limits["seconds"]),
        **apart,
    )

    def run_collected() -> None:
        if survey is None:
            tell({"loaded": True})
        else:
            loaded = survey.loaded_files(runner.uncollected)
            tell({"loaded": True, "ids": runner.ids if runner.items is not None else (), **loaded})
        runner.go(subject, wanted, report)
        looks.at_end()

    runner.imports.watch = looks.watch
    runner.collection_seconds = limits["seconds"] * time_limits.COLLECTION_FACTOR
    runner.session(subject, run_collected)


def _survey(runner: Any, order: dict[str, Any]) -> Any:
    if not order.get("surveys"):
        return None
    # Imported late: only whole projects are surveyed.
    from regreen.sandbox.guest.runner.projects.function_survey import FunctionSurvey

    return FunctionSurvey(runner.place, traces=order["traces"])


def _plainly(result: Result, place: str) -> Result:
    """A result with paths in the project as seen from its top folder: where the copy lies says nothing to the user."""
    if not place:
        return result
    return {key: text.replace(f"{place}/", "") if isinstance(text, str) else text for key, text in result.items()}


def _tell_every(tell: Any, result: Result, runner: Runner, program: dict[str, Any]) -> None:
    """Tell the result of all checks, and which these are."""
    nothing = fresh_module(program["module"], program["filename"])
    with contextlib.suppress(Exception):
        runner.learn_ids(ProgramUnderTest(nothing, lambda error: None, lambda check: contextlib.nullcontext()))
    tell({"every": result, "ids": runner.ids})
