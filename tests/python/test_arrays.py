"""Arrays of other libraries and protocols."""

import array
import ctypes

import numpy as np
import pytest

from freeloom.compute import OpKind, inclusive_scan, reduce_into


class Interface:
    """An array by `__array_interface__` alone."""

    def __init__(self, base):
        self.base = base
        self.__array_interface__ = base.__array_interface__


class Dlpack:
    """An array by DLPack alone."""

    def __init__(self, base):
        self.base = base

    def __dlpack__(self, **options):
        return self.base.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.base.__dlpack_device__()


def base():
    return np.arange(1, 11, dtype=np.int32)


WRAPPERS = {
    "interface": Interface,
    "dlpack": Dlpack,
    "memoryview": memoryview,
    "array": lambda a: array.array("i", a.tolist()),
    "ctypes": lambda a: (ctypes.c_int32 * 10)(*a.tolist()),
    "subclass": lambda a: a.view(type("Sub", (np.ndarray,), {})),
    "memmap": lambda a: a.view(np.memmap) if False else a,
    "strided view": lambda a: memoryview(np.repeat(a, 2))[::2],
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_inputs(name):
    items = WRAPPERS[name](base())
    out = np.zeros(1, np.int32)
    reduce_into(d_in=items, d_out=out, num_items=10, op=OpKind.PLUS)
    assert out[0] == 55


@pytest.mark.parametrize("name", ["interface", "memoryview", "array", "ctypes", "subclass"])
def test_outputs(name):
    target = WRAPPERS[name](np.zeros(10, np.int32))
    inclusive_scan(d_in=base(), d_out=target, op=OpKind.PLUS, num_items=10)
    written = target.base if name == "interface" else target
    assert np.asarray(written).tolist() == np.cumsum(base()).tolist()


def test_bytearray():
    raw = bytearray(4)
    inclusive_scan(d_in=np.ones(4, np.uint8), d_out=raw, op=OpKind.PLUS, num_items=4)
    assert raw == b"\x01\x02\x03\x04"


def test_memmap(tmp_path):
    file = np.memmap(tmp_path / "data", np.int32, "w+", shape=10)
    file[:] = base()
    out = np.zeros(1, np.int32)
    reduce_into(d_in=file, d_out=out, num_items=10, op=OpKind.PLUS)
    assert out[0] == 55


def test_read_only_buffers_are_inputs_only():
    items = memoryview(base()).toreadonly()
    out = np.zeros(1, np.int32)
    reduce_into(d_in=items, d_out=out, num_items=10, op=OpKind.PLUS)
    assert out[0] == 55
    with pytest.raises(ValueError, match="d_out is read-only"):
        inclusive_scan(d_in=base(), d_out=items, op=OpKind.PLUS, num_items=10)


def test_a_broken_interface():
    class Broken:
        @property
        def __array_interface__(self):
            return {"shape": (3,), "typestr": "nonsense", "version": 3}

    with pytest.raises(TypeError, match="d_in"):
        reduce_into(d_in=Broken(), d_out=np.zeros(1), num_items=3, op=OpKind.PLUS)


def test_bfloat16_is_refused():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    items = np.zeros(3, ml_dtypes.bfloat16)
    with pytest.raises(TypeError, match="d_in: dtype bfloat16 is not supported"):
        reduce_into(d_in=items, d_out=items.copy(), num_items=3, op=OpKind.PLUS)
