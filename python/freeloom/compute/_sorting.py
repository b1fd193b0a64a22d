"""What the sorts are told beyond arrays: the order, and pairs of buffers."""

from enum import Enum

from freeloom.compute.typing import DeviceArrayLike

__all__ = ["DoubleBuffer", "SortOrder"]


class SortOrder(Enum):
    """The order in which keys are sorted. Equal keys keep their order in both.

    Threads: free.

    Examples
    --------
    >>> from freeloom.compute import SortOrder
    >>> SortOrder.DESCENDING.value
    1
    """

    ASCENDING = 0
    """Smallest first."""
    DESCENDING = 1
    """Greatest first."""


class DoubleBuffer:
    """Two arrays of which one is current: a sort reads it, writes the other one, and makes that current.

    Parameters
    ----------
    d_current, d_alternate : array
        The buffers, of one dtype and length.

    Threads: confined. A sort changes `selector`; one thread at a time may use an object.

    Examples
    --------
    >>> import numpy as np
    >>> from freeloom.compute import DoubleBuffer, SortOrder, radix_sort
    >>> keys = DoubleBuffer(np.array([3, 1, 2]), np.zeros(3, np.int64))
    >>> radix_sort(d_in_keys=keys, d_out_keys=None, num_items=3, order=SortOrder.ASCENDING)
    >>> keys.current().tolist()
    [1, 2, 3]
    """

    def __init__(self, d_current: DeviceArrayLike, d_alternate: DeviceArrayLike) -> None:
        self.d_buffers: list[DeviceArrayLike] = [d_current, d_alternate]
        self.selector: int = 0

    def current(self) -> DeviceArrayLike:
        """The buffer that holds the items."""
        return self.d_buffers[self.selector]

    def alternate(self) -> DeviceArrayLike:
        """The other buffer."""
        return self.d_buffers[1 - self.selector]
