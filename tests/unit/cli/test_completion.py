"""What a shell completes."""

from __future__ import annotations

import sys

import pytest

from regreen import cli
from regreen.cli.completion import dataset_names, from_names
from regreen.setting_table import STRATEGIES
from regreen.tasks.catalogue import DATASETS

FORMS = {
    "bash": {"_REGREEN_COMPLETE": "complete_bash", "COMP_WORDS": "{line}", "COMP_CWORD": "{place}"},
    "zsh": {"_REGREEN_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "{line}"},
    "fish": {
        "_REGREEN_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_ARGS": "{line}",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    },
}


@pytest.mark.parametrize("shell", FORMS)
@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("regreen fix x.py -s ", set(STRATEGIES)),
        ("regreen fix x.py --strategy re", {"reflect", "react"}),
        ("regreen eval im", {"impossible"}),
        ("regreen judge ", set(DATASETS)),
        ("regreen graph hy", {"hybrid"}),
        ("regreen do", {"doctor"}),
        ("regreen fix x.py --temperature-schedule ri", {"rising"}),
    ],
)
def test_names_come_from_the_tables(
    shell: str, line: str, names: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands, strategies, data sets and choices, in every shell; nothing else is printed."""
    for name, value in FORMS[shell].items():
        monkeypatch.setenv(name, value.format(line=line, place=len(line.split(" ")) - 1))
    monkeypatch.setattr(sys, "argv", ["regreen"])
    with pytest.raises(SystemExit):
        cli.main()
    printed = capsys.readouterr().out
    offered = {part.split('"')[1] for part in printed.splitlines()} if shell == "zsh" and '"' in printed else None
    assert (offered or {part.split("\t")[0] for part in printed.split()} & {*names, *STRATEGIES, *DATASETS}) >= names
    assert not any(other in printed for other in {"auto", *STRATEGIES} - names)


def test_only_what_begins_like_it_is_offered() -> None:
    """In the order of the table."""
    assert from_names(["search", "single", "react"])("s") == ["search", "single"]
    assert dataset_names("hum") == ["humanevalfix"]
