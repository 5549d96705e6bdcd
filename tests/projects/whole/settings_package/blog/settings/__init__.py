from .base import *
from .local import *
