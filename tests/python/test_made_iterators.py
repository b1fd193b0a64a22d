"""Iterators without memory or with a hint: shuffle, discard, cache-modified."""

import numpy as np
import pytest

from freeloom.compute import (
    CacheModifiedInputIterator,
    CountingIterator,
    DiscardIterator,
    OpKind,
    ShuffleIterator,
    TransformIterator,
    ZipIterator,
    gpu_struct,
    inclusive_scan,
    reduce_into,
    types,
    unary_transform,
)

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


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
