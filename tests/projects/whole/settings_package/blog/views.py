from blog.settings import PAGE_SIZE


def pages(count):
    """Number of pages."""
    return count // PAGE_SIZE
