"""Fixtures that plugins of pytest bring, by which a plugin that is not installed is known."""

from __future__ import annotations

PLUGIN_OF_FIXTURE = {
    "aiohttp_client": "pytest-aiohttp",
    "benchmark": "pytest-benchmark",
    "class_mocker": "pytest-mock",
    "datadir": "pytest-datadir",
    "db": "pytest-django",
    "event_loop": "pytest-asyncio",
    "faker": "Faker",
    "freezer": "pytest-freezer",
    "fs": "pyfakefs",
    "httpserver": "pytest-httpserver",
    "httpx_mock": "pytest-httpx",
    "mocker": "pytest-mock",
    "module_mocker": "pytest-mock",
    "qtbot": "pytest-qt",
    "requests_mock": "requests-mock",
    "respx_mock": "respx",
    "session_mocker": "pytest-mock",
    "snapshot": "syrupy",
    "subtests": "pytest-subtests",
    "testrun_uid": "pytest-xdist",
    "time_machine": "time-machine",
    "worker_id": "pytest-xdist",
}
"""Fixture -> the package that brings it."""
