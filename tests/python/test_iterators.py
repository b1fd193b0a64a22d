"""Iterators: values, nesting, advancing, identity, direction."""

import gc
import weakref

import numpy as np
import pytest

from freeloom.compute import (
    ConstantIterator,
    CountingIterator,
    OpKind,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
    gpu_struct,
    inclusive_scan,
    iterators,
    reduce_into,
    types,
    unary_transform,
)


def items(iterator, size, dtype):
    out = np.zeros(size, dtype)
    unary_transform(d_in=iterator, d_out=out, op=lambda x: x, num_items=size)
    return out


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.float32, np.float64])
def test_counting(dtype):
    expected = (np.arange(300) + 100).astype(np.int64).astype(dtype)
    np.testing.assert_array_equal(items(CountingIterator(dtype(100)), 300, dtype), expected)
    np.testing.assert_array_equal(items(CountingIterator(dtype(90)) + 10, 300, dtype), expected)


def test_counting_from_python_numbers():
    assert CountingIterator(5).value_type == types.int64
    assert CountingIterator(5.0).value_type == types.float64
    assert CountingIterator(np.array([5], np.int16)).value_type == types.int16


@pytest.mark.parametrize("start", ["a", None, True, 1j, np.array([1, 2]), np.bool_(True)])
def test_counting_needs_a_number(start):
    with pytest.raises(TypeError):
        CountingIterator(start)


@pytest.mark.parametrize(
    "value", [np.int8(-3), np.float16(1.5), 7, 2.5, np.complex64(1 + 2j), np.bool_(True)]
)
def test_constant(value):
    iterator = ConstantIterator(value)
    dtype = np.asarray(value).dtype
    assert iterator.value_type.dtype == dtype
    assert (items(iterator, 10, dtype) == value).all()
    assert (items(iterator + 5, 10, dtype) == value).all()


def test_constant_record():
    point = gpu_struct({"x": np.int32, "y": np.float64})
    out = np.zeros(3)
    unary_transform(d_in=ConstantIterator(point(3, 0.5)), d_out=out, op=lambda p: p.x + p.y, num_items=3)
    assert out.tolist() == [3.5] * 3


def test_transform():
    a = np.arange(100, dtype=np.float32)
    np.testing.assert_array_equal(items(TransformIterator(a, lambda x: x * x), 100, np.float32), a * a)
    twice = TransformIterator(
        TransformIterator(CountingIterator(np.int32(0)), lambda i: i * 2), lambda i: i + 1
    )
    np.testing.assert_array_equal(items(twice, 50, np.int32), np.arange(50) * 2 + 1)


def test_transform_by_an_opkind():
    np.testing.assert_array_equal(
        items(TransformIterator(np.arange(5), OpKind.NEGATE), 5, np.int64), -np.arange(5)
    )


def test_transform_of_strided_arrays():
    base = np.arange(300)
    for part in (base[::3], base[::-1], base.reshape(10, 30)[:, ::2], base.reshape(10, 30).T):
        iterator = TransformIterator(part, lambda x: x + 1)
        flat = part.ravel(order="K" if part.flags.f_contiguous else "C")
        np.testing.assert_array_equal(items(iterator, part.size, np.int64), flat + 1)
        np.testing.assert_array_equal(items(iterator + 4, part.size - 4, np.int64), flat[4:] + 1)


def test_value_type_inferred_annotated_given():
    a = np.arange(4, dtype=np.int32)

    def annotated(x) -> np.float32:
        return x

    def by_text(x) -> "np.int16":
        return x

    assert TransformIterator(a, lambda x: x / 2).value_type == types.float64
    assert TransformIterator(a, lambda x: x > 2).value_type == types.boolean
    assert TransformIterator(a, lambda x: x + 1).value_type == types.int32
    assert TransformIterator(a, annotated).value_type == types.float32
    assert TransformIterator(a, by_text).value_type == types.int16
    assert TransformIterator(a, lambda x: x, value_type=types.float64).value_type == types.float64
    assert TransformIterator(a, lambda x: x, np.uint8).value_type == types.uint8
    with pytest.raises(TypeError, match="value_type"):
        TransformIterator(a, lambda x: x, value_type="nonsense")


def test_zip():
    a, b = np.arange(10), np.arange(10) / 2
    for iterator in (ZipIterator(a, b), ZipIterator([a, b]), ZipIterator((a, b))):
        out = np.zeros(10)
        unary_transform(d_in=iterator, d_out=out, op=lambda p: p[0] + p[1], num_items=10)
        np.testing.assert_array_equal(out, a + b)
        unary_transform(d_in=iterator, d_out=out, op=lambda p: p.field_0 * p.field_1, num_items=10)
        np.testing.assert_array_equal(out, a * b)
    with pytest.raises(ValueError, match="at least one"):
        ZipIterator()


def test_zip_of_one():
    out = np.zeros(4, np.int64)
    unary_transform(d_in=ZipIterator(np.arange(4)), d_out=out, op=lambda p: p[0] + 1, num_items=4)
    assert out.tolist() == [1, 2, 3, 4]


def test_nested_zip():
    a, b = np.arange(20), np.arange(20)[::-1]
    nested = ZipIterator(ZipIterator(a, CountingIterator(np.int32(5))), ZipIterator(b, ZipIterator(a, b)))

    def combine(p):
        return p[0][0] + p[0][1] * 10 + p[1][0] * 100 + p[1][1][1]

    expected = a + (np.arange(20) + 5) * 10 + b * 100 + b
    out = np.zeros(20, np.int64)
    unary_transform(d_in=nested, d_out=out, op=combine, num_items=20)
    np.testing.assert_array_equal(out, expected)
    unary_transform(d_in=nested + 7, d_out=out, op=combine, num_items=13)
    np.testing.assert_array_equal(out[:13], expected[7:])


def test_zip_read_as_a_record():
    best = gpu_struct({"value": np.float64, "where": np.int64})
    values = np.random.default_rng(1).random(10_000)

    def larger(p, q):
        return p if p.value >= q.value else q

    def larger_by_index(p, q):
        return p if p[0] >= q[0] else q

    for op in (larger, larger_by_index):
        out = np.zeros(1, best.dtype)
        pairs = ZipIterator(values, CountingIterator(np.int64(0)))
        reduce_into(d_in=pairs, d_out=out, num_items=values.size, op=op, h_init=best(-np.inf, -1))
        assert out[0].item() == (values.max(), values.argmax())


def test_output_transform():
    def half(v: np.float64) -> np.float64:
        return v * 0.5

    out = np.zeros(10)
    inclusive_scan(d_in=np.ones(10), d_out=TransformOutputIterator(out, half), op=OpKind.PLUS, num_items=10)
    np.testing.assert_array_equal(out, np.arange(1, 11) / 2)
    given = TransformOutputIterator(out, lambda v: v + 1, np.float64)
    reduce_into(d_in=np.ones(10), d_out=given, num_items=10, op=OpKind.PLUS)
    assert out[0] == 11
    as_input_false = TransformIterator(out, half, is_input=False)
    unary_transform(d_in=np.full(10, 4.0), d_out=as_input_false, op=OpKind.IDENTITY, num_items=10)
    assert (out == 2).all()
    assert given.value_type == types.float64


def test_output_transform_needs_a_type():
    with pytest.raises(ValueError, match="type of the values to write"):
        TransformOutputIterator(np.zeros(3), lambda v: v)


def test_output_zip():
    a, b, c = np.zeros(5, np.int64), np.zeros(5), np.zeros(5, np.int8)
    target = ZipIterator(a, ZipIterator(b, c))
    unary_transform(d_in=np.arange(5), d_out=target, op=lambda i: (i, (i / 2, i + 1)), num_items=5)
    np.testing.assert_array_equal(a, np.arange(5))
    np.testing.assert_array_equal(b, np.arange(5) / 2)
    np.testing.assert_array_equal(c, np.arange(5) + 1)


def test_advance():
    a = np.arange(10)
    it = ZipIterator(a, CountingIterator(0))
    for advanced in (it + 3, 3 + it, it.advance(3), it + 5 + -2, it + np.int8(3)):
        out = np.zeros(7, np.int64)
        unary_transform(d_in=advanced, d_out=out, op=lambda p: p[0] * 10 + p[1], num_items=7)
        assert out.tolist() == [11 * i for i in range(3, 10)]
        assert type(advanced) is ZipIterator
    with pytest.raises(TypeError):
        it + 1.5
    with pytest.raises(TypeError):
        it + "a"


@pytest.mark.parametrize(("offset", "count"), [(-1, 3), (8, 3), (11, 0 + 1), (10**18, 1)])
def test_items_outside_of_the_array(offset, count):
    with pytest.raises(ValueError, match="num_items"):
        items(ZipIterator(np.arange(10)) + offset, count, [("a", "i8")])


def test_kinds():
    a, b = np.arange(3), np.arange(4) + 1

    def double(x):
        return 2 * x

    assert CountingIterator(1).kind == CountingIterator(2).kind
    assert CountingIterator(1).kind != CountingIterator(1.0).kind
    assert CountingIterator(1).kind != ConstantIterator(1).kind
    assert ZipIterator(a, b).kind == ZipIterator(b, a).kind
    assert ZipIterator(a).kind != ZipIterator(a.astype(float)).kind
    assert TransformIterator(a, double).kind == TransformIterator(b, lambda x: 2 * x).kind
    assert TransformIterator(a, double).kind != TransformIterator(a, lambda x: 3 * x).kind
    assert hash(ZipIterator(a, b).kind) == hash(ZipIterator(b, a).kind)


def test_state_and_children():
    a = np.arange(3)
    it = ZipIterator(a, CountingIterator(np.int32(7)))
    assert it.children[0] is a
    assert isinstance(it.children[1], CountingIterator)
    assert CountingIterator(np.int32(7)).state == np.int32(7).tobytes()
    assert ConstantIterator(1.5).state == np.float64(1.5).tobytes()
    assert CountingIterator(np.int32(7)).state_alignment == 4
    assert isinstance(it, iterators.IteratorBase)
    assert repr(CountingIterator(3)) == "<CountingIterator of int64>"


def test_they_keep_arrays_alive():
    it = TransformIterator(np.arange(1000), lambda x: x)
    np.testing.assert_array_equal(items(it, 1000, np.int64), np.arange(1000))


def test_cycles_are_collected():
    class Watched(np.ndarray):
        pass

    def make():
        values = np.arange(3.0).view(Watched)

        def op(x):
            return x if cycle else -x

        cycle = TransformIterator(ZipIterator(values), op)
        return weakref.ref(values), op

    watched = make()[0]
    gc.collect()
    assert watched() is None


@pytest.mark.parametrize("child", [3, "abc", None, [1, 2, 3], object()])
def test_children_must_be_data(child):
    with pytest.raises(TypeError, match="Expected an iterator or a device array"):
        TransformIterator(child, lambda x: x)
    with pytest.raises(TypeError, match="Expected an iterator or a device array"):
        ZipIterator(child, np.arange(3))


def test_directions():
    a = np.arange(3)
    message = "This iterator does not support output operations"
    for it in (
        CountingIterator(0),
        ConstantIterator(0),
        TransformIterator(a, lambda x: x),
        ZipIterator(CountingIterator(0)),
    ):
        with pytest.raises(ValueError, match=message):
            unary_transform(d_in=a, d_out=it, op=lambda x: x, num_items=3)
    output = TransformOutputIterator(a, lambda x: x, np.int64)
    with pytest.raises(ValueError, match="This iterator does not support input operations"):
        unary_transform(d_in=output, d_out=a, op=lambda x: x, num_items=3)


def test_same_iterator_twice():
    it = CountingIterator(0)
    out = np.zeros(5, np.int64)
    unary_transform(d_in=ZipIterator(it, it), d_out=out, op=lambda p: p[0] + p[1], num_items=5)
    assert out.tolist() == [0, 2, 4, 6, 8]
