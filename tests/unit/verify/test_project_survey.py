"""What a survey tells is told in the user's own words."""

from __future__ import annotations

import pytest

from regreen.verify.project_survey import with_own_paths


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no name 'x' in 'a' (/scratch/project/shop/src/a.py)", "no name 'x' in 'a' (/home/me/shop/src/a.py)"),
        ("'/tmp/regreen-0123456789abcdef/project/shop/a.csv' is empty", "'/home/me/shop/a.csv' is empty"),
        ("/scratch/project/shop/a: /scratch/project/shop/b", "/home/me/shop/a: /home/me/shop/b"),
        ("/scratch/project/shopping/a.py", "/scratch/project/shopping/a.py"),
        ("expected 1, got 2", "expected 1, got 2"),
    ],
)
def test_paths_of_the_copy_become_those_of_the_project(text: str, told: str) -> None:
    """Nobody knows the folders of the sandbox."""
    assert with_own_paths(text, "/home/me/shop") == told


def test_a_folder_with_odd_characters_stays_as_it_is() -> None:
    """Neither is read as a pattern."""
    assert with_own_paths(r"/scratch/project/a.b\1/x", r"/p/a.b\1") == r"/p/a.b\1/x"
