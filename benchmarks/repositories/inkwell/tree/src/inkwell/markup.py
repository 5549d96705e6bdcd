"""Strings that are already safe for HTML output."""


class Markup(str):
    """A string that :func:`escape` leaves alone."""

    def __html__(self):
        return self

    def __add__(self, other):
        return Markup(str(self) + str(escape(other)))

    def __radd__(self, other):
        return Markup(str(escape(other)) + str(self))

    def join(self, parts):
        return Markup(str(self).join(str(escape(part)) for part in parts))


def escape(value):
    """Return *value* as :class:`Markup`, escaping what HTML treats specially."""
    if hasattr(value, "__html__"):
        return Markup(value.__html__())
    text = str(value)
    return Markup(
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&#34;")
        .replace("'", "&#39;")
    )
