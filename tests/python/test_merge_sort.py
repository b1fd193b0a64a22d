"""Merge sort against NumPy and Python's own stable sort."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeloom.compute import (
    ConstantIterator,
    CountingIterator,
    OpKind,
    TransformIterator,
    ZipIterator,
    make_merge_sort,
    merge_sort,
)

SIZES = [0, 1, 2, 3, 15, 16, 17, 33, 1000, 8192, 8193, 40_000, 150_001]
DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16]
DTYPES += [np.float32, np.float64]
POINT = np.dtype([("x", "f8"), ("y", "i2")])


def less(a, b):
    return np.uint8(a < b)


def random_keys(dtype, size, seed=0):
    return np.random.default_rng(seed).integers(0, 120, size).astype(dtype)


@pytest.mark.parametrize("op", [OpKind.LESS, less], ids=["LESS", "less"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_keys(dtype, op):
    for size in SIZES:
        keys, out = random_keys(dtype, size), np.zeros(size, dtype)
        merge_sort(d_in_keys=keys, d_out_keys=out, num_items=size, op=op)
        np.testing.assert_array_equal(out, np.sort(keys))


@pytest.mark.parametrize("value", [np.uint8, np.int32, np.complex128, POINT])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float64])
def test_pairs_are_stable(dtype, value):
    for size in SIZES:
        keys, values = random_keys(dtype, size), np.zeros(size, value)
        values[:] = np.arange(size) % 251
        out, values_out = np.zeros_like(keys), np.zeros_like(values)
        merge_sort(
            d_in_keys=keys,
            d_in_values=values,
            d_out_keys=out,
            d_out_values=values_out,
            num_items=size,
            op=lambda a, b: a > b,
        )
        by = np.argsort(-keys.astype(np.int64), kind="stable")
        np.testing.assert_array_equal(out, keys[by])
        np.testing.assert_array_equal(values_out, values[by])


def test_a_million():
    keys = np.random.default_rng(5).integers(-(2**31), 2**31, 1_000_000, np.int32)
    out, values_out = np.zeros_like(keys), np.zeros(keys.size, np.int64)
    merge_sort(
        d_in_keys=keys,
        d_in_values=CountingIterator(np.int64(0)),
        d_out_keys=out,
        d_out_values=values_out,
        num_items=keys.size,
        op=lambda a, b: a < b,
    )
    np.testing.assert_array_equal(values_out, np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(out, np.sort(keys))


@pytest.mark.parametrize("size", [10, 5000, 50_000])
def test_records_and_complex(size):
    rng = np.random.default_rng(2)
    points = np.zeros(size, POINT)
    points["x"], points["y"] = rng.integers(0, 50, size), rng.integers(-9, 9, size)
    out = np.zeros_like(points)

    def before(p, q):
        return p.y < q.y if p.x == q.x else p.x > q.x

    merge_sort(d_in_keys=points, d_out_keys=out, num_items=size, op=before)
    np.testing.assert_array_equal(out, points[np.lexsort((points["y"], -points["x"]))])
    z = (points["x"] + 1j * points["y"]).astype(np.complex64)
    z_out = np.zeros_like(z)
    merge_sort(
        d_in_keys=z,
        d_out_keys=z_out,
        num_items=size,
        op=lambda a, b: a.real < b.real or (a.real == b.real and a.imag < b.imag),
    )
    np.testing.assert_array_equal(z_out, np.sort(z))


@pytest.mark.parametrize("size", [17, 30_000])
def test_iterators(size):
    keys = random_keys(np.int32, size)
    out, values_out = np.zeros(size, np.float64), np.zeros(size, np.dtype([("i", "i8"), ("k", "i4")]))
    merge_sort(
        d_in_keys=TransformIterator(keys, lambda k: k * -0.5),
        d_in_values=ZipIterator(CountingIterator(0), keys),
        d_out_keys=out,
        d_out_values=values_out,
        num_items=size,
        op=OpKind.LESS,
    )
    by = np.argsort(-keys, kind="stable")
    np.testing.assert_array_equal(out, keys[by] * -0.5)
    np.testing.assert_array_equal(values_out["i"], by)
    np.testing.assert_array_equal(values_out["k"], keys[by])


@pytest.mark.parametrize("size", [5, 16, 100, 8193, 16_384, 16_385, 40_000, 140_000])
def test_in_place_and_layouts(size):
    keys, values = random_keys(np.int16, size), np.arange(size)
    by = np.argsort(keys, kind="stable")
    key_place, value_place = keys.copy(), values.copy()
    merge_sort(
        d_in_keys=key_place,
        d_in_values=value_place,
        d_out_keys=key_place,
        d_out_values=value_place,
        num_items=size,
        op=OpKind.LESS,
    )
    np.testing.assert_array_equal(key_place, keys[by])
    np.testing.assert_array_equal(value_place, by)
    wide, raw = np.zeros((size, 2), np.int16), np.zeros(size * 8 + 1, np.uint8)[1:].view(np.int64)
    wide[::-1, 1] = keys
    merge_sort(
        d_in_keys=wide[::-1, 1],
        d_in_values=values[::-1][::-1],
        d_out_keys=wide[::-1, 1],
        d_out_values=raw,
        num_items=size,
        op=OpKind.LESS,
    )
    np.testing.assert_array_equal(wide[::-1, 1], keys[by])
    assert not wide[:, 0].any()
    np.testing.assert_array_equal(raw, by)


@given(
    keys=st.lists(st.integers(-5, 5), max_size=200),
    modulus=st.integers(1, 5),
)
@settings(max_examples=30, deadline=None)
def test_captured_arrays(keys, modulus):
    limit = np.array([modulus])

    def before(a, b):
        return a % limit[0] < b % limit[0]

    items, out = np.array(keys, np.int64), np.zeros(len(keys), np.int64)
    merge_sort(d_in_keys=items, d_out_keys=out, num_items=items.size, op=before)
    assert out.tolist() == sorted(keys, key=lambda k: k % modulus)


def test_comparator_with_a_loop():
    def digits_before(a, b):
        total = 0
        while a > 0 or b > 0:
            total += a % 10 - b % 10
            a //= 10
            b //= 10
        return total < 0

    keys = np.random.default_rng(0).integers(0, 100_000, 3000)
    out = np.zeros_like(keys)
    merge_sort(d_in_keys=keys, d_out_keys=out, num_items=keys.size, op=digits_before)
    assert out.tolist() == sorted(keys.tolist(), key=lambda k: sum(map(int, str(k))))


@pytest.mark.parametrize("op", [lambda a, b: True, lambda a, b: a <= b, lambda a, b: (a * 7 + b) % 3 == 1])
def test_comparators_that_are_no_order(op):
    """The order is unspecified, but nothing outside of the arrays is touched."""
    keys, room = random_keys(np.int64, 70_001), np.full(70_001 + 2000, -1)
    merge_sort(d_in_keys=keys, d_out_keys=room[1000:-1000], num_items=keys.size, op=op)
    assert (room[:1000] == -1).all()
    assert (room[-1000:] == -1).all()
    assert set(room[1000:-1000].tolist()) <= set(keys.tolist())


def test_object():
    keys, out = random_keys(np.int64, 1000), np.zeros(1000, np.int64)
    data = {
        "d_in_keys": keys,
        "d_in_values": None,
        "d_out_keys": out,
        "d_out_values": None,
        "op": OpKind.GREATER,
    }
    f = make_merge_sort(**data)
    assert make_merge_sort(**data) is f
    scratch = np.empty(f(temp_storage=None, num_items=1000, **data), np.uint8)
    assert not out.any()
    assert f(temp_storage=scratch, num_items=1000, **data) == scratch.size
    np.testing.assert_array_equal(out, np.sort(keys)[::-1])
    with pytest.raises(TypeError, match="op"):
        f(temp_storage=scratch, num_items=1000, **{**data, "op": OpKind.LESS})
    with pytest.raises(TypeError, match="d_in_keys"):
        f(temp_storage=scratch, num_items=10, **{**data, "d_in_keys": keys.astype(np.int32)})
    with pytest.raises(ValueError, match="without values"):
        f(temp_storage=scratch, num_items=10, **{**data, "d_in_values": keys, "d_out_values": keys.copy()})
    with pytest.raises(ValueError, match="temp_storage"):
        f(temp_storage=scratch[:5], num_items=1000, **data)


def test_comparator_like_functools():
    words = random_keys(np.uint16, 500)
    out = np.zeros_like(words)
    merge_sort(d_in_keys=words, d_out_keys=out, num_items=500, op=lambda a, b: (a & 7, a) < (b & 7, b))
    compare = functools.cmp_to_key(lambda a, b: ((a & 7, a) > (b & 7, b)) - ((a & 7, a) < (b & 7, b)))
    assert out.tolist() == sorted(words.tolist(), key=compare)


KEYS, OUT = np.arange(10), np.zeros(10, np.int64)
READ_ONLY = np.zeros(10, np.int64)
READ_ONLY.flags.writeable = False
WRONG = {
    "operator": ({"op": None}, TypeError, "op is a NoneType"),
    "one argument": ({"op": lambda a: a}, TypeError, "op|takes|bool|tuple|convert"),
    "no truth": ({"op": lambda a, b: (a, b)}, TypeError, "op|takes|bool|tuple|convert"),
    "too few": ({"num_items": 11}, ValueError, "d_in_keys has 10 items"),
    "too few out": ({"d_out_keys": OUT[:4]}, ValueError, "d_out_keys has 4 items"),
    "negative": ({"num_items": -1}, ValueError, "num_items"),
    "read-only": ({"d_out_keys": READ_ONLY}, ValueError, "d_out_keys is read-only"),
    "output iterator": ({"d_out_keys": ZipIterator(OUT)}, TypeError, "d_out_keys must be an array"),
    "one side": ({"d_in_values": KEYS}, ValueError, "d_in_values and d_out_values"),
    "other side": ({"d_out_values": OUT}, ValueError, "d_in_values and d_out_values"),
    "values": (
        {"d_in_values": ConstantIterator(1j), "d_out_values": OUT.copy()},
        TypeError,
        "d_in_values: .*does not convert",
    ),
    "overlap": ({"d_out_keys": KEYS[::-1]}, ValueError, "overlaps"),
    "outputs overlap": ({"d_in_values": KEYS, "d_out_values": OUT}, ValueError, "overlaps"),
    "OpKind of records": (
        {"d_in_keys": np.zeros(10, POINT), "d_out_keys": np.zeros(10, POINT)},
        TypeError,
        "OpKind.LESS",
    ),
    "stream": ({"stream": 3}, TypeError, "stream"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    change, kind, text = WRONG[name]
    call = {"d_in_keys": KEYS, "d_out_keys": OUT, "num_items": 10, "op": OpKind.LESS}
    with pytest.raises(kind, match=text):
        merge_sort(**{**call, **change})
