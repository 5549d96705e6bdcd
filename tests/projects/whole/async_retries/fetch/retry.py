import asyncio


async def retried(attempt, times=3, pause=0):
    """The result of the first attempt that does not fail; the last error where all do."""
    for number in range(1, times):
        try:
            return await attempt()
        except OSError as error:
            last = error
            await asyncio.sleep(pause * number)
    raise last
