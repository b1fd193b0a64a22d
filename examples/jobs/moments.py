"""Mean and variance in one pass: a record type and an operator that merges two of them.

The merge is the one of Chan, Golub and LeVeque. It never subtracts large sums, so it stays accurate where
the textbook formula loses all digits.
"""

import numpy as np

from freeloom import compute
from freeloom.compute import TransformIterator, record

from .report import Result, measured, timed


@record
class Moments:
    count: np.float64
    mean: np.float64
    squares: np.float64  # sum of squared distances from the mean


def one(value):
    return Moments(1.0, value, 0.0)


def merge(a, b):
    count = a.count + b.count
    share = b.count / max(count, 1.0)
    distance = b.mean - a.mean
    return Moments(
        count,
        a.mean + distance * share,
        a.squares + b.squares + distance * distance * a.count * share,
    )


def mean_and_variance(name: str, values: np.ndarray) -> list[Result]:
    out = np.empty(1, Moments.dtype)
    empty = Moments(0.0, 0.0, 0.0)
    items = TransformIterator(values, one)
    call = {"d_in": items, "d_out": out, "op": merge, "h_init": empty}

    reduce, build = timed(lambda: compute.make_reduce_into(**call))
    call["num_items"] = values.size
    temp = np.empty(max(reduce(temp_storage=None, **call), 1), np.uint8)
    _, run = measured(lambda: reduce(temp_storage=temp, **call))

    mean = float(out["mean"][0])
    variance = float(out["squares"][0] / out["count"][0])
    (true_mean, true_variance), reference_run = measured(lambda: (float(values.mean()), float(values.var())))
    return [
        _result(f"mean of {name}", mean, true_mean, build, run, reference_run),
        _result(f"variance of {name}", variance, true_variance, build, run, reference_run),
    ]


def _result(
    question: str, ours: float, theirs: float, build: float, run: float, reference_run: float
) -> Result:
    # Not exact equality: the two add in different orders.
    agrees = bool(np.isclose(ours, theirs, rtol=1e-10, atol=1e-12))
    return Result(question, f"{ours:.6f}", f"{theirs:.6f}", agrees, build, run, reference_run)
