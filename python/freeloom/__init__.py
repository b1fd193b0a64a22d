"""Parallel algorithms whose operators and record types are written in Python and compiled in process.

`freeloom.compute` has the algorithms. `python -m freeloom info` prints what this installation can do.
"""

from freeloom._native import __version__ as __version__
from freeloom.errors import CompileError as CompileError

__all__ = ["CompileError", "__version__"]
