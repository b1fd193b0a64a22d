"""What is refused, and what the message shows."""

import contextlib
import re

import numpy as np
import pytest

from freeloom import CompileError
from freeloom.compute import reduce_into, unary_transform


def refuse(op, items=None):
    items = np.arange(4.0) if items is None else items
    with pytest.raises(CompileError) as caught:
        unary_transform(d_in=items, d_out=np.zeros(items.size), op=op, num_items=items.size)
    return caught.value


def uses_list(x):
    y = x + 1
    return [y]


def uses_with(x):
    with open("f"):
        return x


def uses_try(x):
    try:
        return x
    except ValueError:
        return x


def uses_yield(x):
    yield x


async def is_async(x):
    return x


def uses_star(*x):
    return x[0]


def uses_kwargs(x, **named):
    return x


def uses_import(x):
    import math

    return math.sin(x)


def uses_raise(x):
    raise ValueError(x)


def uses_assert(x):
    assert x > 0
    return x


def uses_global(x):
    global never
    never = x
    return x


def uses_dict(x):
    return {1: x}[1]


def uses_comprehension(x):
    return sum(i for i in range(3)) + x


def uses_fstring(x):
    return f"{x}"


def uses_method(x):
    return x.no_such_method()


def uses_undefined(x):
    return x + undefined_name  # noqa: F821


def uses_del(x):
    y = x
    del y
    return x


def uses_match(x):
    match x:
        case 1:
            return 2
    return x


def uses_call_with_star(x):
    return max(*(x, 1))


def too_many_arguments(x, y):
    return x + y


def no_result(x):
    x + 1


def mixed_result(x):
    if x > 1:
        return (x, x)
    return x


def unknown_numpy(x):
    return np.linalg.norm(x)


def string_result(x):
    return "text"


def possibly_unbound(x):
    if x > 1:
        y = 1.0
    return y


REFUSED = [
    uses_list, uses_with, uses_try, uses_yield, is_async, uses_star, uses_kwargs, uses_import, uses_raise,
    uses_assert, uses_global, uses_dict, uses_comprehension, uses_fstring, uses_method, uses_undefined,
    uses_del, uses_match, uses_call_with_star, too_many_arguments, no_result, mixed_result, unknown_numpy,
    string_result,
]  # fmt: skip


@pytest.mark.parametrize("op", REFUSED, ids=lambda op: op.__name__)
def test_refused_with_a_place(op):
    error = refuse(op)
    assert isinstance(error, TypeError)
    assert error.filename == __file__
    first = op.__code__.co_firstlineno
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert first <= error.lineno <= first + 6
    assert error.text == lines[error.lineno - 1].rstrip()
    assert 1 <= error.offset <= len(error.text) + 1
    message = str(error)
    assert f'File "{__file__}", line {error.lineno}' in message
    assert error.text in message
    assert re.search(r"^ +\^+$", message, re.MULTILINE)


def test_caret_points_at_the_construct():
    error = refuse(uses_list)
    assert error.text == "    return [y]"
    assert error.text[error.offset - 1 : error.end_offset - 1] == "[y]"
    message = str(error).splitlines()
    caret = next(i for i, line in enumerate(message) if set(line.strip()) == {"^"})
    start = message[caret].index("^")
    assert message[caret - 1][start : start + 3] == "[y]"


def test_hint():
    error = refuse(uses_list)
    assert error.hint
    assert f"hint: {error.hint}" in str(error)


def test_caret_behind_wide_characters():
    error = refuse(lambda x, 漢字=1: x + 漢字 + 漢字 + [x])  # noqa: N803
    assert error.text[error.offset - 1 : error.end_offset - 1] == "[x]"


def test_error_in_a_helper_names_it():
    def helper(x):
        return {x}

    def op(x):
        return helper(x) + 1

    error = refuse(op)
    assert error.lineno == helper.__code__.co_firstlineno + 1
    assert "helper" in str(error)


def test_error_of_a_reduction():
    with pytest.raises(CompileError) as caught:
        reduce_into(d_in=np.arange(3), d_out=np.zeros(1, np.int64), num_items=3, op=lambda a, b: a.b)
    assert "a.b" in caught.value.text


def test_types_that_do_not_mix():
    record = np.zeros(3, [("a", "i4"), ("b", "i4")])
    assert refuse(lambda r: r + 1, record).lineno
    assert refuse(lambda r: r.c, record).lineno
    assert refuse(lambda r: r[5], record).lineno


def test_possibly_unbound():
    # Refused, or as CPython has it on the path that binds it.
    out = np.zeros(1)
    with contextlib.suppress(CompileError):
        unary_transform(d_in=np.array([2.0]), d_out=out, op=possibly_unbound, num_items=1)
        assert out[0] == 1.0


def test_deep_expressions_do_not_crash(tmp_path):
    for name, text in {
        "sum": "x" + " + x" * 500,
        "nested": "(" * 60 + "x" + " + 1)" * 60,
        "unary": "-" * 80 + "x",
        "calls": "abs(" * 60 + "x" + ")" * 60,
        "conditional": "x if x > 0 else " * 60 + "x",
    }.items():
        path = tmp_path / f"{name}.py"
        path.write_text(f"op = lambda x: {text}\n", encoding="utf-8")
        scope = {}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
        out = np.zeros(1)
        try:
            unary_transform(d_in=np.ones(1), d_out=out, op=scope["op"], num_items=1)
        except CompileError:
            continue
        assert out[0] == scope["op"](1.0)


def test_errors_are_the_same_every_time():
    first, second = refuse(uses_list), refuse(uses_list)
    assert str(first) == str(second)
    assert first is not second


def test_equal_functions_point_to_themselves():
    def op(x):
        y = x + 1
        return [y]

    assert refuse(op).lineno == op.__code__.co_firstlineno + 2
    assert refuse(uses_list).lineno == uses_list.__code__.co_firstlineno + 2


def test_pickle():
    import pickle

    error = refuse(uses_list)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert copy.lineno == error.lineno
