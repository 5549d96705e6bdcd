"""Directed graphs: an edge points from a node to what it needs."""
import heapq
from collections import deque

from .errors import CycleError


class Graph:
    def __init__(self, edges=()):
        self._needs = {}
        self._needed_by = {}
        for source, target in edges:
            self.add_edge(source, target)

    def add_node(self, node):
        self._needs.setdefault(node, set())
        self._needed_by.setdefault(node, set())

    def add_edge(self, source, target):
        self.add_node(source)
        self.add_node(target)
        self._needs[source].add(target)
        self._needed_by[target].add(source)

    def remove_edge(self, source, target):
        self._needs[source].remove(target)
        self._needed_by[target].remove(source)

    def remove_node(self, node):
        for target in self._needs.pop(node):
            self._needed_by[target].discard(node)
        for source in self._needed_by.pop(node):
            if source != node:
                self._needs[source].discard(node)

    def copy(self):
        twin = Graph()
        for node in self._needs:
            twin.add_node(node)
        for source, targets in self._needs.items():
            for target in targets:
                twin.add_edge(source, target)
        return twin

    def needs(self, node):
        return sorted(self._needs[node])

    def needed_by(self, node):
        return sorted(self._needed_by[node])

    def edges(self):
        return sorted((s, t) for s, targets in self._needs.items() for t in targets)

    def roots(self):
        return sorted(node for node, users in self._needed_by.items() if not users)

    def leaves(self):
        return sorted(node for node, targets in self._needs.items() if not targets)

    def __contains__(self, node):
        return node in self._needs

    def __iter__(self):
        return iter(sorted(self._needs))

    def __len__(self):
        return len(self._needs)

    # -- walking ----------------------------------------------------------
    def reachable(self, start):
        """Everything a node needs, directly or not, without itself."""
        seen = set()
        waiting = [start]
        while waiting:
            for target in self._needs[waiting.pop()]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        seen.discard(start)
        return seen

    def find_cycle(self):
        """A cycle as a path that ends where it began, or None."""
        done = set()
        for start in sorted(self._needs):
            if start in done:
                continue
            path, on_path = [], set()
            stack = [(start, iter(self.needs(start)))]
            path.append(start)
            on_path.add(start)
            while stack:
                node, targets = stack[-1]
                for target in targets:
                    if target in on_path:
                        return path[path.index(target):] + [target]
                    if target not in done:
                        stack.append((target, iter(self.needs(target))))
                        path.append(target)
                        on_path.add(target)
                        break
                else:
                    stack.pop()
                    path.pop()
                    on_path.discard(node)
                    done.add(node)
        return None

    def order(self):
        """Nodes so that what is needed comes first; ties by name."""
        missing = {node: len(targets) for node, targets in self._needs.items()}
        ready = [node for node, count in missing.items() if count == 0]
        heapq.heapify(ready)
        result = []
        while ready:
            node = heapq.heappop(ready)
            result.append(node)
            for user in self._needed_by[node]:
                missing[user] -= 1
                if missing[user] == 0:
                    heapq.heappush(ready, user)
        if len(result) < len(self._needs):
            raise CycleError(self.find_cycle())
        return result

    def levels(self):
        """Groups that can be built at the same time."""
        depth = {}
        for node in self.order():
            depth[node] = max((depth[t] + 1 for t in self._needs[node]), default=0)
        groups = [[] for _ in range(max(depth.values(), default=-1) + 1)]
        for node in sorted(depth):
            groups[depth[node]].append(node)
        return groups

    def path(self, start, goal):
        """A shortest path, or None."""
        before = {start: None}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            if node == goal:
                path = []
                while node is not None:
                    path.append(node)
                    node = before[node]
                return path[::-1]
            for target in self.needs(node):
                if target not in before:
                    before[target] = node
                    waiting.append(target)
        return None

    def prune(self, keep):
        """Drop what none of ``keep`` needs; returns what went."""
        wanted = set(keep)
        for node in keep:
            wanted |= self.reachable(node)
        gone = sorted(set(self._needs) - wanted)
        for node in gone:
            self.remove_node(node)
        return gone
