"""Times that do not depend on the data: building, calling on 16 items, importing."""

import subprocess
import sys
from itertools import count as counter

import numpy as np
import polars as pl

from benchmarks import numba_kernels, ours
from benchmarks.measure import OURS, Row, per_call, seconds
from freeloom import compute
from freeloom.compute import OpKind

FEW = 16
CALLS = 5000


def cold_reduce(_count: int) -> Row:
    """First result of a reduction with an operator never seen before, types as in earlier builds."""
    values = np.arange(1, FEW + 1, dtype=np.float32)
    out = np.zeros(1, np.float32)
    start = np.zeros(1, np.float32)
    numbers = counter(1)

    def fresh_operator():
        weight = next(numbers)

        def combine(a, b):
            return a + b if a < b else b + a * weight - a * weight

        return combine

    def build_ours():
        op = fresh_operator()
        work = compute.make_reduce_into(d_in=values, d_out=out, op=op, h_init=start)
        call = {"d_in": values, "d_out": out, "op": op, "h_init": start, "num_items": FEW}
        temp = np.empty(max(work(temp_storage=None, **call), 1), np.uint8)
        work(temp_storage=temp, **call)

    def build_numba(parallel):
        return lambda: numba_kernels.fresh_reduction(fresh_operator(), parallel)(values)

    contenders = {
        OURS: seconds(build_ours),
        "Numba": seconds(build_numba(False)),
        "Numba parallel": seconds(build_numba(True)),
    }
    return Row("new operator, reduce: build and first call", contenders)


def cold_transform(_count: int) -> Row:
    """First result of a transform with an operator never seen before, types as in earlier builds."""
    values = np.arange(FEW, dtype=np.float32)
    out = np.zeros_like(values)
    numbers = counter(1)

    def fresh_operator():
        weight = next(numbers)
        return lambda x: x * weight + 1 if x > 3 else x - weight

    def build_ours():
        ours.transform(values, out, fresh_operator())()

    def build_numba(target):
        signature = ["float32(float32)"]
        return lambda: numba_kernels.numba.vectorize(signature, target=target)(fresh_operator())(values)

    contenders = {
        OURS: seconds(build_ours),
        "Numba": seconds(build_numba("cpu")),
        "Numba parallel": seconds(build_numba("parallel")),
    }
    return Row("new operator, transform: build and first call", contenders)


def warm_object(_count: int) -> Row:
    """A call of an object already built, all arguments given and checked."""
    return _warm("call on 16 items, object", one_shot=False)


def warm_one_shot(_count: int) -> Row:
    """A call of the one-shot function: finds the built object, scratch memory, runs."""
    return _warm("call on 16 items, one-shot function", one_shot=True)


def _warm(name: str, *, one_shot: bool) -> Row:
    values = np.arange(FEW, dtype=np.float32)
    out = np.zeros(1, np.float32)
    start = np.zeros(1, np.float32)
    series = pl.Series(values)
    numba_kernels.total(values)
    if one_shot:

        def ours_sum():
            compute.reduce_into(d_in=values, d_out=out, num_items=FEW, op=OpKind.PLUS, h_init=start)
    else:
        ours_sum = _object_call(values, out, start)
    contenders = {
        OURS: per_call(ours_sum, CALLS),
        "NumPy": per_call(values.sum, CALLS),
        "Polars": per_call(series.sum, CALLS),
        "Numba": per_call(lambda: numba_kernels.total(values), CALLS),
        "Numba parallel": per_call(lambda: numba_kernels.total_parallel(values), CALLS // 20),
    }
    return Row(name, contenders)


def _object_call(values, out, start):
    # Keywords spelled out, as a program would: unpacking a dictionary at each call costs extra.
    work = compute.make_reduce_into(d_in=values, d_out=out, op=OpKind.PLUS, h_init=start)
    size = work(temp_storage=None, d_in=values, d_out=out, num_items=FEW, op=OpKind.PLUS, h_init=start)
    temp = np.empty(max(size, 1), np.uint8)
    op = OpKind.PLUS

    def call():
        work(temp_storage=temp, d_in=values, d_out=out, num_items=FEW, op=op, h_init=start)

    return call


def import_time(_count: int) -> Row:
    """Seconds that the import takes in a new process that has already imported NumPy."""

    def importing(module):
        program = (
            f"import numpy, time; s = time.perf_counter(); import {module}; print(time.perf_counter() - s)"
        )
        command = [sys.executable, "-c", program]
        return lambda: float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    contenders = {
        OURS: importing("freeloom.compute"),
        "Numba": importing("numba"),
        "Polars": importing("polars"),
    }
    return Row("import, after NumPy", contenders, rounds=9)
