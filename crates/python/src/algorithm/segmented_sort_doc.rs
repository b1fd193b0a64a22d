//! What Python's `help` says about segmented sort.

use std::ffi::CStr;

pub(super) const MAKE: &CStr = c"make_segmented_sort(*, d_in_keys, d_out_keys=None, d_in_values=None, d_out_values=None, start_offsets_in, end_offsets_in, order, compute_capability=None)
--

Builds a segmented sort for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `segmented_sort`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, `d_in_keys`, `d_out_keys`, `d_in_values`, `d_out_values`, `num_items`,
`num_segments`, `start_offsets_in` and `end_offsets_in`. With `temp_storage=None` it returns the bytes of scratch memory
that a run needs.

Threads: free. Equal arguments give the same object within a thread.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import SortOrder, make_segmented_sort
>>> keys, out, offsets = np.array([3, 1, 2, 0]), np.zeros(4, np.int64), np.array([0, 2, 4])
>>> data = dict(d_in_keys=keys, d_out_keys=out, d_in_values=None, d_out_values=None,
...             start_offsets_in=offsets[:-1], end_offsets_in=offsets[1:])
>>> f = make_segmented_sort(**data, order=SortOrder.ASCENDING)
>>> scratch = np.empty(f(temp_storage=None, **data, num_items=4, num_segments=2), np.uint8)
>>> _ = f(temp_storage=scratch, **data, num_items=4, num_segments=2)
>>> out.tolist()
[1, 3, 0, 2]
";

pub(super) const ONE_SHOT: &CStr = c"segmented_sort(*, d_in_keys, d_out_keys=None, d_in_values=None, d_out_values=None, num_items, num_segments, start_offsets_in, end_offsets_in, order, stream=None)
--

Sorts the items of each segment by their keys. Equal keys keep their order; items outside of segments are copied.

Parameters
----------
d_in_keys, d_out_keys, d_in_values, d_out_values, order, stream
    As in `radix_sort`, double buffers included.
num_items : int
    How many items there are, in segments or not.
num_segments : int
    How many segments there are, at most 2**31 - 1.
start_offsets_in, end_offsets_in : array or iterator of integers
    Segment `s` holds items `start_offsets_in[s]` up to and without `end_offsets_in[s]`. Segments may be empty and come
    in any order, but not have items in common.

Raises
------
TypeError
    Keys that are not numbers, offsets that are not integers, or dtypes of input and output that differ.
ValueError
    Too few items, a read-only output, a negative length, a segment that leaves the items or has some in common with
    another, values on one side only, or memory that overlaps other than item for item.
RuntimeError
    Too many segments.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import SortOrder, segmented_sort
>>> rows, out = np.array([[3, 1, 2], [9, 7, 8]]), np.zeros((2, 3), np.int64)
>>> segmented_sort(d_in_keys=rows, d_out_keys=out, num_items=6, num_segments=2, start_offsets_in=np.array([0, 3]),
...                end_offsets_in=np.array([3, 6]), order=SortOrder.DESCENDING)
>>> out.tolist()
[[3, 2, 1], [9, 8, 7]]
";
