"""Descriptions of the types of items."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "PointerTypeDescriptor",
    "StructTypeDescriptor",
    "TypeDescriptor",
    "bfloat16",
    "boolean",
    "float16",
    "float32",
    "float64",
    "from_numpy_dtype",
    "int8",
    "int16",
    "int32",
    "int64",
    "pointer",
    "struct",
    "to_ctypes_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


class TypeDescriptor:
    """The type of an item: its size, its alignment and its NumPy dtype.

    Equal if the dtypes are. Threads: free.

    Examples
    --------
    >>> from freeloom.compute import types
    >>> types.int32.size, types.int32 == types.from_numpy_dtype("i4")
    (4, True)
    """

    __slots__ = ("alignment", "dtype", "size", "type_enum")

    size: int
    """Bytes of one item."""
    alignment: int
    """Preferred alignment in bytes."""
    type_enum: str
    """The kind of type: the name of a scalar type, `"storage"` or `"pointer"`."""
    dtype: np.dtype[Any] | None
    """The NumPy dtype; `None` for a pointer."""

    def __init__(self, size: int, alignment: int, type_enum: str, dtype: np.dtype[Any] | None = None) -> None:
        self.size = size
        self.alignment = alignment
        self.type_enum = type_enum
        self.dtype = dtype

    @property
    def info(self) -> tuple[int, int, str]:
        """Size, alignment and kind."""
        return (self.size, self.alignment, self.type_enum)

    def pointer(self) -> "PointerTypeDescriptor":
        """The type of an address of such an item."""
        return PointerTypeDescriptor(self)

    def _identity(self) -> object:
        return self.dtype if self.dtype is not None else self.info

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TypeDescriptor):
            return NotImplemented
        return bool(self._identity() == other._identity())

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return f"<type {self.dtype if self.dtype is not None else self.type_enum}>"


class StructTypeDescriptor(TypeDescriptor):
    """A record type: equal to another one with the same fields in the same order. Threads: free."""

    __slots__ = ("fields", "name")

    fields: dict[str, TypeDescriptor]
    """The fields in order."""
    name: str
    """Shown to people; not part of the identity."""

    def __init__(self, fields: Mapping[str, TypeDescriptor], name: str = "AnonStruct") -> None:
        self.fields = dict(fields)
        self.name = name
        dtype = np.dtype([(field, td.dtype) for field, td in self.fields.items()], align=True)
        super().__init__(dtype.itemsize, dtype.alignment, "storage", dtype)

    def layout_key(self) -> tuple[tuple[str, object], ...]:
        """What decides the layout: the names and types of the fields, in order."""
        return tuple((name, td._identity()) for name, td in self.fields.items())


class PointerTypeDescriptor(TypeDescriptor):
    """The address of an item: eight bytes. Threads: free."""

    __slots__ = ("pointee",)

    pointee: TypeDescriptor
    """What lies there."""

    def __init__(self, pointee: TypeDescriptor) -> None:
        super().__init__(8, 8, "pointer")
        self.pointee = pointee

    def _identity(self) -> object:
        return ("pointer", self.pointee._identity())


def from_numpy_dtype(dtype: npt.DTypeLike) -> TypeDescriptor:
    """The description of a NumPy dtype. Record dtypes keep their layout.

    Threads: free.
    """
    dtype = np.dtype(dtype)
    if dtype.names is None:
        kind = "boolean" if dtype.kind == "b" else dtype.name if dtype.kind in "iuf" else "storage"
        return TypeDescriptor(dtype.itemsize, dtype.alignment, kind, dtype)
    fields: Mapping[str, Any] = dtype.fields or {}
    descriptor = StructTypeDescriptor.__new__(StructTypeDescriptor)
    TypeDescriptor.__init__(descriptor, dtype.itemsize, dtype.alignment, "storage", dtype)
    descriptor.fields = {name: from_numpy_dtype(fields[name][0]) for name in dtype.names}
    descriptor.name = "AnonStruct"
    return descriptor


def struct(fields: Mapping[str, TypeDescriptor], name: str = "AnonStruct") -> StructTypeDescriptor:
    """A record type with aligned layout.

    Threads: free.
    """
    return StructTypeDescriptor(fields, name)


def pointer(td: TypeDescriptor) -> PointerTypeDescriptor:
    """The type of an address of an item of type `td`.

    Threads: free.
    """
    return PointerTypeDescriptor(td)


def to_ctypes_type(td: TypeDescriptor) -> Any:
    """The `ctypes` type of the same layout. `TypeError` if `ctypes` has none.

    Threads: free.
    """
    import ctypes

    if td.dtype is None:
        return ctypes.c_void_p
    try:
        return np.ctypeslib.as_ctypes_type(td.dtype)
    except NotImplementedError as error:
        raise TypeError(f"ctypes has no type for {td.dtype}") from error


int8 = from_numpy_dtype(np.int8)
int16 = from_numpy_dtype(np.int16)
int32 = from_numpy_dtype(np.int32)
int64 = from_numpy_dtype(np.int64)
uint8 = from_numpy_dtype(np.uint8)
uint16 = from_numpy_dtype(np.uint16)
uint32 = from_numpy_dtype(np.uint32)
uint64 = from_numpy_dtype(np.uint64)
float16 = from_numpy_dtype(np.float16)
float32 = from_numpy_dtype(np.float32)
float64 = from_numpy_dtype(np.float64)
boolean = from_numpy_dtype(np.bool_)
bfloat16 = TypeDescriptor(2, 2, "bfloat16")
"""Has no NumPy dtype of its own, and cannot be computed with yet."""
