"""Well-known operators against NumPy."""

import numpy as np
import pytest

from freeloom.compute import OpKind, binary_transform, reduce_into, unary_transform

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def towards_zero(a, b):
    quotient = [0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in pairs(a, b)]
    return wrapped(quotient, a.dtype)


def remainder(a, b):
    return wrapped(
        [0 if y == 0 else (abs(x) % abs(y)) * (-1 if x < 0 else 1) for x, y in pairs(a, b)], a.dtype
    )


def pairs(a, b):
    return zip(a.tolist(), b.tolist(), strict=True)


def wrapped(numbers, dtype):
    bits = np.iinfo(dtype).bits
    return np.array([n % 2**bits for n in numbers], np.uint64).astype(dtype)


ARITHMETIC = {
    OpKind.PLUS: np.add,
    OpKind.MINUS: np.subtract,
    OpKind.MULTIPLIES: np.multiply,
    OpKind.MINIMUM: np.minimum,
    OpKind.MAXIMUM: np.maximum,
}
BITS = {OpKind.BIT_AND: np.bitwise_and, OpKind.BIT_OR: np.bitwise_or, OpKind.BIT_XOR: np.bitwise_xor}
COMPARISONS = {
    OpKind.EQUAL_TO: np.equal,
    OpKind.NOT_EQUAL_TO: np.not_equal,
    OpKind.GREATER: np.greater,
    OpKind.LESS: np.less,
    OpKind.GREATER_EQUAL: np.greater_equal,
    OpKind.LESS_EQUAL: np.less_equal,
    OpKind.LOGICAL_AND: np.logical_and,
    OpKind.LOGICAL_OR: np.logical_or,
}


def sample(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        edges = np.array([info.min, info.max, 0, 1, 2, 3, 7], dtype)
        rest = np.random.default_rng(0).integers(info.min, info.max, 25, dtype, endpoint=True)
        items = np.concatenate([edges, rest])
    else:
        items = np.array([0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 3.25, 1e-4], dtype)
    a, b = np.meshgrid(items, items)
    return a.ravel(), b.ravel()


def binary(op, a, b, dtype):
    out = np.zeros(a.size, dtype)
    binary_transform(d_in1=a, d_in2=b, d_out=out, op=op, num_items=a.size)
    return out


@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_arithmetic(op, dtype):
    a, b = sample(dtype)
    with np.errstate(all="ignore"):
        expected = ARITHMETIC[op](a, b)
    np.testing.assert_array_equal(binary(op, a, b, dtype), expected)


@pytest.mark.parametrize("op", BITS, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits(op, dtype):
    a, b = sample(dtype)
    np.testing.assert_array_equal(binary(op, a, b, dtype), BITS[op](a, b))


@pytest.mark.parametrize("op", COMPARISONS, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_comparisons(op, dtype):
    a, b = sample(dtype)
    np.testing.assert_array_equal(binary(op, a, b, np.bool_), COMPARISONS[op](a, b))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_division(dtype):
    a, b = sample(dtype)
    np.testing.assert_array_equal(binary(OpKind.DIVIDES, a, b, dtype), towards_zero(a, b))
    np.testing.assert_array_equal(binary(OpKind.MODULUS, a, b, dtype), remainder(a, b))


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_division(dtype):
    a, b = sample(dtype)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(binary(OpKind.DIVIDES, a, b, dtype), a / b)
        np.testing.assert_array_equal(binary(OpKind.MODULUS, a, b, dtype), np.fmod(a, b))


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_unary(dtype):
    a, _ = sample(dtype)
    out = np.zeros_like(a)
    unary_transform(d_in=a, d_out=out, op=OpKind.IDENTITY, num_items=a.size)
    np.testing.assert_array_equal(out, a)
    unary_transform(d_in=a, d_out=out, op=OpKind.NEGATE, num_items=a.size)
    np.testing.assert_array_equal(out, -a)
    truth = np.zeros(a.size, np.bool_)
    unary_transform(d_in=a, d_out=truth, op=OpKind.LOGICAL_NOT, num_items=a.size)
    np.testing.assert_array_equal(truth, np.logical_not(a))
    if a.dtype.kind in "iu":
        unary_transform(d_in=a, d_out=out, op=OpKind.BIT_NOT, num_items=a.size)
        np.testing.assert_array_equal(out, ~a)


def test_booleans():
    a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
    for op, ufunc in (COMPARISONS | BITS).items():
        np.testing.assert_array_equal(binary(op, a, b, np.bool_), ufunc(a, b))


@pytest.mark.parametrize("op", [OpKind.STATELESS, OpKind.STATEFUL])
def test_internal_members_are_refused(op):
    with pytest.raises(ValueError, match=f"op: OpKind.{op.name} is not an operator"):
        reduce_into(d_in=np.arange(3), d_out=np.zeros(1, np.int64), num_items=3, op=op)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, [("a", "f4")]])
def test_storage_types_need_a_function(dtype):
    items = np.zeros(3, dtype)
    with pytest.raises(TypeError, match=r"OpKind\.PLUS"):
        reduce_into(d_in=items, d_out=items[:1].copy(), num_items=3, op=OpKind.PLUS)


def test_numbers_and_names():
    assert [op.value for op in OpKind] == list(range(24))
    assert OpKind.PLUS == 2
    assert OpKind.MAXIMUM == 23
