"""Types of arguments, for annotations."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from freeloom._native import IteratorBase
from freeloom.compute.op import OpKind

__all__ = ["DeviceArrayLike", "GpuStruct", "IteratorT", "Operator", "StreamLike"]

DeviceArrayLike: TypeAlias = Any
"""An array: NumPy's, or any object with `__array_interface__`, the buffer protocol or `__dlpack__`."""

IteratorT = TypeVar("IteratorT", bound=IteratorBase)
"""An iterator."""

Operator: TypeAlias = OpKind | Callable[..., Any]
"""A well-known operator or a Python function."""


@runtime_checkable
class StreamLike(Protocol):
    """An object that follows CUDA's stream protocol."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Version 0 and the handle."""
        ...


@runtime_checkable
class GpuStruct(Protocol):
    """An instance of a record class."""

    dtype: Any
    """The NumPy dtype of the record."""
    _data: Any
