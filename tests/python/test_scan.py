"""Scans against NumPy."""

import numpy as np
import pytest

from freeloom.compute import (
    CountingIterator,
    OpKind,
    exclusive_scan,
    inclusive_scan,
    make_exclusive_scan,
    make_inclusive_scan,
)

SIZES = [0, 1, 2, 15, 16, 17, 255, 256, 257, 4095, 4096, 4097, 30_000, 65_537, 1_000_000]
DTYPES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def integers(dtype, size, seed=1):
    info = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(info.min, info.max, size, dtype, endpoint=True)


def exclusive(inclusive, init):
    return np.concatenate([[init], inclusive[:-1]]).astype(inclusive.dtype) if inclusive.size else inclusive


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64])
def test_sums(dtype, size):
    items = integers(dtype, size)
    out = np.zeros(size, dtype)
    expected = np.cumsum(items, dtype=dtype)
    for op in (OpKind.PLUS, lambda a, b: a + b):
        out[:] = 0
        inclusive_scan(d_in=items, d_out=out, op=op, num_items=size)
        np.testing.assert_array_equal(out, expected)
        exclusive_scan(d_in=items, d_out=out, op=op, init_value=np.zeros(1, dtype), num_items=size)
        np.testing.assert_array_equal(out, exclusive(expected, 0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_integer(dtype):
    items = integers(dtype, 10_000)
    out = np.zeros_like(items)
    inclusive_scan(d_in=items, d_out=out, op=OpKind.MAXIMUM, num_items=items.size)
    np.testing.assert_array_equal(out, np.maximum.accumulate(items))


@pytest.mark.parametrize("size", [0, 1, 17, 5000, 200_001])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats(dtype, size):
    items = np.random.default_rng(2).random(size).astype(dtype)
    out = np.zeros(size, dtype)
    inclusive_scan(d_in=items, d_out=out, op=OpKind.PLUS, num_items=size)
    np.testing.assert_allclose(out, np.cumsum(items.astype(np.float64)), rtol=1e-3)


@pytest.mark.parametrize("size", [1, 16, 17, 4097, 100_000])
def test_initial_value(size):
    items = integers(np.int64, size)
    out = np.zeros(size, np.int64)
    expected = np.cumsum(items) + 1000
    inclusive_scan(d_in=items, d_out=out, op=OpKind.PLUS, init_value=np.array([1000]), num_items=size)
    np.testing.assert_array_equal(out, expected)
    exclusive_scan(d_in=items, d_out=out, op=OpKind.PLUS, init_value=1000, num_items=size)
    np.testing.assert_array_equal(out, exclusive(expected, 1000))


def test_initial_value_is_read_at_the_call():
    items, out, init = np.ones(5, np.int64), np.zeros(5, np.int64), np.zeros(1, np.int64)
    f = make_exclusive_scan(d_in=items, d_out=out, op=OpKind.PLUS, init_value=init)
    temp = np.empty(64, np.uint8)
    for start in (0, 50):
        init[0] = start
        f(temp_storage=temp, d_in=items, d_out=out, op=OpKind.PLUS, init_value=init, num_items=5)
        assert out.tolist() == list(range(start, start + 5))


@pytest.mark.parametrize("size", [1, 100, 4097, 300_000])
def test_in_place(size):
    items = integers(np.int32, size)
    expected = np.cumsum(items, dtype=np.int32)
    both = items.copy()
    inclusive_scan(d_in=both, d_out=both, op=OpKind.PLUS, num_items=size)
    np.testing.assert_array_equal(both, expected)
    both = items.copy()
    exclusive_scan(d_in=both, d_out=both, op=OpKind.PLUS, init_value=0, num_items=size)
    np.testing.assert_array_equal(both, exclusive(expected, 0))


@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_layouts(size):
    base = integers(np.int32, 3 * size)
    out = np.zeros(2 * size, np.int32)
    for items, target in [
        (base[::3], out[:size]),
        (base[:size][::-1], out[::2]),
        (base[1::3], out[:size][::-1]),
        (base[::-3], out[1::2][::-1]),
    ]:
        inclusive_scan(d_in=items, d_out=target, op=OpKind.PLUS, num_items=size)
        np.testing.assert_array_equal(target, np.cumsum(items, dtype=np.int32))


@pytest.mark.parametrize("size", [2, 63, 4096, 50_001])
def test_order_is_kept(size):
    pair = np.dtype([("a", np.uint64), ("b", np.uint64)])
    rng = np.random.default_rng(size)
    items = np.zeros(size, pair)
    items["a"] = rng.integers(0, 2**63, size, np.uint64) | np.uint64(1)
    items["b"] = rng.integers(0, 2**63, size, np.uint64)
    out = np.zeros(size, pair)

    def compose(f, g):
        return f.a * g.a, f.b * g.a + g.b

    inclusive_scan(d_in=items, d_out=out, op=compose, num_items=size)
    a, b = 1, 0
    for i, (x, y) in enumerate(items.tolist()):
        a, b = a * x % 2**64, (b * x + y) % 2**64
        assert out[i].item() == (a, b)


def test_booleans():
    items = np.array([False, False, True, False])
    out = np.zeros(4, np.bool_)
    inclusive_scan(d_in=items, d_out=out, op=OpKind.MAXIMUM, num_items=4)
    assert out.tolist() == [False, False, True, True]


def test_iterator_input_and_wider_output():
    out = np.zeros(100, np.float64)
    inclusive_scan(d_in=CountingIterator(np.int32(1)), d_out=out, op=OpKind.PLUS, num_items=100)
    np.testing.assert_array_equal(out, np.cumsum(np.arange(1, 101)))


def test_exclusive_without_initial_value_fails_at_the_call():
    items, out = np.arange(3), np.zeros(3, np.int64)
    f = make_exclusive_scan(d_in=items, d_out=out, op=OpKind.PLUS, init_value=None)
    call = {"d_in": items, "d_out": out, "op": OpKind.PLUS, "init_value": None, "num_items": 3}
    with pytest.raises(ValueError, match="init_value"):
        f(temp_storage=None, **call)
    with pytest.raises(ValueError, match="init_value"):
        exclusive_scan(**call)


def test_two_phases():
    size = 500_000
    items, out = np.ones(size, np.int64), np.zeros(size, np.int64)
    call = {"d_in": items, "d_out": out, "op": OpKind.PLUS, "init_value": None}
    f = make_inclusive_scan(**call)
    bytes_needed = f(temp_storage=None, num_items=size, **call)
    assert not out.any()
    f(temp_storage=np.empty(max(bytes_needed, 1), np.uint8), num_items=size, **call)
    assert out[-1] == size
