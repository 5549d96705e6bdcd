"""Manifests and lock files."""
import hashlib
import json

from .constraint import Constraint
from .errors import ManifestError, VersionError
from .version import Version

ROOT = "(root)"


def _normal(name):
    return name.strip().lower().replace("_", "-")


class Manifest:
    def __init__(self, requires, packages):
        self.requires = {_normal(n): self._constraint(n, c) for n, c in requires.items()}
        self.packages = {}
        for name, versions in packages.items():
            table = self.packages.setdefault(_normal(name), {})
            for text, needs in versions.items():
                try:
                    version = Version.parse(text)
                except VersionError as exc:
                    raise ManifestError("package %s: %s" % (name, exc)) from exc
                table[version] = {_normal(n): self._constraint(n, c) for n, c in needs.items()}

    @staticmethod
    def _constraint(name, text):
        try:
            return Constraint(text)
        except VersionError as exc:
            raise ManifestError("requirement %s: %s" % (name, exc)) from exc

    @classmethod
    def load(cls, path):
        try:
            with open(path, encoding="utf-8") as stream:
                data = json.load(stream)
        except OSError as exc:
            raise ManifestError("cannot read %s: %s" % (path, exc.strerror)) from exc
        except ValueError as exc:
            raise ManifestError("%s: %s" % (path, exc)) from exc
        if not isinstance(data, dict) or "requires" not in data:
            raise ManifestError("%s: 'requires' is missing" % path)
        return cls(data["requires"], data.get("packages", {}))

    def versions(self, name):
        """Known versions, newest first."""
        return sorted(self.packages.get(name, ()), reverse=True)

    def needs(self, name, version):
        return self.packages[name][version]

    def fingerprint(self):
        """A digest of the requirements, the same for any order."""
        lines = sorted("%s %s" % (name, constraint) for name, constraint in self.requires.items())
        return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()[:16]


def write_lock(path, manifest, chosen):
    data = {
        "fingerprint": manifest.fingerprint(),
        "packages": {name: str(version) for name, version in sorted(chosen.items())},
    }
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(data, stream, indent=2)
        stream.write("\n")


def read_lock(path):
    """The fingerprint and the locked versions."""
    try:
        with open(path, encoding="utf-8") as stream:
            data = json.load(stream)
        packages = {name: Version.parse(text) for name, text in data["packages"].items()}
        return data["fingerprint"], packages
    except FileNotFoundError:
        raise ManifestError("no lock file at %s" % path) from None
    except (KeyError, ValueError) as exc:
        raise ManifestError("%s is not a lock file" % path) from exc
