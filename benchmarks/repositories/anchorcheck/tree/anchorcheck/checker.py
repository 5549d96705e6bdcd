"""Finding the links that lead nowhere."""
import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, order=True)
class Problem:
    path: str
    line: int
    kind: str
    message: str
    level: str = "error"


def split_target(target):
    """(file, anchor) of a link, without its query; decoded."""
    rest, mark, anchor = target.partition("#")
    rest = rest.split("?", 1)[0]
    return unquote(rest), unquote(anchor) if mark else None


class Checker:
    def __init__(self, site):
        self.site = site
        self.config = site.config
        self.problems = []
        self.linked = set()
        self.external = {}

    def run(self):
        """Check every page; problems come in order of place."""
        self.problems = []
        self.linked = set()
        self.external = {}
        for path in self.site.page_paths():
            page = self.site.page(path)
            for link in page.links:
                self._check(path, link)
            for label, line in page.undefined:
                self._report(path, line, "undefined", f"no definition for [{label}]")
        self._check_orphans()
        self.problems.sort()
        return self.problems

    def _report(self, path, line, kind, message):
        level = self.config.level(kind)
        if level != "ignore":
            self.problems.append(Problem(path, line, kind, message, level))

    def _check(self, path, link):
        target = link.target
        if self.config.is_ignored(target):
            return
        if not target:
            self._report(path, link.line, "empty", "link without a target")
            return
        if _SCHEME.match(target) or target.startswith("//"):
            self.external.setdefault(target, []).append((path, link.line))
            return
        file, anchor = split_target(target)
        found = self.site.resolve(path, file) if file else path
        if found is None:
            self._report(path, link.line, "missing", self._missing(path, file))
            return
        if found != path:
            self.linked.add(found)
        if anchor and self.config.check_anchors and self.site.is_page(found):
            if anchor not in self.site.page(found).anchors:
                self._report(path, link.line, "anchor", f"no anchor #{anchor} in {found}")

    def _missing(self, path, file):
        message = f"no file {file}"
        full = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        similar = self.site.similar(full)
        return f"{message} (did you mean {similar}?)" if similar else message

    def _check_orphans(self):
        if self.config.level("orphan") == "ignore" or "orphan" not in self.config.severity:
            return
        for path in self.site.page_paths():
            if path not in self.linked and path != self.config.index:
                self._report(path, 0, "orphan", "no page links here")

    @property
    def failed(self):
        return any(problem.level == "error" for problem in self.problems)
