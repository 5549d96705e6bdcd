"""The model's share in the repair of a project, as `--json` tells it: the fields of a result line."""

from __future__ import annotations

from typing import Any

from regreen.types import ProjectRepair


def model_share(repair: ProjectRepair) -> dict[str, Any]:
    """Strategy and model, tokens, money, every request with its reply, and every change that was judged."""
    from regreen.evaluate.result_lines import token_usage, turn_line

    return {
        "strategy": repair.strategy,
        "model": repair.model,
        "model_calls": repair.cost.model_calls,
        "iters": len(repair.turns),
        "token_usage": token_usage(repair.turns).model_dump(mode="json"),
        "cost_usd": repair.cost.usd,
        "timings_sec": {phase: round(seconds, 3) for phase, seconds in repair.cost.timings.items()},
        "attempts": [
            {
                "candidate_id": attempt.candidate_id,
                "origin": attempt.origin,
                "diff": attempt.diff,
                "tests_passed": attempt.tests_passed,
                "tests_total": attempt.tests_total,
                "passed": attempt.passed,
                "broken": list(attempt.broken),
                "turn": attempt.turn,
            }
            for attempt in repair.attempts
        ],
        "turns": [turn_line(turn).model_dump(mode="json") for turn in repair.turns],
    }
