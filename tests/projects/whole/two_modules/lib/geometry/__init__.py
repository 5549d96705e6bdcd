from geometry.boxes import Box
from geometry.points import Point
