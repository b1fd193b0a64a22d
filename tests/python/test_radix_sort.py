"""Radix sort against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeloom.compute import CountingIterator, DoubleBuffer, SortOrder, make_radix_sort, radix_sort

UP, DOWN = SortOrder.ASCENDING, SortOrder.DESCENDING
SIZES = [0, 1, 2, 3, 255, 256, 257, 1000, 32_767, 70_001]
INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
PAIR = np.dtype([("a", "u1"), ("b", "f8"), ("c", "i2")])


def random_keys(dtype, size, seed=0):
    raw = np.random.default_rng(seed).integers(0, 256, size * np.dtype(dtype).itemsize, np.uint8)
    return (raw & 1).view(np.bool_) if dtype is np.bool_ else raw.view(dtype)


def images(keys):
    """Unsigned numbers in the order of the keys."""
    bits = keys.itemsize * 8
    raw = keys.view(f"u{keys.itemsize}")
    top = raw.dtype.type(1 << (bits - 1))
    if keys.dtype.kind == "i":
        return raw ^ top
    return np.where(raw & top, ~raw, raw | top) if keys.dtype.kind == "f" else raw


def expected_order(keys, order, begin=0, end=None):
    image = images(keys).astype(np.uint64)
    end = keys.itemsize * 8 if end is None else end
    image = (image >> np.uint64(begin)) & np.uint64((1 << (end - begin)) - 1)
    return np.argsort(image if order is UP else ~image, kind="stable")


def same_bytes(got, expected):
    np.testing.assert_array_equal(got.view(np.uint8), expected.view(np.uint8))


@pytest.mark.parametrize("order", SortOrder)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_])
def test_keys(dtype, order):
    for size in SIZES:
        keys = random_keys(dtype, size)
        before, out = keys.copy(), np.zeros(size, dtype)
        radix_sort(d_in_keys=keys, d_out_keys=out, num_items=size, order=order)
        same_bytes(out, keys[expected_order(keys, order)])
        same_bytes(keys, before)


@pytest.mark.parametrize("order", SortOrder)
@pytest.mark.parametrize("value", [np.uint8, np.int16, np.float32, np.int64, np.complex128, PAIR])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.uint64])
def test_pairs(dtype, value, order):
    for size in SIZES:
        keys, values = random_keys(dtype, size), random_keys(value, size, 1)
        out, values_out = np.zeros_like(keys), np.zeros(size, value)
        radix_sort(
            d_in_keys=keys,
            d_out_keys=out,
            d_in_values=values,
            d_out_values=values_out,
            num_items=size,
            order=order,
        )
        by = expected_order(keys, order)
        same_bytes(out, keys[by])
        same_bytes(values_out, values[by])


def test_a_million():
    keys, values = random_keys(np.uint32, 1_000_000), np.arange(1_000_000, dtype=np.uint32)
    out, values_out = np.zeros_like(keys), np.zeros_like(values)
    radix_sort(
        d_in_keys=keys,
        d_out_keys=out,
        d_in_values=values,
        d_out_values=values_out,
        num_items=keys.size,
        order=UP,
    )
    np.testing.assert_array_equal(values_out, np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(out, keys[values_out])


def test_special_floats():
    keys = np.array([np.nan, 0.0, -0.0, np.inf, -np.inf, -np.nan, 1.0, -1.0, 5e-324])
    out = np.zeros_like(keys)
    radix_sort(d_in_keys=keys, d_out_keys=out, num_items=keys.size, order=UP)
    same_bytes(out, np.array([-np.nan, -np.inf, -1.0, -0.0, 0.0, 5e-324, 1.0, np.inf, np.nan]))


@pytest.mark.parametrize("size", [100, 5000])
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_bit_windows(size, data):
    dtype = data.draw(st.sampled_from([np.uint8, np.int16, np.float32, np.uint64]))
    bits = np.dtype(dtype).itemsize * 8
    begin = data.draw(st.integers(0, bits))
    end = data.draw(st.integers(begin, bits))
    order = data.draw(st.sampled_from(list(SortOrder)))
    keys, values = random_keys(dtype, size), np.arange(size)
    out, values_out = np.zeros_like(keys), np.zeros_like(values)
    radix_sort(
        d_in_keys=keys,
        d_out_keys=out,
        d_in_values=values,
        d_out_values=values_out,
        num_items=size,
        order=order,
        begin_bit=begin,
        end_bit=end,
    )
    by = expected_order(keys, order, begin, end)
    np.testing.assert_array_equal(values_out, by)
    same_bytes(out, keys[by])


@pytest.mark.parametrize("spread", [1, 2, 255, 256, 65_536, 2**24])
def test_few_distinct_keys(spread):
    """Digits that are equal in all keys are skipped: results come from an odd or even number of passes."""
    keys = np.random.default_rng(3).integers(0, spread, 50_000).astype(np.uint32)
    in_place, out = keys.copy(), np.zeros_like(keys)
    radix_sort(d_in_keys=keys, d_out_keys=out, num_items=keys.size, order=UP)
    radix_sort(d_in_keys=in_place, d_out_keys=in_place, num_items=keys.size, order=UP)
    np.testing.assert_array_equal(out, np.sort(keys))
    np.testing.assert_array_equal(in_place, np.sort(keys))


@pytest.mark.parametrize("size", [10, 40_000])
@pytest.mark.parametrize("value", [np.int32, np.int8, PAIR])
def test_layouts_and_in_place(size, value):
    keys, values = random_keys(np.int32, size), random_keys(value, size, 1)
    by = np.argsort(keys, kind="stable")
    wide, wide_values = np.zeros((size, 2), np.int32), np.zeros((2, size), value)[:, ::-1]
    wide[:, 1], wide_values[1] = keys, values
    raw = np.zeros(size * 4 + 1, np.uint8)[1:].view(np.int32)
    matrix = np.zeros((size // 2, 4), value)[:, ::2]
    radix_sort(
        d_in_keys=wide[:, 1],
        d_out_keys=raw,
        d_in_values=wide_values[1],
        d_out_values=matrix,
        num_items=size,
        order=UP,
    )
    np.testing.assert_array_equal(raw, keys[by])
    same_bytes(matrix.ravel(), values[by])
    radix_sort(
        d_in_keys=wide[:, 1],
        d_out_keys=wide[:, 1],
        d_in_values=wide_values[1],
        d_out_values=wide_values[1],
        num_items=size,
        order=UP,
    )
    np.testing.assert_array_equal(wide[:, 1], keys[by])
    assert not wide[:, 0].any()
    same_bytes(wide_values[1].copy(), values[by])


def test_fewer_items_than_there_are():
    keys, out = np.array([3, 2, 1, 0]), np.full(4, 9)
    radix_sort(d_in_keys=keys, d_out_keys=out, num_items=3, order=UP)
    assert out.tolist() == [1, 2, 3, 9]


@pytest.mark.parametrize("size", [0, 7, 50_000])
def test_double_buffers(size):
    keys, values = random_keys(np.float32, size), np.arange(size)
    by = expected_order(keys, DOWN)
    key_buffer = DoubleBuffer(keys.copy(), np.zeros_like(keys))
    value_buffer = DoubleBuffer(values.copy(), np.zeros_like(values))
    radix_sort(
        d_in_keys=key_buffer,
        d_out_keys=None,
        d_in_values=value_buffer,
        d_out_values=None,
        num_items=size,
        order=DOWN,
    )
    same_bytes(key_buffer.current(), keys[by])
    np.testing.assert_array_equal(value_buffer.current(), by)
    assert key_buffer.selector == value_buffer.selector
    radix_sort(d_in_keys=key_buffer, d_out_keys=None, num_items=size, order=UP)
    same_bytes(key_buffer.current(), keys[expected_order(keys, UP)])


def test_object():
    keys, out = random_keys(np.int64, 1000), np.zeros(1000, np.int64)
    data = {"d_in_keys": keys, "d_out_keys": out, "d_in_values": None, "d_out_values": None}
    f = make_radix_sort(**data, order=UP)
    assert make_radix_sort(**data, order=UP) is f
    assert make_radix_sort(**data, order=DOWN) is not f
    scratch = np.empty(f(temp_storage=None, num_items=1000, **data), np.uint8)
    assert not out.any()
    assert f(temp_storage=scratch, num_items=1000, **data) == scratch.size
    np.testing.assert_array_equal(out, np.sort(keys))
    buffer = DoubleBuffer(keys, out)
    g = make_radix_sort(d_in_keys=buffer, d_out_keys=None, d_in_values=None, d_out_values=None, order=UP)
    g(temp_storage=None, num_items=1000, **{**data, "d_in_keys": buffer, "d_out_keys": None})
    assert buffer.selector == 0
    g(temp_storage=scratch, num_items=1000, **{**data, "d_in_keys": buffer, "d_out_keys": None})
    assert buffer.selector == 1
    with pytest.raises(TypeError, match="built for arrays"):
        f(temp_storage=scratch, num_items=1000, **{**data, "d_in_keys": buffer})
    with pytest.raises(TypeError, match="d_in_keys"):
        f(temp_storage=scratch, num_items=10, **{**data, "d_in_keys": keys.astype(np.int32)})
    with pytest.raises(ValueError, match="without values"):
        f(temp_storage=scratch, num_items=10, **{**data, "d_in_values": keys, "d_out_values": keys.copy()})
    with pytest.raises(ValueError, match="temp_storage"):
        f(temp_storage=scratch[:5], num_items=1000, **data)


KEYS, OUT = np.arange(10), np.zeros(10, np.int64)
READ_ONLY = np.zeros(10, np.int64)
READ_ONLY.flags.writeable = False
WRONG = {
    "order": ({"order": 1}, TypeError, "order must be a member of SortOrder"),
    "too few": ({"num_items": 11}, ValueError, "d_in_keys has 10 items"),
    "too few out": ({"d_out_keys": OUT[:4]}, ValueError, "d_out_keys has 4 items"),
    "negative": ({"num_items": -1}, ValueError, "num_items"),
    "dtypes": ({"d_out_keys": OUT.astype(np.int32)}, TypeError, "d_out_keys has items of type i32"),
    "read-only": ({"d_out_keys": READ_ONLY}, ValueError, "d_out_keys is read-only"),
    "iterator": ({"d_in_keys": CountingIterator(0)}, TypeError, "d_in_keys must be an array"),
    "no output": ({"d_out_keys": None}, TypeError, "d_out_keys must be an array"),
    "complex": ({"d_in_keys": KEYS + 0j, "d_out_keys": OUT + 0j}, TypeError, "d_in_keys: .*merge_sort"),
    "one side": ({"d_in_values": KEYS}, ValueError, "d_in_values and d_out_values"),
    "other side": ({"d_out_values": OUT}, ValueError, "d_in_values and d_out_values"),
    "overlap": ({"d_out_keys": KEYS[::-1]}, ValueError, "overlaps"),
    "outputs overlap": ({"d_in_values": KEYS, "d_out_values": OUT}, ValueError, "overlaps"),
    "keys onto values": (
        {"d_in_values": OUT, "d_out_values": KEYS.copy()},
        ValueError,
        "d_out_keys overlaps that of d_in_values",
    ),
    "mixed": (
        {"d_in_keys": DoubleBuffer(KEYS, OUT), "d_in_values": KEYS},
        ValueError,
        "both be a DoubleBuffer",
    ),
    "bits": ({"begin_bit": 3, "end_bit": 2}, ValueError, "begin_bit is 3 and end_bit 2"),
    "many bits": ({"end_bit": 65}, ValueError, "end_bit 65"),
    "negative bits": ({"begin_bit": -1}, ValueError, "begin_bit is -1"),
    "no number of bits": ({"begin_bit": 1.5}, TypeError, "begin_bit"),
    "stream": ({"stream": 3}, TypeError, "stream"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    change, kind, text = WRONG[name]
    call = {"d_in_keys": KEYS, "d_out_keys": OUT, "num_items": 10, "order": UP}
    with pytest.raises(kind, match=text):
        radix_sort(**{**call, **change})
