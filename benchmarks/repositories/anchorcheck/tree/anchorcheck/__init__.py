"""Dead link finder for markdown sites."""
from .checker import Checker, Problem
from .config import Config, ConfigError
from .markdown import Link, Page, parse_page
from .site import Site
from .slugs import Slugger, slugify

__all__ = ["Checker", "Config", "ConfigError", "Link", "Page", "Problem", "Site", "Slugger", "parse_page", "slugify"]
