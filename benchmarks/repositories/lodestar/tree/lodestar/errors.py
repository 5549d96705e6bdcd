class LodestarError(Exception):
    """Base class; the command line prints these without a traceback."""


class VersionError(LodestarError, ValueError):
    pass


class ManifestError(LodestarError):
    pass


class CycleError(LodestarError):
    def __init__(self, path):
        self.path = list(path)
        super().__init__("cycle: " + " -> ".join(str(node) for node in self.path))


class UnknownPackage(LodestarError):
    def __init__(self, name, wanted_by=None):
        self.name = name
        text = "no package %r" % name
        if wanted_by:
            text += " (wanted by %s)" % wanted_by
        super().__init__(text)


class Conflict(LodestarError):
    def __init__(self, name, demands):
        self.name = name
        self.demands = dict(demands)
        lines = ["  %s wants %s" % (who, what) for who, what in sorted(self.demands.items())]
        super().__init__("no version of %s fits:\n%s" % (name, "\n".join(lines)))
