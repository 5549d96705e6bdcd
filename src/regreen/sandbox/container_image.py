"""Building the image of the containers from the Dockerfile that lies beside: a Python, pytest, the user's packages."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

from regreen.errors import ConfigError, SandboxUnavailable
from regreen.sandbox.container_engine import asking_engine, connect_engine, own_image, public_image
from regreen.types import ContainerOptions

_DOCKERFILE = Path(__file__).with_name("image") / "Dockerfile"
_ALWAYS = "pytest\n"
"""Without it no tests of pytest's could be run."""


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
