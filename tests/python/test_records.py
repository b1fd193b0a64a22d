"""Structured dtypes with their real layout, in every algorithm."""

import numpy as np
import pytest

from freeloom.compute import gpu_struct, inclusive_scan, record, reduce_into, unary_transform

FIELDS = [("a", "i1"), ("b", "f8"), ("c", "i2")]
LAYOUTS = {
    "packed": np.dtype(FIELDS),
    "aligned": np.dtype(FIELDS, align=True),
    "gaps": np.dtype(
        {"names": list("abc"), "formats": ["i1", "f8", "i2"], "offsets": [3, 9, 20], "itemsize": 31}
    ),
    "reordered": np.dtype({"names": list("abc"), "formats": ["i1", "f8", "i2"], "offsets": [10, 0, 8]}),
    "titles": np.dtype([(("title a", "a"), "i1"), (("title b", "b"), "f8"), (("title c", "c"), "i2")]),
}


def filled(dtype, size=1000):
    items = np.zeros(size, dtype)
    items["a"] = np.arange(size) % 5
    items["b"] = np.arange(size) / 4
    items["c"] = np.arange(size) % 7
    return items


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_is_the_real_one(name):
    items = filled(LAYOUTS[name])
    out = np.zeros(1, items.dtype)

    def add(x, y):
        return x.a + y.a, x.b + y.b, x.c + y.c

    reduce_into(d_in=items, d_out=out, num_items=items.size, op=add)
    assert out["b"][0] == items["b"].sum()
    assert out["a"][0] == items["a"].sum(dtype=np.int8)
    assert out["c"][0] == items["c"].sum(dtype=np.int16)


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_mix(name):
    # Read one layout, write another.
    items = filled(LAYOUTS[name])
    out = np.zeros(items.size, LAYOUTS["packed"])
    unary_transform(d_in=items, d_out=out, op=lambda r: (r.a + 1, r.b * 2, r[2]), num_items=items.size)
    np.testing.assert_array_equal(out["a"], items["a"] + 1)
    np.testing.assert_array_equal(out["b"], items["b"] * 2)
    np.testing.assert_array_equal(out["c"], items["c"])


def test_nested():
    inner = np.dtype([("x", "f4"), ("y", "f4")])
    outer = np.dtype([("id", "u1"), ("p", inner), ("w", "f8")])
    items = np.zeros(100, outer)
    items["p"]["x"] = np.arange(100)
    items["p"]["y"] = -np.arange(100)
    items["w"] = 1
    out = np.zeros(100)
    unary_transform(d_in=items, d_out=out, op=lambda r: r.p.x - r.p.y + r.w, num_items=100)
    np.testing.assert_array_equal(out, 2 * np.arange(100) + 1)


def test_sub_arrays():
    dtype = np.dtype([("v", "f4", 3), ("m", "i2", (2, 2)), ("k", "i8")])
    items = np.zeros(50, dtype)
    items["v"] = np.arange(150).reshape(50, 3)
    items["m"] = np.arange(200).reshape(50, 2, 2)
    out = np.zeros(50)
    unary_transform(d_in=items, d_out=out, op=lambda r: r.v[0] + r.v[2] + r.m[1][0], num_items=50)
    np.testing.assert_array_equal(out, items["v"][:, 0] + items["v"][:, 2] + items["m"][:, 1, 0])

    def total(r):
        s = 0.0
        for i in range(len(r.v)):
            s += r.v[i]
        return s

    unary_transform(d_in=items, d_out=out, op=total, num_items=50)
    np.testing.assert_array_equal(out, items["v"].sum(axis=1))


def test_unaligned_array_of_records():
    raw = np.zeros(31 * 20 + 1, np.uint8)
    items = raw[1:].view(LAYOUTS["gaps"])
    items[:] = filled(LAYOUTS["gaps"], 20)
    out = np.zeros(20)
    unary_transform(d_in=items, d_out=out, op=lambda r: r.b, num_items=20)
    np.testing.assert_array_equal(out, items["b"])


def test_a_field_as_an_array():
    items = filled(LAYOUTS["packed"])
    out = np.zeros(items.size)
    unary_transform(d_in=items["b"], d_out=out, op=lambda x: x + 1, num_items=items.size)
    np.testing.assert_array_equal(out, items["b"] + 1)
    unary_transform(d_in=out, d_out=items["b"], op=lambda x: -x, num_items=items.size)
    np.testing.assert_array_equal(items["b"], -out)


Span = gpu_struct({"low": np.int64, "high": np.int64}, "Span")


def hull(a, b):
    return Span(min(a.low, b.low), max(a.high, b.high))


def test_record_class_in_an_operator():
    items = np.zeros(10_000, Span.dtype)
    items["low"] = np.random.default_rng(0).integers(-(10**6), 10**6, items.size)
    items["high"] = items["low"] + 5
    out = np.zeros(1, Span.dtype)
    reduce_into(d_in=items, d_out=out, num_items=items.size, op=hull, h_init=Span(0, 0))
    assert out[0].item() == (min(0, items["low"].min()), max(0, items["high"].max()))
    result = np.zeros_like(items)
    inclusive_scan(d_in=items, d_out=result, op=hull, num_items=items.size)
    np.testing.assert_array_equal(result["low"], np.minimum.accumulate(items["low"]))
    np.testing.assert_array_equal(result["high"], np.maximum.accumulate(items["high"]))


def test_another_class_with_as_many_fields_converts():
    wide = gpu_struct({"p": np.float64, "q": np.float64})
    narrow = gpu_struct({"x": np.float32, "y": np.float32})
    items = np.zeros(10, narrow.dtype)
    items["x"] = np.arange(10)
    out = np.zeros(10, narrow.dtype)
    unary_transform(d_in=items, d_out=out, op=lambda r: wide(r.x * 2, r.y), num_items=10)
    np.testing.assert_array_equal(out["x"], 2 * np.arange(10))


def test_captured_record_is_a_constant_read_when_it_changes():
    limits = Span(3, 6)
    items, out = np.arange(10), np.zeros(10, np.int64)

    def clamp(x):
        return min(max(x, limits.low), limits.high)

    unary_transform(d_in=items, d_out=out, op=clamp, num_items=10)
    np.testing.assert_array_equal(out, np.clip(items, 3, 6))
    limits._data["high"] = 8
    unary_transform(d_in=items, d_out=out, op=clamp, num_items=10)
    np.testing.assert_array_equal(out, np.clip(items, 3, 8))


def test_record_is_gpu_struct():
    assert record is gpu_struct


@pytest.mark.parametrize("name", ["dtype", "_data", "_field_spec", "__init__", "__slots__", "__new__"])
def test_field_names_of_every_record_class_are_refused(name):
    with pytest.raises(ValueError, match=f"'{name}' is taken"):
        gpu_struct({name: np.int32}, name="Taken")
