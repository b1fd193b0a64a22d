"""Iterators backwards and at given positions: `ReverseIterator`, `PermutationIterator`."""

import numpy as np
import pytest

from freeloom.compute import (
    CacheModifiedInputIterator,
    ConstantIterator,
    CountingIterator,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    TransformIterator,
    ZipIterator,
    exclusive_scan,
    inclusive_scan,
    reduce_into,
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
