"""Iterators that change the order or the place of items: reverse, permutation, shuffle, discard, cached."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeloom.compute import (
    CacheModifiedInputIterator,
    ConstantIterator,
    CountingIterator,
    DiscardIterator,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
    exclusive_scan,
    gpu_struct,
    inclusive_scan,
    make_unary_transform,
    reduce_into,
    types,
    unary_transform,
)

SIZES = [0, 1, 2, 3, 255, 256, 257, 8191, 8193, 100_003]
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
INDEX_DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


def same(x):
    return x


def copy(source, target, size):
    unary_transform(d_in=source, d_out=target, op=same, num_items=size)


def items(iterator, size, dtype):
    out = np.zeros(size, dtype)
    copy(iterator, out, size)
    return out


def numbers(size, dtype, seed=0):
    return np.random.default_rng(seed).integers(0, 100, size).astype(dtype)


def layouts(size):
    """Arrays of that many items: contiguous, strided, backwards, two-dimensional, misaligned."""
    yield np.arange(size) * 3
    yield (np.arange(3 * size) * 5)[::3]
    yield np.arange(size)[::-1]
    if size % 2 == 0:
        yield np.arange(2 * size).reshape(2, size)[:, ::2]
        yield np.arange(size).reshape(2, -1).T
    odd = np.zeros(8 * size + 1, np.uint8)[1:].view(np.int64)
    odd[:] = np.arange(size)
    yield odd


def flat(array):
    return array.ravel(order="K" if array.flags.f_contiguous else "C")


def fill(array, values):
    """Writes `values` as an algorithm would, item for item."""
    target = array.T if array.flags.f_contiguous and not array.flags.c_contiguous else array
    target[...] = values.reshape(target.shape)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_reverse_reads_and_writes(dtype, size):
    a = numbers(size, dtype)
    np.testing.assert_array_equal(items(ReverseIterator(a), size, dtype), a[::-1])
    out = np.zeros(size, dtype)
    copy(a, ReverseIterator(out), size)
    np.testing.assert_array_equal(out, a[::-1])


@pytest.mark.parametrize("size", [1, 2, 10, 1000])
def test_reverse_of_any_layout(size):
    for array in layouts(size):
        expected = flat(array)[::-1]
        np.testing.assert_array_equal(items(ReverseIterator(array), size, "i8"), expected)
        part = size // 2
        advanced = ReverseIterator(array) + part
        np.testing.assert_array_equal(items(advanced, size - part, "i8"), expected[part:])
        copy(np.arange(size), ReverseIterator(array), size)
        np.testing.assert_array_equal(flat(array), np.arange(size)[::-1])


def test_reverse_begins_at_the_end_of_the_array():
    assert items(ReverseIterator(np.arange(10)), 3, "i8").tolist() == [9, 8, 7]
    out = np.zeros(10, np.int64)
    copy(np.arange(3) + 1, ReverseIterator(out), 3)
    assert out.tolist() == [0] * 7 + [3, 2, 1]


def test_reverse_of_iterators_begins_where_they_are():
    assert items(ReverseIterator(CountingIterator(np.int32(5))), 4, "i4").tolist() == [5, 4, 3, 2]
    assert items(ReverseIterator(CountingIterator(5)) + 2, 2, "i8").tolist() == [3, 2]
    assert items(ReverseIterator(CountingIterator(1.5)), 3, "f8").tolist() == [1.5, 0.5, -0.5]
    assert items(ReverseIterator(CountingIterator(np.uint8(1))), 3, "u1").tolist() == [1, 0, 255]
    assert items(ReverseIterator(ConstantIterator(7)), 2, "i8").tolist() == [7, 7]
    a = np.arange(10)
    squares = ReverseIterator(TransformIterator(a, lambda x: x * x) + 9)
    np.testing.assert_array_equal(items(squares, 10, "i8"), (a * a)[::-1])
    twice = ReverseIterator(ReverseIterator(a) + 9)
    np.testing.assert_array_equal(items(twice, 10, "i8"), a)
    np.testing.assert_array_equal(items(ReverseIterator(a[::-2]), 5, "i8"), a[::-2][::-1])
    mirrored = ReverseIterator(ShuffleIterator(100, 3) + 99)
    np.testing.assert_array_equal(items(mirrored, 100, "i8"), items(ShuffleIterator(100, 3), 100, "i8")[::-1])


@pytest.mark.parametrize(("offset", "size"), [(0, 11), (1, 10), (10, 1), (-1, 1), (10**18, 1), (-(2**63), 1)])
def test_reverse_beyond_the_array(offset, size):
    out = np.zeros(20, np.int64)
    with pytest.raises(ValueError, match="num_items"):
        copy(ReverseIterator(np.arange(10)) + offset, out, size)
    with pytest.raises(ValueError, match="num_items"):
        copy(np.arange(20), ReverseIterator(out[:10]) + offset, size)


def test_reverse_of_an_empty_array():
    copy(ReverseIterator(np.zeros(0)), ReverseIterator(np.zeros(0)), 0)
    with pytest.raises(ValueError, match="num_items"):
        copy(ReverseIterator(np.zeros(0)), np.zeros(1), 1)


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("op", [OpKind.PLUS, lambda a, b: a + b])
def test_scans_of_reversed(size, op):
    a = numbers(size, "i8")
    out = np.zeros(size, np.int64)
    inclusive_scan(d_in=ReverseIterator(a), d_out=ReverseIterator(out), op=op, num_items=size)
    np.testing.assert_array_equal(out, a[::-1].cumsum()[::-1])
    exclusive_scan(d_in=ReverseIterator(a), d_out=out, op=op, init_value=5, num_items=size)
    np.testing.assert_array_equal(out, np.concatenate([[5], a[::-1].cumsum()[:-1] + 5]))
    # Not commutative: the first operand stays, so that each prefix is the first item.
    inclusive_scan(d_in=ReverseIterator(a), d_out=ReverseIterator(out), op=lambda x, y: x, num_items=size)
    assert (out == a[-1]).all()
    # In place, item for item.
    inclusive_scan(d_in=ReverseIterator(a), d_out=ReverseIterator(a), op=op, num_items=size)
    np.testing.assert_array_equal(a, numbers(size, "i8")[::-1].cumsum()[::-1])


@pytest.mark.parametrize("size", SIZES[1:])
def test_reduce_of_reordered(size):
    a = numbers(size, "i8")
    index = np.random.default_rng(1).integers(0, size, size)
    out = np.zeros(3, np.int64)
    for source, expected in [
        (ReverseIterator(a), a),
        (PermutationIterator(a, index), a[index]),
        (PermutationIterator(a, ShuffleIterator(size, 5)), a),
        (CacheModifiedInputIterator(a), a),
    ]:
        reduce_into(d_in=source, d_out=out, num_items=size, op=OpKind.PLUS)
        assert out[0] == expected.sum()
        reduce_into(d_in=source, d_out=ReverseIterator(out), num_items=size, op=lambda a, b: a + b, h_init=3)
        assert out[2] == expected.sum() + 3
    last = np.zeros(1, np.int64)
    reduce_into(d_in=ReverseIterator(a), d_out=last, num_items=size, op=lambda x, y: y)
    assert last[0] == a[0]


def test_reduce_writes_where_the_iterator_is():
    grid = np.zeros((6, 4), np.int64)
    strided = grid[:, 1]
    reduce_into(d_in=np.ones(5, "i8"), d_out=ReverseIterator(strided), num_items=5, op=OpKind.PLUS)
    assert strided.tolist() == [0, 0, 0, 0, 0, 5]
    one = np.array([3], np.uint8)
    reduce_into(d_in=np.ones(7, "i8"), d_out=PermutationIterator(strided, one), num_items=7, op=OpKind.PLUS)
    assert strided.tolist() == [0, 0, 0, 7, 0, 5]
    pair = ZipIterator(strided) + 2
    reduce_into(d_in=ZipIterator(np.ones(9, "i8")), d_out=pair, num_items=9, op=lambda a, b: (a[0] + b[0],))
    assert strided.tolist() == [0, 0, 9, 7, 0, 5]
    assert grid.sum() == 21


@pytest.mark.parametrize("index", INDEX_DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_permutation_types(dtype, index):
    a = numbers(100, dtype)
    where = np.random.default_rng(2).permutation(100).astype(index)
    np.testing.assert_array_equal(items(PermutationIterator(a, where), 100, dtype), a[where])
    out = np.zeros(100, dtype)
    copy(a, PermutationIterator(out, where), 100)
    np.testing.assert_array_equal(out[where], a)


@pytest.mark.parametrize("size", SIZES)
def test_permutation_sizes(size):
    rng = np.random.default_rng(3)
    a, where = rng.random(size + 1), rng.permutation(size)
    np.testing.assert_array_equal(items(PermutationIterator(a, where), size, "f8"), a[where])
    out = np.zeros(size)
    inclusive_scan(d_in=a, d_out=PermutationIterator(out, where), op=OpKind.MAXIMUM, num_items=size)
    np.testing.assert_array_equal(out[where], np.maximum.accumulate(a)[:size])


@pytest.mark.parametrize("size", [1, 2, 10, 1000])
def test_permutation_of_any_layout(size):
    where = np.random.default_rng(4).permutation(size)
    for array in layouts(size):
        expected = flat(array)[where]
        np.testing.assert_array_equal(items(PermutationIterator(array, where), size, "i8"), expected)
        copy(np.arange(size), PermutationIterator(array, where), size)
        np.testing.assert_array_equal(flat(array)[where], np.arange(size))
    for indices in layouts(size):
        order = np.argsort(flat(indices))
        fill(indices, order)
        np.testing.assert_array_equal(items(PermutationIterator(np.arange(size), indices), size, "i8"), order)


def test_permutation_advances_its_indices():
    a, where = np.arange(10) * 10, np.array([3, 1, 4, 1, 5])
    it = PermutationIterator(a, where)
    assert items(it + 2, 3, "i8").tolist() == [40, 10, 50]
    assert items((it + 4) + -3, 2, "i8").tolist() == [10, 40]
    assert items(PermutationIterator(a, CountingIterator(np.uint8(2))) + 3, 2, "i8").tolist() == [50, 60]
    with pytest.raises(ValueError, match="num_items"):
        items(it + 2, 4, "i8")


@pytest.mark.parametrize("bad", [-1, 10, 2**62, -(2**63)])
@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_index_out_of_range(bad, size):
    a = np.arange(10)
    where = np.zeros(size, np.int64)
    where[-1] = bad
    out = np.zeros(size, np.int64)
    guarded = np.zeros(12, np.int64)
    sources = [
        PermutationIterator(a, where),
        PermutationIterator(a[::-1], where),
        PermutationIterator(np.arange(20).reshape(10, 2)[:, 0], where),
        TransformIterator(PermutationIterator(a, where), lambda x: x + 1),
        PermutationIterator(TransformIterator(a, lambda x: x), where),
        PermutationIterator(ReverseIterator(a), where),
        PermutationIterator(a, PermutationIterator(np.arange(10), where)),
        PermutationIterator(ShuffleIterator(10), where),
    ]
    for source in sources:
        with pytest.raises(IndexError, match="PermutationIterator"):
            copy(source, out, size)
    one = np.zeros(1, np.int64)
    with pytest.raises(IndexError, match="PermutationIterator"):
        reduce_into(d_in=sources[0], d_out=one, num_items=size, op=OpKind.PLUS)
    with pytest.raises(IndexError, match="PermutationIterator"):
        inclusive_scan(d_in=sources[0], d_out=out, op=OpKind.PLUS, num_items=size)
    for target in (
        PermutationIterator(guarded[1:11], where),
        PermutationIterator(ReverseIterator(guarded[1:11]), where),
    ):
        with pytest.raises(IndexError, match="PermutationIterator"):
            copy(out + 1, target, size)
        with pytest.raises(IndexError, match="PermutationIterator"):
            inclusive_scan(d_in=out + 1, d_out=target, op=OpKind.PLUS, num_items=size)
    assert guarded[0] == guarded[11] == 0


def test_unsigned_indices_do_not_wrap():
    with pytest.raises(IndexError):
        items(PermutationIterator(np.arange(5), np.array([2**64 - 1], np.uint64)), 1, "i8")
    with pytest.raises(IndexError):
        items(PermutationIterator(np.zeros(0), np.zeros(1, np.int8)), 1, "f8")


def test_output_permutation_with_equal_indices():
    for size in (100, 100_000):
        where = np.random.default_rng(5).integers(0, 50, size)
        for op in (OpKind.PLUS, lambda a, b: a + b):
            out = np.full(50, -1, np.int64)
            inclusive_scan(
                d_in=np.ones(size, "i8"), d_out=PermutationIterator(out, where), op=op, num_items=size
            )
            for slot in np.unique(where):
                assert where[out[slot] - 1] == slot
            assert (out[np.setdiff1d(np.arange(50), where)] == -1).all()


@pytest.mark.parametrize(
    "indices", [np.zeros(3), np.zeros(3, "?"), np.zeros(3, "c8"), np.zeros(3, [("a", "i8")])]
)
def test_indices_must_be_integers(indices):
    with pytest.raises(TypeError, match="integers"):
        PermutationIterator(np.zeros(3), indices)
    inferred = PermutationIterator(np.zeros(3), TransformIterator(indices, lambda x: x))
    with pytest.raises(TypeError, match="d_in: the indices of a permutation must be integers"):
        items(inferred, 3, "f8")


def test_overlap():
    a = np.arange(100)
    where = np.arange(100)
    for source, target, size in [
        (ReverseIterator(a), a, 51),
        (a, ReverseIterator(a), 51),
        (ReverseIterator(a), a[50:], 50),
        (PermutationIterator(a, where), a, 1),
        (a, PermutationIterator(a, where), 1),
        (PermutationIterator(a, where), PermutationIterator(a, where), 1),
        (a, PermutationIterator(where, where), 1),
        (ZipIterator(a), ZipIterator(PermutationIterator(where, where)), 1),
        (ReverseIterator(ZipIterator(a) + 99), ZipIterator(a), 100),
        (PermutationIterator(where, where[:50]), where[50:], 50),
    ]:
        with pytest.raises(ValueError, match="overlaps"):
            copy(source, target, size)
        with pytest.raises(ValueError, match="overlaps"):
            inclusive_scan(d_in=source, d_out=target, op=lambda x, y: x, num_items=size)
    with pytest.raises(ValueError, match="overlaps"):
        unary_transform(
            d_in=a,
            d_out=ZipIterator(a[:50], PermutationIterator(where, where)),
            op=lambda x: (x, x),
            num_items=50,
        )
    # The halves do not meet.
    copy(ReverseIterator(a), a, 50)
    np.testing.assert_array_equal(a[:50], np.arange(50, 100)[::-1])
    copy(a[::-1], ReverseIterator(a), 100)
    copy(a[:50], PermutationIterator(a[50:], where), 50)


def test_read_only_outputs():
    a, where = np.zeros(3), np.arange(3)
    a.setflags(write=False)
    where.setflags(write=False)
    for target in (ReverseIterator(a), PermutationIterator(a, where)):
        with pytest.raises(ValueError, match="d_out is read-only"):
            copy(np.ones(3), target, 3)
    out = np.zeros(3)
    copy(np.ones(3), PermutationIterator(out, where), 3)
    assert out.all()


@pytest.mark.parametrize("size", [*range(1, 70), 127, 128, 129, 1000, 4096, 4097, 65_537, 1_000_000])
def test_shuffle_is_a_bijection(size):
    for seed in (0, 1, 2**63, -1):
        got = items(ShuffleIterator(size, seed), size, "i8")
        assert (np.bincount(got, minlength=size) == 1).all()
        np.testing.assert_array_equal(items(ShuffleIterator(size, seed=seed), size, "i8"), got)


def test_shuffles_differ():
    orders = [tuple(items(ShuffleIterator(100, seed), 100, "i8").tolist()) for seed in range(50)]
    assert len(set(orders)) == 50
    assert tuple(range(100)) not in orders
    few = {tuple(items(ShuffleIterator(4, seed), 4, "i8").tolist()) for seed in range(500)}
    assert len(few) > 10


def test_shuffle_looks_random():
    size, seeds = 200, 400
    rows = np.stack([items(ShuffleIterator(size, seed), size, "i8") for seed in range(seeds)])
    # Each place gets low and high numbers, neighbours have nothing to do with each other, nothing stays.
    assert abs(rows.mean(axis=0) - (size - 1) / 2).max() < 5 * size / np.sqrt(12 * seeds)
    steps = np.corrcoef(rows[:, :-1].ravel(), rows[:, 1:].ravel())[0, 1]
    assert abs(steps) < 0.03
    assert 0.7 < (rows == np.arange(size)).sum() / seeds < 1.3


def test_shuffle_is_entered_anywhere():
    whole = items(ShuffleIterator(1000, 9), 1000, "i8")
    np.testing.assert_array_equal(items(ShuffleIterator(1000, 9) + 300, 700, "i8"), whole[300:])
    for offset, count in [(300, 701), (-1, 1), (1000, 1), (0, 1001)]:
        with pytest.raises(ValueError, match="shuffle of 1000 items"):
            items(ShuffleIterator(1000) + offset, count, "i8")
    big = items(ShuffleIterator(2**63 - 1, 1), 1000, "i8")
    assert len(set(big.tolist())) == 1000
    assert big.min() >= 0
    assert ShuffleIterator(5).value_type == types.int64


@pytest.mark.parametrize("size", [0, -1, -(2**70)])
def test_shuffle_of_nothing(size):
    with pytest.raises(ValueError, match="num_items must be > 0"):
        ShuffleIterator(size)


def test_shuffle_arguments():
    for bad in (1.5, "a", None):
        with pytest.raises(TypeError, match="num_items must be an integer"):
            ShuffleIterator(bad)
    with pytest.raises(TypeError, match="seed must be an integer"):
        ShuffleIterator(5, 1.5)
    with pytest.raises(ValueError, match="num_items is out of range"):
        ShuffleIterator(2**63)
    with pytest.raises(ValueError, match="out of range"):
        ShuffleIterator(2**200)
    assert ShuffleIterator(np.int16(5), np.uint64(3)).kind == ShuffleIterator(num_items=7, seed=1).kind


def test_discard():
    a = np.arange(100_000)
    assert DiscardIterator().value_type == types.uint8
    assert DiscardIterator(a).value_type == types.int64
    assert DiscardIterator(TransformIterator(a, lambda x: x / 2)).value_type == types.float64
    for size in (0, 1, 100_000):
        copy(a, DiscardIterator(a), size)
        copy(a, DiscardIterator() + 5, size)
        inclusive_scan(d_in=a, d_out=DiscardIterator(a), op=OpKind.PLUS, num_items=size)
        reduce_into(d_in=a, d_out=DiscardIterator(a), op=OpKind.PLUS, num_items=size)
    out = np.zeros(1000, np.int64)
    copy(ZipIterator(a, a + 1), ZipIterator(out, DiscardIterator(a)), 1000)
    np.testing.assert_array_equal(out, a[:1000])
    for bad in (3, "abc", [1]):
        with pytest.raises(TypeError, match="Expected an iterator or a device array"):
            DiscardIterator(bad)


def test_discard_reads_zeros():
    point = gpu_struct({"x": np.int32, "y": np.complex64})
    nested = np.zeros(2, [("a", "i4"), ("b", "f8", (2, 3))])
    for reference in (np.ones(3), np.ones(3, "?"), np.ones(3, "c16"), np.ones(3, point.dtype), nested):
        out = np.ones(5, reference.dtype)
        copy(DiscardIterator(reference), out, 5)
        assert out.tobytes() == bytes(out.nbytes)


@pytest.mark.parametrize("modifier", ["stream", "global", "volatile"])
def test_cache_modified(modifier):
    for array in layouts(50):
        it = CacheModifiedInputIterator(array, modifier)
        np.testing.assert_array_equal(items(it, 50, "i8"), flat(array))
        np.testing.assert_array_equal(items(it + 7, 43, "i8"), flat(array)[7:])
    for dtype in DTYPES:
        a = numbers(30, dtype)
        np.testing.assert_array_equal(items(CacheModifiedInputIterator(a, modifier=modifier), 30, dtype), a)


def test_cache_modified_arguments():
    a = np.arange(3)
    assert CacheModifiedInputIterator(a).kind == CacheModifiedInputIterator(a + 1, "stream").kind
    assert CacheModifiedInputIterator(a).kind != CacheModifiedInputIterator(a, "global").kind
    assert CacheModifiedInputIterator(a).kind != CacheModifiedInputIterator(a.astype("f8")).kind
    with pytest.raises(ValueError, match="modifier"):
        CacheModifiedInputIterator(a, "nonsense")
    with pytest.raises(ValueError, match="1, 2, 4, 8 or 16 bytes"):
        CacheModifiedInputIterator(np.zeros(3, [("a", "i4"), ("b", "i8")]))
    for bad in (CountingIterator(0), 3):
        with pytest.raises(TypeError, match="device array"):
            CacheModifiedInputIterator(bad)


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
