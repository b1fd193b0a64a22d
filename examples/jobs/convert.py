"""A transform whose operator reads names of the function around it.

`scale` is a number and becomes part of the compiled code. `offset` is an array: its elements are read at
every call, so a changed value needs no new build.
"""

import numpy as np

from freeloom import compute

from .report import Result, measured, timed


def convert(question: str, values: np.ndarray, scale: float, shift: float) -> list[Result]:
    offset = np.array([0.0])

    def apply(value):
        return value * scale + offset[0]

    out = np.empty_like(values)
    call = {"d_in": values, "d_out": out, "op": apply}

    transform, build = timed(lambda: compute.make_unary_transform(**call))
    call["num_items"] = values.size
    transform(**call)
    scaled_only = bool(np.allclose(out, values * scale, rtol=1e-14, atol=0.0))
    offset[0] = shift
    _, run = measured(lambda: transform(**call))

    expected, reference_run = measured(lambda: values * scale + shift)
    agrees = scaled_only and bool(np.allclose(out, expected, rtol=1e-13, atol=1e-12))
    answer = (_ends(out), _ends(expected), agrees)
    return [Result(question, *answer, build, run, reference_run)]


def _ends(values: np.ndarray) -> str:
    return f"{values[0]:.3f} … {values[-1]:.3f}"
