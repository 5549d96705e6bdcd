"""Where template source comes from.

``load`` returns ``(source, uptodate)``; *uptodate* is a function that tells
whether the source is still current, or None when that never changes.
"""

import os

from .errors import TemplateNotFound


class DictLoader:
    def __init__(self, mapping):
        self.mapping = mapping

    def load(self, name):
        try:
            source = self.mapping[name]
        except KeyError:
            raise TemplateNotFound(name) from None
        return source, lambda: self.mapping.get(name) == source


class FileSystemLoader:
    def __init__(self, root, encoding="utf-8"):
        self.root = os.path.realpath(root)
        self.encoding = encoding

    def _path(self, name):
        path = os.path.realpath(os.path.join(self.root, name))
        if os.path.commonpath([path, self.root]) != self.root:
            raise TemplateNotFound(name)
        return path

    def load(self, name):
        path = self._path(name)
        try:
            with open(path, encoding=self.encoding) as stream:
                source = stream.read()
        except (FileNotFoundError, IsADirectoryError):
            raise TemplateNotFound(name) from None
        mtime = os.path.getmtime(path)

        def uptodate():
            try:
                return os.path.getmtime(path) == mtime
            except OSError:
                return False

        return source, uptodate
