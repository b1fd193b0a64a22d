"""Binary search against NumPy."""

import numpy as np
import pytest

from freeloom.compute import (
    CountingIterator,
    OpKind,
    TransformIterator,
    lower_bound,
    make_lower_bound,
    make_upper_bound,
    upper_bound,
)

DTYPES = [np.int8, np.int32, np.int64, np.uint32, np.uint64, np.float16, np.float32, np.float64]
BOTH = [(lower_bound, "left"), (upper_bound, "right")]


def search(function, data, values, comp=None, count=None):
    count = values.size if count is None else count
    out = np.full(count, 12345, np.uintp)
    function(d_data=data, num_items=data.size, d_values=values, num_values=count, d_out=out, comp=comp)
    return out


@pytest.mark.parametrize(("function", "side"), BOTH)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 63, 64, 65, 1000])
def test_dtypes(function, side, dtype, size):
    rng = np.random.default_rng(size)
    data = np.sort((rng.random(size) * 60).astype(dtype))
    values = np.concatenate([data, (rng.random(200) * 70).astype(dtype)])
    np.testing.assert_array_equal(search(function, data, values), np.searchsorted(data, values, side))


@pytest.mark.parametrize(("function", "side"), BOTH)
@pytest.mark.parametrize("count", [0, 1, 2, 63, 64, 65, 127, 4096, 4097, 300_000])
def test_counts(function, side, count):
    data = np.sort(np.random.default_rng(0).integers(0, 1000, 777))
    values = np.random.default_rng(1).integers(-10, 1010, count)
    np.testing.assert_array_equal(search(function, data, values), np.searchsorted(data, values, side))


@pytest.mark.parametrize(("function", "side"), BOTH)
@pytest.mark.parametrize("comp", [OpKind.LESS, None, lambda a, b: a < b, lambda a, b: np.uint8(a < b)])
def test_comparisons(function, side, comp):
    data, values = np.repeat(np.arange(50), 3), np.arange(-2, 53)
    np.testing.assert_array_equal(search(function, data, values, comp), np.searchsorted(data, values, side))


@pytest.mark.parametrize(("function", "side"), BOTH)
def test_descending(function, side):
    data, values = np.repeat(np.arange(50), 3)[::-1].copy(), np.arange(-2, 53)
    wanted = np.searchsorted(-data, -values, side)
    np.testing.assert_array_equal(search(function, data, values, lambda a, b: a > b), wanted)
    np.testing.assert_array_equal(search(function, data, values, OpKind.GREATER), wanted)


def test_values_of_another_type_are_not_rounded():
    data, values = np.arange(10), np.array([2.5, 3.0, -0.5, 99.0])
    assert search(lower_bound, data, values).tolist() == [3, 3, 0, 10]
    assert search(upper_bound, data, values, lambda a, b: a < b).tolist() == [3, 4, 0, 10]


def test_records():
    pair = np.dtype([("key", np.int32), ("rest", np.float64)])
    data, values = np.zeros(100, pair), np.zeros(30, pair)
    data["key"], values["key"] = np.arange(100) // 4, np.arange(30)
    for function, side in BOTH:
        out = search(function, data, values, lambda a, b: a.key < b.key)
        np.testing.assert_array_equal(out, np.searchsorted(data["key"], values["key"], side))


def test_iterators():
    data = np.array([1, 4, 9, 16, 25])
    counts = CountingIterator(np.int64(3))
    squares = TransformIterator(np.arange(7), lambda x: x * x)
    assert search(lower_bound, data, counts, count=4).tolist() == [1, 1, 2, 2]
    assert search(upper_bound, data, squares, count=7).tolist() == [0, 1, 2, 3, 4, 5, 5]


def test_layouts():
    data = np.sort(np.random.default_rng(0).random((20, 30)), axis=None)
    values = np.random.default_rng(1).random((8, 9))
    wanted = np.searchsorted(data[::3], values[:, ::-1].ravel())
    raw = np.zeros(8 * 72 + 1, np.uint8)[1:].view(np.uintp)
    for out in (np.zeros(144, np.uintp)[::2], np.zeros((9, 8), np.uintp)[:, ::-1], raw):
        lower_bound(d_data=data[::3], num_items=200, d_values=values[:, ::-1], num_values=72, d_out=out)
        np.testing.assert_array_equal(out.ravel(), wanted)


def test_fewer_items_than_there_are():
    data, out = np.array([1, 3, 5, 0, 0]), np.zeros(2, np.uintp)
    lower_bound(d_data=data, num_items=3, d_values=np.array([4, 9, 7]), num_values=2, d_out=out)
    assert out.tolist() == [2, 3]


def test_output_may_be_the_values():
    data = np.arange(0, 2000, 2, dtype=np.uint64)
    values = np.random.default_rng(0).integers(0, 3000, 1000, dtype=np.uint64)
    wanted = np.searchsorted(data, values)
    lower_bound(d_data=data, num_items=1000, d_values=values, num_values=1000, d_out=values)
    np.testing.assert_array_equal(values, wanted)


def test_unsorted_data_give_places_within_range():
    data = np.random.default_rng(0).random(1000)
    out = search(lower_bound, data, np.random.default_rng(1).random(5000))
    assert out.max() <= 1000


def test_captured_array_is_read_at_each_call():
    shift = np.array([0])

    def before(a, b):
        return a < b + shift[0]

    data, values, out = np.arange(10), np.array([3, 5]), np.zeros(2, np.uintp)
    f = make_lower_bound(d_data=data, d_values=values, d_out=out, comp=before)
    for s in (0, 2):
        shift[0] = s
        f(d_data=data, num_items=10, d_values=values, num_values=2, d_out=out, comp=before)
        assert out.tolist() == [3 + s, 5 + s]


def test_objects():
    data, values, out = np.array([1, 3, 3, 7]), np.array([0, 3, 9]), np.zeros(3, np.uintp)
    lower = make_lower_bound(d_data=data, d_values=values, d_out=out)
    assert lower is make_lower_bound(d_data=data.copy(), d_values=values, d_out=out, comp=OpKind.LESS)
    upper = make_upper_bound(d_data=data, d_values=values, d_out=out)
    assert upper is not lower
    call = {"d_data": data, "num_items": 4, "d_values": values, "num_values": 3, "d_out": out}
    for comp in (None, OpKind.LESS):
        assert lower(**call, comp=comp) is None
        assert out.tolist() == [0, 1, 4]
        assert upper(**call, comp=comp) is None
        assert out.tolist() == [0, 3, 4]
    with pytest.raises(TypeError, match="comp"):
        lower(**call)
    with pytest.raises(TypeError, match="comp: not the operator"):
        lower(**call, comp=OpKind.GREATER)
    with pytest.raises(TypeError, match="d_values"):
        lower(**{**call, "d_values": values.astype(np.int32)}, comp=None)


A, OUT = np.arange(10), np.zeros(10, np.uintp)
CALL = {"d_data": A, "num_items": 10, "d_values": A, "num_values": 10, "d_out": OUT}
CASES = {
    "data is an iterator": ({"d_data": CountingIterator(0)}, ValueError, r"d_data must be an array"),
    "data is a list": ({"d_data": [1, 2]}, ValueError, r"d_data must be an array, not list"),
    "output is an iterator": ({"d_out": CountingIterator(0)}, ValueError, r"d_out must be an array"),
    "signed output": ({"d_out": A.copy()}, TypeError, r"d_out must have an unsigned integer dtype"),
    "float output": ({"d_out": A * 1.0}, TypeError, r"unsigned integer"),
    "narrow output": ({"d_out": OUT.astype(np.uint32)}, ValueError, r"pointer-sized"),
    "values are a list": ({"d_values": [1]}, TypeError, r"d_values must be an array or an iterator"),
    "too few items": ({"num_items": 11}, ValueError, r"num_items is 11, but d_data has 10"),
    "too few values": ({"num_values": 11}, ValueError, r"num_values is 11, but d_values has 10"),
    "small output": ({"d_out": OUT[:4]}, ValueError, r"num_values is 10, but d_out has 4"),
    "negative": ({"num_values": -1}, ValueError, r"num_values must not be negative"),
    "negative items": ({"num_items": -1}, ValueError, r"num_items must not be negative"),
    "read-only": ({"d_out": np.frombuffer(bytes(80), np.uint64)}, ValueError, r"d_out is read-only"),
    "comparison is a number": ({"comp": 3}, TypeError, r"comp is a int, not an operator"),
    "output is the data": ({"d_data": OUT, "d_out": OUT}, ValueError, r"d_out overlaps that of d_data"),
    "shifted values": ({"d_values": OUT[1:], "d_out": OUT, "num_values": 9}, ValueError, r"overlaps"),
    "stream": ({"stream": 3}, TypeError, r"stream"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case):
    change, kind, text = CASES[case]
    with pytest.raises(kind, match=text):
        lower_bound(**{**CALL, **change})
