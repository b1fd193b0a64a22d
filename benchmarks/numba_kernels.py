"""The peers' kernels in Numba, serial and parallel, each as its users would write it."""

import numba
import numpy as np
from numba import njit, prange

numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
THREADS = numba.get_num_threads()


@njit(fastmath=True)
def total(values):
    acc = np.float32(0)
    for i in range(values.size):
        acc += values[i]
    return acc


@njit(parallel=True, fastmath=True)
def total_parallel(values):
    acc = np.float32(0)
    for i in prange(values.size):
        acc += values[i]
    return acc


@njit
def odd_maximum(values):
    acc = values[0]
    for value in values:
        if value & 1:
            acc = max(acc, value)
    return acc


@njit(parallel=True)
def odd_maximum_parallel(values):
    parts = np.full(THREADS, values[0])
    step = (values.size + THREADS - 1) // THREADS
    for part in prange(THREADS):
        parts[part] = odd_maximum(values[part * step : (part + 1) * step])
    return parts.max()


@njit
def position_of_largest(values):
    best, where = values[0], np.int32(0)
    for i in range(values.size):
        if values[i] > best:
            best, where = values[i], np.int32(i)
    return best, where


@njit(parallel=True)
def position_of_largest_parallel(values):
    best = np.empty(THREADS, values.dtype)
    where = np.empty(THREADS, np.int32)
    step = (values.size + THREADS - 1) // THREADS
    for part in prange(THREADS):
        found, at = position_of_largest(values[part * step : (part + 1) * step])
        best[part], where[part] = found, at + part * step
    winner = best.argmax()
    return best[winner], where[winner]


@njit
def twice_plus_one(values, out):
    for i in range(values.size):
        out[i] = values[i] * np.float32(2) + np.float32(1)


@njit(parallel=True)
def twice_plus_one_parallel(values, out):
    for i in prange(values.size):
        out[i] = values[i] * np.float32(2) + np.float32(1)


@njit
def running_total(values, out):
    acc = np.float32(0)
    for i in range(values.size):
        acc += values[i]
        out[i] = acc


def fresh_reduction(op, parallel):
    """A reduction over a new operator, not compiled yet."""
    inner = njit(op)
    if not parallel:

        @njit
        def reduce(values):
            acc = values[0]
            for i in range(1, values.size):
                acc = inner(acc, values[i])
            return acc

        return reduce

    @njit
    def serial(values):
        acc = values[0]
        for i in range(1, values.size):
            acc = inner(acc, values[i])
        return acc

    @njit(parallel=True)
    def reduce_parallel(values):
        parts = np.empty(THREADS, values.dtype)
        step = values.size // THREADS
        for part in prange(THREADS):
            parts[part] = serial(values[part * step : (part + 1) * step])
        return serial(parts)

    return reduce_parallel
