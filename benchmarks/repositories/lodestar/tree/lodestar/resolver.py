"""A small backtracking resolver."""
from .errors import Conflict, UnknownPackage
from .graph import Graph
from .manifest import ROOT


class _Search:
    def __init__(self, manifest, preferred, pre):
        self.manifest = manifest
        self.preferred = preferred
        self.pre = pre
        self.first_conflict = None

    def candidates(self, name, demands):
        versions = self.manifest.versions(name)
        fitting = [v for v in versions if all(c.allows(v, self.pre) for c in demands.values())]
        locked = self.preferred.get(name)
        if locked in fitting:
            fitting.remove(locked)
            fitting.insert(0, locked)
        return fitting

    def run(self, chosen, demands):
        """Choose a version for one more package, and go on."""
        open_names = sorted(name for name in demands if name not in chosen)
        if not open_names:
            return chosen
        name = min(open_names, key=lambda n: (len(self.candidates(n, demands[n])), n))
        if not self.manifest.versions(name):
            raise UnknownPackage(name, sorted(demands[name])[0])
        for version in self.candidates(name, demands[name]):
            further = self.extend(chosen, demands, name, version)
            if further is None:
                continue
            found = self.run({**chosen, name: version}, further)
            if found is not None:
                return found
        self.note(name, demands[name])
        return None

    def extend(self, chosen, demands, name, version):
        """The demands once a version is chosen, or None if they clash."""
        further = {other: dict(who) for other, who in demands.items()}
        label = "%s %s" % (name, version)
        for other, constraint in self.manifest.needs(name, version).items():
            further.setdefault(other, {})[label] = constraint
            picked = version if other == name else chosen.get(other)
            if picked is not None and not constraint.allows(picked, self.pre):
                self.note(other, further[other])
                return None
        return further

    def note(self, name, demands):
        if self.first_conflict is None:
            self.first_conflict = Conflict(name, demands)


def resolve(manifest, preferred=None, pre=False):
    """Pick a version of everything that is required.

    ``preferred`` holds versions, from a lock file say, to keep if they fit.
    """
    search = _Search(manifest, dict(preferred or {}), pre)
    demands = {name: {ROOT: constraint} for name, constraint in manifest.requires.items()}
    chosen = search.run({}, demands)
    if chosen is None:
        raise search.first_conflict
    return chosen


def graph_of(manifest, chosen):
    """The graph of chosen packages, below a root node."""
    graph = Graph()
    graph.add_node(ROOT)
    for name in manifest.requires:
        graph.add_edge(ROOT, name)
    for name, version in chosen.items():
        graph.add_node(name)
        for other in manifest.needs(name, version):
            graph.add_edge(name, other)
    return graph


def problems(manifest, chosen):
    """What is wrong with a set of versions, as sentences."""
    found = []
    wanted = [(ROOT, name, c) for name, c in manifest.requires.items()]
    for name, version in sorted(chosen.items()):
        if version not in manifest.packages.get(name, {}):
            found.append("%s %s does not exist" % (name, version))
            continue
        wanted += [(name, other, c) for other, c in manifest.needs(name, version).items()]
    for who, name, constraint in wanted:
        if name not in chosen:
            found.append("%s wants %s, which is missing" % (who, name))
        elif not constraint.allows(chosen[name], pre=True):
            found.append("%s wants %s %s, not %s" % (who, name, constraint, chosen[name]))
    return found
