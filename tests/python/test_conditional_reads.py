"""Reads that happen only sometimes, and reads of sub-arrays."""

import numpy as np
import pytest

from freeloom import CompileError
from freeloom.compute import unary_transform


def apply(op, items, dtype=None):
    out = np.zeros(items.size, dtype or items.dtype)
    unary_transform(d_in=items, d_out=out, op=op, num_items=items.size)
    return out.tolist()


def test_an_index_that_is_never_read_needs_no_element():
    empty, items = np.zeros(0), np.arange(3.0)
    assert apply(lambda v: empty[0] if v > 100 else -1.0, items) == [-1, -1, -1]

    def leaves_early(v):
        if v < 100:
            return v
        return empty[0]

    assert apply(leaves_early, items) == [0, 1, 2]
    with pytest.raises(IndexError):
        apply(lambda v: empty[0] if v > 1 else -1.0, items)
    with pytest.raises(IndexError):
        apply(lambda v: v + empty[-1], items)


def test_a_read_that_the_test_has_made():
    limit = np.array([1.0])
    assert apply(lambda v: v - limit[0] if v > limit[0] else 0.0, np.arange(4.0)) == [0, 0, 1, 2]
    assert apply(lambda v: limit[-1] if v > 2 else v, np.arange(4.0)) == [0, 1, 2, 1]


def test_sub_arrays_of_two_dimensions():
    items = np.zeros(3, np.dtype([("m", np.int32, (2, 3))], align=True))
    items["m"] = np.arange(18).reshape(3, 2, 3)
    assert apply(lambda v: v.m[1, 0], items, np.int32) == items["m"][:, 1, 0].tolist()
    assert apply(lambda v: v.m[-1, 2] + v.m[0][1], items, np.int32) == [6, 18, 30]
    with pytest.raises(CompileError):
        apply(lambda v: v.m[0, 1, 2], items, np.int32)


def test_records_of_too_many_numbers_are_refused():
    items = np.zeros(2, np.dtype([("a", np.float64, (100,))], align=True))
    with pytest.raises(CompileError, match="100 numbers is too large"):
        apply(lambda v: v.a[0], items, np.float64)
