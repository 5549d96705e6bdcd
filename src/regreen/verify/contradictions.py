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
    for claim in _claims_near(files, tests, red):
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


def _claims_near(files: Mapping[str, bytes], tests: Sequence[str], red: Collection[str]) -> list[Claim]:
    """The claims in the files of red tests, and in those of other tests that name what red ones make claims of."""
    steady = SteadyFunctions(files)
    near = {test.partition("::")[0] for test in red}
    claims = claims_of(files, [test for test in tests if test.partition("::")[0] in near], steady)
    named = {name.encode() for claim in claims if claim.test in red for _, name in claim.origins if name}
    if not named:
        return []
    others = {test.partition("::")[0] for test in tests} - near
    far = {path for path in others & files.keys() if any(name in files[path] for name in named)}
    return claims + claims_of(files, [test for test in tests if test.partition("::")[0] in far], steady)


def _reason(claim: Claim, other: Claim, green: Collection[str]) -> str:
    said = f"line {claim.line} expects {claim.demand.words} of {claim.call}"
    passes = ", which passes," if other.test in green else ""
    return f"{said}, and {other.test}{passes} expects {other.demand.words} of it (line {other.line})"
