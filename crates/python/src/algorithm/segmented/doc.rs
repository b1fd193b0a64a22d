//! What Python's `help` says about segmented reductions.

use std::ffi::CStr;

pub(super) const MAKE: &CStr = c"make_segmented_reduce(*, d_in, d_out, start_offsets_in, end_offsets_in, op, h_init, compute_capability=None)
--

Builds a segmented reduction for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `segmented_reduce`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, the data, `num_segments`, the offsets, `op` and `h_init`.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_segmented_reduce
>>> a, offsets, out = np.arange(10), np.array([0, 4, 4, 10]), np.zeros(3, np.int64)
>>> call = {
...     'd_in': a, 'd_out': out, 'start_offsets_in': offsets[:-1], 'end_offsets_in': offsets[1:],
...     'op': OpKind.PLUS, 'h_init': np.zeros(1, np.int64),
... }
>>> f = make_segmented_reduce(**call)
>>> temp = np.empty(f(temp_storage=None, num_segments=3, **call), np.uint8)
>>> n = f(temp_storage=temp, num_segments=3, **call)
>>> out.tolist()
[6, 0, 39]
";

pub(super) const ONE_SHOT: &CStr = c"segmented_reduce(*, d_in, d_out, num_segments, start_offsets_in, end_offsets_in, op, h_init, max_segment_size=None, stream=None)
--

Reduces each of `num_segments` segments of the items: `d_out[s]` receives `h_init` combined with the items
`start_offsets_in[s] .. end_offsets_in[s]`, the end excluded.

Parameters
----------
d_in : array or iterator
    The items. Arrays may have any shape, strides and alignment; positions count items in C order
    (Fortran-contiguous ones as they lie in memory).
d_out : array or output iterator
    Receives one result for each segment, converted to its type.
num_segments : int
    How many segments, at most 2^31 - 1.
start_offsets_in, end_offsets_in : array or iterator of integers
    First item of each segment, and one past its last. Segments may be empty, overlap, leave gaps and come in any
    order.
op : OpKind or function
    Associative; it need not be commutative.
h_init : array of one element, record or number
    What each segment starts from, and the result of an empty one. Its type is the type of the accumulator; a
    Python number takes the items' type if that can hold it.
max_segment_size : int, optional
    For compatibility: long segments are found and shared out among the cores without it.
stream : None
    For compatibility.

Raises
------
CompileError
    `op` contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.
ValueError
    A segment ends before it starts or reaches beyond the items (other results may have been written then); too few
    offsets, a read-only output, a negative `num_segments`, or an output that overlaps what is read.
RuntimeError
    More than 2^31 - 1 segments.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import segmented_reduce
>>> items, out = np.array([3.0, 9.0, 2.0, 8.0, 5.0]), np.zeros(2)
>>> starts, ends = np.array([0, 2]), np.array([2, 5])
>>> segmented_reduce(
...     d_in=items, d_out=out, num_segments=2, start_offsets_in=starts, end_offsets_in=ends,
...     op=lambda a, b: max(a, b), h_init=0.0,
... )
>>> out.tolist()
[9.0, 8.0]
";
