import asyncio

from stock.models import Item, ItemIn


class DuplicateSku(Exception):
    pass


class Store:
    """Items in memory, behind the calls that a database would have."""

    def __init__(self):
        self._items: dict[int, Item] = {}
        self._last = 0
        self._lock = asyncio.Lock()

    async def all(self, tag: str | None = None) -> list[Item]:
        return [item for item in self._items.values() if tag is None or tag in item.tags]

    async def get(self, item_id: int) -> Item | None:
        return self._items.get(item_id)

    async def add(self, new: ItemIn) -> Item:
        async with self._lock:
            if any(item.sku == new.sku for item in self._items.values()):
                raise DuplicateSku(new.sku)
            self._last += 1
            item = Item(id=self._last, **new.model_dump())
            self._items[item.id] = item
            return item

    async def change(self, item_id: int, changes: dict) -> Item | None:
        async with self._lock:
            item = self._items.get(item_id)
            if item is None:
                return None
            self._items[item_id] = item.model_copy(update=changes)
            return self._items[item_id]

    async def remove(self, item_id: int) -> bool:
        async with self._lock:
            return self._items.pop(item_id, None) is not None
