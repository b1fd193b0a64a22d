"""Segmented reductions against loops and NumPy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeloom.compute import (
    CountingIterator,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
    gpu_struct,
    make_segmented_reduce,
    segmented_reduce,
)

LENGTHS = [0, 1, 2, 31, 32, 33, 100, 1000]


def expected(items, starts, ends, init, function):
    results = []
    for start, end in zip(starts, ends, strict=True):
        total = init
        for item in items[start:end]:
            total = function(total, item)
        results.append(total)
    return results


def run(items, starts, ends, op, init, out_dtype=None):
    out = np.zeros(len(starts), out_dtype or np.asarray(init).dtype)
    segmented_reduce(
        d_in=items,
        d_out=out,
        num_segments=len(starts),
        start_offsets_in=starts,
        end_offsets_in=ends,
        op=op,
        h_init=init,
    )
    return out


@pytest.mark.parametrize("offset_dtype", [np.int32, np.uint32, np.int64, np.uint64, np.int16])
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64, np.float64])
def test_sums(dtype, offset_dtype):
    bounds = np.cumsum([0, *LENGTHS])
    items = (np.arange(bounds[-1]) % 7).astype(dtype)
    starts, ends = bounds[:-1].astype(offset_dtype), bounds[1:].astype(offset_dtype)
    out = run(items, starts, ends, OpKind.PLUS, np.array([3], dtype))
    wanted = [dtype(3) + items[a:b].sum(dtype=dtype) for a, b in pairwise(bounds)]
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("count", [0, 1, 2, 63, 64, 65, 1000, 70_000])
def test_many_segments(count):
    rng = np.random.default_rng(count)
    bounds = np.concatenate([[0], np.cumsum(rng.integers(0, 12, count))])
    items = rng.integers(-100, 100, bounds[-1])
    out = run(items, bounds[:-1], bounds[1:], OpKind.PLUS, np.array([0]))
    sums = np.concatenate([[0], np.cumsum(items)])
    np.testing.assert_array_equal(out, sums[bounds[1:]] - sums[bounds[:-1]])


def test_huge_segments_among_tiny_ones():
    items = np.arange(1_000_000) % 1000
    bounds = np.array([0, 1, 3, 400_000, 400_001, 400_001, 999_000, 1_000_000])
    for op in (OpKind.PLUS, lambda a, b: a + b):
        out = run(items, bounds[:-1], bounds[1:], op, np.array([5]))
        wanted = [5 + items[a:b].sum() for a, b in pairwise(bounds)]
        np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("size", [3, 31, 32, 100, 5000, 200_000])
def test_operator_need_not_commute(size):
    def join(p, q):
        # Affine maps x -> p[0] x + p[1], composed.
        return p[0] * q[0], p[1] * q[0] + q[1]

    rng = np.random.default_rng(size)
    pair = np.dtype([("a", np.uint32), ("b", np.uint32)])
    items = np.zeros(size, pair)
    items["a"], items["b"] = rng.integers(0, 2**32, (2, size), dtype=np.uint32) | 1
    init = np.array([(1, 0)], pair)
    starts = np.array([0, size // 3, 1, size])
    ends = np.array([size, size // 2, 2, size])
    out = run(items, starts, ends, join, init, pair)
    for result, start, end in zip(out, starts, ends, strict=True):
        a, b = 1, 0
        for p, q in items[start:end].tolist():
            a, b = a * p % 2**32, (b * p + q) % 2**32
        assert result.item() == (a, b)


def test_segments_overlap_leave_gaps_and_come_in_any_order():
    items = np.arange(100.0)
    starts, ends = np.array([90, 0, 10, 10, 50]), np.array([100, 100, 20, 20, 50])
    out = run(items, starts, ends, lambda a, b: max(a, b), -1.0, np.float64)
    assert out.tolist() == [99.0, 99.0, 19.0, 19.0, -1.0]


def test_layouts():
    matrix = np.arange(60).reshape(6, 10)
    bounds = np.array([0, 4, 4, 30])
    for items in (matrix[:, ::2], matrix[::-1, 1::2], matrix.T[::2]):
        out = run(items, bounds[:-1], bounds[1:], OpKind.PLUS, np.array([0]))
        flat = items.ravel()
        assert out.tolist() == [flat[0:4].sum(), 0, flat[4:30].sum()]
    offsets = np.array([0, 9, 4, 9, 8, 9, 30, 9])[::2]
    strided = np.zeros(6, np.int64)
    segmented_reduce(
        d_in=matrix,
        d_out=strided[::2],
        num_segments=3,
        start_offsets_in=offsets[:-1],
        end_offsets_in=offsets[1:],
        op=OpKind.PLUS,
        h_init=0,
    )
    assert strided.tolist() == [6, 0, 22, 0, sum(range(8, 30)), 0]


def test_rows_by_computed_offsets():
    columns = 17
    matrix = np.random.default_rng(0).integers(0, 100, (50, columns))

    def row_start(i: np.int64) -> np.int64:
        return i * columns

    starts = TransformIterator(CountingIterator(np.int64(0)), row_start)
    out = np.zeros(50, np.int64)
    segmented_reduce(
        d_in=matrix,
        d_out=out,
        num_segments=50,
        start_offsets_in=starts,
        end_offsets_in=starts + 1,
        op=OpKind.PLUS,
        h_init=np.zeros(1, np.int64),
        max_segment_size=columns,
    )
    np.testing.assert_array_equal(out, matrix.sum(axis=1))


def test_iterators_in_and_out():
    items = np.arange(20)
    squares = TransformIterator(items, lambda x: x * x)
    low, high = np.zeros(2), np.zeros(2, np.int64)

    def halve(v: np.int64) -> np.float64:
        return v / 2

    call = {"num_segments": 2, "start_offsets_in": np.array([0, 5]), "end_offsets_in": np.array([5, 20])}
    segmented_reduce(
        d_in=squares, d_out=TransformOutputIterator(low, halve), op=OpKind.PLUS, h_init=0, **call
    )
    assert low.tolist() == [15.0, 1220.0]
    segmented_reduce(d_in=CountingIterator(10), d_out=high, op=OpKind.PLUS, h_init=0, **call)
    assert high.tolist() == [60, 330]
    segmented_reduce(
        d_in=squares + 1, d_out=high[:1], op=OpKind.PLUS, h_init=0, **{**call, "num_segments": 1}
    )
    assert high[0] == 55


def test_iterators_that_change_the_order():
    items, order = np.arange(100, 120), np.array([3, 3, 0, 19, 7])
    shuffled = ShuffleIterator(20, 5)
    for it, wanted in (
        (ReverseIterator(items), items[::-1]),
        (PermutationIterator(items, order), items[order]),
        (PermutationIterator(items, ReverseIterator(order)), items[order[::-1]]),
        (ReverseIterator(TransformIterator(items, lambda x: x) + 9), items[9::-1]),
        (PermutationIterator(items, shuffled), None),
    ):
        size = 20 if wanted is None else len(wanted)
        starts, ends = np.array([0, size // 2]), np.array([size // 2, size])
        out = run(it, starts, ends, OpKind.PLUS, np.array([0]))
        if wanted is None:
            assert out.sum() == items.sum()
        else:
            assert out.tolist() == [wanted[: size // 2].sum(), wanted[size // 2 :].sum()]
        with pytest.raises(ValueError, match=f"segment 1 is .* {size} items"):
            run(it, starts, ends + 1, OpKind.PLUS, np.array([0]))


def test_records():
    best = gpu_struct({"value": np.float32, "where": np.int32})
    values = np.random.default_rng(1).random(3000, dtype=np.float32)
    bounds = np.array([0, 10, 1000, 3000])
    out = np.zeros(3, best.dtype)

    def larger(p, q):
        return p if p[0] >= q[0] else q

    segmented_reduce(
        d_in=ZipIterator(values, CountingIterator(np.int32(0))),
        d_out=out,
        num_segments=3,
        start_offsets_in=bounds[:-1],
        end_offsets_in=bounds[1:],
        op=larger,
        h_init=best(np.float32(-1), np.int32(-1)),
    )
    wanted = [a + values[a:b].argmax() for a, b in pairwise(bounds)]
    assert out["where"].tolist() == wanted


def test_accumulator_is_that_of_the_initial_value():
    items = np.full(300, 100, np.int8)
    starts, ends = np.array([0, 0]), np.array([300, 3])
    assert run(items, starts, ends, OpKind.PLUS, np.array([0])).tolist() == [30_000, 300]
    assert run(items, starts, ends, OpKind.PLUS, np.array([0.5]), np.int64).tolist() == [30_000, 300]


def test_captured_arrays_are_read_at_each_call():
    weight = np.array([1])
    starts, ends, items = np.array([0, 2]), np.array([2, 4]), np.arange(4)

    def add(a, b):
        return a + b * weight[0]

    out = np.zeros(2, np.int64)
    call = {
        "d_in": items,
        "d_out": out,
        "start_offsets_in": starts,
        "end_offsets_in": ends,
        "op": add,
        "h_init": 0,
    }
    f = make_segmented_reduce(**call)
    for w in (1, 10):
        weight[0] = w
        f(temp_storage=np.empty(1, np.uint8), num_segments=2, **call)
        assert out.tolist() == [w * 1, w * 5]


def test_object():
    items, bounds, out = np.arange(10.0), np.array([0, 4, 10]), np.zeros(2)
    call = {"d_in": items, "start_offsets_in": bounds[:-1], "end_offsets_in": bounds[1:], "op": OpKind.PLUS}
    f = make_segmented_reduce(d_out=out, h_init=np.zeros(1), **call)
    assert f is make_segmented_reduce(d_out=out, h_init=np.ones(1), **call)
    needed = f(temp_storage=None, d_out=out, num_segments=2, h_init=np.zeros(1), **call)
    assert out.tolist() == [0, 0]
    f(temp_storage=np.empty(max(needed, 1), np.uint8), d_out=out, num_segments=2, h_init=np.ones(1), **call)
    assert out.tolist() == [7.0, 40.0]
    with pytest.raises(TypeError, match="start_offsets_in"):
        f(
            **{"temp_storage": np.empty(1, np.uint8), "d_out": out, "num_segments": 2, "h_init": 0.0}
            | call
            | {"start_offsets_in": bounds[:-1].astype(np.int32)}
        )
    with pytest.raises(TypeError, match="op"):
        f(
            **{"temp_storage": np.empty(1, np.uint8), "d_out": out, "num_segments": 2, "h_init": 0.0}
            | call
            | {"op": OpKind.MAXIMUM}
        )


ITEMS, OUT, STARTS, ENDS = np.arange(10), np.zeros(3, np.int64), np.array([0, 2, 5]), np.array([2, 5, 10])
CALL = {
    "d_in": ITEMS,
    "d_out": OUT,
    "num_segments": 3,
    "start_offsets_in": STARTS,
    "end_offsets_in": ENDS,
    "op": OpKind.PLUS,
    "h_init": 0,
}
CASES = {
    "beyond the items": (
        {"end_offsets_in": np.array([2, 5, 11])},
        ValueError,
        r"segment 2 is 5 to 11.* 10 items",
    ),
    "backwards": ({"start_offsets_in": np.array([0, 6, 5])}, ValueError, r"segment 1 is 6 to 5"),
    "before the items": ({"start_offsets_in": np.array([-1, 2, 5])}, ValueError, r"segment 0 is -1 to 2"),
    "huge": ({"end_offsets_in": np.array([2, 5, 2**64 - 1], np.uint64)}, ValueError, r"segment 2 is 5 to -1"),
    "shorter input": ({"d_in": ITEMS[:9]}, ValueError, r"segment 2 .* 9 items"),
    "shorter zip": (
        {"d_in": TransformIterator(ZipIterator(ITEMS, ITEMS[:8]), lambda p: p[0])},
        ValueError,
        r"segment 2 .* 8 items",
    ),
    "advanced input": (
        {"d_in": TransformIterator(ITEMS, lambda x: x) + 3},
        ValueError,
        r"segment 2 .* 7 items",
    ),
    "too few offsets": ({"num_segments": 4}, ValueError, r"num_segments is 4, but start_offsets_in has 3"),
    "small output": ({"d_out": OUT[:2]}, ValueError, r"num_segments is 3, but d_out has 2"),
    "too many": ({"num_segments": 2**31}, RuntimeError, r"more than 2\^31-1 segments"),
    "negative": ({"num_segments": -1}, ValueError, r"num_segments must not be negative"),
    "count is a float": ({"num_segments": 1.0}, TypeError, r"num_segments must be an integer"),
    "no initial value": ({"h_init": None}, TypeError, r"h_init must not be None"),
    "offsets are floats": (
        {"start_offsets_in": STARTS * 1.0},
        TypeError,
        r"start_offsets_in must hold integers",
    ),
    "offsets are booleans": ({"end_offsets_in": STARTS > 0}, TypeError, r"end_offsets_in must hold integers"),
    "output is input": ({"d_in": OUT, "d_out": OUT}, ValueError, r"d_out overlaps that of d_in"),
    "output is offsets": ({"d_out": STARTS.copy(), "end_offsets_in": None}, TypeError, r"end_offsets_in"),
    "hint": ({"max_segment_size": -1}, ValueError, r"max_segment_size must not be negative"),
    "read-only": ({"d_out": np.frombuffer(bytes(24), np.int64)}, ValueError, r"d_out is read-only"),
    "unknown": ({"segments": 3}, TypeError, r"unexpected keyword argument 'segments'"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case):
    change, kind, text = CASES[case]
    with pytest.raises(kind, match=text):
        segmented_reduce(**{**CALL, **change})


def test_output_may_not_be_the_offsets():
    starts = STARTS.copy()
    with pytest.raises(ValueError, match="d_out overlaps that of start_offsets_in"):
        segmented_reduce(**{**CALL, "start_offsets_in": starts, "d_out": starts})


def test_first_bad_segment_is_named():
    starts = np.zeros(100_000, np.int64)
    ends = starts.copy()
    ends[[77, 5000, 99_999]] = 11
    with pytest.raises(ValueError, match="segment 77 is 0 to 11"):
        run(ITEMS, starts, ends, OpKind.PLUS, np.array([0]))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random(data):
    size = data.draw(st.integers(0, 300))
    count = data.draw(st.integers(0, 20))
    bounds = st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted)
    segments = [data.draw(bounds) for _ in range(count)]
    starts = np.array([s[0] for s in segments], np.int64)
    ends = np.array([s[1] for s in segments], np.int64)
    items = np.random.default_rng(size).integers(-50, 50, size)
    out = run(items, starts, ends, lambda a, b: min(a, b), np.array([40]))
    assert out.tolist() == expected(items.tolist(), starts, ends, 40, min)
