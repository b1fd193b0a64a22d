"""Writes what NumPy and CPython answer, for the compiler's tests to compare with.

    python tests/support/typing_table.py

* ``tests/data/typing-rules.txt``: the result type of each operator for each pair of types.
* ``tests/data/scalar-values.txt``: results of operators and functions, one call a line:
  ``[~]function argument... = result``. After ``~``, results are compared up to some units in the last place.

``int``, ``float`` and ``complex`` are Python's; every other type is a NumPy scalar.
"""

from __future__ import annotations

import builtins
import cmath
import itertools
import math
import operator
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parent.parent / "data"
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
WEAK = ["int", "float", "complex"]
TYPES = ["bool", *INTS, *FLOATS, *COMPLEX, *WEAK]

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "invert": operator.invert,
    "not": operator.not_,
}


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


MATH1 = words("""
    sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh
    acosh atanh fabs erf erfc gamma lgamma floor ceil trunc isnan isinf isfinite degrees radians ulp
    modf frexp
""")
MATH2 = words("""
    atan2 copysign fmod nextafter pow hypot remainder isclose log
""")
NUMPY1 = words("""
    sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh
    arcsinh arccosh arctanh fabs rint floor ceil trunc negative positive invert logical_not absolute
    square reciprocal sign degrees radians signbit isnan isinf isfinite frexp modf round conjugate
    angle bitwise_count real imag
""")
NUMPY2 = words("""
    arctan2 hypot copysign nextafter add subtract multiply divide floor_divide mod power left_shift
    right_shift bitwise_and bitwise_or bitwise_xor equal not_equal less less_equal greater
    greater_equal logical_and logical_or logical_xor maximum minimum fmax fmin fmod divmod
    float_power heaviside logaddexp logaddexp2 gcd lcm
""")
EXACT = words("""
    sqrt fabs floor ceil trunc isnan isinf isfinite ulp modf frexp copysign fmod nextafter remainder
    isclose rint negative positive invert logical_not absolute square reciprocal sign signbit round
    conjugate bitwise_count real imag add subtract multiply divide floor_divide mod left_shift
    right_shift bitwise_and bitwise_or bitwise_xor equal not_equal less less_equal greater
    greater_equal logical_and logical_or logical_xor maximum minimum fmax fmin divmod heaviside gcd
    lcm
""")

# Calls with such a type or value are left out: what docs/typing-rules.md says is different or refused, and
# answers that depend on the CPU that NumPy runs on.
SKIP = {
    "**": "-inf",
    "numpy.power": "-inf",
    "numpy.float_power": "-inf",
    "numpy.reciprocal": "0 complex64",
    "numpy.arccosh": "complex64 -128",
    "numpy.round": "bool complex64",
    **dict.fromkeys(["int", "float", "numpy.sign", "numpy.rint", "numpy.expm1", "numpy.log1p"], "complex64"),
    **dict.fromkeys(
        [f"numpy.{f}" for f in ("arcsin", "arccos", "arctan", "arcsinh", "arctanh")], "complex64"
    ),
    **dict.fromkeys([f"numpy.{f}" for f in ("maximum", "minimum", "fmax", "fmin", "clip")], "-0.0"),
    "numpy.nextafter": "-0.0",
}


def make(name: str, value: Any) -> Any:
    """The value as a scalar of that type."""
    if name in WEAK:
        return {"int": int, "float": float, "complex": complex}[name](value)
    if name in INTS:
        return np.array(value, np.int64 if value < 0 else np.uint64).astype(name)[()]
    return np.array(value).astype(name)[()]


def type_of(value: Any) -> str:
    """The type in the compiler's words; Python and NumPy bools are one."""
    if isinstance(value, tuple):
        return "(" + ",".join(map(type_of, value)) + ")"
    if isinstance(value, bool | np.bool_):
        return "bool"
    return type(value).__name__


def show(value: Any) -> str:
    """The value with its type."""
    if isinstance(value, tuple):
        return "(" + ",".join(map(show, value)) + ")"
    name = type_of(value)
    if "complex" in name:
        return f"{name}:{float(value.real)!r}_{float(value.imag)!r}"
    return f"{name}:{(float if 'float' in name else int)(value)!r}"


def attempt(function: Callable[..., Any], *args: Any) -> Any:
    """The result, or ``None`` where Python or NumPy refuses."""
    try:
        result = function(*args)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return None
    return None if result is NotImplemented else result


def type_rules() -> Iterator[str]:
    """One line per operator and pair of types: ``op left right result``, ``!`` where there is none."""
    for op, left, right in itertools.product(BINARY, TYPES, TYPES):
        result = attempt(BINARY[op], make(left, 1), make(right, 1))
        yield f"{op} {left} {right} {'!' if result is None else type_of(result)}"


def samples(name: str) -> list[Any]:
    """Values of a type that are likely to show a mistake."""
    if name == "bool":
        return [0, 1]
    if name in INTS:
        info = np.iinfo(name)
        return [v for v in (0, 1, 2, 7, -1, -3, int(info.min), int(info.max)) if info.min <= v <= info.max]
    if name == "int":
        return [0, 1, 3, -7]
    if name == "complex" or name in COMPLEX:
        return [0, 1.5 - 2j, -3 + 0.25j, 2j]
    plain = [0.0, -0.0, 0.5, 1.0, -1.0, 2.5, -3.5, 7.0]
    return plain if name == "float" else [*plain, math.inf, -math.inf, math.nan, 100.25]


def grid(left: str, right: str) -> Iterator[tuple[Any, Any]]:
    """Pairs of values; fewer for pairs of different types."""
    pairs = itertools.product(samples(left), samples(right))
    step = 1 if left == right else 5
    for x, y in itertools.islice(pairs, 0, None, step):
        yield make(left, x), make(right, y)


PAIRS = [
    *((t, t) for t in ["bool", "int8", "int64", "uint8", "uint64", *FLOATS, *COMPLEX]),
    *itertools.permutations(["int8", "uint16", "int64", "uint64", "float32"], 2),
    *itertools.product(["bool", "int8", "uint64", "float16", "float32", "complex64"], ["int", "float"]),
    *itertools.product(["int", "float"], ["int16", "uint64", "float32"]),
    *itertools.product(["int", "float"], ["int", "float"]),
]


def line(name: str, function: Callable[..., Any], args: tuple[Any, ...], exact: bool) -> Iterator[str]:
    """The line of one call, unless Python or NumPy refuses it or it is a documented difference."""
    shown = [show(arg) for arg in args]
    skipped = SKIP.get(name, "").split()
    if any(part in skipped for arg in shown for part in re.split("[:_]", arg)):
        return
    if name == "**" and all(arg.startswith("int:") for arg in shown) and args[1] < 0:
        return
    result = attempt(function, *args)
    from_complex = name == "complex" or any("complex" in arg for arg in shown)
    if result is not None and (from_complex or "complex" not in type_of(result)):
        yield f"{'' if exact else '~'}{name} {' '.join(shown)} = {show(result)}"


def operator_values() -> Iterator[str]:
    for left, right in PAIRS:
        for name, function in [*BINARY.items(), *COMPARE.items()]:
            if "complex" in left + right and name in ("<", "<=", ">", ">="):
                continue
            for args in grid(left, right):
                yield from line(name, function, args, name != "**" and "complex" not in left)
    for t in TYPES:
        for name, unary in UNARY.items():
            if t != "bool" or name != "neg":
                for x in samples(t):
                    yield from line(name, unary, (make(t, x),), True)


def library_values() -> Iterator[str]:
    for name in MATH1:
        for t in ["int8", "float32", "float"]:
            for x in samples(t):
                yield from line(f"math.{name}", getattr(math, name), (make(t, x),), name in EXACT)
    for name in MATH2:
        for args in itertools.islice(grid("float64", "float64"), 0, None, 5):
            yield from line(f"math.{name}", getattr(math, name), args, name in EXACT)
    for name in NUMPY1:
        for t in ["bool", "int8", "int32", "float16", "float32", "complex64"]:
            for x in samples(t):
                exact = name in EXACT and t != "complex64"
                yield from line(f"numpy.{name}", getattr(np, name), (make(t, x),), exact)
    for name in NUMPY2:
        function = getattr(np, name)
        for t in ["bool", "int8", "uint64", "float16", "float32"]:
            for args in itertools.islice(grid(t, t), 0, None, 7):
                yield from line(f"numpy.{name}", function, args, name in EXACT)
        for left, right in [("int8", "uint16"), ("int16", "float"), ("float16", "int")]:
            for args in itertools.islice(grid(left, right), 0, None, 3):
                yield from line(f"numpy.{name}", function, args, name in EXACT)
    for args in grid("float64", "int"):
        yield from line("math.ldexp", math.ldexp, args, True)
        yield from line("numpy.ldexp", np.ldexp, args, True)
    for x, n in [(1.5, -1074), (1.7, -1076), (3e-300, 2000), (1e300, -2100), (5e-324, 1074), (1.0, 1024)]:
        yield from line("math.ldexp", math.ldexp, (x, n), True)
    for x in [5e-324, 1e-310, 1e308, 0.1]:
        yield from line("math.frexp", math.frexp, (x,), True)
    for x, y in itertools.product([0, 1, 12, -18, 35], repeat=2):
        yield from line("math.gcd", math.gcd, (x, y), True)
        yield from line("math.lcm", math.lcm, (x, y), True)
    for x in [0, 1, 3, 4, 15, 16, 2**31, 2**62 - 1, 2**62, 2**63 - 1]:
        yield from line("math.isqrt", math.isqrt, (x,), True)
    for x in range(21):
        yield from line("math.factorial", math.factorial, (x,), True)
    for x in [0j, 1 + 2j, -4 + 0j, -3 - 4j, 0.5j]:
        for name in ["sqrt", "exp", "log", "sin", "cos", "sinh", "cosh", "phase", "polar", "isnan"]:
            yield from line(f"cmath.{name}", getattr(cmath, name), (x,), False)


def builtin_values() -> Iterator[str]:
    functions: list[tuple[str, Callable[..., Any]]] = [
        ("abs", abs),
        ("int", int),
        ("float", float),
        ("bool", bool),
        ("complex", complex),
        ("round", round),
    ]
    for t in ["int8", "uint64", "float16", "float32", "float64", "complex64", "int", "float", "complex"]:
        for (name, function), x in itertools.product(functions, samples(t)):
            yield from line(name, function, (make(t, x),), True)
    for left, right in [("float32", "float32"), ("int8", "int8"), ("float64", "float64"), ("int", "int")]:
        for args in grid(left, right):
            for name in ("max", "min", "divmod", "complex"):
                yield from line(name, getattr(builtins, name), args, True)
    for t, x, digits in [
        ("float32", 2.567, 2),
        ("float64", 2.675, 2),
        ("int32", 25, -1),
        ("int32", -15, -1),
        ("float64", 25.0, -1),
        ("float16", 2.567, 2),
        ("float32", -0.4, 0),
    ]:
        yield from line("round", round, (make(t, x), digits), True)
        yield from line("numpy.round", np.round, (make(t, x), digits), True)
    for t, lo, hi in [("int8", 1, 5), ("int8", -1, 300), ("float32", 0, 1), ("uint8", 1, 2)]:
        for x in samples(t):
            yield from line("numpy.clip", np.clip, (make(t, x), lo, hi), True)


def write(name: str, lines: Iterator[str]) -> None:
    header = f"# Written by tests/support/typing_table.py with NumPy {np.__version__}.\n"
    with (DATA / name).open("w") as file:
        file.write(header)
        file.writelines(f"{text}\n" for text in dict.fromkeys(lines))


def main() -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    write("typing-rules.txt", type_rules())
    # A prime step meets every operator with every pair of types.
    operators = itertools.islice(operator_values(), 0, None, 23)
    write("scalar-values.txt", itertools.chain(operators, library_values(), builtin_values()))


if __name__ == "__main__":
    main()
