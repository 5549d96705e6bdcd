"""Tests that no program could pass together: two that ask one call for answers that exclude each other.

Only calls that always answer alike count (`steady_functions`): a program that remembers its calls may well answer one
in two ways.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from regreen.types import AsideKind, TestsAside
from regreen.verify.claims import Claim, claims_of
from regreen.verify.demands import excludes
from regreen.verify.steady_functions import SteadyFunctions

_REMEDY = "Decide which is meant, and correct the other."


def contradicting_tests(
    files: Mapping[str, bytes],
    tests: Sequence[str],
    red: Collection[str],
    green: Collection[str],
    *,
    among_red: bool = True,
) -> tuple[TestsAside, ...]:
    """The red tests that contradict a green one or, `among_red`, another red one, each with both lines.

    `tests` are the ids of all tests, in the order in which pytest runs them.
    """
    by_call: dict[tuple[str, frozenset[tuple[str, str]]], list[Claim]] = {}
    for claim in claims_of(files, tests, SteadyFunctions(files)):
        by_call.setdefault((claim.call, claim.origins), []).append(claim)
    found: dict[str, str] = {}
    for alike in by_call.values():
        # Green ones first: they are the better witnesses.
        heard = (claim for claim in alike if claim.test in green or (among_red and claim.test in red))
        witnesses = sorted(heard, key=lambda claim: claim.test not in green)
        for claim in alike:
            other = next((each for each in witnesses if excludes(each.demand, claim.demand)), None)
            if claim.test in red and claim.test not in found and other is not None:
                found[claim.test] = _reason(claim, other, green)
    return tuple(TestsAside(AsideKind.CONTRADICTION, (test,), reason, _REMEDY) for test, reason in found.items())


def _reason(claim: Claim, other: Claim, green: Collection[str]) -> str:
    said = f"line {claim.line} expects {claim.demand.words} of {claim.call}"
    passes = ", which passes," if other.test in green else ""
    return f"{said}, and {other.test}{passes} expects {other.demand.words} of it (line {other.line})"
