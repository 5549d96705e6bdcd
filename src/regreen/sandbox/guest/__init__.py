"""The part that runs inside the sandbox: standard library only, and nothing of the rest of Regreen.

It is started by a bare interpreter (see `boot.py`), so no module here may import from outside this package.
"""
