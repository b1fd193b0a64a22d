"""Work that writes as much as it reads: transform and scan of 2^24 items."""

import numpy as np
import polars as pl

from benchmarks import limits, numba_kernels, ours
from benchmarks.measure import COPY, OURS, Row, seconds
from freeloom.compute import OpKind


def transform_f32(count: int) -> Row:
    values = np.random.default_rng(4).random(count, np.float32)
    out = np.zeros_like(values)
    ours_transform = ours.transform(values, out, lambda x: x * np.float32(2) + np.float32(1))
    frame = pl.DataFrame({"x": values})
    expression = pl.col("x") * pl.lit(2, pl.Float32) + pl.lit(1, pl.Float32)
    expected = values * np.float32(2) + np.float32(1)

    def two_passes():
        np.multiply(values, np.float32(2), out=out)
        np.add(out, np.float32(1), out=out)

    ours_transform()
    np.testing.assert_allclose(out, expected, rtol=1e-6)

    contenders = {
        OURS: seconds(ours_transform),
        "NumPy": seconds(two_passes),
        "Polars": seconds(lambda: frame.select(expression)),
        "Numba": seconds(lambda: numba_kernels.twice_plus_one(values, out)),
        "Numba parallel": seconds(lambda: numba_kernels.twice_plus_one_parallel(values, out)),
    }
    yardsticks = {COPY: seconds(limits.copy(2 * values.nbytes))}
    return Row("transform, f32, x * 2 + 1", contenders, yardsticks, note="Polars allocates its result.")


def scan_f32(count: int) -> Row:
    values = np.random.default_rng(5).random(count, np.float32)
    out = np.zeros_like(values)
    ours_scan = ours.scan(values, out, OpKind.PLUS)
    series = pl.Series(values)

    ours_scan()
    np.testing.assert_allclose(out, np.cumsum(values, dtype=np.float64), rtol=1e-3)

    contenders = {
        OURS: seconds(ours_scan),
        "NumPy": seconds(lambda: np.cumsum(values, out=out)),
        "Polars": seconds(series.cum_sum),
        "Numba": seconds(lambda: numba_kernels.running_total(values, out)),
    }
    yardsticks = {COPY: seconds(limits.copy(2 * values.nbytes))}
    return Row("inclusive scan, f32", contenders, yardsticks, note="Polars allocates its result.")
