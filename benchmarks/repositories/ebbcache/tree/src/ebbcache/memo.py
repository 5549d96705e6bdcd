"""Memoization of functions, methods and coroutines."""

from __future__ import annotations

import asyncio
import functools
import inspect

from .base import _MISSING

_KEYWORDS = object()


def make_key(args, kwargs, typed=False):
    """A hashable key. The order of keywords makes no difference."""
    key = args
    items = sorted(kwargs.items())
    if items:
        key += (_KEYWORDS,)
        for item in items:
            key += item
    if typed:
        key += tuple(type(arg) for arg in args)
        key += tuple(type(value) for _, value in items)
    return key


def memoize(cache, key=None, typed=False, ignore=(), cache_if=None):
    """Decorator that keeps results in ``cache``.

    key       function of the arguments that gives the key
    ignore    names of parameters that make no difference
    cache_if  function of the result; what it refuses is not kept

    Several functions may share a cache: keys begin with the function.
    Exceptions are never kept. The decorated function has ``invalidate(*args)``,
    ``bypass`` (the plain function) and ``cache``.
    """

    def decorate(function):
        signature = inspect.signature(function)
        name = f"{function.__module__}.{function.__qualname__}"

        def key_of(args, kwargs):
            if key is not None:
                return (name, key(*args, **kwargs))
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for ignored in ignore:
                bound.arguments.pop(ignored, None)
            return (name, make_key(bound.args, bound.kwargs, typed))

        def keep(entry, result):
            if cache_if is None or cache_if(result):
                cache[entry] = result

        if inspect.iscoroutinefunction(function):
            wrapper = _async_wrapper(function, cache, key_of, keep)
        else:

            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                entry = key_of(args, kwargs)
                result = cache.get(entry, _MISSING)
                if result is _MISSING:
                    result = function(*args, **kwargs)
                    keep(entry, result)
                return result

        def invalidate(*args, **kwargs):
            entry = key_of(args, kwargs)
            found = entry in cache
            if found:
                del cache[entry]
            return found

        wrapper.invalidate = invalidate
        wrapper.bypass = function
        wrapper.cache = cache
        return wrapper

    return decorate


def _async_wrapper(function, cache, key_of, keep):
    running: dict = {}

    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        entry = key_of(args, kwargs)
        result = cache.get(entry, _MISSING)
        if result is not _MISSING:
            return result
        task = running.get(entry)
        if task is None:
            # callers that come meanwhile wait for the same call
            task = asyncio.ensure_future(function(*args, **kwargs))
            running[entry] = task

            def finished(task):
                running.pop(entry, None)
                if not task.cancelled() and task.exception() is None:
                    keep(entry, task.result())

            task.add_done_callback(finished)
        # one caller's cancellation must not take the result from the others
        return await asyncio.shield(task)

    wrapper.running = running
    return wrapper
