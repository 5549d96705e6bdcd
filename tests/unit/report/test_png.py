"""The picture: drawn for any run, and said how to get where its library is missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.errors import ConfigError
from regreen.report.gather import gather
from regreen.report.png import title_of, write_picture

FolderOf = Callable[..., Path]
LineOf = Callable[..., dict[str, Any]]


def drawn(*folders: Path) -> tuple[int, int]:
    """The size of the picture of some runs, and how many different greys it has."""
    image = pytest.importorskip("matplotlib.image")
    path = write_picture(gather(folders), folders[0] / "report.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    pixels = image.imread(path)
    return pixels.shape[1], len(set(pixels[::4, ::4, :3].mean(axis=2).round(2).ravel().tolist()))


def test_a_run_is_drawn(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """Large enough to read, in more than black and white."""
    pytest.importorskip("matplotlib")
    width, greys = drawn(folder_of(made.made_lines(tasks=12)))
    assert width > 1_500
    assert greys > 10


def test_runs_are_drawn_together(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """As many as a report takes."""
    pytest.importorskip("matplotlib")
    folders = [folder_of(made.made_lines(tasks=2, seed=n, samples=2), f"run {n}") for n in range(6)]
    assert drawn(*folders)[0] > 1_500


def test_names_give_way_and_figures_never(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """Every run has a line above the charts, with its rate whole, however long its name is."""
    pytest.importorskip("matplotlib")
    folders = [folder_of(made.made_lines(tasks=4, seed=n, model="m" * 90), f"run {n} {'x' * 90}") for n in range(8)]
    lines = title_of(gather(folders)).split("\n")
    assert [line.split()[1] for line in lines] == [str(n) for n in range(8)]
    assert all(line.endswith(")") and "pass@1" in line for line in lines)
    assert max(map(len, lines)) < 140


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [{"task_id": "a", "outcome": "error"}],
        [{"task_id": "a", "outcome": "unfixed", "runtime_sec": 0}],
        [{"task_id": "$x_1$", "outcome": "fixed", "labels": {"$\\frac": "$\\frac{1}\n\x1b\u202e"}, "runtime_sec": 1e9}],
    ],
    ids=["nothing", "errors alone", "no time", "formulas and marks"],
)
def test_a_run_that_knows_little_is_drawn_too(folder_of: FolderOf, lines: Iterable[dict[str, Any]]) -> None:
    """What is not known is said in its place; text is never a formula."""
    pytest.importorskip("matplotlib")
    assert drawn(folder_of(lines, "$\\x$", header={}))[0] > 1_500


def test_without_matplotlib_the_remedy_is_said(
    folder_of: FolderOf, line_of: LineOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that installs it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = folder_of([line_of("a")])
    with pytest.raises(ConfigError, match="matplotlib is not installed") as refused:
        write_picture(gather([folder]), folder / "report.png")
    assert "pip install 'regreen[plots]'" in refused.value.remedy
    assert not (folder / "report.png").exists()
