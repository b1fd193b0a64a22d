//! What Python's `help` says about scans.

use std::ffi::CStr;

pub(super) const MAKE_INCLUSIVE: &CStr = c"make_inclusive_scan(*, d_in, d_out, op, init_value=None, compute_capability=None)
--

Builds an inclusive scan for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `inclusive_scan`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, `d_in`, `d_out`, `op`, `init_value` and `num_items`.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_inclusive_scan
>>> a, out = np.arange(1, 5), np.zeros(4, np.int64)
>>> f = make_inclusive_scan(d_in=a, d_out=out, op=OpKind.MULTIPLIES)
>>> call = {'d_in': a, 'd_out': out, 'op': OpKind.MULTIPLIES, 'init_value': None, 'num_items': 4}
>>> temp = np.empty(f(temp_storage=None, **call), np.uint8)
>>> n = f(temp_storage=temp, **call)
>>> out.tolist()
[1, 2, 6, 24]
";

pub(super) const MAKE_EXCLUSIVE: &CStr = c"make_exclusive_scan(*, d_in, d_out, op, init_value, compute_capability=None)
--

Builds an exclusive scan for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `exclusive_scan`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, `d_in`, `d_out`, `op`, `init_value` and `num_items`.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_exclusive_scan
>>> a, out = np.arange(1, 5), np.zeros(4, np.int64)
>>> f = make_exclusive_scan(d_in=a, d_out=out, op=OpKind.PLUS, init_value=0)
>>> call = {'d_in': a, 'd_out': out, 'op': OpKind.PLUS, 'init_value': 100, 'num_items': 4}
>>> temp = np.empty(f(temp_storage=None, **call), np.uint8)
>>> n = f(temp_storage=temp, **call)
>>> out.tolist()
[100, 101, 103, 106]
";

pub(super) const INCLUSIVE: &CStr = c"inclusive_scan(*, d_in, d_out, op, init_value=None, num_items, stream=None)
--

Writes `out[i] = op(... op(op(init, in[0]), in[1]) ..., in[i])` for each of `num_items` items.

Parameters
----------
d_in : array or iterator
    The items. Arrays may have any shape, strides and alignment.
d_out : array or output iterator
    Where the prefixes go; may be the array `d_in` itself.
op : OpKind or function
    Associative; it need not be commutative.
init_value : array of one element, record, number or None
    What to start from. Its type is the type of the accumulator; a Python number takes the items' type if
    that can hold it. An array is read at the call.
num_items : int
    How many items to read and write.
stream : None
    For compatibility.

Raises
------
CompileError
    `op` contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.
ValueError
    Too few items, a read-only output, a negative `num_items`, or memory that overlaps other than item for item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, inclusive_scan
>>> a = np.array([3, 1, 4, 1, 5])
>>> inclusive_scan(d_in=a, d_out=a, op=OpKind.MAXIMUM, num_items=5)
>>> a.tolist()
[3, 3, 4, 4, 5]
";

pub(super) const EXCLUSIVE: &CStr = c"exclusive_scan(*, d_in, d_out, op, init_value, num_items, stream=None)
--

Writes `out[i] = op(... op(op(init, in[0]), in[1]) ..., in[i - 1])` for each of `num_items` items; `out[0]` is
the initial value.

Parameters and errors are those of `inclusive_scan`, except that `init_value=None` is a `ValueError`.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, exclusive_scan
>>> a, out = np.array([2, 3, 4]), np.zeros(3, np.int64)
>>> exclusive_scan(d_in=a, d_out=out, op=OpKind.PLUS, init_value=0, num_items=3)
>>> out.tolist()
[0, 2, 5]
";
