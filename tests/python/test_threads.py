"""Many threads at once."""

import gc
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from freeloom import CompileError, _native
from freeloom.compute import (
    CountingIterator,
    OpKind,
    TransformIterator,
    clear_all_caches,
    inclusive_scan,
    make_reduce_into,
    reduce_into,
    unary_transform,
)

THREADS = 16


def together(work, threads=THREADS):
    """Runs `work(i)` in every thread, begun at once."""
    barrier = threading.Barrier(threads)

    def body(i):
        barrier.wait()
        return work(i)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(body, range(threads)))


def compiled():
    return _native._native_info()["cache"]["compiled"]


@pytest.mark.parallel_threads(1)
def test_equal_cold_builds_run_once():
    def op(a, b):
        return a + b + 987_654_321 * 0

    items, before = np.arange(100), compiled()

    def work(_):
        out = np.zeros(1, np.int64)
        reduce_into(d_in=items, d_out=out, num_items=100, op=op)
        return out[0]

    assert set(together(work)) == {4950}
    assert compiled() - before == 1


@pytest.mark.parallel_threads(1)
def test_distinct_cold_builds():
    def work(i):
        out = np.zeros(1, np.int64)
        for j in range(5):
            k = i * 100 + j
            reduce_into(d_in=np.arange(50), d_out=out, num_items=50, op=lambda a, b: max(a, b + k * 0))  # noqa: B023
        return out[0]

    assert set(together(work)) == {49}


def test_failed_builds_reach_everyone_and_can_be_retried():
    limit = [1]

    def work(_):
        try:
            reduce_into(
                d_in=np.arange(3), d_out=np.zeros(1, np.int64), num_items=3, op=lambda a, b: a + limit[0]
            )
        except CompileError as error:
            return error

    errors = together(work)
    assert all(isinstance(e, CompileError) for e in errors)
    assert len({str(e) for e in errors}) == 1
    limit = np.array([1])
    assert together(work) == [None] * THREADS


def test_wrappers_belong_to_threads():
    def work(_):
        call = {"d_in": np.arange(3), "d_out": np.zeros(1, np.int64), "op": OpKind.PLUS}
        first, second = make_reduce_into(**call), make_reduce_into(**call)
        return first, first is second

    results = together(work, 8)
    assert all(same for _, same in results)
    assert len({id(f) for f, _ in results}) == 8


def test_one_object_in_many_threads():
    items = np.arange(10_000)
    call = {"d_in": items, "op": OpKind.PLUS, "h_init": np.zeros(1, np.int64)}
    f = make_reduce_into(d_out=np.zeros(1, np.int64), **call)

    def work(i):
        out = np.zeros(1, np.int64)
        temp = np.empty(10**6, np.uint8)
        for n in range(200):
            f(temp_storage=temp, d_out=out, num_items=100 * i + n, **call)
            assert out[0] == (100 * i + n) * (100 * i + n - 1) // 2
        return True

    assert all(together(work))


def test_shared_iterators_and_functions():
    values = np.arange(1000.0)
    shared = TransformIterator(values, lambda x: x * 2)

    def work(i):
        out = np.zeros(1)
        for _ in range(50):
            reduce_into(d_in=shared + i, d_out=out, num_items=500, op=OpKind.PLUS)
            assert out[0] == 2 * values[i : i + 500].sum()
        return True

    assert all(together(work))


def test_captures_of_each_thread():
    def work(i):
        table, out = np.array([float(i)]), np.zeros(100)

        def op(x):
            return x + table[0]

        for n in range(50):
            table[0] = i + n
            unary_transform(d_in=np.zeros(100), d_out=out, op=op, num_items=100)
            assert (out == i + n).all()
        return True

    assert all(together(work))


def test_wrappers_are_freed_with_their_thread():
    references = []

    def work():
        f = make_reduce_into(d_in=np.arange(3), d_out=np.zeros(1, np.int64), op=lambda a, b: a + b)
        references.append(weakref.ref(f))
        del f
        gc.collect()
        references.append(references[0]() is not None)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    gc.collect()
    assert references[1]
    assert references[0]() is None


@pytest.mark.parallel_threads(1)
def test_clear_reaches_every_thread():
    ready, cleared, done = threading.Event(), threading.Event(), []

    def work():
        call = {"d_in": np.arange(3), "d_out": np.zeros(1, np.int64), "op": OpKind.PLUS}
        first = make_reduce_into(**call)
        ready.set()
        cleared.wait(30)
        done.append(make_reduce_into(**call) is not first)

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait(30)
    clear_all_caches()
    assert _native._native_info()["cache"]["wrappers"] == 0
    cleared.set()
    thread.join()
    assert done == [True]


@pytest.mark.parallel_threads(1)
def test_clear_while_others_build_and_run():
    stop = threading.Event()

    def clear():
        while not stop.is_set():
            clear_all_caches()

    clearer = threading.Thread(target=clear)
    clearer.start()
    try:

        def work(i):
            out = np.zeros(100, np.int64)
            for n in range(30):
                k = i + n % 3
                inclusive_scan(d_in=CountingIterator(0), d_out=out, op=OpKind.PLUS, num_items=100)
                assert out[99] == 4950
                unary_transform(d_in=out, d_out=out, op=lambda x: x + k, num_items=100)  # noqa: B023
                assert out[99] == 4950 + k
            return True

        assert all(together(work, 4))
    finally:
        stop.set()
        clearer.join()


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="this Python always has the GIL")
def test_the_gil_stays_as_it_was():
    import sysconfig

    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled()


def test_the_gil_is_released_while_running():
    # Another thread makes progress while one is busy in a long operator.
    turns, running = 0, threading.Event()

    def slow(x):
        total = 0
        for i in range(20_000):
            total = total * 6364136223846793005 + (i ^ x)
        return total

    def work():
        out = np.zeros(20_000, np.int64)
        unary_transform(d_in=np.arange(20_000), d_out=out, op=slow, num_items=20_000)
        running.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not running.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 0
