"""Every wrong argument gets an exception that names it."""

import numpy as np
import pytest

from freeloom.compute import (
    CountingIterator,
    Determinism,
    OpKind,
    ZipIterator,
    exclusive_scan,
    inclusive_scan,
    make_inclusive_scan,
    make_reduce_into,
    make_unary_transform,
    reduce_into,
    unary_transform,
)

A = np.arange(10)
OUT = np.zeros(10, np.int64)


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


class Gpu:
    @property
    def __cuda_array_interface__(self):
        return {"shape": (10,), "typestr": "<i8", "data": (0, False), "version": 3, "strides": None}


class GpuByDlpack:
    def __dlpack__(self, **_):
        raise AssertionError("the memory must not be asked for")

    def __dlpack_device__(self):
        return (2, 0)


CALL = {"d_in": A, "d_out": OUT, "op": OpKind.NEGATE, "num_items": 10}
CASES = {
    "too few items": ({"num_items": 11}, ValueError, r"num_items is 11, but d_in has 10 items"),
    "too small an output": ({"d_out": OUT[:5]}, ValueError, r"num_items is 10, but d_out has 5 items"),
    "negative count": ({"num_items": -1}, ValueError, r"num_items must not be negative, but is -1"),
    "huge count": ({"num_items": 2**64}, ValueError, r"num_items is out of range"),
    "hugely negative count": ({"num_items": -(2**70)}, ValueError, r"num_items is out of range"),
    "count is a float": ({"num_items": 3.0}, TypeError, r"num_items must be an integer, not float"),
    "count is None": ({"num_items": None}, TypeError, r"num_items must be an integer"),
    "read-only output": ({"d_out": read_only(OUT)}, ValueError, r"d_out is read-only"),
    "immutable output": ({"d_out": bytes(80)}, TypeError, r"d_out"),
    "byte order": (
        {"d_in": A.astype(">i8")},
        TypeError,
        r"d_in: dtype >i8 is not in this machine's byte order",
    ),
    "byte order of output": ({"d_out": OUT.astype(">i8")}, TypeError, r"d_out: .*byte order"),
    "objects": ({"d_in": A.astype(object)}, TypeError, r"d_in: dtype object is not supported"),
    "strings": ({"d_in": A.astype("S4")}, TypeError, r"d_in: dtype .*S4"),
    "unicode": ({"d_in": A.astype("U4")}, TypeError, r"d_in: dtype .*U4"),
    "void": ({"d_in": np.zeros(10, "V8")}, TypeError, r"d_in: dtype .*V8"),
    "dates": ({"d_in": A.astype("M8[s]")}, TypeError, r"d_in: dtype datetime64"),
    "time differences": ({"d_in": A.astype("m8[s]")}, TypeError, r"d_in: dtype timedelta64"),
    "long doubles": ({"d_in": A.astype(np.longdouble)}, TypeError, r"d_in: dtype .* is not supported"),
    "record of objects": ({"d_in": np.zeros(10, [("a", object)])}, TypeError, r"d_in: dtype object"),
    "overlapping fields": (
        {"d_in": np.zeros(10, {"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, 2]})},
        TypeError,
        r"d_in: .*overlap",
    ),
    "list": ({"d_in": [1, 2, 3]}, TypeError, r"d_in must be an array or an iterator, not list"),
    "None": ({"d_out": None}, TypeError, r"d_out must be an array or an iterator, not NoneType"),
    "GPU array": ({"d_in": Gpu()}, ValueError, r"d_in lies in GPU memory"),
    "GPU output": ({"d_out": GpuByDlpack()}, ValueError, r"d_out lies in GPU memory"),
    "shifted overlap": (
        {"d_in": A[:9], "d_out": A[1:], "num_items": 9},
        ValueError,
        r"d_out overlaps that of d_in",
    ),
    "reversed overlap": ({"d_out": A[::-1]}, ValueError, r"d_out overlaps that of d_in"),
    "overlap of other types": ({"d_out": A.view(np.int32)[:10]}, ValueError, r"d_out overlaps that of d_in"),
    "overlap in a zip": (
        {"d_in": A[1:], "d_out": ZipIterator(A), "op": lambda x: (x,), "num_items": 9},
        ValueError,
        r"d_out overlaps",
    ),
    "outputs overlap": (
        {"d_out": ZipIterator(OUT, OUT), "op": lambda x: (x, x)},
        ValueError,
        r"overlaps that of d_out",
    ),
    "output onto itself": (
        {"d_out": np.lib.stride_tricks.as_strided(OUT, (10,), (0,))},
        ValueError,
        r"d_out has items that share memory",
    ),
    "operator is None": ({"op": None}, TypeError, r"op is a NoneType, not an operator"),
    "operator is a number": ({"op": 2}, TypeError, r"op is a int, not an operator"),
    "operator is a builtin": ({"op": abs}, TypeError, r"op is a builtin_function_or_method, not an operator"),
    "operator is a class": ({"op": int}, TypeError, r"op is a type, not an operator"),
    "operator is internal": ({"op": OpKind.STATEFUL}, ValueError, r"op: OpKind.STATEFUL"),
    "counting as output": ({"d_out": CountingIterator(0)}, ValueError, r"does not support output"),
    "stream": ({"stream": 3}, TypeError, r"stream: .*does not implement the '__cuda_stream__' protocol"),
    "unknown keyword": (
        {"d_inn": A},
        TypeError,
        r"unary_transform\(\) got an unexpected keyword argument 'd_inn'",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_transform(name):
    change, kind, text = CASES[name]
    with pytest.raises(kind, match=text):
        unary_transform(**{**CALL, **change})


def test_missing_and_positional_arguments():
    with pytest.raises(TypeError, match=r"is missing the keyword-only argument 'd_out', 'op'"):
        unary_transform(d_in=A, num_items=3)
    with pytest.raises(TypeError, match="keyword arguments only"):
        unary_transform(A, OUT, OpKind.NEGATE, 10)
    with pytest.raises(TypeError, match="keyword arguments only"):
        make_reduce_into(A, d_out=OUT, op=OpKind.PLUS)
    with pytest.raises(TypeError, match="unexpected keyword argument 'initial'"):
        reduce_into(d_in=A, d_out=OUT, num_items=3, op=OpKind.PLUS, initial=3)


def test_same_checks_on_objects():
    f = make_unary_transform(d_in=A, d_out=OUT, op=OpKind.NEGATE)
    same_for_objects = [
        name
        for name in CASES
        if not name.startswith(("overlap in", "outputs", "operator", "counting", "unknown"))
    ]
    for name in same_for_objects:
        change, kind, _ = CASES[name]
        if kind is TypeError:
            kind = (TypeError, ValueError)
        with pytest.raises((kind, TypeError) if isinstance(kind, type) else kind):
            f(**{**CALL, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"d_in": A.astype(np.int32)},
        {"d_in": A.astype(np.float64)},
        {"d_out": OUT.astype(np.float64)},
        {"d_in": CountingIterator(0)},
        {"d_in": ZipIterator(A)},
        {"op": OpKind.IDENTITY},
        {"op": lambda x: -x},
    ],
)
def test_objects_keep_types_and_operator(change):
    f = make_unary_transform(d_in=A, d_out=OUT, op=OpKind.NEGATE)
    argument = next(iter(change))
    with pytest.raises(TypeError, match=argument):
        f(**{**CALL, **change})


def test_equal_operator_from_elsewhere_is_accepted():
    def one(x):
        return x + 1

    def other(x):
        return x + 1

    f = make_unary_transform(d_in=A, d_out=OUT, op=one)
    f(**{**CALL, "op": other})
    with pytest.raises(TypeError, match="op"):
        f(**{**CALL, "op": lambda x: x + 2})


def test_in_place_is_allowed_where_it_is_safe():
    items = np.arange(10)
    unary_transform(d_in=items, d_out=items, op=OpKind.NEGATE, num_items=10)
    matrix = np.arange(100.0).reshape(10, 10)
    with pytest.raises(ValueError, match="overlaps"):
        unary_transform(d_in=matrix, d_out=matrix.T[::-1], op=OpKind.NEGATE, num_items=100)


class Stream:
    def __init__(self, answer):
        self.answer = answer

    def __cuda_stream__(self):
        return self.answer


@pytest.mark.parametrize(
    ("stream", "kind", "text"),
    [
        (Stream((0, 7)), ValueError, "no CUDA back end"),
        (Stream((1, 7)), TypeError, "unsupported __cuda_stream__ version"),
        (Stream((0, "7")), TypeError, "invalid stream handle"),
        (Stream((0,)), TypeError, "could not obtain __cuda_stream__ protocol version and handle"),
        (Stream(5), TypeError, "could not obtain __cuda_stream__ protocol version and handle"),
        (object(), TypeError, "does not implement the '__cuda_stream__' protocol"),
    ],
)
def test_streams(stream, kind, text):
    out = np.zeros(1, np.int64)
    with pytest.raises(kind, match=text):
        reduce_into(d_in=A, d_out=out, num_items=10, op=OpKind.PLUS, stream=stream)
    with pytest.raises(kind, match=text):
        inclusive_scan(d_in=A, d_out=OUT, op=OpKind.PLUS, num_items=10, stream=stream)


@pytest.mark.parametrize(
    ("temp", "kind"),
    [
        (np.empty(0, np.uint8), ValueError),
        (3, TypeError),
        ("abc", TypeError),
        ([1, 2], TypeError),
        (Gpu(), ValueError),
        (read_only(np.empty(10**6, np.uint8)), ValueError),
    ],
    ids=repr,
)
def test_temp_storage(temp, kind):
    size = 2_000_000
    items, out = np.zeros(size), np.zeros(1)
    f = make_reduce_into(d_in=items, d_out=out, op=OpKind.PLUS, h_init=None)
    call = {"d_in": items, "d_out": out, "num_items": size, "op": OpKind.PLUS, "h_init": None}
    if f(temp_storage=None, **call) == 0 and isinstance(temp, np.ndarray) and temp.size == 0:
        pytest.skip("no scratch memory is needed")
    with pytest.raises(kind, match="temp_storage"):
        f(temp_storage=temp, **call)


@pytest.mark.parametrize(
    "temp", [bytearray(10**6), memoryview(bytearray(10**6)), np.empty(10**5, np.float64)], ids=type
)
def test_temp_storage_of_any_kind(temp):
    out = np.zeros(1, np.int64)
    f = make_reduce_into(d_in=A, d_out=out, op=OpKind.PLUS)
    f(temp_storage=temp, d_in=A, d_out=out, num_items=10, op=OpKind.PLUS, h_init=None)
    assert out[0] == 45


def test_reduce_needs_room_for_its_result():
    with pytest.raises(ValueError, match="d_out has 0 items"):
        reduce_into(d_in=A, d_out=np.zeros(0, np.int64), num_items=10, op=OpKind.PLUS)


@pytest.mark.parametrize("level", Determinism)
def test_determinism(level):
    out = np.zeros(1, np.int64)
    reduce_into(d_in=A, d_out=out, num_items=10, op=OpKind.PLUS, h_init=0, determinism=level)
    assert out[0] == 45
    with pytest.raises(ValueError, match="determinism"):
        reduce_into(d_in=A, d_out=out, num_items=10, op=OpKind.PLUS, h_init=0, determinism=7)
    with pytest.raises(TypeError, match="determinism"):
        reduce_into(d_in=A, d_out=out, num_items=10, op=OpKind.PLUS, h_init=0, determinism="high")


def test_not_guaranteed_needs_an_initial_value():
    with pytest.raises(ValueError, match="NOT_GUARANTEED"):
        make_reduce_into(d_in=A, d_out=OUT, op=OpKind.PLUS, determinism=Determinism.NOT_GUARANTEED)


@pytest.mark.parametrize("make", [make_reduce_into, make_inclusive_scan, make_unary_transform])
def test_compute_capability(make):
    call = {"d_in": A, "d_out": OUT, "op": OpKind.IDENTITY if make is make_unary_transform else OpKind.PLUS}
    make(compute_capability=None, **call)
    with pytest.raises(ValueError, match="compute_capability"):
        make(compute_capability=90, **call)


def test_initial_value_given_only_once():
    f = make_inclusive_scan(d_in=A, d_out=OUT, op=OpKind.PLUS, init_value=None)
    with pytest.raises(ValueError, match="init_value"):
        f(temp_storage=np.empty(64, np.uint8), d_in=A, d_out=OUT, op=OpKind.PLUS, init_value=3, num_items=10)
    with pytest.raises(ValueError, match="init_value"):
        exclusive_scan(d_in=A, d_out=OUT, op=OpKind.PLUS, init_value=None, num_items=3)


def test_record_mismatch():
    pair = np.zeros(3, [("a", "i8"), ("b", "f8")])
    with pytest.raises(TypeError):
        reduce_into(d_in=A, d_out=pair, num_items=3, op=lambda a, b: (a.a, a.b), h_init=pair[:1])
