"""Reductions against NumPy: every dtype, size and layout."""

import numpy as np
import pytest

from freeloom.compute import OpKind, make_reduce_into, reduce_into

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
COMPLEX = [np.complex64, np.complex128]
SIZES = [
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    17,
    63,
    64,
    65,
    127,
    128,
    129,
    1000,
    4095,
    4096,
    4097,
    16383,
    16385,
    100_003,
]
LARGE = 1_000_000


def values(dtype, size, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, size, dtype, endpoint=True)
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(size) + 1j * rng.standard_normal(size)).astype(dtype)
    return rng.standard_normal(size).astype(dtype)


def reduced(items, op, init, num_items=None):
    out = np.zeros(1, np.asarray(init).dtype if init is not None else items.dtype)
    reduce_into(
        d_in=items, d_out=out, num_items=items.size if num_items is None else num_items, op=op, h_init=init
    )
    return out[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_sum_of_integers_wraps(dtype, size):
    items = values(dtype, size)
    expected = items.sum(dtype=dtype)
    assert reduced(items, OpKind.PLUS, np.zeros(1, dtype)) == expected
    assert reduced(items, lambda a, b: a + b, np.zeros(1, dtype)) == expected


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_large(dtype):
    items = values(dtype, LARGE)
    assert reduced(items, OpKind.MAXIMUM, None) == items.max()
    assert reduced(items, lambda a, b: b if b < a else a, None) == items.min()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sum_of_floats(dtype, size):
    items = values(dtype, size)
    total = reduced(items, OpKind.PLUS, np.zeros(1, dtype))
    bound = np.finfo(dtype).eps * max(size, 1) * np.abs(items.astype(np.float64)).sum()
    assert abs(float(total) - items.astype(np.float64).sum()) <= bound


@pytest.mark.parametrize("size", [0, 1, 17, 1000])
def test_sum_of_halves(size):
    items = (values(np.float16, size) / 8).astype(np.float16)
    total = reduced(items, OpKind.PLUS, np.zeros(1, np.float16))
    assert abs(float(total) - items.astype(np.float64).sum()) <= 0.01 * max(
        1.0, np.abs(items.astype(float)).sum()
    )


@pytest.mark.parametrize("size", [0, 1, 17, 5000])
@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex(dtype, size):
    items = values(dtype, size)
    total = reduced(items, lambda a, b: a + b, np.zeros(1, dtype))
    np.testing.assert_allclose(total, items.sum(dtype=np.complex128), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("size", SIZES)
def test_booleans(size):
    items = np.ones(size, np.bool_)
    if size:
        items[size // 2] = False
    for op, expected in [
        (OpKind.LOGICAL_AND, items.all()),
        (OpKind.LOGICAL_OR, items.any()),
        (OpKind.MAXIMUM, items.any()),
        (lambda a, b: a and b, items.all()),
    ]:
        init = np.array([op in (OpKind.LOGICAL_AND,) or not isinstance(op, OpKind)])
        assert reduced(items, op, init) == expected


@pytest.mark.parametrize("size", SIZES)
def test_order_is_kept(size):
    # Associative and not commutative: the last item that is not zero; and its mirror, the first.
    items = np.where(np.arange(size) % 3 == 0, 0, np.arange(size)).astype(np.int64)
    nonzero = items[items != 0]
    last = nonzero[-1] if nonzero.size else 0
    first = nonzero[0] if nonzero.size else 0
    assert reduced(items, lambda a, b: b if b != 0 else a, np.zeros(1, np.int64)) == last
    assert reduced(items, lambda a, b: a if a != 0 else b, np.zeros(1, np.int64)) == first


@pytest.mark.parametrize("size", [1, 2, 63, 1000, 70_000])
def test_affine_composition(size):
    # 2x2 integer matrices would do; maps x -> a x + b modulo 2^64 are as strict about order.
    rng = np.random.default_rng(size)
    pair = np.dtype([("a", np.uint64), ("b", np.uint64)])
    items = np.zeros(size, pair)
    items["a"] = rng.integers(0, 2**63, size, np.uint64) | np.uint64(1)
    items["b"] = rng.integers(0, 2**63, size, np.uint64)

    def compose(f, g):
        return f.a * g.a, f.b * g.a + g.b

    out = np.zeros(1, pair)
    reduce_into(d_in=items, d_out=out, num_items=size, op=compose)
    a, b = 1, 0
    for x, y in items.tolist():
        a, b = a * x % 2**64, (b * x + y) % 2**64
    assert out[0].item() == (a, b)


def layouts():
    rng = np.random.default_rng(3)
    base = rng.integers(-1000, 1000, 30_000).astype(np.int32)
    packed = np.zeros(5000 * 4 + 3, np.uint8)
    misaligned = packed[3:].view(np.int32) if packed[3:].size % 4 == 0 else packed[3:-1].view(np.int32)
    misaligned[:] = base[: misaligned.size]
    read_only = base[:5000].copy()
    read_only.flags.writeable = False
    square = base[:10_000].reshape(100, 100)
    return {
        "contiguous": base[:5000],
        "step 2": base[::2],
        "step 3 from 1": base[1::3],
        "reversed": base[:5000][::-1],
        "step -2": base[::-2],
        "misaligned": misaligned,
        "read-only": read_only,
        "2-d": square,
        "transposed": square.T,
        "Fortran": np.asfortranarray(square),
        "column": square[:, 7],
        "block": square[10:50, 20:70],
        "3-d sliced": base[:24_000].reshape(20, 30, 40)[::2, ::-1, 5:25],
        "zero strides": np.broadcast_to(np.int32(7), (3000,)),
        "row repeated": np.broadcast_to(square[0], (50, 100)),
        "empty": base[:0],
        "0-d": np.array(42, np.int32),
    }


@pytest.mark.parametrize("name", layouts())
def test_layouts(name):
    items = layouts()[name]
    expected = items.sum(dtype=np.int32)
    assert reduced(items, OpKind.PLUS, np.zeros(1, np.int32)) == expected
    assert reduced(items, lambda a, b: a + b, np.zeros(1, np.int32)) == expected


@pytest.mark.parametrize("name", ["step 2", "reversed", "block", "transposed", "3-d sliced"])
def test_part_of_a_layout(name):
    items = layouts()[name]
    count = items.size - items.size // 3
    # Fortran-contiguous memory is flat memory.
    flat = (
        items.ravel(order="K") if items.flags.f_contiguous and not items.flags.c_contiguous else items.ravel()
    )
    assert reduced(items, OpKind.PLUS, np.zeros(1, np.int32), count) == flat[:count].sum(dtype=np.int32)


def test_wider_accumulator():
    items = np.full(1000, 100, np.int8)
    out = np.zeros(1, np.int64)
    reduce_into(d_in=items, d_out=out, num_items=1000, op=OpKind.PLUS, h_init=np.zeros(1, np.int64))
    assert out[0] == 100_000


def test_result_is_converted_to_the_output():
    out = np.zeros(1, np.float32)
    reduce_into(d_in=np.arange(10), d_out=out, num_items=10, op=OpKind.PLUS, h_init=np.zeros(1, np.int64))
    assert out[0] == 45


def test_no_items():
    out = np.full(1, 9, np.int64)
    empty = np.zeros(0, np.int64)
    reduce_into(d_in=empty, d_out=out, num_items=0, op=OpKind.PLUS)
    assert out[0] == 9
    reduce_into(d_in=empty, d_out=out, num_items=0, op=OpKind.PLUS, h_init=np.array([5]))
    assert out[0] == 5
    reduce_into(d_in=empty, d_out=np.zeros(0, np.int64), num_items=0, op=OpKind.PLUS)


def test_output_may_be_an_input():
    items = np.arange(10)
    reduce_into(d_in=items, d_out=items, num_items=10, op=OpKind.PLUS)
    assert items.tolist() == [45, *range(1, 10)]


def test_zero_dimensional_output():
    out = np.zeros((), np.int64)
    reduce_into(d_in=np.arange(10), d_out=out, num_items=10, op=OpKind.PLUS)
    assert out == 45


def test_two_phases():
    items, out, zero = np.arange(LARGE), np.zeros(1, np.int64), np.zeros(1, np.int64)
    call = {"d_in": items, "d_out": out, "op": OpKind.PLUS, "h_init": zero}
    f = make_reduce_into(**call)
    size = f(temp_storage=None, num_items=LARGE, **call)
    assert isinstance(size, int)
    assert out[0] == 0
    temp = np.empty(max(size, 1), np.uint8)
    assert isinstance(f(temp_storage=temp, num_items=LARGE, **call), int)
    assert out[0] == items.sum()
    other = np.arange(10)
    call.update(d_in=other, h_init=np.full(1, 100))
    f(temp_storage=temp, num_items=10, **call)
    assert out[0] == 145


@pytest.mark.parametrize("op", [OpKind.MINIMUM, OpKind.MAXIMUM])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", [1, 5, 64, 1000, 20_000])
def test_nan_is_kept(op, dtype, size):
    items = values(dtype, size)
    items[size // 2] = np.nan
    assert np.isnan(reduced(items, op, None))


def test_infinity_and_signed_zero():
    assert reduced(np.array([1.0, np.inf, -np.inf]), OpKind.MINIMUM, None) == -np.inf
    assert np.isnan(reduced(np.array([np.inf, -np.inf]), OpKind.PLUS, None))
    assert np.signbit(reduced(np.array([-0.0, -0.0]), OpKind.PLUS, None))
    assert not np.signbit(reduced(np.array([-0.0, 0.0]), OpKind.PLUS, None))


def test_same_bits_every_time():
    items = values(np.float32, 300_001)
    results = {reduced(items, OpKind.PLUS, np.zeros(1, np.float32)).tobytes() for _ in range(5)}
    assert len(results) == 1
