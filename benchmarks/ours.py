"""Ready-to-run freeloom calls: objects built, scratch memory allocated, as a program in a loop would."""

from collections.abc import Callable
from typing import Any

import numpy as np

from freeloom import compute


def two_phase(build: Callable[..., Any], num_items: int, **call: Any) -> Callable[[], object]:
    work = build(**call)
    call["num_items"] = num_items
    temp = np.empty(max(work(temp_storage=None, **call), 1), np.uint8)
    return lambda: work(temp_storage=temp, **call)


def reduction(
    items: Any, out: np.ndarray, op: Any, init: Any, num_items: int | None = None
) -> Callable[[], object]:
    count = len(items) if num_items is None else num_items
    return two_phase(compute.make_reduce_into, count, d_in=items, d_out=out, op=op, h_init=init)


def scan(items: np.ndarray, out: np.ndarray, op: Any) -> Callable[[], object]:
    return two_phase(compute.make_inclusive_scan, len(items), d_in=items, d_out=out, op=op, init_value=None)


def transform(items: np.ndarray, out: np.ndarray, op: Any) -> Callable[[], object]:
    work = compute.make_unary_transform(d_in=items, d_out=out, op=op)
    return lambda: work(d_in=items, d_out=out, op=op, num_items=len(items))
