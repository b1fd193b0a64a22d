//! What Python's `help` says about merge sort.

use std::ffi::CStr;

pub(super) const MAKE: &CStr = c"make_merge_sort(*, d_in_keys, d_in_values=None, d_out_keys, d_out_values=None, op, compute_capability=None)
--

Builds a merge sort for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `merge_sort`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, `d_in_keys`, `d_in_values`, `d_out_keys`, `d_out_values`, `num_items` and `op`.
With `temp_storage=None` it returns the bytes of scratch memory that a run needs.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_merge_sort
>>> keys, out = np.array([3, 1, 2]), np.zeros(3, np.int64)
>>> data = dict(d_in_keys=keys, d_in_values=None, d_out_keys=out, d_out_values=None, op=OpKind.GREATER)
>>> f = make_merge_sort(**data)
>>> scratch = np.empty(f(temp_storage=None, num_items=3, **data), np.uint8)
>>> _ = f(temp_storage=scratch, num_items=3, **data)
>>> out.tolist()
[3, 2, 1]
";

pub(super) const ONE_SHOT: &CStr = c"merge_sort(*, d_in_keys, d_in_values=None, d_out_keys, d_out_values=None, num_items, op, stream=None)
--

Sorts `num_items` keys, and values with them, by a comparator. Keys of which neither comes first keep their order.

Parameters
----------
d_in_keys : array or iterator
    Keys of any type. Arrays may have any shape, strides and alignment.
d_out_keys : array
    Where the sorted keys go; may be the array `d_in_keys` itself. Keys are converted to its type and then compared.
d_in_values : array, iterator or None
    Values that go where their keys go.
d_out_values : array or None
    Where they go. Both or neither; may be the array `d_in_values` itself.
num_items : int
    How many items to sort.
op : OpKind or function
    `op(a, b)`: must `a` come before `b`? `OpKind.LESS`, `OpKind.GREATER` or a function of two keys whose result is
    true, or not zero. It must be a strict weak order: false for equal keys, and never true in a circle. Otherwise the
    order of the result is unspecified.
stream : None
    For compatibility.

Raises
------
CompileError
    `op` contains something that cannot be compiled.
TypeError
    Types do not go together, a dtype is not supported, or an output is no array.
ValueError
    Too few items, a read-only output, a negative `num_items`, values on one side only, or memory that overlaps other
    than item for item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import merge_sort
>>> z = np.array([3 + 1j, 1 - 2j, 1 + 1j])
>>> out = np.zeros_like(z)
>>> merge_sort(d_in_keys=z, d_out_keys=out, num_items=3, op=lambda a, b: abs(a) < abs(b))
>>> out.tolist()
[(1+1j), (1-2j), (3+1j)]
";
