"""Every wrong argument of a compaction gets an exception that names it."""

import numpy as np
import pytest

from freeloom.compute import (
    CountingIterator,
    OpKind,
    TransformIterator,
    ZipIterator,
    make_select,
    select,
    three_way_partition,
    unique_by_key,
)

A = np.arange(10)
OUT = np.zeros(10, np.int64)
COUNT = np.zeros(2, np.int64)


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


SELECT = {"d_in": A, "d_out": OUT, "d_num_selected_out": COUNT, "cond": OpKind.IDENTITY, "num_items": 10}
PARTITION = {
    "d_in": A,
    "d_first_part_out": OUT,
    "d_second_part_out": np.zeros(10, np.int64),
    "d_unselected_out": np.zeros(10, np.int64),
    "d_num_selected_out": COUNT,
    "select_first_part_op": OpKind.LOGICAL_NOT,
    "select_second_part_op": lambda x: x < 6,
    "num_items": 10,
}
UNIQUE = {
    "d_in_keys": A,
    "d_in_items": A * 2,
    "d_out_keys": OUT,
    "d_out_items": np.zeros(10, np.int64),
    "d_out_num_selected": COUNT,
    "op": OpKind.EQUAL_TO,
    "num_items": 10,
}

CASES = {
    "too few items": ({"num_items": 11}, ValueError, r"num_items is 11, but d_in has 10 items"),
    "negative count": ({"num_items": -1}, ValueError, r"num_items must not be negative"),
    "too small": ({"d_out": OUT[:8]}, ValueError, r"d_out has room for 8 items, but 9 were selected"),
    "read-only output": ({"d_out": read_only(OUT)}, ValueError, r"d_out is read-only"),
    "read-only counts": ({"d_num_selected_out": read_only(COUNT)}, ValueError, r"d_num_selected_out is read"),
    "no counts": ({"d_num_selected_out": COUNT[:0]}, ValueError, r"d_num_selected_out has 0 items, 1 are"),
    "float counts": (
        {"d_num_selected_out": np.zeros(1)},
        TypeError,
        r"d_num_selected_out: counts need an int",
    ),
    "bool counts": ({"d_num_selected_out": np.zeros(1, bool)}, TypeError, r"d_num_selected_out: counts need"),
    "shifted overlap": ({"d_in": A[:9], "d_out": A[1:], "num_items": 9}, ValueError, r"d_out overlaps"),
    "reversed overlap": ({"d_out": A[::-1]}, ValueError, r"d_out overlaps that of d_in"),
    "counts in the output": ({"d_num_selected_out": OUT[4:5]}, ValueError, r"d_num_selected_out overlaps"),
    "counts in the input": ({"d_num_selected_out": A[4:5]}, ValueError, r"d_num_selected_out overlaps"),
    "captured output": ({"cond": lambda x: OUT[0] < x}, ValueError, r"d_out overlaps that of an array that"),
    "counting as output": ({"d_out": CountingIterator(0)}, ValueError, r"does not support output"),
    "operator is a number": ({"cond": 3}, TypeError, r"cond is a int, not an operator"),
    "operator of two": ({"cond": lambda x, y: x}, TypeError, r"argument"),
    "binary OpKind": ({"cond": OpKind.PLUS}, TypeError, r"OpKind.PLUS takes two values"),
    "condition is a tuple": ({"cond": lambda x: (x, x)}, TypeError, r"bool"),
    "condition is text": ({"cond": lambda x: "a"}, TypeError, r"str"),
    "output type": ({"d_in": A + 1j, "cond": lambda z: z.real > 3}, TypeError, r"d_out: .*complex128"),
    "wrong record": ({"d_out": ZipIterator(OUT, OUT.copy())}, TypeError, r"d_out"),
    "unknown keyword": ({"op": OpKind.IDENTITY}, TypeError, r"select\(\) got an unexpected keyword"),
    "stream": ({"stream": 3}, TypeError, r"stream"),
}


@pytest.mark.parametrize("name", CASES)
def test_select(name):
    change, kind, text = CASES[name]
    with pytest.raises(kind, match=text):
        select(**{**SELECT, **change})


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"d_num_selected_out": COUNT[:1]}, "d_num_selected_out has 1 items, 2 are needed"),
        ({"d_second_part_out": OUT}, "d_second_part_out overlaps that of d_first_part_out"),
        ({"d_unselected_out": OUT[3:]}, "d_unselected_out overlaps that of d_first_part_out"),
        (
            {"d_unselected_out": np.zeros(3, int)},
            "d_unselected_out has room for 3 items, but 4 were selected",
        ),
        ({"d_second_part_out": np.zeros(3, int)}, "d_second_part_out has room for 3 items, but 5 were"),
        ({"d_first_part_out": np.zeros(0, int)}, "d_first_part_out has room for 0 items, but 1 were"),
    ],
)
def test_partition(change, text):
    with pytest.raises(ValueError, match=text):
        three_way_partition(**{**PARTITION, **change})


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"d_in_keys": A[:9]}, "num_items is 10, but d_in_keys has 9 items"),
        ({"d_in_items": A[:9]}, "num_items is 10, but d_in_items has 9 items"),
        ({"d_in_keys": OUT}, "d_out_keys overlaps that of d_in_keys"),
        ({"d_out_items": A}, "d_out_items overlaps that of d_in_keys"),
        ({"d_out_items": OUT}, "d_out_items overlaps that of d_out_keys"),
        ({"d_out_items": np.zeros(9, int)}, "d_out_items has room for 9 items, but 10 were selected"),
        ({"d_out_num_selected": COUNT[:0]}, "d_out_num_selected has 0 items"),
    ],
)
def test_unique(change, text):
    with pytest.raises(ValueError, match=text):
        unique_by_key(**{**UNIQUE, **change})


@pytest.mark.parametrize("size", [100, 200_000])
def test_what_does_not_fit_is_not_written(size):
    items, storage, counts = np.ones(size, np.int32), np.zeros(size, np.int32), np.full(2, 7)
    with pytest.raises(ValueError, match=f"d_out has room for 50 items, but {size} were selected"):
        select(
            d_in=items,
            d_out=storage[:50],
            d_num_selected_out=counts,
            cond=OpKind.IDENTITY,
            num_items=size,
        )
    assert not storage[50:].any()
    assert counts.tolist() == [7, 7]


def test_a_short_output_is_enough_for_a_short_result():
    out = np.zeros(3, np.int64)
    select(**{**SELECT, "d_out": out, "cond": lambda x: x > 6})
    assert out.tolist() == [7, 8, 9]
    records = ZipIterator(np.zeros(5, np.int64), out)
    with pytest.raises(ValueError, match="d_out has room for 3 items, but 4 were selected"):
        select(**{**SELECT, "d_in": ZipIterator(A, A), "d_out": records, "cond": lambda p: p[0] > 5})


def test_a_count_must_fit_its_type():
    count = np.zeros(1, np.int8)
    many = TransformIterator(CountingIterator(0), lambda i: i % 7)
    call = {**SELECT, "d_in": many, "d_out": np.zeros(500, np.int64), "d_num_selected_out": count}
    select(**{**call, "num_items": 148})
    assert count[0] == 126
    with pytest.raises(ValueError, match="d_num_selected_out: 128 does not fit i8"):
        select(**{**call, "num_items": 150})


def test_objects_keep_types_and_operator():
    f = make_select(**{k: v for k, v in SELECT.items() if k != "num_items"})
    temp = np.empty(10_000, np.uint8)
    for change in (
        {"d_in": A.astype(np.int32)},
        {"d_out": OUT.astype(np.float32)},
        {"d_num_selected_out": COUNT.astype(np.int32)},
        {"cond": OpKind.LOGICAL_NOT},
        {"d_in": CountingIterator(0)},
    ):
        with pytest.raises(TypeError, match=next(iter(change))):
            f(temp_storage=temp, **{**SELECT, **change})
    with pytest.raises(TypeError, match="is missing the keyword-only argument 'temp_storage'"):
        f(**SELECT)
