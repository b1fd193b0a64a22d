"""Random operators: what CPython computes with NumPy scalars is what compiled code computes.

Operators are text, so that they have a source. They stay clear of the differences listed in
`docs/typing-rules.md`.
"""

import contextlib
import functools
import itertools
import linecache
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from freeloom import CompileError
from freeloom.compute import TransformIterator, ZipIterator, unary_transform

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64"]
NUMBERS = itertools.count()

LITERALS = st.sampled_from(
    ["1", "2", "3", "7", "-1", "0", "0.5", "2.0", "np.int16(5)", "np.float32(1.5)", "np.True_"]
)
BINARY = ["+", "-", "*"]
COMPARE = ["<", "<=", ">", ">=", "==", "!="]


@functools.cache
def expressions(*names):
    leaves = st.sampled_from(names) | LITERALS

    def extend(inner):
        binary = st.builds("({} {} {})".format, inner, st.sampled_from(BINARY), inner)
        return st.one_of(
            binary,
            binary,
            st.builds("({} / {})".format, inner, st.sampled_from(["2", "4.0", "np.int8(3)"])),
            st.builds("({} // {})".format, inner, st.sampled_from(["2", "3", "np.int8(-3)"])),
            st.builds("({} % {})".format, inner, st.sampled_from(["2", "5", "np.int16(7)"])),
            st.builds(
                "np.float64({} if {} {} {} else {})".format,
                inner,
                inner,
                st.sampled_from(COMPARE),
                inner,
                inner,
            ),
            st.builds("abs({})".format, inner),
            st.builds("(-np.float64({}))".format, inner),
            st.builds("np.bool_({} {} {})".format, inner, st.sampled_from(COMPARE), inner),
            st.builds("np.maximum({}, {})".format, inner, inner),
            st.builds("np.floor({})".format, inner),
        )

    return st.recursive(leaves, extend, max_leaves=8)


@st.composite
def bodies(draw):
    """Statements over `x`, `y` and a local `t` of type float64."""
    start = draw(expressions("x", "y"))
    lines = [f"t = np.float64({start})"]
    for _ in range(draw(st.integers(0, 3))):
        step = f"t = np.float64({draw(expressions('x', 'y', 't'))})"
        shape = draw(st.sampled_from(["plain", "if", "for", "while"]))
        if shape == "plain":
            lines.append(step)
        elif shape == "if":
            test = draw(expressions("x", "y", "t"))
            other = f"t = np.float64({draw(expressions('x', 'y', 't'))})"
            lines += [f"if {test}:", f"    {step}", "else:", f"    {other}"]
        elif shape == "for":
            limit = draw(st.integers(-1, 4))
            lines += [f"for i in range({limit}, 5, {draw(st.sampled_from([1, 2, 3]))}):", f"    {step}"]
            if draw(st.booleans()):
                lines += ["    if t > 100:", "        break"]
        else:
            lines += ["n = 0", "while n < 3:", "    n = n + 1", f"    {step}"]
    lines.append(f"return {draw(expressions('x', 'y', 't'))}")
    return "def op(p):\n    x, y = p[0], p[1]\n" + "".join(f"    {line}\n" for line in lines)


def function(text):
    name = f"<random {next(NUMBERS)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"np": np}
    exec(compile(text, name, "exec"), scope)
    return scope["op"]


def arrays(first, second):
    small = [0, 1, 2, 3, 5, 11, 100]
    signed = [*small, -1, -4, -100]
    of = {name: np.array(small if name.startswith("u") else signed, name) for name in (first, second)}
    a, b = np.meshgrid(of[first], of[second])
    return a.ravel(), b.ravel()


def by_cpython(op, a, b):
    results = []
    with np.errstate(all="ignore"):
        for pair in zip(a, b, strict=True):
            results.append(np.asarray(op(pair)))
    return results


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=bodies(), first=st.sampled_from(DTYPES), second=st.sampled_from(DTYPES))
def test_agrees_with_cpython(text, first, second):
    op = function(text)
    a, b = arrays(first, second)
    try:
        results = by_cpython(op, a, b)
    except (OverflowError, TypeError):
        # A literal that does not fit, or a difference of booleans. On other values CPython may not notice.
        refused_or_run(op, a, b)
        return
    try:
        got = run(op, a, b)
    except CompileError as error:
        # What CPython raises on some path is refused even if it never comes to that path.
        assert re.search("out of bounds|between bool and bool", str(error)), text  # noqa: PT017
        return
    dtypes = {r.dtype for r in results}
    want = np.array(results, np.result_type(*dtypes))
    if len(dtypes) == 1:
        assert got.dtype == want.dtype, text
    np.testing.assert_array_equal(got.astype(want.dtype), want, err_msg=text)


def refused_or_run(op, a, b):
    with contextlib.suppress(CompileError):
        run(op, a, b)


def run(op, a, b):
    iterator = TransformIterator(ZipIterator(a, b), op)
    out = np.zeros(a.size, iterator.value_type.dtype)
    unary_transform(d_in=iterator, d_out=out, op=lambda r: r, num_items=a.size)
    return out


WORDS = [
    "x",
    "p[0]",
    "[x]",
    "{x}",
    "lambda: x",
    "x.y",
    "x()",
    "*x",
    "None",
    "'a'",
    "b'a'",
    "...",
    "f'{x}'",
    "1j",
    "x[0]",
]


@st.composite
def nonsense(draw):
    """Valid syntax, most of which is outside of the language."""
    words = st.sampled_from(WORDS)
    expression = st.recursive(
        words.filter(lambda w: w != "*x"),
        lambda e: st.one_of(
            st.builds(
                "({} {} {})".format, e, st.sampled_from(["+", "@", "and", "is", "in", "<", "**", "<<"]), e
            ),
            st.builds("({},)".format, e),
            st.builds("max({}, {})".format, e, e),
            st.builds("({} if {} else {})".format, e, e, e),
            st.builds("{}[{}]".format, e, e),
        ),
        max_leaves=6,
    )
    statements = st.sampled_from(
        ["x = {}", "x, y = {}", "del x", "assert {}", "x += {}", "for x in {}: pass", "{}"]
    )
    lines = [draw(statements).format(draw(expression)) for _ in range(draw(st.integers(0, 3)))]
    return "def op(x):\n" + "".join(f"    {line}\n" for line in [*lines, f"return {draw(expression)}"])


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=nonsense())
def test_nonsense_is_refused_not_fatal(text):
    try:
        op = function(text)
    except SyntaxError:
        return
    refusal = refused(op)
    if refusal is not None:
        assert refusal.filename.startswith("<random")
        assert refusal.lineno >= 1


def refused(op):
    """The refusal of an operator; `None` if it is compiled and runs or fails at run time."""
    try:
        unary_transform(d_in=np.arange(3), d_out=np.zeros(3), op=op, num_items=3)
    except CompileError as error:
        return error
    except (IndexError, TypeError, ValueError):
        return None
    return None
