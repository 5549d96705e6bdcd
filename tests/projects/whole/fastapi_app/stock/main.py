from fastapi import FastAPI

from stock.routers import items, reports

app = FastAPI(title="Stock", version="1.2.0")
app.include_router(items.router)
app.include_router(reports.router)


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}
