"""Segmented sort against NumPy, segment by segment."""

import numpy as np
import pytest

from freeloom.compute import (
    CountingIterator,
    DoubleBuffer,
    SortOrder,
    TransformIterator,
    make_segmented_sort,
    segmented_sort,
)

UP, DOWN = SortOrder.ASCENDING, SortOrder.DESCENDING


def expected(keys, values, starts, ends, order):
    keys, values = keys.copy(), values.copy()
    for lo, hi in zip(starts, ends, strict=True):
        part = keys[lo:hi]
        by = np.argsort(part if order is UP else -part.astype(np.float64), kind="stable")
        keys[lo:hi], values[lo:hi] = part[by], values[lo:hi][by]
    return keys, values


def cut(size, mean, seed=0):
    """Segments of random lengths with gaps."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 2 * mean + 1, max(1, size // mean // 2))
    gaps = rng.integers(0, 3, lengths.size)
    ends = np.minimum(np.cumsum(lengths + gaps), size)
    return np.maximum(ends - lengths, np.concatenate([[0], ends[:-1]])), ends


@pytest.mark.parametrize("order", SortOrder)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.float16, np.float32])
@pytest.mark.parametrize(
    ("size", "mean"), [(1, 1), (1000, 3), (50_000, 40), (60_000, 2000), (100_000, 60_000)]
)
def test_pairs(dtype, size, mean, order):
    keys = np.random.default_rng(1).integers(0, 200, size).astype(dtype)
    starts, ends = cut(size, mean)
    for values in (np.arange(size), np.arange(size).astype(np.int16)):
        out, values_out = np.zeros_like(keys), np.zeros_like(values)
        segmented_sort(
            d_in_keys=keys,
            d_out_keys=out,
            d_in_values=values,
            d_out_values=values_out,
            num_items=size,
            num_segments=starts.size,
            start_offsets_in=starts,
            end_offsets_in=ends,
            order=order,
        )
        keys_expected, values_expected = expected(keys, values, starts, ends, order)
        np.testing.assert_array_equal(out, keys_expected)
        np.testing.assert_array_equal(values_out, values_expected)


@pytest.mark.parametrize("offset", [np.int32, np.uint32, np.int64, np.uint64, np.int16])
def test_offset_types_and_order_of_segments(offset):
    keys, out = np.arange(100)[::-1].copy(), np.zeros(100, np.int64)
    starts, ends = np.array([50, 0, 10, 70], offset), np.array([70, 10, 10, 100], offset)
    segmented_sort(
        d_in_keys=keys,
        d_out_keys=out,
        num_items=100,
        num_segments=4,
        start_offsets_in=starts,
        end_offsets_in=ends,
        order=UP,
    )
    np.testing.assert_array_equal(out, expected(keys, keys, starts, ends, UP)[0])


def test_iterators_as_offsets():
    rows, columns = 300, 41
    keys = np.random.default_rng(0).random((rows, columns))
    starts = TransformIterator(CountingIterator(np.int64(0)), lambda i: i * columns)
    call = {
        "num_items": keys.size,
        "num_segments": rows,
        "start_offsets_in": starts,
        "end_offsets_in": starts + 1,
    }
    out = np.zeros_like(keys)
    segmented_sort(d_in_keys=keys, d_out_keys=out, order=UP, **call)
    np.testing.assert_array_equal(out, np.sort(keys, axis=1))
    segmented_sort(d_in_keys=keys, d_out_keys=keys, order=UP, **call)
    np.testing.assert_array_equal(out, keys)


def test_a_long_segment():
    keys = np.random.default_rng(0).random(1_000_000)
    starts, ends = np.array([0, 100, 900_000]), np.array([50, 900_000, 900_001])
    out = np.zeros_like(keys)
    segmented_sort(
        d_in_keys=keys,
        d_out_keys=out,
        num_items=keys.size,
        num_segments=3,
        start_offsets_in=starts,
        end_offsets_in=ends,
        order=DOWN,
    )
    np.testing.assert_array_equal(out, expected(keys, keys, starts, ends, DOWN)[0])


def test_double_buffers_and_object():
    keys, offsets = np.array([3, 1, 2, 9, 8]), np.array([0, 3, 5])
    buffer = DoubleBuffer(keys.copy(), np.zeros_like(keys))
    data = {
        "d_in_keys": buffer,
        "d_out_keys": None,
        "d_in_values": None,
        "d_out_values": None,
        "start_offsets_in": offsets[:-1],
        "end_offsets_in": offsets[1:],
    }
    f = make_segmented_sort(**data, order=UP)
    scratch = np.empty(f(temp_storage=None, num_items=5, num_segments=2, **data), np.uint8)
    f(temp_storage=scratch, num_items=5, num_segments=2, **data)
    assert buffer.selector == 1
    assert buffer.current().tolist() == [1, 2, 3, 8, 9]
    assert make_segmented_sort(**data, order=UP) is f
    with pytest.raises(TypeError, match="built for double buffers"):
        f(
            temp_storage=scratch,
            num_items=5,
            num_segments=2,
            **{**data, "d_in_keys": keys, "d_out_keys": keys.copy()},
        )


KEYS, OUT, OFFSETS = np.arange(10), np.zeros(10, np.int64), np.array([0, 4, 10])
WRONG = {
    "beyond": ({"end_offsets_in": np.array([4, 11])}, ValueError, "segment 1 is 4 to 11"),
    "before": ({"start_offsets_in": np.array([-1, 4])}, ValueError, "segment 0 is -1 to 4"),
    "reversed": ({"end_offsets_in": np.array([4, 3])}, ValueError, "segment 1 is 4 to 3"),
    "in common": (
        {"start_offsets_in": np.array([0, 3])},
        ValueError,
        "0 to 4 and 3 to 10 have items in common",
    ),
    "floats": ({"start_offsets_in": np.zeros(2)}, TypeError, "start_offsets_in must have integers"),
    "too many": ({"num_segments": 3}, ValueError, "start_offsets_in has 2 items"),
    "far too many": ({"num_segments": 2**31}, RuntimeError, "2\\^31-1 segments"),
    "negative": ({"num_segments": -1}, ValueError, "num_segments"),
    "not a number": ({"num_segments": 1.5}, TypeError, "num_segments"),
    "overlap": ({"d_out_keys": OFFSETS, "num_items": 3}, ValueError, "overlaps"),
    "order": ({"order": None}, TypeError, "order"),
    "keys": ({"d_in_keys": KEYS + 0j, "d_out_keys": OUT + 0j}, TypeError, "d_in_keys"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    change, kind, text = WRONG[name]
    call = {
        "d_in_keys": KEYS,
        "d_out_keys": OUT,
        "num_items": 10,
        "num_segments": 2,
        "start_offsets_in": OFFSETS[:-1],
        "end_offsets_in": OFFSETS[1:],
        "order": UP,
    }
    with pytest.raises(kind, match=text):
        segmented_sort(**{**call, **change})
