//! What Python's `help` says about radix sort.

use std::ffi::CStr;

pub(super) const MAKE: &CStr = c"make_radix_sort(*, d_in_keys, d_out_keys, d_in_values=None, d_out_values=None, order, compute_capability=None)
--

Builds a radix sort for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `radix_sort`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, `d_in_keys`, `d_out_keys`, `d_in_values`, `d_out_values`, `num_items` and, if
you like, `begin_bit` and `end_bit`. With `temp_storage=None` it returns the bytes of scratch memory that a run needs.

Threads: free. Equal arguments give the same object within a thread.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import SortOrder, make_radix_sort
>>> keys, out = np.array([3, 1, 2]), np.zeros(3, np.int64)
>>> data = dict(d_in_keys=keys, d_out_keys=out, d_in_values=None, d_out_values=None)
>>> f = make_radix_sort(**data, order=SortOrder.DESCENDING)
>>> scratch = np.empty(f(temp_storage=None, **data, num_items=3), np.uint8)
>>> _ = f(temp_storage=scratch, **data, num_items=3)
>>> out.tolist()
[3, 2, 1]
";

pub(super) const ONE_SHOT: &CStr = c"radix_sort(*, d_in_keys, d_out_keys, d_in_values=None, d_out_values=None, num_items, order, begin_bit=None, end_bit=None, stream=None)
--

Sorts `num_items` keys, and values with them. Equal keys keep their order.

Parameters
----------
d_in_keys : array or DoubleBuffer
    Integers, floats or booleans. Arrays may have any shape, strides and alignment.
d_out_keys : array
    Where the sorted keys go; may be the array `d_in_keys` itself. Not used with a `DoubleBuffer`.
d_in_values, d_out_values : array, DoubleBuffer or None
    Values that go where their keys go, of any dtype; both or neither. A `DoubleBuffer` if the keys are one.
num_items : int
    How many items to sort.
order : SortOrder
    `ASCENDING` or `DESCENDING`.
begin_bit, end_bit : int or None
    Bits of the keys that decide, lowest first; all of them if `None`. They are bits of the key's place in the order:
    for signed numbers the top bit is flipped, for negative floats every bit. So -0.0 comes before 0.0, and NaNs come
    last if their sign bit is not set, else first.
stream : None
    For compatibility.

With a `DoubleBuffer` the current buffer is read, the other one written, and then `selector` turned to it.

Raises
------
TypeError
    Keys that are not numbers, iterators, or dtypes of input and output that differ.
ValueError
    Too few items, a read-only output, a negative `num_items`, bits out of range, values on one side only, or memory
    that overlaps other than item for item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import SortOrder, radix_sort
>>> ages, names = np.array([41, 7, 23], np.uint8), np.array([0, 1, 2])
>>> ages_out, names_out = np.zeros_like(ages), np.zeros_like(names)
>>> radix_sort(d_in_keys=ages, d_out_keys=ages_out, d_in_values=names, d_out_values=names_out, num_items=3,
...            order=SortOrder.ASCENDING)
>>> ages_out.tolist(), names_out.tolist()
([7, 23, 41], [1, 2, 0])
";
