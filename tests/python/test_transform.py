"""Transforms against NumPy."""

import math

import numpy as np
import pytest

from freeloom.compute import (
    OpKind,
    ZipIterator,
    binary_transform,
    make_binary_transform,
    make_unary_transform,
    unary_transform,
)

SIZES = [0, 1, 2, 15, 16, 17, 1000, 8191, 8193, 1_000_000]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64])
def test_unary(dtype, size):
    items = (np.arange(size) % 120).astype(dtype)
    out = np.zeros(size, dtype)
    unary_transform(d_in=items, d_out=out, op=lambda x: x * 2 + 1, num_items=size)
    np.testing.assert_array_equal(out, items * dtype(2) + dtype(1))


@pytest.mark.parametrize("size", SIZES)
def test_binary(size):
    a = np.arange(size, dtype=np.int32)
    b = np.arange(size, dtype=np.float32)[::-1].copy()
    out = np.zeros(size, np.float64)
    binary_transform(d_in1=a, d_in2=b, d_out=out, op=lambda x, y: x - y, num_items=size)
    np.testing.assert_array_equal(out, a - b.astype(np.float64))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_types(dtype):
    items = np.linspace(-3, 3, 1001).astype(dtype)
    out = np.zeros_like(items)
    unary_transform(d_in=items, d_out=out, op=lambda x: x * x - x, num_items=items.size)
    np.testing.assert_array_equal(out, items * items - items)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex(dtype):
    rng = np.random.default_rng(0)
    items = (rng.standard_normal(100) + 1j * rng.standard_normal(100)).astype(dtype)
    out = np.zeros_like(items)
    unary_transform(d_in=items, d_out=out, op=lambda z: z * z.conjugate() + z.imag, num_items=100)
    np.testing.assert_allclose(out, items * items.conj() + items.imag, rtol=1e-5, atol=1e-6)


def test_output_of_other_types():
    items = np.array([0.0, 1.9, -1.9, 300.0])
    for dtype in (np.int32, np.int16, np.float32, np.bool_):
        out = np.zeros(4, dtype)
        unary_transform(d_in=items, d_out=out, op=lambda x: x, num_items=4)
        np.testing.assert_array_equal(out, items.astype(dtype))


def test_comparison_gives_booleans():
    items = np.arange(10)
    out = np.zeros(10, np.bool_)
    unary_transform(d_in=items, d_out=out, op=lambda x: 3 <= x < 7, num_items=10)
    np.testing.assert_array_equal(out, (items >= 3) & (items < 7))


def test_in_place_and_layouts():
    items = np.arange(1000.0)
    unary_transform(d_in=items, d_out=items, op=lambda x: x + 1, num_items=1000)
    np.testing.assert_array_equal(items, np.arange(1, 1001.0))
    unary_transform(d_in=items[::2], d_out=items[::2], op=lambda x: -x, num_items=500)
    np.testing.assert_array_equal(items[::2], -np.arange(1, 1001.0)[::2])
    unary_transform(d_in=items[::2], d_out=items[1::2], op=OpKind.IDENTITY, num_items=500)
    np.testing.assert_array_equal(items[::2], items[1::2])
    matrix = np.zeros((40, 25))
    unary_transform(d_in=items, d_out=matrix[:, ::-1], op=OpKind.IDENTITY, num_items=1000)
    np.testing.assert_array_equal(matrix[:, ::-1].ravel(), items)


def test_halves_of_one_array():
    items = np.arange(20.0)
    unary_transform(d_in=items, d_out=items[10:], op=OpKind.NEGATE, num_items=10)
    np.testing.assert_array_equal(items[10:], -np.arange(10.0))


def test_misaligned():
    raw = np.zeros(8 * 100 + 1, np.uint8)
    items = raw[1:].view(np.float64)
    items[:] = np.arange(100)
    out = np.zeros(8 * 100 + 3, np.uint8)[3:].view(np.float64)
    unary_transform(d_in=items, d_out=out, op=lambda x: x / 2, num_items=100)
    np.testing.assert_array_equal(out, np.arange(100) / 2)


def test_object():
    a, b, out = np.arange(5), np.arange(5) * 10, np.zeros(5, np.int64)
    f = make_unary_transform(d_in=a, d_out=out, op=OpKind.NEGATE)
    assert f(d_in=b, d_out=out, op=OpKind.NEGATE, num_items=5) is None
    assert out.tolist() == [0, -10, -20, -30, -40]
    g = make_binary_transform(d_in1=a, d_in2=b, d_out=out, op=OpKind.PLUS)
    assert g(d_in1=a, d_in2=b, d_out=out, op=OpKind.PLUS, num_items=3) is None
    assert out.tolist() == [0, 11, 22, -30, -40]


def test_three_inputs_and_two_outputs():
    a, b, c = np.arange(4), np.arange(4) + 10, np.arange(4) + 100
    low, high = np.zeros(4, np.int64), np.zeros(4, np.int64)

    def extremes(p):
        return min(p[0], p[1], p[2]), max(p[0], p[1], p[2])

    unary_transform(d_in=ZipIterator(a, b, c), d_out=ZipIterator(low, high), op=extremes, num_items=4)
    assert low.tolist() == a.tolist()
    assert high.tolist() == c.tolist()


def test_module_functions():
    items = np.linspace(0.1, 2, 50)
    out = np.zeros(50)
    unary_transform(d_in=items, d_out=out, op=lambda x: math.sin(x) + np.exp(x), num_items=50)
    np.testing.assert_allclose(out, np.sin(items) + np.exp(items), rtol=1e-14)
