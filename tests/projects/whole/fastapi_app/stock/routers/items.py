from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Response, status

from stock.dependencies import Paging, editor, get_store
from stock.models import Item, ItemIn, ItemPatch, Page
from stock.store import DuplicateSku, Store

router = APIRouter(prefix="/items", tags=["items"])
Items = Annotated[Store, Depends(get_store)]


def missing(item_id: int) -> HTTPException:
    return HTTPException(status.HTTP_404_NOT_FOUND, f"no item {item_id}")


@router.get("")
async def list_items(store: Items, paging: Annotated[Paging, Depends()], tag: str | None = None) -> Page:
    found = await store.all(tag)
    return Page(items=paging.of(found), total=len(found))


@router.get("/{item_id}")
async def read_item(item_id: int, store: Items) -> Item:
    item = await store.get(item_id)
    if item is None:
        raise missing(item_id)
    return item


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[Depends(editor)])
async def create_item(new: ItemIn, store: Items, response: Response) -> Item:
    try:
        item = await store.add(new)
    except DuplicateSku as error:
        raise HTTPException(status.HTTP_409_CONFLICT, f"{error} is there already") from error
    response.headers["Location"] = f"/items/{item.id}"
    return item


@router.patch("/{item_id}", dependencies=[Depends(editor)])
async def change_item(item_id: int, patch: ItemPatch, store: Items) -> Item:
    item = await store.change(item_id, patch.model_dump(exclude_unset=True))
    if item is None:
        raise missing(item_id)
    return item


@router.delete("/{item_id}", status_code=status.HTTP_204_NO_CONTENT, dependencies=[Depends(editor)])
async def delete_item(item_id: int, store: Items) -> None:
    if not store.remove(item_id):
        raise missing(item_id)
