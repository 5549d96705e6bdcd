"""Opens the exports of a run in the viewers that they are for, and looks whether its tasks are to be seen there.

    python benchmarks/viewers.py RUN --inspect ~/inspect/bin/inspect --harbor ~/harbor/bin/harbor -o pictures

`inspect` is of the package inspect-ai, `harbor` of harbor: each in an environment of its own. Needs Chromium with its
driver, and selenium.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import runpy
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60.0
"""Seconds for a viewer to start, and for a page to show what is looked for."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextlib.contextmanager
def serving(command: list[str], port: int) -> Iterator[str]:
    """A viewer for the block: its address."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as it:
        try:
            deadline = time.monotonic() + PATIENCE
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                if it.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"{' '.join(command)} does not serve.")
                time.sleep(0.3)
            yield f"http://127.0.0.1:{port}/"
        finally:
            it.terminate()


def seen(driver: Any, words: list[str]) -> bool:
    """Whether the page shows all of the words before long."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        text = driver.execute_script("return document.body.innerText")
        if all(word in text for word in words):
            return True
        time.sleep(0.3)
    sys.stderr.write(f"what is seen instead: {text[:800]}\n")
    return False


def exported(run: Path, form: str, out: Path) -> Path:
    """The run in a format."""
    command = [sys.executable, "-m", "regreen", "export", str(run), "--format", form, "-o", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out


def main() -> int:
    """Open what was asked for; status 1 where a viewer does not show the tasks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--inspect", help="the command of inspect-ai")
    parser.add_argument("--harbor", help="the command of harbor")
    parser.add_argument("-o", "--out", type=Path, help="keep pictures in this folder")
    options = parser.parse_args()
    with (options.run / "results.jsonl").open() as lines:
        tasks = sorted({json.loads(line)["task_id"] for line in lines})[:3]
    screenshots, shown = runpy.run_path(str(ROOT / "docs" / "screenshots.py")), {}
    with tempfile.TemporaryDirectory() as place, screenshots["browser"](Path(place) / "profile") as driver:
        folder = Path(place)
        driver.set_window_size(1280, 900)
        if options.inspect:
            logs, port = folder / "logs", free_port()
            logs.mkdir()
            exported(options.run, "inspect", logs)
            command = [options.inspect, "view", "start", "--log-dir", str(logs), "--port", str(port)]
            with serving(command, port) as address:
                driver.get(address)
                shown["inspect view"] = seen(driver, tasks)
                keep(driver, options.out, "inspect")
        if options.harbor:
            port = free_port()
            (folder / "jobs").mkdir()
            exported(options.run, "harbor", folder / "jobs" / "exported")
            with serving([options.harbor, "view", str(folder / "jobs"), "--port", str(port)], port) as address:
                driver.get(f"{address}jobs/exported?tab=waffle")
                shown["harbor view"] = seen(driver, tasks)
                keep(driver, options.out, "harbor")
    for name, told in shown.items():
        print(f"{name}: {'shows the tasks of the run' if told else 'does NOT show them'}")
    return 0 if shown and all(shown.values()) else 1


def keep(driver: Any, folder: Path | None, name: str) -> None:
    """A picture of the page."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        driver.save_screenshot(str(folder / f"{name}.png"))


if __name__ == "__main__":
    raise SystemExit(main())
