"""The same function, compiled and called by CPython with NumPy scalars: values and types agree."""

import cmath
import math
import operator

import numpy as np
import pytest

from freeloom.compute import TransformIterator, unary_transform

FLOATS = np.array([0.0, -0.0, 0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.75, 100.25, -7.0, 1e-3])
INTS = np.array([0, 1, 2, 3, 5, 7, -1, -2, -3, -8, 100, -100])
TYPES = {
    "i8": INTS.astype(np.int8),
    "i16": INTS.astype(np.int16),
    "i32": INTS.astype(np.int32),
    "i64": INTS.astype(np.int64),
    "u8": np.abs(INTS).astype(np.uint8),
    "u32": np.abs(INTS).astype(np.uint32),
    "u64": np.abs(INTS).astype(np.uint64),
    "f16": FLOATS.astype(np.float16),
    "f32": FLOATS.astype(np.float32),
    "f64": FLOATS,
    "bool": INTS % 2 == 0,
    "c64": (FLOATS + 1j * FLOATS[::-1]).astype(np.complex64),
    "c128": FLOATS + 1j * FLOATS[::-1],
}
REAL = [name for name in TYPES if not name.startswith("c") and name != "bool"]
INTEGRAL = [name for name in REAL if name[0] in "iu"]
FLOATING = [name for name in REAL if name[0] == "f"]


def expected(op, items):
    """Results of CPython as an array of the type that their common NumPy type is."""
    with np.errstate(all="ignore"):
        results = [np.asarray(op(x)) for x in items]
    dtype = np.result_type(*(r.dtype for r in results))
    return np.array([r.astype(dtype) for r in results])


def compiled(op, items):
    iterator = TransformIterator(items, op)
    out = np.zeros(items.size, iterator.value_type.dtype)
    unary_transform(d_in=iterator, d_out=out, op=lambda x: x, num_items=items.size)
    return out


def check(op, names, rtol=0.0):
    for name in names:
        items = TYPES[name]
        want, got = expected(op, items), compiled(op, items)
        assert got.dtype == want.dtype, f"{name}: {got.dtype}, not {want.dtype}"
        if rtol:
            np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol, err_msg=name)
        else:
            np.testing.assert_array_equal(got, want, err_msg=name)


ARITHMETIC = [
    lambda x: x + 1,
    lambda x: x - x,
    lambda x: 3 * x - 2,
    lambda x: x + x * x,
    lambda x: x / 2,
    lambda x: x // 3,
    lambda x: x % 3,
    lambda x: x * 0.5,
    lambda x: 1.5 - x,
    lambda x: +x,
    lambda x: -x,
    lambda x: x + np.float32(0.25),
    lambda x: x + np.int8(3),
    lambda x: x * np.uint16(2),
    lambda x: x - np.int64(5),
    lambda x: x + True,
    lambda x: abs(x),
    lambda x: divmod(x, 4)[0] + divmod(x, 4)[1],
    lambda x: min(x, x * 0 + 3),
    lambda x: max(x, x * 2),
    lambda x: np.float64(x) + np.int16(1),
]
COMPARISONS = [
    lambda x: x < 2,
    lambda x: 0 < x <= 3,
    lambda x: x == 1 or x == 3,
    lambda x: not x,
    lambda x: x != x,
    lambda x: bool(x),
    lambda x: (x > 1) & (x < 50),
    lambda x: (x > 1) ^ (x < 50),
    lambda x: 1 < x < 3 < 100,
]
INTEGER_OPERATORS = [
    lambda x: x & 3,
    lambda x: x | 8,
    lambda x: x ^ x,
    lambda x: ~x,
    lambda x: (x & 7) << 2,
    lambda x: x >> 1,
    lambda x: x**2,
    lambda x: int(x) + 1,
    lambda x: float(x) + 1,
    lambda x: np.int8(x) if False else np.uint8(x & 7),
]
FLOAT_FUNCTIONS = [
    lambda x: np.sqrt(np.abs(x)),
    lambda x: np.floor(x) + np.ceil(x) + np.trunc(x) + np.rint(x),
    lambda x: np.exp(x / 64),
    lambda x: np.log1p(np.abs(x)),
    lambda x: np.sin(x) * np.cos(x),
    lambda x: np.arctan2(x, x + 1),
    lambda x: np.hypot(x, 3),
    lambda x: np.maximum(x, 0.5) - np.minimum(x, 0.5),
    lambda x: np.copysign(x, -1.0),
    lambda x: np.sign(x) + np.square(x),
    lambda x: np.clip(x, -1, 2),
    lambda x: np.where(x > 1, x, -x),
    lambda x: x**0.5 if x > 0 else x,
    lambda x: math.sin(x) + math.floor(x) + math.fabs(x),
    lambda x: math.copysign(math.sqrt(abs(x)), x),
    lambda x: math.isnan(x) or math.isfinite(x),
    lambda x: math.atan2(x, 2) + math.hypot(x, 1.0) + math.erf(x),
    lambda x: round(x),
    lambda x: operator.add(x, operator.mul(x, x)),
    lambda x: np.isfinite(x) and not np.isnan(x),
]
COMPLEX_FUNCTIONS = [
    lambda z: z * z + 1,
    lambda z: z.real - z.imag,
    lambda z: z.conjugate() * z,
    lambda z: abs(z),
    lambda z: z / (2 + 1j),
    lambda z: z - 1j,
    lambda z: z == z.conjugate(),
    lambda z: complex(z.real, 1.0) + z,
    lambda z: np.conj(z) + np.real(z) + np.imag(z),
    lambda z: cmath.sqrt(z) + cmath.exp(z / 64),
    lambda z: -z,
]


@pytest.mark.parametrize("op", ARITHMETIC, ids=range(len(ARITHMETIC)))
def test_arithmetic(op):
    check(op, REAL)


@pytest.mark.parametrize("op", COMPARISONS, ids=range(len(COMPARISONS)))
def test_comparisons(op):
    check(op, REAL)


@pytest.mark.parametrize("op", INTEGER_OPERATORS, ids=range(len(INTEGER_OPERATORS)))
def test_integer_operators(op):
    check(op, INTEGRAL)


@pytest.mark.parametrize("op", FLOAT_FUNCTIONS, ids=range(len(FLOAT_FUNCTIONS)))
def test_float_functions(op):
    check(op, ["f32", "f64"], rtol=2e-6)
    check(op, ["f16"], rtol=4e-3)


@pytest.mark.parametrize("op", COMPLEX_FUNCTIONS, ids=range(len(COMPLEX_FUNCTIONS)))
def test_complex(op):
    check(op, ["c64", "c128"], rtol=1e-6)


def test_booleans():
    for op in (
        lambda x: x and True,
        lambda x: not x,
        lambda x: x | False,
        lambda x: x + 1,
        lambda x: x * 2.5,
    ):
        check(op, ["bool"])


def while_loop(x):
    n = 0
    while x > 1 and n < 50:
        x = x / 2
        n += 1
    return n


def for_loop(x):
    total = 0.0
    for i in range(10):
        if i == 7:
            break
        if i % 2:
            continue
        total += x * i
    return total


def descending(x):
    total = x * 0
    for i in range(9, -1, -3):
        total = total + i * x
    return total


def bounds_at_run_time(x):
    total = 0
    for i in range(int(x) % 5, 12, 1 + int(x) % 3):
        total += i
    return total


def nested_loops(x):
    count = 0
    for i in range(5):
        for j in range(i):
            if j == 2:
                break
            count += 1
        else:
            count += 100
    return count + x


def loop_else(x):
    for i in range(3):
        if x == i:
            result = 1
            break
    else:
        result = 2
    return result


def early_return(x):
    if x < 0:
        return -x
    if x > 50:
        return x - 50
    return x


def if_chain(x):
    if x > 10:
        y = x * 2
    elif x > 0:
        y = x * 3
    else:
        y = x * 4
    return y + 1


def tuples(x):
    a, b = x, x + 1
    a, b = b, a
    t = (a, (b, a * 2))
    (c, (d, e)) = t
    return c - d + e + t[1][0] + t[-1][-1]


def augmented(x):
    y = x
    y += 2
    y *= 3
    y -= x
    return y


def chained_assignment(x):
    a = b = x + 1
    return a * b


def annotated(x):
    y: int = x
    z: float
    z = y * 2
    return z


def walrus(x):
    return (y := x + 1) * y


def conditional_expression(x):
    return x * 2 if x > 1 else x * 3 if x < -1 else x * 5


def nested_function(x):
    def inner(y, k=2):
        return y * k + x

    return inner(x) + inner(x, 3) + inner(y=x, k=4)


def inner_lambda(x):
    f = lambda y: y + x  # noqa: E731
    return f(f(x))


def short_circuit(x):
    return (x != 0 and 10 / x > 3) or x == 0


def values_of_and_or(x):
    return (x and x * 2) + (x or x + 1)


def docstring(x):
    """Not code."""
    return x


def unused_names(x):
    unused = x * 2  # noqa: F841
    return x


def gcd(x):
    a, b = abs(int(x)), 36
    while b:
        a, b = b, a % b
    return a


CONTROL_FLOW = [
    while_loop, for_loop, descending, bounds_at_run_time, nested_loops, loop_else, early_return, if_chain,
    tuples, augmented, chained_assignment, annotated, walrus, conditional_expression, nested_function,
    inner_lambda, short_circuit, values_of_and_or, docstring, unused_names, gcd,
]  # fmt: skip


@pytest.mark.parametrize("op", CONTROL_FLOW, ids=lambda op: op.__name__)
def test_control_flow(op):
    check(op, ["i32", "i64", "f32", "f64"])


def test_zero_step():
    with pytest.raises(ValueError, match="must not be zero"):
        compiled(lambda x: sum_of_range(x), np.zeros(3, np.int64))


def sum_of_range(step):
    total = 0
    for i in range(0, 10, step):
        total += i
    return total


def test_integers_wrap():
    items = np.array([127, -128], np.int8)
    assert compiled(lambda x: x + np.int8(1), items).tolist() == [-128, -127]
    assert compiled(lambda x: -x, items).tolist() == [-127, -128]
    big = np.array([2**63 - 1], np.int64)
    assert compiled(lambda x: x + 1, big).tolist() == [-(2**63)]


def test_division_by_zero_does_not_fail():
    assert compiled(lambda x: x // 0, np.array([5, -5])).tolist() == [0, 0]
    assert compiled(lambda x: x % 0, np.array([5, -5])).tolist() == [0, 0]
    got = compiled(lambda x: 1 / x, np.array([0.0, -0.0, 2.0]))
    assert got.tolist() == [math.inf, -math.inf, 0.5]


def test_nan_and_infinity():
    items = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0])
    for op in (
        lambda x: x > 0,
        lambda x: x == x,
        lambda x: x != x,
        lambda x: x + 1,
        lambda x: x * 0,
        lambda x: x if x else 5.0,
        lambda x: not x,
        lambda x: np.isnan(x),
        lambda x: abs(x),
        lambda x: -x,
    ):
        want = expected(op, items)
        got = compiled(op, items)
        np.testing.assert_array_equal(got, want)
        if want.dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(got[1:]), np.signbit(want[1:]))
