import asyncio


async def run(jobs):
    done = []
    for job in jobs:
        await asyncio.sleep(0)
        done.insert(0, job)
    return done
