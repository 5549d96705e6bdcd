"""The image of the containers: which it is, and building it from the Dockerfile that lies beside.

That holds a Python, pytest, and the user's packages.
"""

from __future__ import annotations

import io
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError, SandboxUnavailable
from regreen.extras import optional_module
from regreen.sandbox.engine_client import asking_engine, connect_engine, short_reason
from regreen.types import ContainerOptions

_DOCKERFILE = Path(__file__).with_name("image") / "Dockerfile"
_OWN_IMAGE = "regreen-sandbox:py{0}.{1}"
_PUBLIC_IMAGE = "python:{0}.{1}-slim"
_NO_IMAGE = "Build one with `regreen doctor --build-image`, or name one that is there: --docker-image."
_ALWAYS = "pytest\n"
"""Without it no tests of pytest's could be run."""


def own_image() -> str:
    """The image that `regreen doctor --build-image` makes: with the Python that Regreen runs on."""
    return _OWN_IMAGE.format(*sys.version_info)


def public_image() -> str:
    """The image that is fetched where none was built or named."""
    return _PUBLIC_IMAGE.format(*sys.version_info)


def find_image(api: Any, wanted: str | None, tell: Callable[[str], object]) -> str:
    """The image that is `wanted`, else the one that was built here, else the public one; fetched where it is not there.

    Raises SandboxUnavailable where it cannot be.
    """
    if wanted is None and _has_image(api, own_image()):
        return own_image()
    image = wanted or public_image()
    if not _has_image(api, image):
        tell(f"fetching {image}")
        try:
            api.pull(*_split_tag(image))
        except Exception as error:
            raise SandboxUnavailable(
                f"the image {image} is not there and cannot be fetched: {short_reason(error)}.", remedy=_NO_IMAGE
            ) from error
    return image


def _has_image(api: Any, image: str) -> bool:
    with asking_engine(f"look for the image {image}"):
        try:
            api.inspect_image(image)
        except optional_module("docker.errors").NotFound:
            return False
        return True


def _split_tag(image: str) -> tuple[str, str | None]:
    """Name and tag, as the client wants them; a digest stays with the name."""
    name, colon, tag = image.rpartition(":")
    if "@" in image or not colon or "/" in tag:
        return image, None if "@" in image else "latest"
    return name, tag


def build_image(options: ContainerOptions, *, base: str | None, packages: str, tell: Callable[[str], object]) -> str:
    """Build the image that the options name, else the one that is taken where nothing is named; returns its name.

    `packages` is the text of a requirements file; an image to build on that is the user's own is taken to hold pytest
    where they want it. `tell` gets the engine's progress, a line at a time. Raises SandboxUnavailable where the engine
    cannot build it.
    """
    image = options.image or own_image()
    base = base or public_image()
    if base == image:
        raise ConfigError(f"{image} cannot be built on itself.", remedy="Name another with --base-image.")
    wanted = packages if base != public_image() else _ALWAYS + packages
    api = connect_engine(options)
    try:
        with asking_engine(f"build {image}"):
            steps = api.build(
                fileobj=_context(wanted), custom_context=True, tag=image, buildargs={"BASE": base}, rm=True, decode=True
            )
            for step in steps:
                if "error" in step:
                    raise SandboxUnavailable(
                        f"the image {image} could not be built: {str(step['error']).strip()}.",
                        remedy="What was printed before says where; --base-image names another image to build on.",
                    )
                if line := str(step.get("stream") or step.get("status") or "").strip():
                    tell(line)
    finally:
        api.close()
    return image


def _context(packages: str) -> io.BytesIO:
    """The files that the engine is sent, as a tar archive: nothing else of this machine goes there."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, text in (("Dockerfile", _DOCKERFILE.read_bytes()), ("requirements.txt", packages.encode())):
            about = tarfile.TarInfo(name)
            about.size = len(text)
            archive.addfile(about, io.BytesIO(text))
    content.seek(0)
    return content
