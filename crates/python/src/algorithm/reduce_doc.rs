//! What Python's `help` says about reductions.

use std::ffi::CStr;

pub(super) const MAKE: &CStr =
    c"make_reduce_into(*, d_in, d_out, op, h_init=None, determinism=None, compute_capability=None)
--

Builds a reduction for the types of the arguments, or finds the one this thread already has.

Parameters
----------
d_in : array or iterator
    Items like those to reduce.
d_out : array or output iterator
    Where the result will go.
op : OpKind or function
    Associative: `op(op(a, b), c) == op(a, op(b, c))`. It need not be commutative.
h_init : array of one element, record, number or None
    A value of the type to start from; it is the type of the accumulator. `None`: items alone.
determinism : Determinism, optional
    Every level holds on the CPU; the result is the same for any number of threads.

Returns
-------
An object to call with `temp_storage`, the data, `num_items`, `op` and `h_init`.

Raises
------
CompileError
    `op` contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_reduce_into
>>> a, r, zero = np.arange(5), np.zeros(1, np.int64), np.zeros(1, np.int64)
>>> f = make_reduce_into(d_in=a, d_out=r, op=OpKind.PLUS, h_init=zero)
>>> n = f(temp_storage=None, d_in=a, d_out=r, num_items=5, op=OpKind.PLUS, h_init=zero)
>>> temp = np.empty(n, np.uint8)
>>> n = f(temp_storage=temp, d_in=a, d_out=r, num_items=5, op=OpKind.PLUS, h_init=zero)
>>> int(r[0])
10
";

pub(super) const ONE_SHOT: &CStr = c"reduce_into(*, d_in, d_out, num_items, op, h_init=None, stream=None, determinism=None, compute_capability=None)
--

Reduces `num_items` items to `d_out[0]`.

Parameters
----------
d_in : array or iterator
    The items. Arrays may have any shape, strides and alignment; they are read in C order (Fortran-contiguous
    ones as they lie in memory).
d_out : array or output iterator
    Item 0 receives the result. Without items and without `h_init` it is left alone.
num_items : int
    How many items to read.
op : OpKind or function
    Associative; it need not be commutative.
h_init : array of one element, record, number or None
    What to start from. Its type is the type of the accumulator; a Python number takes the items' type if
    that can hold it.
stream : None
    For compatibility.
determinism : Determinism, optional
    Every level holds on the CPU.

Raises
------
CompileError
    `op` contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.
ValueError
    Too few items, a read-only output, a negative `num_items`, or memory that overlaps.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import reduce_into
>>> out = np.zeros(1)
>>> reduce_into(d_in=np.array([3.0, -7.0, 5.0]), d_out=out, num_items=3, op=lambda a, b: max(a, b, -a, -b))
>>> float(out[0])
7.0
";
