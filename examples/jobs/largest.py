"""Arg-max: values zipped with their positions, reduced to the larger pair."""

from collections.abc import Callable

import numpy as np

from freeloom import compute
from freeloom.compute import CountingIterator, ZipIterator, record

from .report import Result, measured, timed


@record
class Best:
    value: np.float64
    where: np.int64


def larger(a, b):
    # Of equal values the first one, whatever the order in which parts are combined.
    if b[0] > a[0] or (b[0] == a[0] and b[1] < a[1]):
        return b
    return a


def largest(name: str, values: np.ndarray, label: Callable[[int], str]) -> list[Result]:
    out = np.empty(1, Best.dtype)
    pairs = ZipIterator(values, CountingIterator(np.int64(0)))
    call = {"d_in": pairs, "d_out": out, "op": larger, "h_init": Best(-np.inf, np.iinfo(np.int64).max)}

    reduce, build = timed(lambda: compute.make_reduce_into(**call))
    call["num_items"] = values.size
    temp = np.empty(max(reduce(temp_storage=None, **call), 1), np.uint8)
    _, run = measured(lambda: reduce(temp_storage=temp, **call))

    where = int(out["where"][0])
    expected, reference_run = measured(lambda: int(values.argmax()))

    def describe(row: int) -> str:
        return f"{values[row]:g} ({label(row)})"

    agrees = where == expected and out["value"][0] == values[expected]
    answer = (describe(where), describe(expected), bool(agrees))
    return [Result(f"largest {name}", *answer, build, run, reference_run)]
