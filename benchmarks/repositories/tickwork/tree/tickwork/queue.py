"""A priority queue of jobs ordered by due time, then priority, then age."""

import heapq
import itertools


class JobQueue:
    def __init__(self):
        self._heap = []
        self._entries = {}
        self._counter = itertools.count()

    def __len__(self):
        return len(self._entries)

    def __contains__(self, job):
        return job.id in self._entries

    def push(self, job):
        """Add *job*, or move it when it is already queued."""
        self.remove(job)
        entry = [job.due, -job.priority, next(self._counter), job]
        self._entries[job.id] = entry
        heapq.heappush(self._heap, entry)

    def remove(self, job):
        entry = self._entries.pop(job.id, None)
        if entry is None:
            return False
        entry[-1] = None  # left in the heap, skipped when it surfaces
        return True

    def _drop_removed(self):
        while self._heap and self._heap[0][-1] is None:
            heapq.heappop(self._heap)

    def peek(self):
        self._drop_removed()
        return self._heap[0][-1] if self._heap else None

    def pop_due(self, now):
        """Return the next job that is due at *now*, or None."""
        job = self.peek()
        if job is None or job.due > now:
            return None
        heapq.heappop(self._heap)
        del self._entries[job.id]
        return job

    def __iter__(self):
        entries = sorted(self._entries.values(), key=lambda entry: entry[:3])
        return iter([entry[-1] for entry in entries])
