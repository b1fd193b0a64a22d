"""The longest run of days without rain: a scan over records with an associative operator.

Each day is a stretch of one day. Joining two stretches keeps the length of the quiet run at the end, and
whether the whole stretch is quiet. That is associative, so it can be scanned in parallel.
"""

from collections.abc import Callable

import numpy as np

from freeloom import compute
from freeloom.compute import OpKind, TransformIterator, record

from .report import Result, measured, timed


@record
class Stretch:
    tail: np.int64  # length of the quiet run at the end
    quiet: np.bool_  # whether that run is the whole stretch


def join(a, b):
    if b.quiet:
        return Stretch(a.tail + b.tail, a.quiet)
    return b


def longest_spell(
    question: str, values: np.ndarray, limit: float, label: Callable[[int], str]
) -> list[Result]:
    def stretch(value):
        quiet = value <= limit
        return Stretch(1 if quiet else 0, quiet)

    out = np.empty(values.size, Stretch.dtype)
    call = {"d_in": TransformIterator(values, stretch), "d_out": out, "op": join, "init_value": None}

    scan, build = timed(lambda: compute.make_inclusive_scan(**call))
    call["num_items"] = values.size
    temp = np.empty(max(scan(temp_storage=None, **call), 1), np.uint8)
    _, run = measured(lambda: scan(temp_storage=temp, **call))

    tails = out["tail"]
    length = np.zeros(1, np.int64)
    compute.reduce_into(d_in=tails, d_out=length, num_items=tails.size, op=OpKind.MAXIMUM, h_init=np.int64(0))
    end = int(np.argmax(tails == length[0]))
    (expected_length, expected_end), reference_run = measured(lambda: _longest_run(values <= limit))

    def describe(days: int, last: int) -> str:
        return f"{days} ({label(last - days + 1)} to {label(last)})" if days else "none"

    agrees = (int(length[0]), end) == (expected_length, expected_end) or length[0] == expected_length == 0
    answer = (describe(int(length[0]), end), describe(expected_length, expected_end), bool(agrees))
    return [Result(question, *answer, build, run, reference_run)]


def _longest_run(quiet: np.ndarray) -> tuple[int, int]:
    """Length and last position of the longest run of true values, the first of equal ones."""
    edges = np.flatnonzero(np.diff(quiet, prepend=False, append=False))
    if edges.size == 0:
        return 0, 0
    starts, ends = edges[::2], edges[1::2]
    best = int(np.argmax(ends - starts))
    return int(ends[best] - starts[best]), int(ends[best]) - 1
