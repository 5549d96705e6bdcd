"""The environments that Poetry keeps for a project are found as it finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.environment import poetry_folder
from regreen.sandbox.poetry_environment import _environment_name, poetry_environments

POETRY = '[tool.poetry]\nname = "Shop.Floor"\n'


def project(folder: Path, text: str = POETRY) -> Path:
    """A project of Poetry's."""
    folder.mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def made(kept: Path, folder: Path, *versions: str, name: str = "shop-floor") -> list[str]:
    """Environments for a project; returns their names."""
    names = [f"{_environment_name(name, folder)}-py{version}" for version in versions]
    for each in names:
        (kept / each).mkdir(parents=True)
    return names


def found(folder: Path, kept: Path) -> list[str]:
    """The names of what is found."""
    return [place.name for place in poetry_environments(folder, kept)]


def test_an_environment_is_called_as_poetry_calls_it() -> None:
    """By the project's name and a hash of its place, as `EnvManager.generate_env_name` of Poetry 2 said."""
    assert _environment_name("shop-floor", Path("/srv/made/Shop")) == "shop-floor-znOJJD_3"


@pytest.mark.parametrize(
    "text",
    [
        POETRY,
        '[project]\nname = "shop_floor"\n[tool.poetry]\npackage-mode = true\n',
        '[project]\nname = "Shop-Floor"\n[build-system]\nbuild-backend = "poetry.core.masonry.api"\n',
    ],
)
def test_the_newest_comes_first_unless_another_is_in_use(tmp_path: Path, text: str) -> None:
    """`poetry env use` writes down which."""
    folder, kept = project(tmp_path / "shop", text), tmp_path / "kept"
    nine, twelve = made(kept, folder, "3.9", "3.12")
    made(kept, tmp_path / "elsewhere", "3.13")
    assert found(folder, kept) == [twelve, nine]
    (kept / "envs.toml").write_text(f'[{nine.removesuffix("-py3.9")}]\nminor = "3.9"\n', encoding="utf-8")
    assert found(folder, kept) == [nine, twelve]


def test_a_project_of_another_tool_or_with_a_name_that_leads_elsewhere_has_none(tmp_path: Path) -> None:
    """A name is put into a path: only what a name may hold is taken."""
    kept = tmp_path / "kept"
    for text in ('[project]\nname = "shop-floor"\n', '[tool.poetry]\nname = "../../etc"\n', "[tool.poetry\n"):
        folder = project(tmp_path / "shop", text)
        made(kept, folder, "3.12")
        assert found(folder, kept) == []
        for each in kept.iterdir():
            each.rmdir()


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({}, Path.home() / ".cache/pypoetry/virtualenvs"),
        ({"XDG_CACHE_HOME": "/cache"}, Path("/cache/pypoetry/virtualenvs")),
        ({"POETRY_CACHE_DIR": "/own"}, Path("/own/virtualenvs")),
        ({"POETRY_CACHE_DIR": "/own", "POETRY_VIRTUALENVS_PATH": "{cache-dir}/envs"}, Path("/own/envs")),
    ],
)
def test_they_are_kept_where_poetry_is_told_to(environ: dict[str, str], place: Path) -> None:
    """By its variables, else in the user's cache."""
    assert poetry_folder(environ=environ) == place
