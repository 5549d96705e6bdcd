from pydantic import BaseModel, Field, field_validator


class ItemIn(BaseModel):
    sku: str = Field(pattern=r"^[A-Z]{3}-\d{3}$")
    name: str = Field(min_length=1)
    quantity: int = Field(default=0, ge=0)
    tags: list[str] = []

    @field_validator("tags")
    @classmethod
    def tidy_tags(cls, tags: list[str]) -> list[str]:
        return sorted({tag.strip().lower() for tag in tags if tag.strip()})


class ItemPatch(BaseModel):
    name: str | None = Field(default=None, min_length=1)
    quantity: int | None = Field(default=None, ge=0)
    tags: list[str] | None = None


class Item(ItemIn):
    id: int


class Page(BaseModel):
    items: list[Item]
    total: int


class User(BaseModel):
    name: str
    role: str = "reader"
    disabled: bool = False
