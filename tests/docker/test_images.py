"""An image that was built here: it works, and holds nothing of this machine."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regreen.sandbox.container_image import build_image
from regreen.types import Confinement, ContainerOptions, Limits
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite

CANARY = "canary-0123456789abcdef"
PLACES = (".env", "secret.txt", ".netrc", "Dockerfile", ".ssh/id_rsa")
GIVEN = ("OPENAI_API_KEY", "HF_TOKEN", "CANARY", "http_proxy", "DOCKER_CONFIG_SECRET")


def files_in(archive: bytes) -> Iterator[bytes]:
    """An archive, and each file in it, and in the archives in it."""
    yield archive
    with tarfile.open(fileobj=io.BytesIO(archive)) as folder:
        for member in folder:
            file = folder.extractfile(member) if member.isfile() else None
            content = file.read() if file else b""
            if member.name.endswith(".tar") or content[257:262] == b"ustar":
                yield from files_in(content)
            else:
                yield content


def test_no_canary_is_in_the_layers_of_an_image(
    client: Any, base_image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of keys, environment and files beside and at home; what was asked for is there, and programs run on it."""
    for name in GIVEN:
        monkeypatch.setenv(name, CANARY)
    for place in PLACES:
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(CANARY)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    options = ContainerOptions(image="regreen-tests-built:latest")
    told: list[str] = []
    # Blank for pip, which the image has not.
    image = build_image(options, base=base_image, packages=" \n", tell=told.append)
    try:
        layers = b"".join(client.get_image(image))
        found = [*files_in(layers), repr(client.history(image)).encode(), repr(client.inspect_image(image)).encode()]
        assert any(b"grep -q" in part for part in found)
        assert not [part[:200] for part in (*found, *map(str.encode, told)) if CANARY.encode() in part]
        suite = read_suite("assert f(1) == 1", program="def f(x):\n    return x\n", module="program", entry_point="f")
        with open_judge(Confinement("docker", container=options)) as judge:
            assert judge.judge("def f(x):\n    return x\n", suite, Limits()).passed
    finally:
        client.remove_image(image, force=True)
