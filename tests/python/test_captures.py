"""What operators take from the scopes around them."""

import math
import types

import numpy as np
import pytest

from freeloom import CompileError
from freeloom.compute import TransformIterator, make_unary_transform, reduce_into, unary_transform

GLOBAL_SCALE = 3
GLOBAL_ARRAY = np.array([10.0, 20.0])


class Config:
    scale = 4.0

    def __init__(self):
        self.offset = np.array([1.0])
        self.inner = types.SimpleNamespace(power=2, table=np.arange(5))


CONFIG = Config()


def apply(op, items=None, dtype=None):
    items = np.arange(5.0) if items is None else items
    out = np.zeros(items.size, dtype or items.dtype)
    unary_transform(d_in=items, d_out=out, op=op, num_items=items.size)
    return out.tolist()


def test_scalars_by_value():
    a, b, c, d = 2, 2.5, np.float32(0.5), np.int8(3)
    assert apply(lambda x: x * a + b + c + d) == [x * 2 + 6 for x in range(5)]
    assert apply(lambda x: x * GLOBAL_SCALE) == [0, 3, 6, 9, 12]
    flag, nothing = True, (1, 2.5)
    assert apply(lambda x: x + nothing[1] if flag else x) == [x + 2.5 for x in range(5)]


def test_dotted_paths():
    assert apply(lambda x: x * CONFIG.scale) == [0, 4, 8, 12, 16]
    assert apply(lambda x: x**CONFIG.inner.power) == [0, 1, 4, 9, 16]
    assert apply(lambda x: x + CONFIG.offset[0] + CONFIG.inner.table[3]) == [4, 5, 6, 7, 8]
    assert apply(lambda x: x + Config.scale) == [4, 5, 6, 7, 8]
    assert apply(lambda x: x * math.pi) == [x * math.pi for x in range(5)]


def test_changed_attribute_is_seen():
    config = Config()

    def op(x):
        return x * config.scale

    assert apply(op)[1] == 4
    config.scale = 7
    assert apply(op)[1] == 7
    config.scale = 7.5
    assert apply(op)[1] == 7.5


def test_rebound_closure_is_seen():
    k = 1

    def op(x):
        return x + k

    assert apply(op)[0] == 1
    k = 2
    assert apply(op)[0] == 2
    k = 2.5
    assert apply(op)[0] == 2.5
    k = np.array([9.0])
    with pytest.raises(CompileError):
        apply(op)


def test_changed_global_is_seen(monkeypatch):
    module = types.ModuleType("scratch")
    monkeypatch.setattr(module, "k", 1, raising=False)
    function = types.FunctionType((lambda x: x + GLOBAL_SCALE).__code__, {"GLOBAL_SCALE": 100})
    assert apply(function)[0] == 100
    function.__globals__["GLOBAL_SCALE"] = 200
    assert apply(function)[0] == 200


def test_arrays_are_read_at_each_call():
    limit = np.array([2.0])

    def op(x):
        return min(x, limit[0])

    assert apply(op) == [0, 1, 2, 2, 2]
    limit[0] = 3
    assert apply(op) == [0, 1, 2, 3, 3]
    limit = np.array([1.0])
    assert apply(op) == [0, 1, 1, 1, 1]


def test_array_properties():
    table = np.arange(12).reshape(3, 4)
    ints = np.arange(5)
    assert apply(lambda i: table[i % 3, 1] + len(table), ints) == [4, 8, 12, 4, 8]
    assert apply(lambda i: table.shape[1] + table.ndim + table.size, ints) == [18] * 5
    assert apply(lambda i: table[-1, -1], ints) == [11] * 5
    strided = np.arange(20)[::-2]
    assert apply(lambda i: strided[i], ints) == [19, 17, 15, 13, 11]


def test_arrays_of_every_type():
    for dtype in ("i1", "u2", "i4", "u8", "f2", "f4", "f8", "?", "c8", [("a", "i4"), ("b", "f8")]):
        array = np.zeros(3, dtype)
        array[1] = 1 if not array.dtype.names else (1, 1)
        if array.dtype.names:
            assert apply(lambda i: array[1].a + array[1].b, np.arange(2), np.float64) == [2, 2]  # noqa: B023
        else:
            assert apply(lambda i: array[1] == 1, np.arange(2), np.bool_) == [True, True]  # noqa: B023


def test_loop_over_a_captured_array():
    weights = np.array([0.5, 0.25, 0.125])

    def polynomial(x):
        total = 0.0
        for i in range(len(weights)):
            total = total * x + weights[i]
        return total

    np.testing.assert_allclose(apply(polynomial), np.polyval(weights, np.arange(5.0)))


def test_other_arrays_through_one_object():
    table = np.array([1.0, 2.0])
    items, out = np.zeros(3), np.zeros(3)

    def op(x):
        return x + table[1]

    f = make_unary_transform(d_in=items, d_out=out, op=op)
    f(d_in=items, d_out=out, op=op, num_items=3)
    assert out[0] == 2
    table = np.array([5.0, 6.0, 7.0])
    f(d_in=items, d_out=out, op=op, num_items=3)
    assert out[0] == 6
    table = np.array([[1.0]])
    with pytest.raises(TypeError, match="op"):
        f(d_in=items, d_out=out, op=op, num_items=3)


def test_helper_functions():
    offset = np.array([100.0])

    def square(x):
        return x * x

    def shifted(x, by=2):
        return square(x) + by + offset[0]

    assert apply(lambda x: shifted(x) + square(x)) == [2 * x * x + 102 for x in range(5)]
    assert apply(lambda x: shifted(x, by=5)) == [x * x + 105 for x in range(5)]
    offset[0] = 0
    assert apply(lambda x: shifted(x) + shifted(1.0)) == [x * x + 5 for x in range(5)]


def test_changed_helper_is_seen():
    def helper(x):
        return x + 1

    def op(x):
        return helper(x)

    assert apply(op)[0] == 1

    def helper(x):  # noqa: F811
        return x + 2

    assert apply(op)[0] == 2


def test_default_arguments():
    bias = np.array([7.0])

    def op(x, a=2, *, b=3.5, c=bias):
        return x * a + b + c[0]

    assert apply(op) == [2 * x + 10.5 for x in range(5)]
    op.__defaults__ = (4,)
    assert apply(op) == [4 * x + 10.5 for x in range(5)]
    op.__kwdefaults__["b"] = 0.5
    assert apply(op) == [4 * x + 7.5 for x in range(5)]


def test_recursion_is_refused():
    def factorial(x):
        return 1 if x <= 1 else x * factorial(x - 1)

    with pytest.raises(CompileError, match="calls itself"):
        apply(factorial)

    def even(x):
        return True if x == 0 else odd(x - 1)

    def odd(x):
        return False if x == 0 else even(x - 1)

    with pytest.raises(CompileError, match="calls itself"):
        apply(even)


@pytest.mark.parametrize("name", ["numbers", "mapping", "thing", "klass", "module", "text", "undefined"])
def test_what_cannot_be_captured(name):
    operators = unsupported()
    with pytest.raises(CompileError) as caught:
        apply(operators[name])
    assert caught.value.lineno == operators[name].__code__.co_firstlineno + (0 if name != "x" else 1)
    assert caught.value.filename == __file__


def unsupported():
    numbers, mapping, thing, klass, module, text = [1, 2], {"a": 1}, object(), Config, math, b"bytes"
    return {
        "numbers": lambda x: x + numbers[0],
        "mapping": lambda x: x + mapping["a"],
        "thing": lambda x: x + thing,
        "klass": lambda x: klass(x),
        "module": lambda x: x + module,
        "text": lambda x: x + text[0],
        "undefined": lambda x: x + no_such_name,  # noqa: F821
    }


def test_missing_attribute():
    with pytest.raises(CompileError, match=r"math\.nothing"):
        apply(lambda x: math.nothing(x))


def test_empty_cell():
    def op(x):
        return x + later

    with pytest.raises(CompileError, match="later"):
        apply(op)
    later = 1.0
    assert apply(op)[0] == 1


def test_index_out_of_range():
    table = np.zeros(3)
    with pytest.raises(IndexError):
        apply(lambda i: table[i] * 1.0, np.arange(5))
    with pytest.raises(IndexError):
        apply(lambda x: x + np.array([])[0] if False else x + EMPTY[0])


EMPTY = np.zeros(0)


def test_captures_of_nested_functions():
    k, table = 3, np.array([1.0, 2.0])

    def op(x):
        def inner(y):
            return y * k + table[0]

        scale = lambda z: z * table[1]  # noqa: E731
        return scale(inner(x))

    assert apply(op) == [2 * (3 * x + 1) for x in range(5)]


def test_captures_of_iterator_functions():
    shift = np.array([1.0])
    values = TransformIterator(np.arange(5.0), lambda x: x + shift[0])
    out = np.zeros(1)
    for by in (1.0, 10.0):
        shift[0] = by
        reduce_into(d_in=values, d_out=out, num_items=5, op=lambda a, b: a + b)
        assert out[0] == 10 + 5 * by


def test_captured_buffers_of_other_kinds():
    import array

    table = array.array("d", [1.5, 2.5])
    view = memoryview(table)
    assert apply(lambda x: x + table[1]) == [x + 2.5 for x in range(5)]
    assert apply(lambda x: x + view[0]) == [x + 1.5 for x in range(5)]


def test_captured_array_may_not_be_written_meanwhile():
    items = np.arange(5.0)
    with pytest.raises(ValueError, match="captures"):
        unary_transform(d_in=np.zeros(5), d_out=items, op=lambda x: x + items[0], num_items=5)
