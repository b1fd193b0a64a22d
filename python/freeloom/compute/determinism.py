"""How much of a result may depend on scheduling."""

from enum import IntEnum

__all__ = ["Determinism"]


class Determinism(IntEnum):
    """What a reduction promises. On the CPU every level gives the same bits for any number of threads.

    Threads: free.

    Examples
    --------
    >>> from freeloom.compute import Determinism
    >>> int(Determinism.RUN_TO_RUN)
    1
    """

    NOT_GUARANTEED = 0
    """Anything that is right; needs an initial value."""
    RUN_TO_RUN = 1
    """The same on the same machine."""
    GPU_TO_GPU = 2
    """The same on every device of a kind."""
