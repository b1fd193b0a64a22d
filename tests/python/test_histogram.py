"""Histograms against NumPy."""

import numpy as np
import pytest

from freeloom.compute import (
    ConstantIterator,
    CountingIterator,
    TransformIterator,
    histogram_even,
    make_histogram_even,
)

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def histogram(samples, bins, lower, upper, dtype=np.int64, count=None):
    out = np.full(bins, 99, dtype)
    histogram_even(
        d_samples=samples,
        d_histogram=out,
        num_output_levels=bins + 1,
        lower_level=lower,
        upper_level=upper,
        num_samples=samples.size if count is None else count,
    )
    return out


def reference(samples, bins, lower, upper):
    inside = samples[(samples >= lower) & (samples < upper)].astype(np.float64)
    return np.histogram(inside, bins, (lower, upper))[0]


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("bins", [1, 2, 7, 256, 5000])
def test_dtypes(dtype, bins):
    samples = (np.random.default_rng(bins).random(3000) * 127).astype(dtype)
    np.testing.assert_array_equal(histogram(samples, bins, 10, 100), reference(samples, bins, 10, 100))


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 2047, 2048, 2049, 32_769, 1_000_000])
@pytest.mark.parametrize("bins", [16, 4097])
def test_sizes(size, bins):
    samples = np.random.default_rng(size).random(size, dtype=np.float32)
    counts = histogram(samples, bins, 0.25, 0.75)
    np.testing.assert_array_equal(counts, reference(samples, bins, 0.25, 0.75))


def test_integers_on_edges_belong_to_the_right():
    for bins, upper in ((3, 30), (10, 30), (7, 49), (49, 147), (1000, 9000)):
        samples = np.arange(-5, upper + 5)
        width = upper // bins
        np.testing.assert_array_equal(histogram(samples, bins, 0, upper), np.full(bins, width))
        np.testing.assert_array_equal(histogram(samples - 7, bins, -7, upper - 7), np.full(bins, width))


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.float16, np.float32, np.float64])
def test_samples_on_edges_and_just_before_them(dtype):
    for bins, lower, upper in ((3, 0, 30), (7, -49, 0), (10, 1, 11), (64, 0, 2048), (100, 0, 700)):
        edges = np.arange(bins) * ((upper - lower) // bins) + lower
        before = edges[1:].astype(dtype)
        before = before - 1 if np.dtype(dtype).kind == "i" else np.nextafter(before, dtype(-np.inf))
        np.testing.assert_array_equal(histogram(edges.astype(dtype), bins, lower, upper), np.ones(bins))
        if dtype is not np.float64:
            np.testing.assert_array_equal(histogram(before, bins, lower, upper), [1] * (bins - 1) + [0])


def test_samples_outside_and_nan_are_ignored():
    samples = np.array([np.nan, -np.inf, np.inf, -0.1, -0.0, 0.0, 0.5, np.nextafter(1, 0), 1.0, 1e300])
    assert histogram(samples, 2, 0.0, 1.0).tolist() == [2, 2]
    # NumPy counts the upper level itself.
    assert np.histogram(samples[4:9], 2, (0, 1))[0].tolist() == [2, 3]


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.uint64, np.float32, np.int16])
def test_types_of_counts(dtype):
    samples = np.zeros(300)
    assert histogram(samples, 2, 0.0, 1.0, dtype).tolist() == [dtype(np.int64(300).astype(dtype)), 0]


def test_iterators():
    assert histogram(ConstantIterator(3.5), 4, 0.0, 8.0, count=1000).tolist() == [0, 1000, 0, 0]
    assert histogram(CountingIterator(np.int32(0)), 4, 0, 100, count=50).tolist() == [25, 25, 0, 0]
    samples = np.arange(10.0)
    squares = TransformIterator(samples, lambda x: x * x)
    np.testing.assert_array_equal(
        histogram(squares, 5, 0.0, 100.0, count=10), reference(samples**2, 5, 0.0, 100.0)
    )


def test_layouts():
    matrix = np.random.default_rng(3).random((100, 60))
    raw = np.zeros(8 * 100 + 1, np.uint8)
    misaligned = raw[1:].view(np.float64)
    misaligned[:] = matrix[:, 0]
    for samples in (matrix, matrix[::2, ::-3], matrix.T, matrix[:, 5], misaligned):
        np.testing.assert_array_equal(histogram(samples, 9, 0.0, 1.0), reference(samples, 9, 0.0, 1.0))
    out = np.zeros(20, np.int64)
    call = {"num_output_levels": 11, "lower_level": 0.0, "upper_level": 1.0, "num_samples": matrix.size}
    histogram_even(d_samples=matrix, d_histogram=out[::2], **call)
    np.testing.assert_array_equal(out[::2], reference(matrix, 10, 0.0, 1.0))
    assert not out[1::2].any()


def test_levels_of_any_number_type():
    samples = np.arange(100)
    for kind in (int, float, np.int16, np.uint64, np.float16, np.float32):
        counts = histogram(samples, 5, kind(10), kind(60))
        np.testing.assert_array_equal(counts, np.full(5, 10))


def host(levels, lower, upper, dtype=np.float64):
    return {
        "h_num_output_levels": np.array([levels], np.int32),
        "h_lower_level": np.array([lower], dtype),
        "h_upper_level": np.array([upper], dtype),
    }


def test_objects():
    samples, out = np.linspace(0, 1, 100), np.zeros(300, np.int32)
    data = {"d_samples": samples, "d_histogram": out, "num_samples": 100}
    f = make_histogram_even(**data, **host(5, 0, 1))
    assert f is make_histogram_even(**data, **host(5, 2, 7))
    assert f is make_histogram_even(**{**data, "num_samples": 50}, **host(5, 0, 1))
    assert f is not make_histogram_even(**data, **host(300, 0, 1))
    assert f is not make_histogram_even(**data, **host(5, 0, 1, np.float32))
    assert f is not make_histogram_even(**{**data, "num_samples": 2**31}, **host(5, 0, 1))
    needed = f(temp_storage=None, **data, **host(5, 0, 1))
    assert out[0] == 0
    for lower, upper in ((0, 1), (0.5, 0.75)):
        f(temp_storage=np.empty(max(needed, 1), np.uint8), **data, **host(5, lower, upper))
        np.testing.assert_array_equal(out[:4], reference(samples, 4, lower, upper))
    assert not out[4:].any()
    with pytest.raises(TypeError, match="h_lower_level, h_upper_level: built for f64"):
        f(temp_storage=np.empty(1, np.uint8), **data, **host(5, 0, 1, np.float32))
    with pytest.raises(TypeError, match="d_samples"):
        f(temp_storage=np.empty(1, np.uint8), **{**data, "d_samples": out}, **host(5, 0, 1))


A, OUT = np.arange(10), np.zeros(4, np.int64)
CALL = {
    "d_samples": A,
    "d_histogram": OUT,
    "num_output_levels": 5,
    "lower_level": 0,
    "upper_level": 8,
    "num_samples": 10,
}
CASES = {
    "one level": ({"num_output_levels": 1}, ValueError, r"num_output_levels must be 2"),
    "negative levels": ({"num_output_levels": -3}, ValueError, r"num_output_levels must be 2"),
    "huge levels": ({"num_output_levels": 2**40}, ValueError, r"num_output_levels must be 2"),
    "fractional levels": ({"num_output_levels": 5.0}, TypeError, r"num_output_levels must be an integer"),
    "no levels": ({"num_output_levels": None}, TypeError, r"num_output_levels"),
    "mixed": ({"upper_level": 8.0}, TypeError, r"h_lower_level and h_upper_level must have the same dtype"),
    "empty range": ({"upper_level": 0}, ValueError, r"lower_level must be less than upper_level"),
    "reversed": ({"upper_level": -1}, ValueError, r"lower_level must be less than upper_level"),
    "nan": ({"lower_level": float("nan"), "upper_level": 1.0}, ValueError, r"lower_level must be less"),
    "infinite": ({"lower_level": 0.0, "upper_level": float("inf")}, ValueError, r"lower_level must be less"),
    "text": ({"lower_level": "0"}, TypeError, r"lower_level"),
    "complex level": (
        {"lower_level": 0j, "upper_level": 1j},
        TypeError,
        r"lower_level must be a real number",
    ),
    "complex samples": ({"d_samples": A * 1j}, TypeError, r"d_samples must hold real numbers"),
    "records": ({"d_samples": np.zeros(10, "i4,i4")}, TypeError, r"d_samples must hold real numbers"),
    "complex counts": ({"d_histogram": OUT * 1j}, TypeError, r"d_histogram must hold real numbers"),
    "too few samples": ({"num_samples": 11}, ValueError, r"num_samples is 11, but d_samples has 10"),
    "small output": ({"d_histogram": OUT[:3]}, ValueError, r"number of bins is 4, but d_histogram has 3"),
    "negative": ({"num_samples": -1}, ValueError, r"num_samples must not be negative"),
    "read-only": (
        {"d_histogram": np.frombuffer(bytes(32), np.int64)},
        ValueError,
        r"d_histogram is read-only",
    ),
    "overlap": ({"d_samples": A, "d_histogram": A}, ValueError, r"d_histogram overlaps that of d_samples"),
    "counting": ({"d_histogram": CountingIterator(0)}, ValueError, r"does not support output"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case):
    change, kind, text = CASES[case]
    with pytest.raises(kind, match=text):
        histogram_even(**{**CALL, **change})
