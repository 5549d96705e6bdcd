"""Makes the pictures of docs/images anew: runs `regreen eval` and `regreen report`, and looks at the pages.

Needs Chromium with its driver, selenium and matplotlib: `.venv/bin/python docs/screenshots.py`. Takes some minutes.
"""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
TASKS = "40"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars"
).split()
SETTLED = 0.8
"""Seconds until a page has drawn what it was asked for."""


@dataclass(frozen=True)
class Picture:
    """One view of a page."""

    name: str
    page: str
    fragment: str = ""
    width: int = 1280
    height: int = 960
    dark: bool = False
    script: str = ""
    """Run before the picture is taken, e.g. to scroll."""


TO_ATTEMPTS = (
    "[...document.querySelectorAll('h2, h3')].find(head => head.textContent === 'Attempts').scrollIntoView();"
    "scrollBy(0, -80)"
)
PICTURES = (
    Picture("overview.png", "search", height=1240),
    Picture("overview-dark.png", "search", dark=True),
    Picture("tasks.png", "search", "#sort=-seconds", script="document.getElementById('tasks').scrollIntoView()"),
    Picture("task.png", "search", "#task=bundled%2Fisland-sizes", height=1180),
    Picture("attempts.png", "model", "#task=bundled%2Flru-cache", height=1500, dark=True, script=TO_ATTEMPTS),
    Picture("comparison.png", "comparison", height=1240),
    Picture("grid.png", "grid", height=1500),
    Picture("narrow.png", "search", width=390, height=844),
)


def regreen(*args: str | Path) -> None:
    """Run one command; `eval` ends with 0 also where tasks stayed red."""
    subprocess.run([sys.executable, "-m", "regreen", *map(str, args)], check=True, stdout=subprocess.DEVNULL)


def pages(folder: Path) -> dict[str, Path]:
    """A page on a run of the search, one on two of them, one on a run of a model (the benchmarks' own server), and one
    on strategies by fractions."""
    agents = runpy.run_path(str(ROOT / "benchmarks" / "agents.py"))
    regreen("eval", "bundled", "--limit", TASKS, "-o", folder / "search")
    regreen("eval", "bundled", "--limit", TASKS, "--max-candidates", "150", "-o", folder / "short-search")
    with agents["server"](turn=3) as address:
        model = ("-m", "vllm:oracle", "--base-url", address, "-s", "reflect", "--samples", "2")
        regreen("eval", "bundled", "--limit", "12", *model, "-o", folder / "model")
        grid = list(grid_runs(folder, model[:4]))
    regreen("report", *grid, "--out", folder / "grid")
    regreen("report", folder / "search")
    regreen("report", folder / "model")
    regreen("report", folder / "short-search", folder / "search", "--out", folder / "comparison")
    return {name: folder / name / "report.html" for name in ("search", "model", "comparison", "grid")}


def grid_runs(folder: Path, model: Sequence[str]) -> Iterator[Path]:
    """Runs of three strategies on two parts of the tasks each; `model` are the flags that name one."""
    for strategy, more in (("search", ()), ("reflect", model), ("hybrid", model)):
        for percent in ("10", "30"):
            run = folder / f"{strategy}-{percent}"
            regreen("eval", "bundled", "--fraction", f"0.{percent}", "-s", strategy, *more, "-o", run)
            yield run


@contextmanager
def browser(profile: Path) -> Iterator[Any]:
    """Chromium without a window."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def take(driver: Any, picture: Picture, page: Path) -> None:
    """Open a page as a picture wants it, and keep what is seen."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if picture.dark else "light"}
    size = {"width": picture.width, "height": picture.height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.get("about:blank")
    driver.get(page.as_uri() + picture.fragment)
    time.sleep(SETTLED)
    driver.execute_script(picture.script)
    time.sleep(SETTLED)
    driver.save_screenshot(str(IMAGES / picture.name))


def main() -> None:
    """Make every picture."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = pages(folder)
        shutil.copy(found["comparison"].with_name("report.png"), IMAGES / "report.png")
        with browser(folder / "profile") as driver:
            for picture in PICTURES:
                take(driver, picture, found[picture.page])


if __name__ == "__main__":
    main()
