"""Which calls share what."""

import gc
import weakref

import numpy as np
import pytest

from freeloom import _native
from freeloom.compute import (
    CountingIterator,
    OpKind,
    TransformIterator,
    ZipIterator,
    clear_all_caches,
    make_binary_transform,
    make_exclusive_scan,
    make_inclusive_scan,
    make_reduce_into,
    make_unary_transform,
    reduce_into,
)

GLOBAL = 1


def made(**change):
    call = {
        "d_in": np.arange(5),
        "d_out": np.zeros(1, np.int64),
        "op": OpKind.PLUS,
        "h_init": np.zeros(1, np.int64),
    }
    return make_reduce_into(**{**call, **change})


def test_equal_types_give_the_same_object():
    assert made() is made()
    assert made() is made(d_in=np.arange(50)[::2])
    assert made() is made(h_init=np.int64(7))
    assert made() is made(h_init=3)
    assert made() is made(determinism=None)
    assert made() is made(d_in=memoryview(np.arange(3)))


@pytest.mark.parametrize(
    "change",
    [
        {"d_in": np.arange(5, dtype=np.int32)},
        {"d_out": np.zeros(1)},
        {"op": OpKind.MAXIMUM},
        {"h_init": None},
        {"h_init": np.zeros(1)},
        {"d_in": CountingIterator(0)},
        {"op": lambda a, b: a + b},
    ],
)
def test_other_types_give_other_objects(change):
    assert made() is not made(**change)


def test_each_algorithm_has_its_own():
    a = np.arange(5)
    call = {"d_in": a, "d_out": a, "op": OpKind.PLUS, "init_value": np.zeros(1, np.int64)}
    assert make_inclusive_scan(**call) is make_inclusive_scan(**call)
    assert make_inclusive_scan(**call) is not make_exclusive_scan(**call)
    unary = {"d_in": a, "d_out": a, "op": OpKind.NEGATE}
    assert make_unary_transform(**unary) is make_unary_transform(**unary)
    binary = {"d_in1": a, "d_in2": a, "d_out": a, "op": OpKind.PLUS}
    assert make_binary_transform(**binary) is make_binary_transform(**binary)


def test_functions_by_content():
    def make(k, scale=2):
        return lambda a, b: (a + b) * scale + k

    assert made(op=make(1)) is made(op=make(1))
    assert made(op=make(1)) is not made(op=make(2))
    assert made(op=make(1)) is not made(op=make(1.0))
    assert made(op=make(1)) is not made(op=make(True))
    assert made(op=make(1)) is not made(op=make(np.int64(1)))
    assert made(op=make(1)) is not made(op=make(1, 3))

    def one(a, b):
        return a + b

    def two(a, b):
        # Another name, comments and layout.
        return (
            a
            + b
        )  # fmt: skip

    assert made(op=one) is made(op=two)
    assert made(op=lambda a, b: a + b) is made(op=one)
    assert made(op=lambda b, a: b + a) is not made(op=one)


def test_defaults_are_content():
    def make(k):
        def op(a, b, c=k):
            return a + b + c

        return op

    assert made(op=make(1)) is made(op=make(1))
    assert made(op=make(1)) is not made(op=make(2))


def test_helpers_are_content():
    def make(k):
        def helper(x):
            return x + k

        return lambda a, b: helper(a) + b

    assert made(op=make(1)) is made(op=make(1))
    assert made(op=make(1)) is not made(op=make(2))


def test_globals_are_content(monkeypatch):
    scope = dict(globals())
    import types

    def op(a, b):
        return a + b + GLOBAL

    mine = types.FunctionType(op.__code__, scope)
    first = made(op=mine)
    scope["GLOBAL"] = 2
    second = made(op=mine)
    scope["GLOBAL"] = 1
    assert first is not second
    assert made(op=mine) is first


def test_captured_arrays_by_type_and_rank():
    def make(table):
        return lambda a, b: a + b + table[0] * 0

    first = made(op=make(np.arange(3)))
    assert made(op=make(np.arange(30))) is first
    assert made(op=make(np.arange(3)[::-1])) is first
    assert made(op=make(np.arange(3.0))) is not first


def test_iterators_by_kind():
    a, b = np.arange(3), np.arange(4)
    assert made(d_in=TransformIterator(a, lambda x: x + 1)) is made(
        d_in=TransformIterator(b, lambda x: x + 1)
    )
    assert made(d_in=TransformIterator(a, lambda x: x + 1)) is not made(
        d_in=TransformIterator(a, lambda x: x + 2)
    )
    assert made(d_in=CountingIterator(1)) is made(d_in=CountingIterator(2) + 5)
    op = lambda p, q: p  # noqa: E731
    pair = np.zeros(1, [("a", "i8"), ("b", "i8")])
    zipped = [made(d_in=ZipIterator(x, y), d_out=pair, op=op, h_init=None) for x, y in ((a, b), (b, a))]
    assert zipped[0] is zipped[1]


def test_records_by_layout():
    def build(dtype):
        items = np.zeros(3, dtype)
        return make_reduce_into(d_in=items, d_out=items[:1].copy(), op=lambda p, q: p)

    packed, aligned = np.dtype([("a", "i1"), ("b", "f8")]), np.dtype([("a", "i1"), ("b", "f8")], align=True)
    renamed = np.dtype([("a", "i1"), ("c", "f8")])
    assert build(packed) is build(np.dtype([("a", "i1"), ("b", "f8")]))
    assert build(packed) is not build(aligned)
    assert build(packed) is not build(renamed)


def test_compiled_code_is_shared_after_equal_functions():
    def compiled():
        return _native._native_info()["cache"]["compiled"]

    def make():
        return lambda a, b: a + b + 12345

    made(op=make())
    before = compiled()
    for _ in range(5):
        made(op=make())
    assert compiled() == before


@pytest.mark.parallel_threads(1)
def test_clear_all_caches():
    first, op = made(), lambda a, b: a + b
    with_function = made(op=op, d_in=TransformIterator(np.arange(5), lambda x: x + 1))
    clear_all_caches()
    info = _native._native_info()["cache"]
    assert info["wrappers"] == 0
    assert info["plans"] == 0
    second = made()
    assert second is not first
    out = np.zeros(1, np.int64)
    call = {"d_in": np.arange(5), "d_out": out, "num_items": 5, "op": OpKind.PLUS, "h_init": 0}
    first(temp_storage=np.empty(64, np.uint8), **call)
    assert out[0] == 10
    call.update(op=op, d_in=TransformIterator(np.arange(5), lambda x: x + 1))
    with_function(temp_storage=np.empty(64, np.uint8), **call)
    assert out[0] == 15


def test_nothing_keeps_arrays_alive():
    class Watched(np.ndarray):
        pass

    items = np.arange(5).view(Watched)
    table = np.arange(5).view(Watched)
    watched = [weakref.ref(items), weakref.ref(table)]

    def make(t):
        return lambda a, b: a + b + t[0]

    reduce_into(d_in=items, d_out=np.zeros(1, np.int64), num_items=5, op=make(table))
    del items, table
    gc.collect()
    assert all(w() is None for w in watched)


def test_many_closures_of_one_function():
    def make(k):
        return lambda a, b: max(a, b) + k * 0

    objects = [made(op=make(k)) for k in range(40)]
    assert len(set(map(id, objects))) == 40
    assert all(made(op=make(k)) is objects[k] for k in range(40))
