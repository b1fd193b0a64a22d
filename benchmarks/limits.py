"""What the machine allows: a copy by all cores, and a sum written by hand for this processor."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

THREADS = len(os.sched_getaffinity(0))
# Waiting threads that spin would slow down whoever is measured next.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def copy(traffic: int) -> Callable[[], object]:
    """A copy by all cores that moves `traffic` bytes, reads and writes counted."""
    source = np.ones(traffic // 2, np.uint8)
    target = np.zeros_like(source)
    parts = list(zip(np.array_split(target, THREADS), np.array_split(source, THREADS), strict=True))
    pool = ThreadPoolExecutor(THREADS)
    return lambda: list(pool.map(lambda part: np.copyto(*part), parts))


def hand_written_sum(values: np.ndarray) -> Callable[[], float] | None:
    """None where there is no C compiler."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    source = Path(__file__).with_name("simd_sum.c")
    library = Path(tempfile.mkdtemp(prefix="freeloom-bench-")) / "simd_sum.so"
    options = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).simd_sum
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    function.restype = ctypes.c_float
    address, count = values.ctypes.data, values.size
    return lambda: function(address, count)
