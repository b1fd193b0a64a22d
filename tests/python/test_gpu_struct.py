"""Record classes on the Python side."""

import copy
import pickle

import numpy as np
import pytest

from freeloom.compute import gpu_struct, types


@gpu_struct
class Point:
    """A point."""

    x: np.float32
    y: "np.float64"


@gpu_struct
class Line:
    start: Point
    stop: "Point"
    tag: np.int8


def test_decorator():
    assert Point.__name__ == "Point"
    assert Point.__doc__ == "A point."
    assert Point.__module__ == __name__
    assert Point.dtype == np.dtype([("x", "f4"), ("y", "f8")], align=True)
    assert list(Point._field_spec) == ["x", "y"]
    assert Point._type_descriptor == types.struct({"x": types.float32, "y": types.float64})


@pytest.mark.parametrize("point", [Point(1, 2), Point(x=1, y=2), Point({"x": 1, "y": 2}), Point(y=2, x=1)])
def test_constructors(point):
    assert (point.x, point.y) == (1.0, 2.0)
    assert type(point.x) is np.float32
    assert point._data.shape == ()
    assert np.asarray(point)["y"] == 2
    assert point == Point(1, 2)
    assert point != Point(1, 3)
    assert repr(point) == "Point(x=np.float32(1.0), y=np.float64(2.0))"


def test_nested():
    from_instances = Line(Point(1, 2), Point(3, 4), 5)
    from_tuples = Line((1, 2), (3, 4), 5)
    from_dicts = Line({"start": {"x": 1, "y": 2}, "stop": {"y": 4, "x": 3}, "tag": 5})
    assert from_instances == from_tuples == from_dicts
    assert from_instances.stop.y == 4
    assert isinstance(from_instances.start, Point)


def test_from_a_dictionary():
    made = gpu_struct({"a": "i2", "b": {"c": np.float64, "d": types.int8}}, name="Made")
    assert made.__name__ == "Made"
    assert made(1, (2, 3)).b.d == 3
    assert gpu_struct({"a": int}).__name__ == "AnonymousStruct"
    assert gpu_struct({"a": int}).dtype["a"] == np.int64


@pytest.mark.parametrize("align", [False, True])
def test_from_a_dtype_keeps_the_layout(align):
    dtype = np.dtype([("a", "i1"), ("b", "f8")], align=align)
    assert gpu_struct(dtype).dtype == dtype
    assert gpu_struct(dtype).dtype.itemsize == dtype.itemsize


def test_sub_array_fields():
    made = gpu_struct(np.dtype([("v", "f4", 3), ("k", "i4")]))
    instance = made([1, 2, 3], 4)
    assert instance.v.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="Cannot coerce"):
        made([1, 2], 4)


@pytest.mark.parametrize("name", ["1a", "", "a b", "a-b", 3, None])
def test_bad_field_names(name):
    with pytest.raises(ValueError, match="is not a valid Python identifier"):
        gpu_struct({name: np.int32})


def test_unicode_field_names():
    assert gpu_struct({"größe": np.int32})(3).größe == 3


def test_no_fields():
    with pytest.raises(ValueError, match="no fields"):
        gpu_struct({})


@pytest.mark.parametrize("bad", [3, "abc", [np.int32], None])
def test_not_fields(bad):
    with pytest.raises(TypeError):
        gpu_struct(bad)


@pytest.mark.parametrize("ty", ["no such type", object(), np.sin])
def test_bad_field_types(ty):
    with pytest.raises(TypeError, match="field 'a'"):
        gpu_struct({"a": ty})


def test_unresolvable_annotation():
    class Broken:
        a: "NoSuchType"  # noqa: F821

    with pytest.raises(TypeError, match="NoSuchType"):
        gpu_struct(Broken)


@pytest.mark.parametrize(
    "arguments",
    [((), {}), ((1,), {}), ((1, 2, 3), {}), ((), {"x": 1}), ((), {"x": 1, "z": 2}), ((1,), {"y": 2})],
)
def test_wrong_fields(arguments):
    values, named = arguments
    with pytest.raises(AssertionError):
        Point(*values, **named)


@pytest.mark.parametrize("value", ["1", None, [1, 2], object()])
def test_values_that_cannot_be_coerced(value):
    with pytest.raises(TypeError, match="Cannot coerce"):
        Point(value, 2)
    with pytest.raises(TypeError, match="Cannot coerce"):
        gpu_struct({"a": np.int8})(300)


def test_copies():
    point = Point(1, 2)
    assert copy.copy(point) == point
    assert pickle.loads(pickle.dumps(point)) == point


def test_string_annotations_of_local_classes():
    @gpu_struct
    class Inner:
        v: "np.int16"

    @gpu_struct
    class Outer:
        inner: "Inner"
        n: "np.int8"

    assert Outer((3,), 4).inner.v == 3
