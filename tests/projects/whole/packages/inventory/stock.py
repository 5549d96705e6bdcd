from .rules import reorder_amount


class Stock:
    def __init__(self, minimum=5):
        self.minimum = minimum
        self.levels = {}

    def receive(self, item, count):
        self.levels[item] = self.levels.get(item, 0) + count

    def take(self, item, count):
        if self.levels.get(item, 0) < count:
            raise ValueError(f"only {self.levels.get(item, 0)} of {item} left")
        self.levels[item] -= count

    def orders(self):
        return {
            item: reorder_amount(level, self.minimum)
            for item, level in sorted(self.levels.items())
            if level <= self.minimum
        }
