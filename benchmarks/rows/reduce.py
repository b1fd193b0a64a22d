"""Reductions of 2^24 items: built-in, with a Python operator, with a record."""

import numpy as np
import polars as pl

from benchmarks import limits, numba_kernels, ours
from benchmarks.measure import COPY, OURS, Row, seconds
from freeloom.compute import CountingIterator, OpKind, ZipIterator, record


def sum_f32(count: int) -> Row:
    values = np.random.default_rng(1).random(count, np.float32)
    out = np.zeros(1, np.float32)
    ours_sum = ours.reduction(values, out, OpKind.PLUS, np.zeros(1, np.float32))
    by_hand = limits.hand_written_sum(values)
    series = pl.Series(values)

    ours_sum()
    np.testing.assert_allclose(out[0], values.sum(dtype=np.float64), rtol=1e-4)

    yardsticks = {COPY: seconds(limits.copy(values.nbytes))}
    if by_hand is not None:
        np.testing.assert_allclose(by_hand(), values.sum(dtype=np.float64), rtol=1e-4)
        yardsticks["hand-written SIMD"] = seconds(by_hand)
    contenders = {
        OURS: seconds(ours_sum),
        "NumPy": seconds(values.sum),
        "Polars": seconds(series.sum),
        "Numba": seconds(lambda: numba_kernels.total(values)),
        "Numba parallel": seconds(lambda: numba_kernels.total_parallel(values)),
    }
    return Row("sum, f32", contenders, yardsticks)


def odd_maximum_i32(count: int) -> Row:
    """A reduction with an operator of our own, `max(acc, v if v & 1 else acc)`.

    On arbitrary data that operator is not associative: an even item is dropped on one side of a combination
    and kept on the other. On odd numbers it is, so all items are odd here; the work per item is the same.
    """
    values = np.random.default_rng(2).integers(-(2**30), 2**30, count, np.int32) | np.int32(1)
    out = np.zeros(1, np.int32)
    lowest = np.iinfo(np.int32).min

    def odd_maximum(acc, v):
        return max(acc, v if v & 1 else acc)

    def two_passes():
        return np.where(values & 1, values, lowest).max()

    ours_maximum = ours.reduction(values, out, odd_maximum, np.full(1, lowest, np.int32))
    ours_maximum()
    answers = {int(out[0]), int(two_passes()), int(numba_kernels.odd_maximum_parallel(values))}
    assert answers == {int(values.max())}, answers

    contenders = {
        OURS: seconds(ours_maximum),
        "NumPy": seconds(two_passes),
        "Numba": seconds(lambda: numba_kernels.odd_maximum(values)),
        "Numba parallel": seconds(lambda: numba_kernels.odd_maximum_parallel(values)),
    }
    yardsticks = {COPY: seconds(limits.copy(values.nbytes))}
    return Row("reduce, i32, max(acc, v if v & 1 else acc)", contenders, yardsticks)


@record
class Best:
    value: np.float32
    where: np.int32


def larger(a, b):
    if b[0] > a[0] or (b[0] == a[0] and b[1] < a[1]):
        return b
    return a


def argmax_record(count: int) -> Row:
    values = np.random.default_rng(3).random(count, np.float32)
    out = np.zeros(1, Best.dtype)
    pairs = ZipIterator(values, CountingIterator(np.int32(0)))
    start = Best(np.float32(-np.inf), np.iinfo(np.int32).max)
    ours_argmax = ours.reduction(pairs, out, larger, start, num_items=count)
    series = pl.Series(values)

    ours_argmax()
    assert int(out["where"][0]) == int(values.argmax())

    contenders = {
        OURS: seconds(ours_argmax),
        "NumPy": seconds(values.argmax),
        "Polars": seconds(series.arg_max),
        "Numba": seconds(lambda: numba_kernels.position_of_largest(values)),
        "Numba parallel": seconds(lambda: numba_kernels.position_of_largest_parallel(values)),
    }
    yardsticks = {COPY: seconds(limits.copy(values.nbytes))}
    note = "NumPy and Polars have a built-in argmax; freeloom and Numba run a comparison written in Python."
    return Row("arg-max by a record, f32 and i32", contenders, yardsticks, note=note)
