"""Where settings come from, which place wins, and what is said of a bad one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.config import Settings, load_settings
from regreen.environment import shown_variables, variable_names
from regreen.errors import ConfigError
from regreen.setting_table import SETTINGS, STRATEGIES, SettingTable


def project(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_defaults_are_the_ones_that_the_documentation_names(tmp_path: Path) -> None:
    """With nothing set anywhere, a repair tries 50,000 candidates for a minute, 2 s and 1 GiB a check."""
    settings = load_settings(near=tmp_path, environ={})
    assert (settings.max_candidates, settings.max_seconds) == (50_000, 300.0)
    assert (settings.limits.seconds, settings.limits.memory_bytes) == (2.0, 1 << 30)
    assert (settings.strategy, settings.sandbox, settings.layers, settings.seed) == ("auto", "jail", "auto", 0)
    assert settings.python == sys.executable


def test_each_place_overrules_the_one_before_it(tmp_path: Path) -> None:
    """defaults < [tool.regreen] < environment < flags."""
    project(tmp_path, "[tool.regreen]\ntimeout = 3\nseed = 3\nworkers = 3\n")
    settings = load_settings(
        {"workers": "5", "seed": None}, near=tmp_path, environ={"REGREEN_SEED": "4", "REGREEN_WORKERS": "4"}
    )
    assert (settings.timeout, settings.seed, settings.workers) == (3.0, 4, 5)


def test_the_nearest_table_upwards_is_read(tmp_path: Path) -> None:
    """A pyproject.toml without the table is passed over; the first one with it ends the search."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    project(tmp_path, "[tool.regreen]\nseed = 1\n")
    project(tmp_path / "a", "[tool.regreen]\ntimeout = 9\n")
    project(inner, "[project]\nname = 'x'\n")
    settings = load_settings(near=inner / "target.py", environ={})
    assert (settings.timeout, settings.seed) == (9.0, 0)


@pytest.mark.parametrize(
    ("flags", "environ", "said"),
    [
        ({"timeout": "0"}, {}, "--timeout is '0'. It has to be CPU seconds a check, above 0"),
        ({"timeout": "nan"}, {}, "--timeout is 'nan'."),
        ({"max_candidates": "many"}, {}, "--max-candidates is 'many'. It has to be a whole number from 1"),
        ({}, {"REGREEN_SANDBOX": "none"}, "REGREEN_SANDBOX is 'none'. It has to be jail"),
        ({}, {"REGREEN_PYTHON": "/nowhere/python"}, "REGREEN_PYTHON is '/nowhere/python'."),
    ],
)
def test_a_bad_value_is_refused_with_its_name_place_value_and_what_is_allowed(
    tmp_path: Path, flags: dict[str, str], environ: dict[str, str], said: str
) -> None:
    """Nobody has to guess which of four places held the bad value."""
    with pytest.raises(ConfigError) as raised:
        load_settings(flags, near=tmp_path, environ=environ)
    assert said in str(raised.value)


def test_a_bad_value_in_the_file_names_the_file(tmp_path: Path) -> None:
    """The path is in the message, braces and all."""
    folder = tmp_path / "{odd}"
    folder.mkdir()
    project(folder, "[tool.regreen]\nworkers = 0\n")
    with pytest.raises(ConfigError, match=r"workers in \[tool.regreen\] of .*\{odd\}.*is 0"):
        load_settings(near=folder, environ={})


@pytest.mark.parametrize("key", [name for name, setting in SETTINGS.items() if setting.is_number])
def test_a_truth_value_is_not_a_number(tmp_path: Path, key: str) -> None:
    """`true` in the file never turns silently into 1."""
    project(tmp_path, f"[tool.regreen]\n{key} = true\n")
    with pytest.raises(ConfigError, match=key):
        load_settings(near=tmp_path, environ={})


def test_the_table_has_the_settings_and_nothing_else() -> None:
    """A row without a field, a field without a row, or a number without a bound fails."""
    kinds = (int, float, int | None, float | None)
    assert list(SETTINGS) == list(Settings.model_fields)
    assert {name for name, setting in SETTINGS.items() if setting.is_number} == {
        name for name, field in Settings.model_fields.items() if field.annotation in kinds
    }


def test_every_default_is_a_value_that_the_setting_takes() -> None:
    """Defaults keep their own bounds and choices."""
    defaults = {name: setting.default() for name, setting in SETTINGS.items()}
    assert Settings.model_validate(defaults) == Settings()


@pytest.mark.parametrize("name", ["auto", *STRATEGIES])
def test_every_strategy_may_be_set(tmp_path: Path, name: str) -> None:
    """The names of the table and "auto" are taken."""
    assert load_settings({"strategy": name}, near=tmp_path, environ={}).strategy == name


def test_a_strategy_that_is_in_no_table_is_refused(tmp_path: Path) -> None:
    """The message lists every name."""
    with pytest.raises(ConfigError, match=r"--strategy is 'serch'\. It has to be auto, search, .* or hybrid\."):
        load_settings({"strategy": "serch"}, near=tmp_path, environ={})


def test_help_says_the_default_or_what_holds_without_the_flag() -> None:
    """A flag's help ends with its default, with what "auto" or None means, or with nothing where neither says more."""
    assert SettingTable.timeout.help == "CPU seconds a check [2]."
    assert SettingTable.workers.help == "Processes at work [every core]."
    assert SettingTable.layers.help == "Layers of the jail: auto, namespaces, landlock [auto]."
    assert "auto" not in SettingTable.strategy.help
    assert SettingTable.cache.help.endswith("add to it.")


def test_an_unknown_key_in_the_file_is_named_with_the_closest_one(tmp_path: Path) -> None:
    """A slip in the file is not ignored."""
    project(tmp_path, "[tool.regreen]\ntimout = 3\n")
    with pytest.raises(ConfigError, match=r"timout .* is not a setting. The closest one is timeout"):
        load_settings(near=tmp_path, environ={})


def test_a_variable_that_almost_names_a_setting_is_a_slip(tmp_path: Path) -> None:
    """REGREEN_TIMOUT is refused; a variable of another version's setting is left alone."""
    with pytest.raises(ConfigError, match="Did you mean REGREEN_TIMEOUT"):
        load_settings(near=tmp_path, environ={"REGREEN_TIMOUT": "3"})
    assert load_settings(near=tmp_path, environ={"REGREEN_ROUTE_MAP": "x"}).timeout == 2.0


@pytest.mark.parametrize("key", [name for name, setting in SETTINGS.items() if setting.user_only])
def test_a_project_cannot_choose_its_own_confinement(tmp_path: Path, key: str) -> None:
    """The program under repair comes with a pyproject.toml: it may not pick what runs or confines it."""
    project(tmp_path, f'[tool.regreen]\n{key} = "x"\n')
    with pytest.raises(ConfigError, match=f"{key} cannot be set in .*REGREEN_{key.upper()}"):
        load_settings(near=tmp_path, environ={})


def test_what_confines_a_program_is_the_user_s_to_set() -> None:
    """The wall, the interpreter, what else may be changed, where keys are sent, and where replies and work go."""
    assert {name for name, setting in SETTINGS.items() if setting.user_only} == {
        "python", "sandbox", "layers", "allow", "allow_processes", "base_url", "model_file", "cache", "spread",
        "docker_image", "docker_cpus", "docker_memory", "docker_pids", "docker_runtime", "docker_bin"
    }  # fmt: skip


@pytest.mark.parametrize("text", ["regreen", "[tool]\nregreen = 3\n", "\x00 regreen", "[tool.regreen"])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    """A pyproject.toml that cannot be read is an error, not an empty table."""
    project(tmp_path, text)
    with pytest.raises(ConfigError, match=r"pyproject\.toml"):
        load_settings(near=tmp_path, environ={})


def test_a_broken_file_that_does_not_name_us_holds_no_settings(tmp_path: Path) -> None:
    """What is wrong with it is for the tools that it is meant for to say."""
    project(tmp_path, "not toml")
    assert load_settings(near=tmp_path, environ={}) == load_settings(near=tmp_path.parent, environ={})


def environment(folder: Path, version: str) -> Path:
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (folder / "pyvenv.cfg").write_text(f"home = /usr\nversion = {version}\n", encoding="utf-8")
    return python


def test_the_active_virtual_environment_runs_the_program(tmp_path: Path) -> None:
    """$VIRTUAL_ENV's Python is the default, so that the program finds what it imports."""
    python = environment(tmp_path / "venv", "3.12.1")
    environ = {"VIRTUAL_ENV": str(tmp_path / "venv")}
    assert load_settings(near=tmp_path, environ=environ).python == str(python)
    assert load_settings({"python": sys.executable}, near=tmp_path, environ=environ).python == sys.executable


@pytest.mark.parametrize("version", ["3.8.10", "3.10.0", "2.7"])
def test_a_virtual_environment_that_is_too_old_is_passed_over(tmp_path: Path, version: str) -> None:
    """What runs inside the wall needs Python 3.11."""
    environment(tmp_path / "venv", version)
    assert load_settings(near=tmp_path, environ={"VIRTUAL_ENV": str(tmp_path / "venv")}).python == sys.executable


def conda(prefix: Path, version: str) -> Path:
    """An environment as conda makes them."""
    python = prefix / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (prefix / "conda-meta").mkdir()
    (prefix / "conda-meta" / f"python-{version}-h1_0_cpython.json").write_text("{}", encoding="utf-8")
    (prefix / "conda-meta" / "python-dateutil-2.9.0-py_0.json").write_text("{}", encoding="utf-8")
    return python


def test_the_active_environment_of_conda_runs_the_program(tmp_path: Path) -> None:
    """A virtual environment comes before it, as in a shell; `base` is conda's own, and too old ones are passed over."""
    python, venv = conda(tmp_path / "conda", "3.12.4"), environment(tmp_path / "venv", "3.12.1")
    conda(tmp_path / "old", "3.9.1")
    environ = {"CONDA_PREFIX": str(tmp_path / "conda"), "CONDA_DEFAULT_ENV": "work"}
    assert load_settings(near=tmp_path, environ=environ).python == str(python)
    both = environ | {"VIRTUAL_ENV": str(tmp_path / "venv")}
    assert load_settings(near=tmp_path, environ=both).python == str(venv)
    assert load_settings(near=tmp_path, environ=environ | {"CONDA_DEFAULT_ENV": "base"}).python == sys.executable
    old = environ | {"CONDA_PREFIX": str(tmp_path / "old")}
    assert load_settings(near=tmp_path, environ=old).python == sys.executable


def test_no_color_holds_unless_something_of_ours_says_otherwise(tmp_path: Path) -> None:
    """NO_COLOR is honoured; REGREEN_COLOR and the flag overrule it."""
    assert load_settings(near=tmp_path, environ={"NO_COLOR": "1"}).color == "never"
    assert load_settings(near=tmp_path, environ={"NO_COLOR": ""}).color == "auto"
    assert load_settings(near=tmp_path, environ={"NO_COLOR": "1", "REGREEN_COLOR": "always"}).color == "always"


@given(st.dictionaries(st.sampled_from(sorted(Settings.model_fields)), st.text(max_size=8), min_size=1))
def test_any_text_is_either_taken_or_refused_by_name(flags: dict[str, str]) -> None:
    """No value of a flag escapes as anything but a ConfigError that names a flag."""
    refused = ""
    try:
        load_settings(flags, near=Path("/"), environ={})
    except ConfigError as error:
        refused = str(error)
    assert not refused or refused.startswith(tuple("--" + key.replace("_", "-") for key in flags))


def test_settings_never_change_once_resolved(tmp_path: Path) -> None:
    """The tree is frozen and survives a round through plain data."""
    settings = load_settings(near=tmp_path, environ={})
    with pytest.raises(ValueError, match="frozen"):
        settings.seed = 1  # type: ignore[misc]
    assert Settings.model_validate(settings.model_dump(mode="json")) == settings


def test_tests_see_the_variables_that_were_named_and_no_key() -> None:
    """By name from the environment, or with a value; a name that looks like a secret's needs one."""
    environ = {"CURRENCY": "EUR", "OPENAI_API_KEY": "sk-1"}
    assert shown_variables(["CURRENCY", "A=b=c"], environ=environ) == {"CURRENCY": "EUR", "A": "b=c"}
    assert shown_variables(["OPENAI_API_KEY=fake"], environ=environ) == {"OPENAI_API_KEY": "fake"}
    assert variable_names(environ=environ) == environ.keys()
    for name, said in {
        "OPENAI_API_KEY": "looks like a secret",
        "db_password": "a secret",
        "NOWHERE": "not set",
    }.items():
        with pytest.raises(ConfigError, match=said) as refusal:
            shown_variables([name], environ={**environ, "db_password": "x"})
        assert f"--env {name}=VALUE" in refusal.value.remedy


@pytest.mark.parametrize("items", [["A-B"], ["A", "A=1"], ["=1"], "A,,B B"])
def test_a_variable_has_a_name_of_its_own(items: list[str] | str, tmp_path: Path) -> None:
    """Named twice, or with a name that none has, it is refused where it was set."""
    with pytest.raises(ConfigError, match="It has to be names of environment variables"):
        load_settings({"env": items}, near=tmp_path, environ={})


def test_variables_can_be_named_in_every_place(tmp_path: Path) -> None:
    """A list in a project's settings and on the command line, words with commas in the environment."""
    project(tmp_path, "[tool.regreen]\nenv = ['A', 'B=1']\n")
    assert load_settings(near=tmp_path, environ={}).env == ("A", "B=1")
    assert load_settings(near=tmp_path, environ={"REGREEN_ENV": "C, D=2"}).env == ("C", "D=2")


def test_settings_of_a_container_are_taken_from_either_name() -> None:
    """Ours, and those that the field's small agents use."""
    environ = {"REGREEN_SANDBOX": "docker", "SANDBOX_DOCKER_IMAGE": "a/b:1", "REGREEN_DOCKER_MEMORY": "1.5g"}
    container = load_settings(near=Path("/"), environ=environ).confinement.container
    assert (container.image, container.memory_bytes) == ("a/b:1", 1536 << 20)


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"REGREEN_DOCKER_IMAGE": "x"}, "REGREEN_DOCKER_IMAGE is set, and has no meaning with --sandbox jail"),
        ({"REGREEN_SANDBOX": "docker", "REGREEN_LAYERS": "landlock"}, "no meaning with --sandbox docker"),
        ({"REGREEN_SANDBOX": "docker", "REGREEN_PYTHON": "/bin/sh"}, "choose one with --docker-image"),
        ({"REGREEN_SANDBOX": "docker", "SANDBOX_DOCKER_PIDS": "64", "REGREEN_DOCKER_PIDS": "65"}, "Unset one of them"),
        ({"REGREEN_SANDBOX": "docker", "SANDBOX_DOCKER_MEMORY": "512m"}, "SANDBOX_DOCKER_MEMORY.*--memory-mb 448"),
        ({"REGREEN_SANDBOX": "docker", "REGREEN_DOCKER_MEMORY": "much"}, "or a number with b, k, m or g"),
        ({"REGREEN_SANDBOX": "docker", "REGREEN_DOCKER_IMAGE": "--privileged"}, "the name of an image"),
    ],
)
def test_what_is_set_for_a_sandbox_is_never_ignored(environ: dict[str, str], words: str) -> None:
    """A setting that another sandbox has, that contradicts another, or that cannot hold is refused."""
    with pytest.raises(ConfigError, match=words):
        load_settings(near=Path("/"), environ=environ)


def test_other_tools_variables_are_theirs_where_no_container_is_asked_for() -> None:
    """They speak to us only with `--sandbox docker`."""
    assert load_settings(near=Path("/"), environ={"SANDBOX_DOCKER_IMAGE": "x"}).sandbox == "jail"
