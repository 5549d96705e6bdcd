"""A small template engine."""

from .environment import Environment, Template
from .errors import TemplateError, TemplateNotFound, TemplateSyntaxError, UndefinedError
from .loaders import DictLoader, FileSystemLoader
from .markup import Markup, escape

__all__ = [
    "Environment",
    "Template",
    "TemplateError",
    "TemplateNotFound",
    "TemplateSyntaxError",
    "UndefinedError",
    "DictLoader",
    "FileSystemLoader",
    "Markup",
    "escape",
]
