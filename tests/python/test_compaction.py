"""Stream compaction against NumPy and plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeloom.compute import (
    CountingIterator,
    DiscardIterator,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
    gpu_struct,
    make_select,
    make_three_way_partition,
    select,
    three_way_partition,
    unique_by_key,
)

# Blocks have 32768, 16384 or fewer items.
SIZES = [0, 1, 2, 3, 1000, 16383, 16384, 16385, 32767, 32768, 32769, 100_001, 1_000_000]
DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
DTYPES += [np.float16, np.float32, np.float64]


def numbers(size, dtype=np.int32, top=100, seed=0):
    return np.random.default_rng(seed).integers(0, top, size).astype(dtype)


def selected(items, cond, size=None, like=None, count_dtype=np.uint64):
    out, count = np.zeros_like(items if like is None else like), np.zeros(1, count_dtype)
    size = items.size if size is None else size
    select(d_in=items, d_out=out, d_num_selected_out=count, cond=cond, num_items=size)
    assert not out.ravel()[int(count[0]) :].any()
    return out.ravel()[: int(count[0])]


def parts(items, first, second, dtype=None):
    outs = [np.zeros(items.size, dtype or items.dtype) for _ in range(3)]
    counts = np.zeros(2, np.int32)
    three_way_partition(
        d_in=items,
        d_first_part_out=outs[0],
        d_second_part_out=outs[1],
        d_unselected_out=outs[2],
        d_num_selected_out=counts,
        select_first_part_op=first,
        select_second_part_op=second,
        num_items=items.size,
    )
    kept = [int(counts[0]), int(counts[1]), items.size - int(counts.sum())]
    blank = np.zeros(1, outs[0].dtype)
    assert all((out[n:] == blank).all() for out, n in zip(outs, kept, strict=True))
    return [out[:n] for out, n in zip(outs, kept, strict=True)]


def unique(keys, items, op=OpKind.EQUAL_TO):
    out_keys, out_items, count = np.zeros_like(keys), np.zeros_like(items), np.zeros(1, np.int64)
    unique_by_key(
        d_in_keys=keys,
        d_in_items=items,
        d_out_keys=out_keys,
        d_out_items=out_items,
        d_out_num_selected=count,
        op=op,
        num_items=keys.size,
    )
    return out_keys[: count[0]], out_items[: count[0]]


def starts(keys):
    """Where a run of equal keys begins."""
    return np.concatenate([np.ones(min(1, keys.size), bool), keys[1:] != keys[:-1]])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float64])
def test_sizes(size, dtype):
    items = numbers(size, dtype)
    np.testing.assert_array_equal(selected(items, lambda x: x % 2 == 0), items[items % 2 == 0])
    low, high = items < 30, items > 80
    expected = [items[low], items[high], items[~low & ~high]]
    for part, wanted in zip(parts(items, lambda x: x < 30, lambda x: x > 80), expected, strict=True):
        np.testing.assert_array_equal(part, wanted)
    keys = numbers(size, dtype, top=3)
    got_keys, got_items = unique(keys, items)
    np.testing.assert_array_equal(got_keys, keys[starts(keys)])
    np.testing.assert_array_equal(got_items, items[starts(keys)])


@pytest.mark.parametrize("dtype", DTYPES)
def test_types(dtype):
    items = numbers(50_000, dtype)
    np.testing.assert_array_equal(selected(items, lambda x: x % 3 == 0), items[items % 3 == 0])
    first, second, rest = parts(items, lambda x: x < 10, lambda x: x > 50)
    np.testing.assert_array_equal(first, items[items < 10])
    np.testing.assert_array_equal(second, items[items > 50])
    np.testing.assert_array_equal(rest, items[(items >= 10) & (items <= 50)])
    keys = np.sort(items)
    got = unique(keys, items)
    np.testing.assert_array_equal(got[0], np.unique(items))
    np.testing.assert_array_equal(got[1], items[starts(keys)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 3), max_size=60), st.integers(1, 3), st.booleans())
def test_any_lists(values, step, backwards):
    storage = np.repeat(np.array(values, np.int16), step)
    items = storage[::step]
    items = items[::-1] if backwards else items
    np.testing.assert_array_equal(selected(items, lambda x: x), items[items != 0])
    first, second, rest = parts(items, lambda x: x > 0, lambda x: x >= 0)
    np.testing.assert_array_equal(first, items[items > 0])
    np.testing.assert_array_equal(second, items[items == 0])
    np.testing.assert_array_equal(rest, items[items < 0])
    np.testing.assert_array_equal(unique(items, items.copy())[1], items[starts(items)])


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999, 1.0])
def test_shares(share):
    items = np.random.default_rng(1).random(200_000)
    np.testing.assert_array_equal(selected(items, lambda x: x < share), items[items < share])


@pytest.mark.parametrize(
    "cond",
    [
        lambda x: x & 4,
        lambda x: np.uint8(x & 4),
        lambda x: np.int8(-(x & 4)),
        lambda x: (x & 4) * 64,
        lambda x: (x & 4) != 0,
        lambda x: 1 if x & 4 else 0,
        lambda x: (x & 4) / 8,
    ],
)
def test_whatever_is_not_zero_takes(cond):
    items = numbers(1000)
    np.testing.assert_array_equal(selected(items, cond), items[items & 4 != 0])


def test_opkinds():
    items = numbers(40_000, top=3)
    np.testing.assert_array_equal(selected(items, OpKind.LOGICAL_NOT), items[items == 0])
    np.testing.assert_array_equal(selected(items, OpKind.IDENTITY), items[items != 0])
    zero, other, rest = parts(items, OpKind.LOGICAL_NOT, OpKind.IDENTITY)
    np.testing.assert_array_equal(zero, items[items == 0])
    np.testing.assert_array_equal(other, items[items != 0])
    assert rest.size == 0
    with pytest.raises(TypeError, match="PLUS"):
        selected(items, OpKind.PLUS)


@pytest.mark.parametrize("room", [1, 2, 3])
def test_counts(room):
    counts = np.full(room, 77, np.int32)
    items = numbers(1000)
    out = np.zeros(1000, np.int32)
    for size, expected in (1000, int((items < 9).sum())), (0, 0):
        select(d_in=items, d_out=out, d_num_selected_out=counts, cond=lambda x: x < 9, num_items=size)
        assert counts.tolist() == [expected, 0, 77][:room]


@pytest.mark.parametrize("size", [10, 100_000])
def test_in_place(size):
    items = numbers(size)
    expected = items[items % 2 == 1]
    for _ in range(20):
        copy, count = items.copy(), np.zeros(1, np.int64)
        select(d_in=copy, d_out=copy, d_num_selected_out=count, cond=lambda x: x % 2, num_items=size)
        np.testing.assert_array_equal(copy[: count[0]], expected)
    keys = numbers(size, top=2)
    out = np.zeros_like(keys)
    unique_by_key(
        d_in_keys=keys,
        d_in_items=items,
        d_out_keys=out,
        d_out_items=items,
        d_out_num_selected=count,
        op=OpKind.EQUAL_TO,
        num_items=size,
    )
    np.testing.assert_array_equal(items[: count[0]], numbers(size)[starts(keys)])


def test_layouts():
    matrix = numbers(30_000).reshape(100, 300)
    strided = matrix[::2, 1::3]
    expected = strided[strided > 50]
    np.testing.assert_array_equal(selected(strided, lambda x: x > 50), expected)
    raw = np.zeros(4 * 5000 + 1, np.uint8)
    misaligned = raw[1:].view(np.int32)
    np.testing.assert_array_equal(selected(strided, lambda x: x > 50, like=misaligned), expected)
    out, count = np.zeros(10_000, np.int32)[::-2], np.zeros(4, np.int64)[2:3]
    select(d_in=strided, d_out=out, d_num_selected_out=count, cond=lambda x: x > 50, num_items=5000)
    np.testing.assert_array_equal(out[: count[0]], expected)
    wide = np.zeros(5000)
    np.testing.assert_array_equal(selected(strided, lambda x: x > 50, like=wide), expected)


@pytest.mark.parametrize("size", [100, 70_000])
def test_iterators(size):
    values = np.random.default_rng(2).random(size)
    positions, kept, count = np.zeros(size, np.int64), np.zeros(size), np.zeros(1, np.int64)
    select(
        d_in=ZipIterator(CountingIterator(np.int64(0)), values),
        d_out=ZipIterator(positions, TransformOutputIterator(kept, lambda x: x * 2, np.float64)),
        d_num_selected_out=count,
        cond=lambda p: p[1] < 0.25,
        num_items=size,
    )
    np.testing.assert_array_equal(positions[: count[0]], np.flatnonzero(values < 0.25))
    np.testing.assert_array_equal(kept[: count[0]], values[values < 0.25] * 2)
    tenths = TransformIterator(CountingIterator(np.int32(5)), lambda i: i // 10)
    keys, items = np.zeros(size, np.int32), np.zeros(size, np.int64)
    unique_by_key(
        d_in_keys=tenths,
        d_in_items=CountingIterator(np.int64(5)) + 100,
        d_out_keys=keys,
        d_out_items=items,
        d_out_num_selected=count,
        op=lambda a, b: a == b,
        num_items=size,
    )
    expected = (np.arange(size) + 5) // 10
    np.testing.assert_array_equal(keys[: count[0]], np.unique(expected))
    np.testing.assert_array_equal(items[: count[0]], np.flatnonzero(starts(expected)) + 105)


def test_records():
    @gpu_struct
    class Point:
        x: np.int32
        y: np.float64

    points = np.zeros(40_000, Point.dtype)
    points["x"], points["y"] = numbers(40_000), np.arange(40_000)
    near = parts(points, lambda p: p.x < 5, lambda p: p.y > 30_000)
    np.testing.assert_array_equal(near[0], points[points["x"] < 5])
    np.testing.assert_array_equal(near[1], points[(points["x"] >= 5) & (points["y"] > 30_000)])
    np.testing.assert_array_equal(near[2], points[(points["x"] >= 5) & (points["y"] <= 30_000)])
    keys, items = unique(points, points["y"].copy(), lambda a, b: a.x == b.x)
    np.testing.assert_array_equal(keys, points[starts(points["x"])])
    np.testing.assert_array_equal(items, points["y"][starts(points["x"])])


def test_wide_records():
    """Records of many fields stay whole."""
    wide = np.dtype([(f"f{i}", np.int16) for i in range(20)])
    records = np.zeros(5000, wide)
    records["f3"], records["f19"] = numbers(5000), np.arange(5000)
    low, high = records["f3"] < 30, records["f3"] > 80
    got = parts(records, lambda r: r.f3 < 30, lambda r: r.f3 > 80)
    for part, wanted in zip(got, [records[low], records[high], records[~low & ~high]], strict=True):
        np.testing.assert_array_equal(part, wanted)
    np.testing.assert_array_equal(selected_records(records, lambda r: r.f3 < 30), records[low])
    keys, items = unique(records, np.arange(5000), lambda a, b: a.f3 == b.f3)
    np.testing.assert_array_equal(keys, records[starts(records["f3"])])
    np.testing.assert_array_equal(items, np.flatnonzero(starts(records["f3"])))


def selected_records(records, cond):
    out, count = np.zeros_like(records), np.zeros(1, np.int32)
    select(d_in=records, d_out=out, d_num_selected_out=count, cond=cond, num_items=records.size)
    return out[: count[0]]


@pytest.mark.parametrize("size", [100, 70_000])
def test_reordered_and_discarded(size):
    items, count = numbers(size), np.zeros(1, np.int64)
    odd = items[::-1][items[::-1] % 2 == 1]
    out = np.zeros_like(items)
    call = {"d_in": ReverseIterator(items), "d_num_selected_out": count, "cond": lambda x: x % 2}
    select(d_out=ReverseIterator(out), num_items=size, **call)
    np.testing.assert_array_equal(out[::-1][: count[0]], odd)
    places = np.random.default_rng(4).permutation(size)
    select(d_out=PermutationIterator(out, places), num_items=size, **call)
    np.testing.assert_array_equal(out[places[: count[0]]], odd)
    with pytest.raises(ValueError, match="d_out has room for 3 items"):
        select(d_out=PermutationIterator(out, places[:3]), num_items=size, **call)
    keys = numbers(size, top=2)
    kept = np.zeros_like(keys)
    unique_by_key(
        d_in_keys=keys,
        d_in_items=DiscardIterator(),
        d_out_keys=kept,
        d_out_items=DiscardIterator(),
        d_out_num_selected=count,
        op=OpKind.EQUAL_TO,
        num_items=size,
    )
    np.testing.assert_array_equal(kept[: count[0]], keys[starts(keys)])


def test_neighbours_are_compared():
    """Close enough to the one before is not close enough to the first of the run."""
    keys = np.cumsum(np.random.default_rng(3).random(100_000))
    close = unique(keys, np.arange(keys.size), lambda a, b: b - a < 0.75)
    expected = np.concatenate([[True], ~(np.diff(keys) < 0.75)])
    np.testing.assert_array_equal(close[1], np.flatnonzero(expected))
    z = (numbers(1000, top=2) + 1j * numbers(1000, top=2, seed=1)).astype(np.complex128)
    np.testing.assert_array_equal(unique(z, z, lambda a, b: a == b)[0], z[starts(z)])


def test_nan_keys_are_all_different():
    keys = np.array([1.0, np.nan, np.nan, 2.0, 2.0])
    assert unique(keys, np.arange(5))[1].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("size", [50, 60_000])
def test_captured_arrays_are_read_at_each_call(size):
    threshold = np.array([10])
    items = numbers(size)
    out, counts = np.zeros_like(items), np.zeros(2, np.int64)

    def small(x):
        return x < threshold[0]

    call = {"d_in": items, "d_out": out, "d_num_selected_out": counts, "cond": small}
    f = make_select(**call)
    temp = np.empty(f(temp_storage=None, num_items=size, **call), np.uint8)
    for limit in (10, 90, 0):
        threshold[0] = limit
        f(temp_storage=temp, num_items=size, **call)
        np.testing.assert_array_equal(out[: counts[0]], items[items < limit])
    assert make_select(**call) is f


def test_second_condition_sees_only_what_the_first_leaves():
    table = np.array([0, 1, 0, 1])
    items = numbers(50_000, top=8)
    first, second, _ = parts(items, lambda x: x > 3, lambda x: table[x] == 1)
    np.testing.assert_array_equal(first, items[items > 3])
    np.testing.assert_array_equal(second, items[(items == 1) | (items == 3)])
    with pytest.raises(IndexError):
        parts(items, lambda x: table[x] == 1, lambda x: x > 3)


def test_objects():
    items = numbers(50_000)
    outs, counts = [np.zeros_like(items) for _ in range(3)], np.zeros(2, np.uint64)
    even = lambda x: x % 2 == 0  # noqa: E731
    call = {
        "d_in": items,
        "d_first_part_out": outs[0],
        "d_second_part_out": outs[1],
        "d_unselected_out": outs[2],
        "d_num_selected_out": counts,
        "select_first_part_op": even,
        "select_second_part_op": even,
    }
    f = make_three_way_partition(**call)
    assert make_three_way_partition(**call) is f
    need = f(temp_storage=None, num_items=50_000, **call)
    assert f(temp_storage=np.empty(need, np.uint8), num_items=50_000, **call) == need
    assert counts.tolist() == [(items % 2 == 0).sum(), 0]
    with pytest.raises(ValueError, match="temp_storage"):
        f(temp_storage=np.empty(0, np.uint8), num_items=50_000, **call)
    with pytest.raises(TypeError, match="select_second_part_op: not the operator"):
        f(
            temp_storage=np.empty(need, np.uint8),
            num_items=5,
            **{**call, "select_second_part_op": lambda x: x},
        )
    with pytest.raises(TypeError, match="d_unselected_out"):
        f(temp_storage=np.empty(need, np.uint8), num_items=5, **{**call, "d_unselected_out": np.zeros(9)})
