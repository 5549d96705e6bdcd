"""What the shared values say of themselves."""

from __future__ import annotations

from dataclasses import replace

from regreen.types import Check, Isolation, Project, Suite, SuiteKind


def test_equal_suites_have_one_digest_and_others_another() -> None:
    """Whatever differs in them, be it where they run."""
    suite = Suite(SuiteKind.MODULE, "def test_a(): ...", (Check("test_a", "..."),))
    others = [
        replace(suite, kind=SuiteKind.PYTEST),
        replace(suite, source="def test_a(): pass"),
        replace(suite, checks=(Check("test_a", "pass"),)),
        replace(suite, isolation=Isolation.SHARED),
    ]
    assert replace(suite).digest == suite.digest
    assert len({suite.digest, *(other.digest for other in others)}) == 5


def test_a_digest_is_taken_of_any_text() -> None:
    """Half of a surrogate pair included, which no encoding takes."""
    assert len(Suite(SuiteKind.SCRIPT, "assert '\ud800'", ()).digest) == 64


def test_a_suite_without_its_project_is_one_object() -> None:
    """Its digest, by which a judge finds what it has compiled, is then made once for all candidates."""
    bare = Suite(SuiteKind.PYTEST, "def test(): pass", ())
    assert bare.alone is bare
    whole = replace(bare, project=Project("/", {}, "program.py"))
    assert whole.alone is whole.alone
    assert whole.alone == bare
