"""What the settings say of the sandbox: what confines a program, and the limits of one candidate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from regreen.setting_table import SETTINGS
from regreen.types import Confinement, ContainerOptions, Limits

_UNITS = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def default_values() -> dict[str, Any]:
    """Every setting by its name, as it is where nobody has set it."""
    return {name: setting.default() for name, setting in SETTINGS.items()}


def confinement_of(values: Mapping[str, Any]) -> Confinement:
    """What confines programs; `values` holds every setting, checked."""
    memory = values["docker_memory"]
    return Confinement(
        values["sandbox"],
        values["layers"],
        values["python"],
        values["memory_mb"] << 20,
        ContainerOptions(
            values["docker_image"],
            values["docker_cpus"],
            _bytes_of(memory) if memory else None,
            values["docker_pids"],
            values["docker_runtime"],
            values["docker_bin"],
        ),
    )


def limits_of(values: Mapping[str, Any]) -> Limits:
    """Limits of one candidate; `values` holds every setting, checked."""
    return Limits(
        seconds=values["timeout"],
        total_seconds=values["total_timeout"],
        memory_bytes=values["memory_mb"] << 20,
        output_bytes=values["output_kb"] << 10,
        processes=values["allow_processes"],
    )


def _bytes_of(size: str) -> int:
    """Bytes of a size as Docker takes it."""
    number, unit = re.findall(r"[\d.]+|[bkmg]", size.strip().lower() + "b")[:2]
    return int(float(number) * _UNITS[unit])
