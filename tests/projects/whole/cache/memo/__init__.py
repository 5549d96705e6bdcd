from memo.lru import LRU
from memo.decorator import cached
