//! What Python's `help` says about transforms.

use std::ffi::CStr;

pub(super) const MAKE_UNARY: &CStr = c"make_unary_transform(*, d_in, d_out, op, compute_capability=None)
--

Builds a transform for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `unary_transform`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `d_in`, `d_out`, `op` and `num_items`. It needs no scratch memory.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_unary_transform
>>> a, out = np.arange(3), np.zeros(3, np.int64)
>>> f = make_unary_transform(d_in=a, d_out=out, op=OpKind.NEGATE)
>>> f(d_in=a, d_out=out, op=OpKind.NEGATE, num_items=3)
>>> out.tolist()
[0, -1, -2]
";

pub(super) const MAKE_BINARY: &CStr =
    c"make_binary_transform(*, d_in1, d_in2, d_out, op, compute_capability=None)
--

Builds a transform of two inputs for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `binary_transform`; the values of the arguments do not matter, only their
types.

Returns
-------
An object to call with `d_in1`, `d_in2`, `d_out`, `op` and `num_items`. It needs no scratch memory.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_binary_transform
>>> a, b, out = np.arange(3), np.arange(3) * 10, np.zeros(3, np.int64)
>>> f = make_binary_transform(d_in1=a, d_in2=b, d_out=out, op=OpKind.PLUS)
>>> f(d_in1=a, d_in2=b, d_out=out, op=OpKind.PLUS, num_items=3)
>>> out.tolist()
[0, 11, 22]
";

pub(super) const UNARY: &CStr = c"unary_transform(*, d_in, d_out, op, num_items, stream=None)
--

Writes `out[i] = op(in[i])` for each of `num_items` items.

Parameters
----------
d_in : array or iterator
    The items. Arrays may have any shape, strides and alignment. For more inputs pass a `ZipIterator`.
d_out : array or output iterator
    Where the results go; may be the array `d_in` itself. The result of `op` is converted to its type.
op : OpKind or function
    The function of one argument.
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
>>> from freeloom.compute import unary_transform
>>> a, out = np.array([1.0, 4.0, 9.0]), np.zeros(3)
>>> unary_transform(d_in=a, d_out=out, op=lambda x: np.sqrt(x) + 1, num_items=3)
>>> out.tolist()
[2.0, 3.0, 4.0]
";

pub(super) const BINARY: &CStr = c"binary_transform(*, d_in1, d_in2, d_out, op, num_items, stream=None)
--

Writes `out[i] = op(in1[i], in2[i])` for each of `num_items` items.

Parameters and errors are those of `unary_transform`; the two inputs and the output may have different types.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import binary_transform
>>> a, b, out = np.array([1, 5, 3]), np.array([4, 2, 6]), np.zeros(3, np.int64)
>>> binary_transform(d_in1=a, d_in2=b, d_out=out, op=lambda x, y: abs(x - y), num_items=3)
>>> out.tolist()
[3, 3, 3]
";
