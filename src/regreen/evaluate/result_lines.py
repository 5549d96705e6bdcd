"""Builds the line of one result from a repair and the verdicts on it; reads and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from regreen.evaluate.records import (
    AlternativeLine,
    AnswerLine,
    AttemptLine,
    CheckLine,
    ErrorLine,
    ObstacleLine,
    QuestionLine,
    RepairOrigin,
    Result,
    ResultLine,
    RunConfiguration,
    TokenUsage,
    TurnLine,
    capped,
)
from regreen.types import (
    STAGES,
    Alternative,
    Attempt,
    Case,
    CheckResult,
    Obstacle,
    Outcome,
    Question,
    Repair,
    Stop,
    Suite,
    Task,
    Turn,
    Verdict,
)
from regreen.unified_diff import unified_diff

_SOURCE_BYTES = 2 << 20
_OUTPUT_BYTES = 64 << 10
TEXT_BYTES = 16 << 10
CHECK_BYTES = 2 << 10
_PROMPT_BYTES = 256 << 10
_MAX_CHECKS = 2_000
MAX_ATTEMPTS = 200
_MAX_TURNS = 1_000


def result_line(
    case: Case,
    repair: Repair,
    hidden: Verdict,
    extra: Verdict | None,
    configuration: RunConfiguration,
    *,
    sample: int = 0,
) -> ResultLine:
    """The line of a case: the hidden checks decide, the extra ones separate fixed from overfitted.

    `hidden` is the verdict on `deciding_program`.
    """
    line = _line(case.task, repair, hidden, extra, configuration, sample, case.labels)
    return line.model_copy(update={"checks": _with_code(line.checks, case.hidden)})


def repair_line(task: Task, repair: Repair, configuration: RunConfiguration) -> ResultLine:
    """The line of a repair outside a benchmark: the checks that the strategy could see decide.

    A patch is no fix while checks stay red for another reason.
    """
    best = best_attempt(repair)
    line = _line(task, repair, best.verdict if best else repair.before, None, configuration, 0, {})
    return line.model_copy(update={"outcome": Result.UNFIXED}) if repair.set_aside else line


def best_attempt(repair: Repair) -> Attempt | None:
    """What is handed over; else the attempt that passes most checks, the first of equals; None without any."""
    if repair.chosen or repair.best:
        return repair.chosen or repair.best
    return max(repair.attempts, key=lambda attempt: attempt.verdict.checks_passed, default=None)


def origin_of(repair: Repair) -> RepairOrigin | None:
    """To whom the patch is owed; None where there is none."""
    if repair.chosen is None:
        return None
    if repair.chosen.turn is not None or not repair.chosen.candidate.is_searched:
        return RepairOrigin.MODEL
    by_id = {attempt.candidate.id: attempt for attempt in repair.attempts}
    ancestor, known = by_id.get(repair.chosen.candidate.parent or ""), set[str]()
    while ancestor is not None and ancestor.candidate.id not in known:
        if ancestor.turn is not None:
            return RepairOrigin.AROUND
        known.add(ancestor.candidate.id)
        ancestor = by_id.get(ancestor.candidate.parent or "")
    return RepairOrigin.SEARCH


def error_line(
    case: Case, kind: str, message: str, configuration: RunConfiguration, *, sample: int = 0, seconds: float = 0.0
) -> ResultLine:
    """The line of a sample without a decision, because the machine or a service failed after `seconds`."""
    return ResultLine(
        task_id=case.task.id,
        sample=sample,
        outcome=Result.ERROR,
        passed=False,
        plausible=False,
        robust=None,
        stop=Stop.ERROR,
        iters=0,
        attempts_total=0,
        runtime_sec=seconds,
        buggy_source=capped(case.task.source, _SOURCE_BYTES),
        labels=_labels(case.labels),
        error=ErrorLine(kind=capped(kind, CHECK_BYTES), message=capped(message, TEXT_BYTES)),
        **_configuration_fields(configuration, sample),
    )


def _line(
    task: Task,
    repair: Repair,
    deciding: Verdict,
    extra: Verdict | None,
    configuration: RunConfiguration,
    sample: int,
    labels: Mapping[str, str],
) -> ResultLine:
    final = repair.chosen.candidate.source if repair.chosen else None
    robust = None if extra is None else deciding.passed and extra.passed
    cost, judged = repair.cost, best_attempt(repair)
    return ResultLine(
        task_id=task.id,
        sample=sample,
        outcome=_outcome(repair, deciding, robust),
        passed=deciding.passed and (repair.chosen is not None or judged is None),
        plausible=_seen(repair).passed,
        robust=robust,
        stop=repair.stop,
        iters=len(repair.turns),
        attempts_total=len(repair.attempts),
        origin=origin_of(repair),
        judged_candidate=judged.candidate.id if judged else None,
        candidates=cost.candidates,
        duplicates=cost.duplicates,
        searches=cost.searches,
        checks_passed=deciding.checks_passed,
        checks_total=len(deciding.results),
        extra_passed=None if extra is None else extra.checks_passed,
        extra_total=None if extra is None else len(extra.results),
        isolation=deciding.isolation,
        no_wall=deciding.no_wall,
        exit_code=deciding.exit_code,
        stdout=capped(deciding.stdout, _OUTPUT_BYTES),
        stderr=capped(deciding.stderr, _OUTPUT_BYTES),
        detail=capped(deciding.detail, TEXT_BYTES),
        runtime_sec=cost.seconds,
        timings_sec=_timings(repair),
        token_usage=token_usage(repair.turns),
        model_calls=cost.model_calls,
        iteration=_iteration(repair),
        cost_usd=cost.usd,
        buggy_source=capped(task.source, _SOURCE_BYTES),
        final_source=None if final is None else capped(final, _SOURCE_BYTES),
        diff="" if final is None else capped(unified_diff(task.source, final, f"{task.module}.py"), _SOURCE_BYTES),
        explanation=capped(repair.explanation, TEXT_BYTES),
        flaky=[capped(check, CHECK_BYTES) for check in repair.flaky[:_MAX_CHECKS]],
        obstacles=[_obstacle(obstacle) for obstacle in repair.obstacles],
        labels=_labels(labels),
        checks=_checks(deciding),
        attempts=[_attempt(attempt, repair.turns) for attempt in repair.attempts[-MAX_ATTEMPTS:]],
        turns=[turn_line(turn) for turn in repair.turns[:_MAX_TURNS]],
        likelihood=repair.likelihood,
        alternatives=[_alternative(alternative) for alternative in repair.alternatives],
        questions=[_question(question) for question in repair.questions],
        **_configuration_fields(configuration, sample),
    )


def _configuration_fields(configuration: RunConfiguration, sample: int) -> dict[str, Any]:
    """The fields that come from the configuration."""
    return {
        "dataset": configuration.dataset,
        "strategy": configuration.strategy,
        "model": configuration.model,
        "feedback": configuration.feedback,
        "seed": configuration.seed + sample,
    }


def _outcome(repair: Repair, deciding: Verdict, robust: bool | None) -> Result:
    """Only a patch can be a fix: a program that never failed is none, nor is one that leaves checks red."""
    if repair.chosen is None or not deciding.passed or (deciding is repair.chosen.verdict and repair.set_aside):
        return Result.UNFIXED
    return Result.OVERFITTED if robust is False else Result.FIXED


def _seen(repair: Repair) -> Verdict:
    """The strategy's own last verdict on the program that it leaves."""
    return repair.chosen.verdict if repair.chosen else repair.before


def _checks(verdict: Verdict) -> list[CheckLine]:
    return [check_line(*found) for found in list(verdict.results.items())[:_MAX_CHECKS]]


def _with_code(checks: Sequence[CheckLine], suite: Suite) -> list[CheckLine]:
    """The checks with their text, where that is more than their id."""
    codes = {check.id: check.code for check in suite.checks if check.code != check.id}
    return [
        line.model_copy(update={"code": capped(codes[line.id], CHECK_BYTES)}) if line.id in codes else line
        for line in checks
    ]


def check_line(check: str, result: CheckResult) -> CheckLine:
    """The record of one check's result."""
    return CheckLine(
        id=capped(check, CHECK_BYTES),
        outcome=result.outcome,
        expected=capped(result.expected, CHECK_BYTES),
        actual=capped(result.actual, CHECK_BYTES),
        detail=capped(result.detail, CHECK_BYTES),
        unproven=capped(result.unproven, CHECK_BYTES),
    )


def _obstacle(obstacle: Obstacle) -> ObstacleLine:
    return ObstacleLine(
        kind=obstacle.kind,
        checks=[capped(check, CHECK_BYTES) for check in obstacle.checks[:_MAX_CHECKS]],
        subject=capped(obstacle.subject, CHECK_BYTES),
        cause=capped(obstacle.cause, CHECK_BYTES),
        remedy=capped(obstacle.remedy, CHECK_BYTES),
        certain=obstacle.certain,
    )


def _alternative(alternative: Alternative) -> AlternativeLine:
    candidate = alternative.candidate
    return AlternativeLine(
        source=capped(candidate.source, _SOURCE_BYTES),
        likelihood=alternative.likelihood,
        note=capped(candidate.note, CHECK_BYTES),
    )


def _question(question: Question) -> QuestionLine:
    answers = [
        AnswerLine(value=capped(a.value, CHECK_BYTES), check=capped(a.check, CHECK_BYTES), likelihood=a.likelihood)
        for a in question.answers
    ]
    return QuestionLine(input=capped(question.input, CHECK_BYTES), answers=answers, answered=question.answered)


def token_usage(turns: Sequence[Turn]) -> TokenUsage:
    """The tokens of these requests, together and by the node that asked."""
    by_node: dict[str, dict[str, int]] = {}
    for turn in turns:
        node = by_node.setdefault(turn.node, {"calls": 0, "prompt": 0, "completion": 0, "reasoning": 0})
        node["calls"] += 1
        node["prompt"] += turn.prompt_tokens
        node["completion"] += turn.completion_tokens
        node["reasoning"] += turn.reasoning_tokens
    total = {kind: sum(node[kind] for node in by_node.values()) for kind in ("prompt", "completion", "reasoning")}
    return TokenUsage(**total, by_node=by_node)


def _iteration(repair: Repair) -> int | None:
    """The iteration that proposed the patch."""
    number = repair.chosen.turn if repair.chosen else None
    return next((turn.iteration for turn in repair.turns if turn.number == number), None)


def _timings(repair: Repair) -> dict[str, float]:
    """Seconds by stage: the model's share as drafts and as what came after them, and apart from it what was waited."""
    cost = repair.cost
    drafting = sum(turn.seconds for turn in repair.turns if turn.iteration == 0)
    timings = {stage: 0.0 for stage in STAGES} | dict(cost.timings)
    timings["reflect"] = max(timings["reflect"] - drafting, 0.0)
    return timings | {"draft": drafting, "wait": cost.waited}


def turn_line(turn: Turn) -> TurnLine:
    """The record of one request and its reply, cut to length."""
    return TurnLine(
        number=turn.number,
        node=turn.node,
        iteration=turn.iteration,
        temperature=turn.temperature,
        prompt=capped(turn.prompt, _PROMPT_BYTES),
        reply=capped(turn.reply, _PROMPT_BYTES),
        reasoning=capped(turn.reasoning, _PROMPT_BYTES),
        candidate_id=turn.candidate_id,
        fault=capped(turn.fault, CHECK_BYTES),
        fault_detail=capped(turn.fault_detail, CHECK_BYTES),
        finish=capped(turn.finish, CHECK_BYTES),
        prompt_tokens=turn.prompt_tokens,
        completion_tokens=turn.completion_tokens,
        reasoning_tokens=turn.reasoning_tokens,
        usd=turn.usd,
        seconds=turn.seconds,
        ended=turn.ended,
    )


def _attempt(attempt: Attempt, turns: Sequence[Turn]) -> AttemptLine:
    candidate, verdict = attempt.candidate, attempt.verdict
    turn = next((turn for turn in turns if turn.number == attempt.turn), None)
    outcomes = [result.outcome for result in verdict.results.values()]
    failed = next(((c, r) for c, r in verdict.results.items() if r.outcome is not Outcome.PASSED), None)
    return AttemptLine(
        candidate_id=candidate.id,
        origin=capped(candidate.origin, CHECK_BYTES),
        outcome=failed[1].outcome if failed else Outcome.PASSED if outcomes else None,
        checks_passed=verdict.checks_passed,
        checks_total=len(outcomes),
        failed_check=check_line(*failed) if failed else None,
        detail=capped(verdict.detail, CHECK_BYTES),
        seconds=verdict.seconds,
        note=capped(candidate.note, CHECK_BYTES),
        temperature=turn.temperature if turn else None,
        turn=attempt.turn,
        source=capped(candidate.source, _SOURCE_BYTES) if turns else None,
    )


def _labels(labels: Mapping[str, str]) -> dict[str, str]:
    return {capped(name, CHECK_BYTES): capped(value, CHECK_BYTES) for name, value in labels.items()}
