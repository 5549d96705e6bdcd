class Queue:
    def __init__(self):
        self._items = []

    def put(self, item, priority=0):
        self._items.append((priority, item))
        self._items.sort()

    def get(self):
        return self._items.pop(0)[1]
