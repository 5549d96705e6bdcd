from typing import Annotated

from fastapi import Depends, Header, HTTPException, Query, status

from stock.models import User
from stock.store import Store

_store = Store()


def get_store() -> Store:
    return _store


def get_users() -> dict[str, User]:
    """API key to its user."""
    return {}


def current_user(
    users: Annotated[dict[str, User], Depends(get_users)],
    x_api_key: Annotated[str | None, Header()] = None,
) -> User:
    user = users.get(x_api_key)
    if user is None or user.disabled:
        raise HTTPException(status.HTTP_401_UNAUTHORIZED, "unknown key")
    return user


def editor(user: Annotated[User, Depends(current_user)]) -> User:
    if user.role not in ("editor", "admin"):
        raise HTTPException(status.HTTP_403_FORBIDDEN, "editors only")
    return user


class Paging:
    def __init__(
        self,
        limit: Annotated[int, Query(ge=1, le=100)] = 10,
        offset: Annotated[int, Query(ge=0)] = 0,
    ):
        self.limit = limit
        self.offset = offset

    def of(self, items: list) -> list:
        return items[self.offset : self.offset + self.limit]
