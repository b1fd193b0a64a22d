"""The rows, by kind of work. Each function checks its contenders against NumPy before they are measured."""

from collections.abc import Callable

from benchmarks.measure import Row

from . import overhead, reduce, stream

ROWS: dict[str, Callable[[int], Row]] = {
    "sum": reduce.sum_f32,
    "user-reduce": reduce.odd_maximum_i32,
    "argmax": reduce.argmax_record,
    "transform": stream.transform_f32,
    "scan": stream.scan_f32,
    "cold-reduce": overhead.cold_reduce,
    "cold-transform": overhead.cold_transform,
    "warm-object": overhead.warm_object,
    "warm-one-shot": overhead.warm_one_shot,
    "import": overhead.import_time,
}
