"""All pages of a folder, by their path."""
import posixpath
from pathlib import Path

from .config import Config
from .markdown import parse_page


class Site:
    def __init__(self, root, config=None):
        self.root = Path(root)
        self.config = config or Config()
        self.files = set()
        self.folders = set()
        self._pages = {}

    @classmethod
    def scan(cls, root, config=None):
        site = cls(root, config)
        for path in sorted(site.root.rglob("*")):
            name = path.relative_to(site.root).as_posix()
            if any(part.startswith(".") for part in name.split("/")):
                continue
            if path.is_dir():
                site.folders.add(name)
            else:
                site.files.add(name)
        return site

    def page_paths(self):
        return sorted(
            name for name in self.files
            if posixpath.splitext(name)[1].lower() in self.config.extensions
            and not self.config.is_excluded(name)
        )

    def page(self, path):
        """Parsed page, read once."""
        if path not in self._pages:
            text = (self.root / path).read_text(encoding="utf-8-sig")
            self._pages[path] = parse_page(path, text)
        return self._pages[path]

    def is_page(self, path):
        return posixpath.splitext(path)[1].lower() in self.config.extensions

    def resolve(self, source, target):
        """Path of a link's file inside the site, or None.

        A link to a folder means its index page.
        """
        if target.startswith("/"):
            path = posixpath.normpath(target.lstrip("/") or ".")
        else:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if path == ".." or path.startswith("../"):
            return None
        if path == "." or path in self.folders:
            path = posixpath.normpath(posixpath.join(path, self.config.index))
        return path if path in self.files else None

    def similar(self, path):
        """A file whose path differs in case only."""
        wanted = path.lower()
        for name in sorted(self.files):
            if name.lower() == wanted:
                return name
        return None
