"""What the tests against a real engine share: a client, an image of our own, and a judge whose walls are containers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any, cast

import docker
import pytest
from own_image import IMAGE, image_archive

from regreen.sandbox.container_engine import LABEL
from regreen.types import Confinement, ContainerOptions
from regreen.verify.judge import SandboxJudge, open_judge


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of this shelf needs an engine."""
    for item in items:
        if "tests/docker/" in item.nodeid:
            item.add_marker("docker")


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """The engine's client."""
    client = docker.APIClient.from_env() if hasattr(docker.APIClient, "from_env") else docker.from_env().api
    yield client
    client.close()


@pytest.fixture(scope="session")
def image(client: Any) -> str:
    """The image, made once."""
    if not client.images(IMAGE):
        name, _, tag = IMAGE.partition(":")
        client.import_image_from_data(image_archive(), repository=name, tag=tag)
    return IMAGE


@pytest.fixture(scope="session")
def base_image(client: Any) -> Iterator[str]:
    """An image that others can be built on."""
    client.import_image_from_data(image_archive("sh", "grep"), repository="regreen-tests-base", tag="latest")
    yield "regreen-tests-base:latest"
    client.remove_image("regreen-tests-base:latest", force=True)


@pytest.fixture(scope="session")
def confinement(image: str) -> Confinement:
    """Containers of that image, under the runtime that RUNTIME_OF_TESTS names, or the engine's own."""
    return Confinement("docker", container=ContainerOptions(image=image, runtime=os.environ.get("RUNTIME_OF_TESTS")))


@pytest.fixture(scope="session")
def contained_judge(confinement: Confinement) -> Iterator[SandboxJudge]:
    """A judge behind the engine's walls."""
    with open_judge(confinement) as judge:
        yield judge


@pytest.fixture(scope="session")
def relayed_judge(confinement: Confinement) -> Iterator[SandboxJudge]:
    """The same, spoken with as on another machine: through the engine."""
    with open_judge(confinement) as judge:
        (engine,) = cast("partial[Any]", judge.pool.wall.start).args
        engine.mount_no_socket("it is tested without")
        yield judge


@pytest.fixture(params=["contained_judge", "relayed_judge"])
def either_judge(request: pytest.FixtureRequest) -> SandboxJudge:
    """Each of the two."""
    judge: SandboxJudge = request.getfixturevalue(request.param)
    return judge


@pytest.fixture
def ours(client: Any) -> Any:
    """Asks for the containers that are ours, in whatever state."""
    return lambda: client.containers(all=True, filters={"label": LABEL})
