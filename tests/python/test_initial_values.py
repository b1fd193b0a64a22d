"""What may be an initial value, and which type it has."""

from array import array

import numpy as np
import pytest

from freeloom.compute import OpKind, gpu_struct, inclusive_scan, make_reduce_into, reduce_into


def accumulator(items, init):
    """The type the reduction is computed in, seen through an output wide enough, and the result."""
    out = np.zeros(1, np.complex128)
    f = make_reduce_into(d_in=items, d_out=out, op=lambda a, b: a + b, h_init=init)
    call = {"d_in": items, "d_out": out, "num_items": items.size, "op": lambda a, b: a + b, "h_init": init}
    f(temp_storage=np.empty(max(f(temp_storage=None, **call), 1), np.uint8), **call)
    return out[0]


ONES = np.ones(3, np.int16)


@pytest.mark.parametrize(
    "init",
    [
        np.array([4], np.int16),
        np.array(4, np.int16),
        np.array([[4]], np.int16),
        np.int16(4),
        4,
        array("h", [4]),
        memoryview(array("h", [4])),
    ],
    ids=repr,
)
def test_forms(init):
    out = np.zeros(1, np.int16)
    reduce_into(d_in=ONES, d_out=out, num_items=3, op=OpKind.PLUS, h_init=init)
    assert out[0] == 7
    scanned = np.zeros(3, np.int16)
    inclusive_scan(d_in=ONES, d_out=scanned, op=OpKind.PLUS, init_value=init, num_items=3)
    assert scanned.tolist() == [5, 6, 7]


def test_python_numbers_take_the_items_type():
    # int16 sums wrap at 2^15; int64 ones do not.
    big = np.full(2, 30_000, np.int16)
    assert accumulator(big, 0) == 60_000 - 65_536
    assert accumulator(big, np.int64(0)) == 60_000
    assert accumulator(big, 2**40) == 60_000 + 2**40
    assert accumulator(big, 0.5) == 60_000.5
    assert accumulator(big, 0.5j) == 60_000 + 0.5j
    assert accumulator(big, True) == 60_001 - 65_536
    third = np.full(3, 1 / 3, np.float32)
    assert accumulator(third, 0.0) == np.float32(third[0] + third[1] + third[2])
    assert accumulator(third, 0) == accumulator(third, 0.0)
    assert accumulator(np.zeros(1, np.uint64), 2**64 - 1) == float(2**64 - 1)
    assert accumulator(np.ones(2, np.bool_), 1) == 3


def test_python_number_beyond_every_integer():
    with pytest.raises(ValueError, match="h_init"):
        accumulator(ONES, 2**70)
    assert accumulator(np.ones(1), 2**70) == 2**70 + 1


def test_input_of_an_iterator_is_inferred():
    from freeloom.compute import TransformIterator

    out = np.zeros(1, np.float32)
    halves = TransformIterator(np.ones(3, np.float32), lambda x: x * np.float32(0.5))
    reduce_into(d_in=halves, d_out=out, num_items=3, op=OpKind.PLUS, h_init=0)
    assert out[0] == 1.5


def test_records():
    pair = gpu_struct({"a": np.int64, "b": np.float64})
    items = np.zeros(3, pair.dtype)
    items["a"] = 1

    def add(x, y):
        return pair(x.a + y.a, x.b + y.b)

    for init in (pair(10, 0.5), np.array([(10, 0.5)], pair.dtype), np.array((10, 0.5), pair.dtype)[()]):
        out = np.zeros(1, pair.dtype)
        reduce_into(d_in=items, d_out=out, num_items=3, op=add, h_init=init)
        assert out[0].item() == (13, 0.5)


@pytest.mark.parametrize("init", [np.zeros(2, np.int16), np.zeros(0, np.int16), np.zeros((2, 2))])
def test_must_be_one_value(init):
    with pytest.raises(ValueError, match="h_init must be one value"):
        accumulator(ONES, init)


@pytest.mark.parametrize("init", ["a", object(), [1], (1,), {}, np.str_("a"), len])
def test_must_be_a_value(init):
    with pytest.raises(TypeError, match="h_init"):
        accumulator(ONES, init)


def test_may_change_between_calls_but_not_its_type():
    out, zero = np.zeros(1, np.int16), np.zeros(1, np.int16)
    f = make_reduce_into(d_in=ONES, d_out=out, op=OpKind.PLUS, h_init=zero)
    call = {
        "temp_storage": np.empty(64, np.uint8),
        "d_in": ONES,
        "d_out": out,
        "num_items": 3,
        "op": OpKind.PLUS,
    }
    for init, expected in ((np.full(1, 5, np.int16), 8), (7, 10), (np.int16(-3), 0)):
        f(h_init=init, **call)
        assert out[0] == expected
    for init in (np.zeros(1, np.int32), 2**20, 0.5):
        with pytest.raises(TypeError, match="h_init"):
            f(h_init=init, **call)
    with pytest.raises(ValueError, match="h_init"):
        f(h_init=None, **call)
