"""Python integers that are known when an operator is compiled: exact, or refused."""

import math

import numpy as np
import pytest

from freeloom import CompileError
from freeloom.compute import unary_transform

BIG = 10**20


def apply(op, dtype, ret=None, items=(0, 5, 200)):
    values = np.array(items).astype(dtype)
    out = np.zeros(values.size, ret or dtype)
    unary_transform(d_in=values, d_out=out, op=op, num_items=values.size)
    return out


def bound_in_a_branch(v):
    k = 5
    if v > 1:
        k = BIG
    return v + k


BEYOND_128_BITS = [
    lambda v: v * 2**128,
    lambda v: v < 10**40,
    lambda v: v / 2**200,
    lambda v: v + 10**39,
    lambda v: v + (1 << 127),
    lambda v: 2**200 > 3,
    lambda v: v + 2**200 % 7,
    lambda v: np.float64(10**40),
    lambda v: math.sqrt(2**200),
    lambda v: float(10**40),
    lambda v: v + math.factorial(40),
]


@pytest.mark.parametrize("number", range(len(BEYOND_128_BITS)))
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_beyond_128_bits(number, dtype):
    with pytest.raises(CompileError, match="integers beyond 128 bits are not supported"):
        apply(BEYOND_128_BITS[number], dtype, np.float64)


OUT_OF_BOUNDS = [
    (lambda v: max(v, 300), np.uint8, "300 is out of bounds for uint8"),
    (lambda v: min(v, -1), np.uint8, "-1 is out of bounds for uint8"),
    (lambda v: max(v, 1, 300), np.uint8, "300 is out of bounds for uint8"),
    (lambda v: max((v, 300)), np.uint8, "300 is out of bounds for uint8"),
    (lambda v: 300, np.uint8, "300 is out of bounds for uint8"),
    (lambda v: max(v, BIG), np.int64, "out of bounds for int64"),
    (lambda v: v + (5 if v > 0 else BIG), np.int64, "out of bounds for int64"),
    (lambda v: (BIG, 1)[int(v) & 1], np.int64, "out of bounds for int64"),
    (bound_in_a_branch, np.int64, "out of bounds for int64"),
    (lambda v: BIG or v, np.int64, "out of bounds for int64"),
    (lambda v: abs(BIG), np.int64, "out of bounds for int64"),
    (lambda v: int(BIG), np.int64, "out of bounds for int64"),
    (lambda v: int(1e20), np.int64, "out of bounds for int64"),
    (lambda v: 2**64 - 1, np.int64, "out of bounds for int64"),
    (lambda v: np.maximum(v, BIG), np.int64, "out of bounds for int64"),
    (lambda v: np.where(v > 1, BIG, v), np.int64, "out of bounds for int64"),
]


@pytest.mark.parametrize("number", range(len(OUT_OF_BOUNDS)))
def test_out_of_bounds(number):
    op, dtype, message = OUT_OF_BOUNDS[number]
    with pytest.raises(CompileError, match=message):
        apply(op, dtype)


EXACT = [
    lambda v: math.isqrt(BIG),
    lambda v: math.gcd(2**70, 2**69) >> 60,
    lambda v: math.lcm(2**70, 3) >> 60,
    lambda v: BIG.bit_length(),
    lambda v: BIG.bit_count(),
    lambda v: math.factorial(25) % 1000003,
    lambda v: BIG // 10**10,
    lambda v: max(1, BIG) // 10**10,
    lambda v: min(int(v), BIG),
    lambda v: int(v < BIG),
    lambda v: 3 >> 500,
]


@pytest.mark.parametrize("number", range(len(EXACT)))
def test_exact(number):
    op = EXACT[number]
    assert apply(op, np.int64).tolist() == [op(v) for v in (0, 5, 200)]


def test_against_floats():
    for op in [
        lambda v: v * 2**100,
        lambda v: v + 10**38,
        lambda v: v / 2**120,
        lambda v: v + (10**30 + 1) / (3 * 10**9 + 7),
        lambda v: v + (2**53 + 1) / 1,
        lambda v: v + -(2**90 + 3) / 2**30,
        lambda v: math.sqrt(BIG) + v,
    ]:
        assert apply(op, np.float64).tolist() == [op(float(v)) for v in (0, 5, 200)]


def test_what_does_not_win_need_not_fit():
    assert apply(lambda v: min(v, 300), np.uint8).tolist() == [0, 5, 200]
    assert apply(lambda v: max(v, -1), np.uint8).tolist() == [0, 5, 200]


def test_large_unsigned_integers():
    items = np.array([2**63, 2**64 - 1, 2**63 + 12, 15], np.uint64)
    out = np.zeros(items.size, np.int64)
    for op in [lambda v: math.isqrt(v), lambda v: math.gcd(v, 48), lambda v: math.gcd(48, v, 36)]:
        unary_transform(d_in=items, d_out=out, op=op, num_items=items.size)
        assert out.tolist() == [op(int(v)) for v in items]


def test_least_common_multiple_wraps_as_in_numpy():
    items = np.array([2**62, -(2**62), 7, 0, -(2**63)], np.int64)
    out = np.zeros_like(items)
    unary_transform(d_in=items, d_out=out, op=lambda v: np.lcm(v, 3), num_items=items.size)
    assert out.tolist() == np.lcm(items, 3).tolist()


def test_rounding_to_tens_wraps_as_in_numpy():
    items = np.arange(-128, 128).astype(np.int8)
    out = np.zeros_like(items)
    unary_transform(d_in=items, d_out=out, op=lambda v: round(v, -1), num_items=items.size)
    assert out.tolist() == [int(round(v, -1)) for v in items]
