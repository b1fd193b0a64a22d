"""Type descriptors."""

import ctypes

import numpy as np
import pytest

from freeloom.compute import types

SCALARS = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
]


@pytest.mark.parametrize("name", SCALARS)
def test_scalars(name):
    descriptor = getattr(types, name)
    dtype = np.dtype(name)
    assert descriptor.dtype == dtype
    assert (descriptor.size, descriptor.alignment) == (dtype.itemsize, dtype.alignment)
    assert descriptor == types.from_numpy_dtype(name)
    assert hash(descriptor) == hash(types.from_numpy_dtype(name))
    assert descriptor.info == (dtype.itemsize, dtype.alignment, name)


def test_boolean():
    assert types.boolean.dtype == np.bool_
    assert types.boolean != types.uint8


def test_struct():
    pair = types.struct({"a": types.int8, "b": types.float64}, "Pair")
    assert pair.dtype == np.dtype([("a", "i1"), ("b", "f8")], align=True)
    assert pair.name == "Pair"
    assert list(pair.fields) == ["a", "b"]
    assert pair == types.struct({"a": types.int8, "b": types.float64})
    assert pair != types.struct({"b": types.float64, "a": types.int8})
    assert pair.layout_key()[0][0] == "a"


def test_record_dtypes_keep_their_layout():
    packed = np.dtype([("a", "i1"), ("b", "f8")])
    assert types.from_numpy_dtype(packed).size == 9


def test_pointer():
    pointer = types.pointer(types.int32)
    assert pointer == types.int32.pointer()
    assert pointer != types.pointer(types.int64)
    assert pointer.size == 8
    assert types.to_ctypes_type(pointer) is ctypes.c_void_p


def test_ctypes():
    assert types.to_ctypes_type(types.int32) is ctypes.c_int32
    with pytest.raises(TypeError):
        types.to_ctypes_type(types.from_numpy_dtype(np.complex64))


def test_not_equal_to_other_things():
    assert types.int32 != 3
    assert types.int32 != "int32"
