"""Record types."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from freeloom.compute._record import make_class, resolve_annotations

__all__ = ["gpu_struct", "record"]


def gpu_struct(field_dict: Any, name: str = "AnonymousStruct") -> Any:
    """Makes a record class from its fields.

    Parameters
    ----------
    field_dict : dict, np.dtype or class
        A dictionary from names to types, or a structured dtype, whose layout is kept, or, with `gpu_struct`
        as a decorator, a class with annotations. Types are NumPy types and dtypes, type descriptors, record
        classes, and dictionaries for nested records.
    name : str
        The name of the class, if a dictionary or dtype is given.

    Returns
    -------
    A class. `dtype` is its NumPy dtype; instances are records: `Point(1, 2)`, `Point(x=1, y=2)` or
    `Point({"x": 1, "y": 2})`. In operators, calling it makes a record and its fields are attributes.

    Raises
    ------
    ValueError
        A field's name is not an identifier, or there are no fields.
    TypeError
        A field's type is not one.

    Threads: the class is free; instances are owned.

    Examples
    --------
    >>> import numpy as np
    >>> from freeloom.compute import gpu_struct, reduce_into
    >>> @gpu_struct
    ... class Range:
    ...     low: np.int64
    ...     high: np.int64
    >>> def join(a, b):
    ...     return Range(min(a.low, b.low), max(a.high, b.high))
    >>> ranges = np.array([(3, 4), (-2, 0), (1, 9)], dtype=Range.dtype)
    >>> out = np.zeros(1, Range.dtype)
    >>> reduce_into(d_in=ranges, d_out=out, num_items=3, op=join, h_init=Range(0, 0))
    >>> out[0].item()
    (-2, 9)
    """
    if isinstance(field_dict, type):
        scope = sys._getframe(1).f_locals
        return make_class(resolve_annotations(field_dict, scope), field_dict.__name__, field_dict)
    if isinstance(field_dict, np.dtype | Mapping):
        return make_class(field_dict, name, None)
    raise TypeError("gpu_struct takes a dictionary, a structured dtype or a class with annotations")


record: Callable[..., Any] = gpu_struct
"""`gpu_struct` by a name that says what it makes, wherever it lives."""
