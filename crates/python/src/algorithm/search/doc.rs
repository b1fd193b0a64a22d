//! What Python's `help` says about binary search.

use std::ffi::CStr;

pub(super) const MAKE_LOWER: &CStr =
    c"make_lower_bound(*, d_data, d_values, d_out, comp=None, compute_capability=None)
--

Builds a search for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `lower_bound`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with the parameters of `lower_bound`; `comp` must be given, and may be None. It needs no scratch
memory.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import make_lower_bound
>>> data, values, out = np.array([1, 3, 3, 7]), np.array([0, 3, 9]), np.zeros(3, np.uintp)
>>> f = make_lower_bound(d_data=data, d_values=values, d_out=out)
>>> f(d_data=data, num_items=4, d_values=values, num_values=3, d_out=out, comp=None)
>>> out.tolist()
[0, 1, 4]
";

pub(super) const MAKE_UPPER: &CStr =
    c"make_upper_bound(*, d_data, d_values, d_out, comp=None, compute_capability=None)
--

Builds a search for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `lower_bound`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with the parameters of `upper_bound`; `comp` must be given, and may be None. It needs no scratch
memory.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import make_upper_bound
>>> data, values, out = np.array([1, 3, 3, 7]), np.array([0, 3, 9]), np.zeros(3, np.uintp)
>>> f = make_upper_bound(d_data=data, d_values=values, d_out=out)
>>> f(d_data=data, num_items=4, d_values=values, num_values=3, d_out=out, comp=None)
>>> out.tolist()
[0, 3, 4]
";

pub(super) const LOWER: &CStr =
    c"lower_bound(*, d_data, num_items, d_values, num_values, d_out, comp=None, stream=None)
--

Writes for each value where it belongs in the sorted data: the number of items that come before it. With `<` that
is `np.searchsorted(d_data, d_values, side='left')`.

Parameters
----------
d_data : array
    Items sorted by `comp`; of any strides and alignment. If they are not sorted, results are meaningless but
    within `0 .. num_items`.
num_items : int
    How many items of `d_data` to search.
d_values : array or iterator
    What to search for. Other types than that of the data are allowed if `comp` takes them.
num_values : int
    How many values.
d_out : array of np.uintp
    Receives the places, `0 .. num_items`; may be the array `d_values` itself.
comp : OpKind or function, optional
    Does its first argument come before the second? A strict weak order; `OpKind.LESS` if not given. It is applied
    to an item and a value.
stream : None
    For compatibility.

Raises
------
CompileError
    `comp` contains something that cannot be compiled.
TypeError
    `d_out` does not hold unsigned integers, types do not go together, or a dtype is not supported.
ValueError
    `d_data` or `d_out` is no array, `d_out` is not pointer-sized or is read-only, too few items, a negative
    number, or an output that overlaps what is read.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import lower_bound
>>> data, values, out = np.array([9.0, 5.0, 5.0, 2.0]), np.array([5.0, 3.0]), np.zeros(2, np.uintp)
>>> lower_bound(d_data=data, num_items=4, d_values=values, num_values=2, d_out=out, comp=lambda a, b: a > b)
>>> out.tolist()
[1, 3]
";

pub(super) const UPPER: &CStr =
    c"upper_bound(*, d_data, num_items, d_values, num_values, d_out, comp=None, stream=None)
--

Writes for each value the last place where it belongs in the sorted data: the number of items that do not come
after it. With `<` that is `np.searchsorted(d_data, d_values, side='right')`.

Parameters and errors are those of `lower_bound`; `comp` is applied to a value and an item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import upper_bound
>>> data, values, out = np.array([2, 5, 5, 9]), np.array([5, 3]), np.zeros(2, np.uintp)
>>> upper_bound(d_data=data, num_items=4, d_values=values, num_values=2, d_out=out)
>>> out.tolist()
[3, 1]
";
