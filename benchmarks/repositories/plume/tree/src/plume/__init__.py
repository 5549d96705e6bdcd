from .convert import Converter, to_html, to_text

__version__ = "0.5.0"
__all__ = ["Converter", "to_html", "to_text"]
