"""Settings, from anchorcheck.ini and the command line."""
import configparser
import fnmatch
from dataclasses import dataclass, field, replace
from pathlib import Path

FILE_NAME = "anchorcheck.ini"
SEVERITIES = ("ignore", "warning", "error")


class ConfigError(ValueError):
    pass


def _split(text):
    return [item.strip() for item in text.replace("\n", ",").split(",") if item.strip()]


@dataclass
class Config:
    extensions: list = field(default_factory=lambda: [".md", ".markdown"])
    exclude: list = field(default_factory=list)
    ignore_links: list = field(default_factory=list)
    severity: dict = field(default_factory=dict)
    index: str = "index.md"
    check_anchors: bool = True

    @classmethod
    def load(cls, folder):
        path = Path(folder) / FILE_NAME
        config = cls()
        if not path.is_file():
            return config
        parser = configparser.ConfigParser(interpolation=None)
        try:
            parser.read(path, encoding="utf-8")
        except configparser.Error as exc:
            raise ConfigError(f"{path}: {exc}") from exc
        if parser.has_section("anchorcheck"):
            config._read(parser["anchorcheck"])
        if parser.has_section("severity"):
            for kind, level in parser["severity"].items():
                if level not in SEVERITIES:
                    raise ConfigError(f"{path}: unknown severity {level!r}")
                config.severity[kind] = level
        return config

    def _read(self, section):
        for name in ("extensions", "exclude", "ignore_links"):
            if name in section:
                setattr(self, name, _split(section[name]))
        self.index = section.get("index", self.index)
        try:
            self.check_anchors = section.getboolean("check_anchors", self.check_anchors)
        except ValueError as exc:
            raise ConfigError(str(exc)) from exc

    def with_options(self, exclude=(), ignore_links=(), check_anchors=None):
        """A copy with what the command line adds."""
        return replace(
            self,
            exclude=self.exclude + list(exclude),
            ignore_links=self.ignore_links + list(ignore_links),
            check_anchors=self.check_anchors if check_anchors is None else check_anchors,
        )

    def is_excluded(self, path):
        """Patterns match the whole path or a folder it lies in."""
        parts = path.split("/")
        prefixes = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
        return any(
            fnmatch.fnmatchcase(prefix, pattern.rstrip("/"))
            for pattern in self.exclude
            for prefix in prefixes
        )

    def is_ignored(self, target):
        return any(fnmatch.fnmatchcase(target, pattern) for pattern in self.ignore_links)

    def level(self, kind):
        return self.severity.get(kind, "error")
