"""Results have the same bits for every number of threads."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.parallel_threads(1)

PROGRAM = """
import hashlib
import numpy as np
from freeloom import compute

Affine = compute.record({"a": np.float64, "b": np.float64})

def compose(p, q):
    return Affine(p.a * q.a, p.b * q.a + q.b)

digest = hashlib.sha256()
rng = np.random.default_rng(7)
for size in (1, 1000, 65_537, 1_000_003):
    values = rng.standard_normal(size).astype(np.float32)
    maps = np.zeros(size, Affine.dtype)
    maps["a"], maps["b"] = rng.uniform(0.5, 1.5, size), rng.standard_normal(size)
    for d_in, op in ((values, compute.OpKind.PLUS), (values, lambda a, b: a + b * 1), (maps, compose)):
        total, prefixes = np.zeros(1, d_in.dtype), np.zeros_like(d_in)
        compute.reduce_into(d_in=d_in, d_out=total, num_items=size, op=op)
        digest.update(total.tobytes())
        for init in (None, d_in[:1]):
            compute.inclusive_scan(d_in=d_in, d_out=prefixes, num_items=size, op=op, init_value=init)
            digest.update(prefixes.tobytes())
print(digest.hexdigest())
"""


def digest(tmp_path, threads):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "FREELOOM_NUM_THREADS": str(threads)}
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=100, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_number_of_threads_changes_no_bit(tmp_path):
    alone = digest(tmp_path, 1)
    assert len(alone) == 65
    assert [digest(tmp_path, threads) for threads in (2, 3, 7)] == [alone] * 3
