from .pricing import total

__all__ = ["total"]
