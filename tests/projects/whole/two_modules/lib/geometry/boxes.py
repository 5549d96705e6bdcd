from geometry.points import Point


class Box:
    def __init__(self, low, high):
        self.low = low
        self.high = high

    @property
    def size(self):
        return self.high - self.low

    @property
    def area(self):
        return self.size.x * self.size.y

    @property
    def centre(self):
        return Point((self.low.x + self.high.x) / 2, (self.low.y + self.high.y) / 2)

    def holds(self, point):
        return self.low.x <= point.x <= self.high.x and self.low.y <= point.y <= self.high.x
