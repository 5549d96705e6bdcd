"""Files of public data sets on the Hugging Face Hub: from its cache on this machine, else fetched once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import TaskError
from regreen.network import unknown_host
from regreen.tasks.dataset import required_library

_PURPOSE = "fetching data sets from Hugging Face"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a data set on the Hub."""

    repository: str
    names: Sequence[str]
    """Its paths in the repository, the preferred one first: the layout has changed over time."""

    def cached(self) -> Path | None:
        """The file in the cache; None where it was not fetched, or the library is missing. Uses no network."""
        try:
            hub = required_library("huggingface_hub", _PURPOSE)
        except TaskError:
            return None
        for name in self.names:
            found = hub.try_to_load_from_cache(self.repository, name, repo_type="dataset")
            if isinstance(found, str) and Path(found).is_file():
                return Path(found)
        return None

    def fetched(self) -> Path:
        """The file, from the cache or else from the network.

        Raises TaskError, with how to do without the network, where neither has it.
        """
        hub = required_library("huggingface_hub", _PURPOSE)
        return self.cached() or self._download(hub)

    def _download(self, hub: object) -> Path:
        errors, constants = (
            required_library("huggingface_hub.errors", _PURPOSE),
            required_library("huggingface_hub.constants", _PURPOSE),
        )
        if unknown := unknown_host(constants.ENDPOINT):
            # The Hub's client would retry an unknown host for half a minute.
            raise self._unreachable(unknown)
        reason: Exception | None = None
        for name in self.names:
            try:
                return Path(hub.hf_hub_download(self.repository, name, repo_type="dataset"))  # type: ignore[attr-defined]
            except errors.RemoteEntryNotFoundError as error:
                reason = error
            except (OSError, ValueError, errors.HfHubHTTPError) as error:
                raise self._unreachable(error) from None
        raise self._unreachable(reason) from None

    def _unreachable(self, reason: object) -> TaskError:
        first = str(reason).strip().split("\n")[0][:200].rstrip(".")
        return TaskError(
            f"{self.repository} is not in the cache of Hugging Face, and cannot be fetched: {first}.",
            remedy="Pass a copy of the file with --dataset-path FILE: then no network is needed.",
        )
