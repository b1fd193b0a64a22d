"""Iterators of iterators: values, directions, identity, random trees."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeloom.compute import (
    CacheModifiedInputIterator,
    CountingIterator,
    DiscardIterator,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
    gpu_struct,
    inclusive_scan,
    make_unary_transform,
    merge_sort,
    segmented_reduce,
    select,
    unary_transform,
)


def same(x):
    return x


def copy(source, target, size):
    unary_transform(d_in=source, d_out=target, op=same, num_items=size)


def items(iterator, size, dtype):
    out = np.zeros(size, dtype)
    copy(iterator, out, size)
    return out


def test_directions():
    a = np.arange(3)
    output = TransformOutputIterator(np.zeros(3), same, np.float64)
    for it in (
        ReverseIterator(CountingIterator(0)),
        PermutationIterator(CountingIterator(0), a),
        ShuffleIterator(3),
        CacheModifiedInputIterator(a),
        ZipIterator(np.zeros(3), ShuffleIterator(3)),
        ReverseIterator(TransformIterator(a, same)),
    ):
        with pytest.raises(ValueError, match="This iterator does not support output operations"):
            copy(a, it, 3)
    for it in (
        ReverseIterator(output),
        PermutationIterator(output, a),
        ZipIterator(DiscardIterator(), output),
    ):
        with pytest.raises(ValueError, match="This iterator does not support input operations"):
            copy(it, np.zeros(3), 3)
    with pytest.raises(ValueError, match="This iterator does not support input operations"):
        PermutationIterator(a, output)


def test_transform_as_output_of_reordered():
    out, where = np.zeros(10), np.arange(10)[::-1].copy()

    def half(v: np.float64) -> np.float64:
        return v / 2

    for target in (
        TransformIterator(ReverseIterator(out), half, is_input=False),
        TransformOutputIterator(PermutationIterator(out, where), half),
        ReverseIterator(TransformOutputIterator(out, half) + 9),
        PermutationIterator(TransformOutputIterator(out, half), TransformIterator(where, lambda i: i + 0)),
    ):
        out[:] = 0
        inclusive_scan(d_in=np.ones(10), d_out=target, op=OpKind.PLUS, num_items=10)
        np.testing.assert_array_equal(out, np.arange(1, 11)[::-1] / 2)


def test_deep_nesting():
    size = 20_000
    rng = np.random.default_rng(6)
    a, b = rng.integers(0, 99, size), rng.random(size)
    where, back = rng.permutation(size), rng.permutation(size).astype(np.uint32)
    inner = ZipIterator(a, ReverseIterator(b), CountingIterator(np.int32(0)))
    picked = PermutationIterator(TransformIterator(inner, lambda p: (p[0] * 2, p[1] + p[2])), where)
    source = ZipIterator(PermutationIterator(picked, back), ReverseIterator(picked + (size - 1)))
    x, y, z = np.zeros(size, "i8"), np.zeros(size), np.zeros(size)
    target = ZipIterator(PermutationIterator(ZipIterator(x, ReverseIterator(y)), where), ReverseIterator(z))

    def op(p):
        return ((p[0][0], p[0][1]), p[1][1])

    unary_transform(d_in=source, d_out=target, op=op, num_items=size)
    first, second = a * 2, b[::-1] + np.arange(size)
    expected_x, expected_y = np.zeros(size, "i8"), np.zeros(size)
    expected_x[where] = first[where][back]
    expected_y[::-1][where] = second[where][back]
    np.testing.assert_array_equal(x, expected_x)
    np.testing.assert_array_equal(y, expected_y)
    np.testing.assert_array_equal(z[::-1], second[where][::-1])


def test_records():
    point = gpu_struct({"x": np.int8, "y": np.float64})
    a = np.zeros(1000, point.dtype)
    a["x"], a["y"] = np.arange(1000) % 100, np.random.default_rng(7).random(1000)
    where = np.random.default_rng(8).permutation(1000)
    np.testing.assert_array_equal(items(ReverseIterator(a), 1000, a.dtype), a[::-1])
    np.testing.assert_array_equal(items(PermutationIterator(a, where), 1000, a.dtype), a[where])
    out = np.zeros(1000, point.dtype)
    copy(a, PermutationIterator(out, where), 1000)
    np.testing.assert_array_equal(out[where], a)


def test_captured_arrays_inside():
    a, shift = np.arange(10), np.array([3])
    rotated = PermutationIterator(a, TransformIterator(CountingIterator(0), lambda i: (i + shift[0]) % 10))
    assert items(rotated, 10, "i8").tolist() == [3, 4, 5, 6, 7, 8, 9, 0, 1, 2]
    shift[0] = 4
    assert items(rotated, 10, "i8").tolist() == [4, 5, 6, 7, 8, 9, 0, 1, 2, 3]


def test_built_objects_take_other_iterators():
    a = np.arange(10)
    out = np.zeros(10, np.int64)
    build = make_unary_transform(d_in=PermutationIterator(a, a), d_out=ReverseIterator(out), op=same)
    assert build is make_unary_transform(d_in=PermutationIterator(out, a), d_out=ReverseIterator(a), op=same)
    build(d_in=PermutationIterator(a * 2, a[::-1]), d_out=ReverseIterator(out), op=same, num_items=10)
    np.testing.assert_array_equal(out, a * 2)
    for other in (a, ReverseIterator(a), PermutationIterator(a, a.astype("i4")), ZipIterator(a, a)):
        with pytest.raises(TypeError, match="d_in"):
            build(d_in=other, d_out=ReverseIterator(out), op=same, num_items=10)


def test_kinds_children_and_state():
    a, b = np.arange(5), np.arange(6) + 1
    assert ReverseIterator(a).kind == ReverseIterator(b).kind
    assert ReverseIterator(a).kind != ReverseIterator(a.astype("f4")).kind
    assert ReverseIterator(a).kind != ZipIterator(a).kind
    assert PermutationIterator(a, b).kind == PermutationIterator(b, a).kind
    assert PermutationIterator(a, b).kind != PermutationIterator(a, b.astype("i4")).kind
    assert DiscardIterator(a).kind == DiscardIterator(CountingIterator(1)).kind != DiscardIterator().kind
    assert hash(ShuffleIterator(4).kind) == hash(ShuffleIterator(5, 6).kind)
    assert ReverseIterator(a).children == (a,) or ReverseIterator(a).children[0] is a
    assert (ReverseIterator(a) + 2).children[0].tolist() == [0, 1, 2]
    assert PermutationIterator(a, b).children[1] is b
    assert (PermutationIterator(a, b) + 1).children[1].tolist() == [2, 3, 4, 5, 6]
    assert CacheModifiedInputIterator(a).children[0] is a
    assert ShuffleIterator(4).children == DiscardIterator(a).children == ()
    assert len(ShuffleIterator(4).state) == 24
    assert ShuffleIterator(4).state != ShuffleIterator(4, 1).state
    assert DiscardIterator().state == b""
    assert DiscardIterator().state_alignment == 1
    assert PermutationIterator(a, b).state_alignment == 8
    for it in (ReverseIterator(a), PermutationIterator(a, b), DiscardIterator(a), ShuffleIterator(4)):
        assert type(it + 1) is type(1 + it) is type(it)
        assert repr(it) == f"<{type(it).__name__} of int64>"
        with pytest.raises(AttributeError):
            it.kind = 3


@pytest.mark.parametrize("child", [3, "abc", None, [1, 2, 3], object()])
def test_children_must_be_data(child):
    with pytest.raises(TypeError, match="Expected an iterator or a device array"):
        ReverseIterator(child)
    with pytest.raises(TypeError, match="values: Expected an iterator or a device array"):
        PermutationIterator(child, np.arange(3))
    with pytest.raises(TypeError, match="indices: Expected an iterator or a device array"):
        PermutationIterator(np.arange(3), child)


def test_cycles_are_collected():
    class Watched(np.ndarray):
        pass

    def make():
        values = np.arange(3).view(Watched)

        def op(x):
            return x if cycle else -x

        inner = PermutationIterator(TransformIterator(ReverseIterator(values), op), values)
        cycle = ZipIterator(inner, CacheModifiedInputIterator(values))
        return weakref.ref(values)

    watched = make()
    gc.collect()
    assert watched() is None


@st.composite
def trees(draw, size, depth=3):
    """An iterator of int64 items, which has at least `size` of them, and those as an array."""
    seed = draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    kind = draw(st.integers(0, 7 if depth else 2))
    if kind == 0:
        step = draw(st.sampled_from([1, 2, -1, -3]))
        a = rng.integers(-1000, 1000, size * abs(step) + 5)[::step]
        return a, a[:size]
    if kind == 1:
        return CountingIterator(seed), np.arange(size) + seed
    if kind == 2:
        a = rng.integers(0, 9, size)
        return ReverseIterator(a), a[::-1]
    it, expected = draw(trees(size, depth - 1))
    if kind == 3:
        return TransformIterator(it, lambda x: x * 3 - 1), expected * 3 - 1
    if kind == 4:
        where = rng.integers(0, size, size).astype(draw(st.sampled_from(["i4", "u8"])))
        return PermutationIterator(it, where), expected[where]
    if kind == 5:
        order = items(ShuffleIterator(size, seed), size, "i8")
        return PermutationIterator(it, ShuffleIterator(size, seed)), expected[order]
    if kind == 6:
        other, more = draw(trees(size, depth - 1))
        return TransformIterator(ZipIterator(it, other), lambda p: p[0] ^ p[1]), expected ^ more
    start = ZipIterator(it) + (size - 1)
    return TransformIterator(ReverseIterator(start), lambda p: p[0]), expected[::-1]


@settings(max_examples=30, deadline=None)
@given(st.data(), st.sampled_from([1, 2, 7, 300, 9000]))
def test_random_trees(data, size):
    it, expected = data.draw(trees(size))
    np.testing.assert_array_equal(items(it, size, "i8"), expected)
    out = np.zeros(size, np.int64)
    inclusive_scan(d_in=it, d_out=ReverseIterator(out), op=lambda a, b: a + b, num_items=size)
    np.testing.assert_array_equal(out[::-1], expected.cumsum())


@pytest.mark.parametrize("size", [0, 1, 100, 50_000])
def test_selecting(size):
    rng = np.random.default_rng(9)
    a, where = rng.integers(0, 100, size), rng.permutation(size)
    out, count = np.full(size, -1), np.zeros(1, np.int64)
    for source, expected in [
        (ReverseIterator(a), a[::-1]),
        (PermutationIterator(a, where), a[where]),
        (PermutationIterator(a, ShuffleIterator(size)) if size else a, None),
    ]:
        kept = None if expected is None else expected[expected < 30]
        for target, view in [
            (out, out),
            (ReverseIterator(out), out[::-1]),
            (PermutationIterator(out, where), None),
            (DiscardIterator(out), None),
        ]:
            out[:] = -1
            select(d_in=source, d_out=target, d_num_selected_out=count, cond=lambda x: x < 30, num_items=size)
            assert count[0] == (a < 30).sum()
            if view is not None and kept is not None:
                np.testing.assert_array_equal(view[: count[0]], kept)
                assert (view[count[0] :] == -1).all()
            elif not isinstance(target, DiscardIterator) and kept is not None:
                np.testing.assert_array_equal(out[where][: count[0]], kept)


def test_selecting_into_what_is_short():
    a, count = np.arange(1000), np.zeros(1, np.int64)
    for out in (np.zeros(10, np.int64), np.zeros((2, 5), np.int64)):
        for target in (ReverseIterator(out), PermutationIterator(out, ShuffleIterator(10))):
            call = {"d_in": a, "d_out": target, "d_num_selected_out": count, "num_items": 1000}
            out[...] = -1
            select(cond=lambda x: x < 7, **call)
            assert sorted(out.ravel().tolist()) == [-1, -1, -1, *range(7)]
            with pytest.raises(ValueError, match="d_out"):
                select(cond=lambda x: x < 11, **call)


def test_segments_and_sorts_of_reordered():
    a = np.random.default_rng(10).integers(0, 100, 1000)
    where, starts = np.random.default_rng(11).permutation(1000), np.arange(0, 1000, 100)
    sums, keys = np.zeros(10, np.int64), np.zeros(1000, np.int64)
    call = {"num_segments": 10, "op": OpKind.PLUS, "h_init": np.zeros(1, np.int64)}
    for source, expected in [(ReverseIterator(a), a[::-1]), (PermutationIterator(a, where), a[where])]:
        offsets = {"start_offsets_in": starts, "end_offsets_in": starts + 100}
        segmented_reduce(d_in=source, d_out=ReverseIterator(sums), **offsets, **call)
        np.testing.assert_array_equal(sums[::-1], expected.reshape(10, 100).sum(axis=1))
        offsets["end_offsets_in"] = starts + 101
        with pytest.raises(ValueError, match="d_in"):
            segmented_reduce(d_in=source, d_out=sums, **offsets, **call)
        outputs = {"d_out_keys": keys, "d_out_values": None}
        merge_sort(d_in_keys=source, d_in_values=None, num_items=1000, op=OpKind.LESS, **outputs)
        np.testing.assert_array_equal(keys, np.sort(a))
