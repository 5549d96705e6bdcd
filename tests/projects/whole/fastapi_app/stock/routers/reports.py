from typing import Annotated

from fastapi import APIRouter, Depends, Query

from stock.dependencies import current_user, get_store
from stock.models import User
from stock.store import Store

router = APIRouter(prefix="/reports", tags=["reports"])


@router.get("/low")
async def low_stock(
    store: Annotated[Store, Depends(get_store)],
    user: Annotated[User, Depends(current_user)],
    below: Annotated[int, Query(ge=1)] = 5,
) -> dict:
    items = await store.all()
    low = [item for item in items if item.quantity < below]
    return {
        "for": user.name,
        "items": [item.sku for item in sorted(low, key=lambda item: item.quantity)],
        "missing": sum(below - item.quantity for item in low),
    }
