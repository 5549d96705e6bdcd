"""A browser without a window and without a network; skipped, saying why, where there is none."""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waiting import wait_for

from regreen.report.gather import gather
from regreen.report.page import write_page

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --window-size=1280,900 --host-resolver-rules=MAP\tnone\t~NOTFOUND"
).split(" ")
PATIENCE = 15.0


class Browser:
    """The few things that a reader does with a page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: Path, fragment: str = "") -> None:
        """Open a page from a file, anew."""
        self.driver.get("about:blank")
        self.driver.get(page.as_uri() + fragment)

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def wait(self, script: str) -> Any:
        """What a script returns once that is something."""
        return wait_for(lambda: self.run(script), PATIENCE, what=script)

    def text(self, selector: str) -> str:
        """The text of the first element that a selector finds."""
        return str(self.wait(f"return document.querySelector({selector!r})?.innerText"))

    def complaints(self) -> list[str]:
        """What the console says: errors, and what the content policy refused."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium under WebDriver."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and chromedriver):
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag.replace("\t", " "))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    yield driver
    driver.quit()


@pytest.fixture
def browser(driver: Any) -> Browser:
    """The browser, its console empty and its colours light."""
    browser = Browser(driver)
    browser.complaints()
    scheme = {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    return browser


@pytest.fixture(scope="session")
def made() -> SimpleNamespace:
    """The functions that make up runs."""
    return SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("made_runs.py"))))


@pytest.fixture(scope="session")
def page_of(tmp_path_factory: pytest.TempPathFactory, made: SimpleNamespace) -> Callable[..., Path]:
    """Writes runs, each a list of lines under its name, and the page that reports on them, as `told`."""

    def written(*, told: Mapping[str, int] | None = None, **runs: Iterable[dict[str, Any]]) -> Path:
        folder = tmp_path_factory.mktemp("runs")
        folders = [made.write_run(folder / name, lines) for name, lines in runs.items()]
        return write_page(gather(folders), folder / "report.html", **(told or {}))

    return written


@pytest.fixture(scope="session")
def single(page_of: Callable[..., Path], made: SimpleNamespace) -> Path:
    """A run of 40 tasks with a sample each."""
    return page_of(one=made.made_lines(tasks=40))


@pytest.fixture(scope="session")
def compared(page_of: Callable[..., Path], made: SimpleNamespace) -> Path:
    """Two runs of 40 tasks."""
    first = made.made_lines(tasks=40, seed=1, skill=0.3)
    return page_of(baseline=first, challenger=made.made_lines(tasks=40, seed=2, skill=0.6))


@pytest.fixture(scope="session")
def repeated(page_of: Callable[..., Path], made: SimpleNamespace) -> Path:
    """A run of 164 tasks with 10 samples each."""
    return page_of(ten=made.made_lines(tasks=164, samples=10))
