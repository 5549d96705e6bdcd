"""Reads the results of those that run programs: EvalPlus's `*_eval_results.json`, HumanEval's `*_results.jsonl`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from regreen.evaluate import jsonl
from regreen.evaluate.foreign_results import ForeignResults, Form, foreign_line, parsed, read_document
from regreen.evaluate.records import Result

_PASS = "pass"
_SHOWN = 3
"""Failing inputs that are quoted."""
_JUDGED = "judged only"


class _Judged(Form):
    task_id: str
    solution: str = ""
    base_status: str
    plus_status: str | None = None
    base_fail_tests: list[Any] | None = None
    plus_fail_tests: list[Any] | None = None


class _EvalPlus(Form):
    date: str = ""
    judged: dict[str, list[_Judged]] = Field(alias="eval")


class _HumanEval(Form):
    task_id: str
    completion: str | None = None
    solution: str | None = None
    result: str = ""
    passed: bool


def read_evalplus(path: Path) -> ForeignResults:
    """The programs that EvalPlus judged; what passes the base tests and fails further ones is overfitted."""
    document = parsed(_EvalPlus, read_document(path), str(path))
    samples = [judged for of_task in document.judged.values() for judged in of_task]
    return ForeignResults(
        "evalplus", "humaneval", document.date, (_evalplus_line(of) for of in samples), planned=len(samples)
    )


def _evalplus_line(judged: _Judged) -> dict[str, Any]:
    fixed, robust = judged.base_status == _PASS, None if judged.plus_status is None else judged.plus_status == _PASS
    outcome = Result.UNFIXED if not fixed else Result.OVERFITTED if robust is False else Result.FIXED
    failed = {"base": judged.base_fail_tests, "plus": judged.plus_fail_tests}
    told = [f"fails on {kind} inputs {str(inputs[:_SHOWN])[1:-1]}" for kind, inputs in failed.items() if inputs]
    return foreign_line(
        judged.task_id,
        outcome,
        strategy=_JUDGED,
        robust=robust if fixed else None,
        stop=f"base {judged.base_status}" + ("" if judged.plus_status is None else f", plus {judged.plus_status}"),
        final_source=judged.solution,
        detail="; ".join(told),
    )


def read_humaneval(path: Path) -> ForeignResults:
    """The programs that HumanEval's own evaluation judged."""
    rows = [parsed(_HumanEval, row.values, f"line {row.number} of {path}") for row in jsonl.read_lines(path)]
    return ForeignResults("human-eval", "humaneval", "", _humaneval_lines(rows), planned=len(rows))


def _humaneval_lines(rows: list[_HumanEval]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield foreign_line(
            row.task_id,
            Result.FIXED if row.passed else Result.UNFIXED,
            strategy=_JUDGED,
            stop=row.result.partition(":")[0] or ("passed" if row.passed else "failed"),
            # What is a whole program, and what the end of one, HumanEval does not say.
            final_source=row.solution if row.solution is not None else row.completion,
            detail=row.result,
        )


def is_evalplus(document: Any) -> bool:
    """Whether a document is EvalPlus's: by task, lists of programs with their status."""
    judged = document.get("eval") if isinstance(document, Mapping) else None
    return isinstance(judged, Mapping) and all(isinstance(value, list) for value in judged.values()) and bool(judged)
