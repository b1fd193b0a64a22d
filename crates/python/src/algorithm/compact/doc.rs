//! What Python's `help` says about stream compaction.

use std::ffi::CStr;

pub(super) const MAKE_SELECT: &CStr =
    c"make_select(*, d_in, d_out, d_num_selected_out, cond, compute_capability=None)
--

Builds a selection for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `select`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, `d_in`, `d_out`, `d_num_selected_out`, `cond` and `num_items`.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import make_select
>>> a, out, count = np.arange(10), np.zeros(10, np.int64), np.zeros(1, np.int64)
>>> odd = lambda x: x % 2
>>> call = {'d_in': a, 'd_out': out, 'd_num_selected_out': count, 'cond': odd}
>>> f = make_select(**call)
>>> temp = np.empty(f(temp_storage=None, num_items=10, **call), np.uint8)
>>> n = f(temp_storage=temp, num_items=10, **call)
>>> out[:count[0]].tolist()
[1, 3, 5, 7, 9]
";

pub(super) const SELECT: &CStr = c"select(*, d_in, d_out, d_num_selected_out, cond, num_items, stream=None)
--

Copies those of `num_items` items for which `cond` holds to the front of `d_out`, in their order.

Parameters
----------
d_in : array or iterator
    The items. Arrays may have any shape, strides and alignment.
d_out : array or output iterator
    Where the selected items go, converted to its type; may be the array `d_in` itself. It may be shorter than
    `num_items` if what is selected fits. What lies behind the selected items stays as it is.
d_num_selected_out : array of integers
    Its first element receives the number of selected items. If there is a second one it is set to zero.
cond : OpKind or function
    The condition, a function of one item: takes it if the result is true or not zero. Called once per item.
num_items : int
    How many items to read.
stream : None
    For compatibility.

Raises
------
CompileError
    `cond` contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.
ValueError
    Too few items, more items selected than `d_out` has room for, a read-only output, a negative `num_items`, or
    memory that overlaps other than item for item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import select
>>> a, out, count = np.array([3, -1, 4, -1, 5]), np.zeros(5, np.int64), np.zeros(1, np.int64)
>>> select(d_in=a, d_out=out, d_num_selected_out=count, cond=lambda x: x > 0, num_items=5)
>>> out[:count[0]].tolist()
[3, 4, 5]
";

pub(super) const MAKE_PARTITION: &CStr = c"make_three_way_partition(*, d_in, d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out, select_first_part_op, select_second_part_op, compute_capability=None)
--

Builds a partition for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `three_way_partition`; the values of the arguments do not matter, only their
types.

Returns
-------
An object to call with `temp_storage`, the parameters above but the last, and `num_items`.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import make_three_way_partition
>>> a, counts = np.arange(10), np.zeros(2, np.int64)
>>> small, large, rest = (np.zeros(10, np.int64) for _ in range(3))
>>> call = {
...     'd_in': a, 'd_first_part_out': small, 'd_second_part_out': large, 'd_unselected_out': rest,
...     'd_num_selected_out': counts,
...     'select_first_part_op': lambda x: x < 3, 'select_second_part_op': lambda x: x > 6,
... }
>>> f = make_three_way_partition(**call)
>>> temp = np.empty(f(temp_storage=None, num_items=10, **call), np.uint8)
>>> n = f(temp_storage=temp, num_items=10, **call)
>>> large[:counts[1]].tolist()
[7, 8, 9]
";

pub(super) const PARTITION: &CStr = c"three_way_partition(*, d_in, d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out, select_first_part_op, select_second_part_op, num_items, stream=None)
--

Copies each of `num_items` items to one of three outputs, all in their order: those for which the first
condition holds, else those for which the second one holds, and the rest.

Parameters
----------
d_in : array or iterator
    The items. Arrays may have any shape, strides and alignment.
d_first_part_out, d_second_part_out, d_unselected_out : array or output iterator
    Where the items go, converted to its type; one of them may be the array `d_in` itself. Each may be shorter
    than `num_items` if its part fits. What lies behind a part stays as it is.
d_num_selected_out : array of two integers
    Receives the numbers of items in the first and in the second part.
select_first_part_op, select_second_part_op : OpKind or function
    The conditions, functions of one item: it is taken if the result is true or not zero. The first one is
    called once per item, the second one for items which the first one does not take.
num_items : int
    How many items to read.
stream : None
    For compatibility.

Raises
------
CompileError
    A condition contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.
ValueError
    Too few items, more items in a part than its output has room for, a read-only output, a negative
    `num_items`, or memory that overlaps other than item for item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import three_way_partition
>>> a, counts = np.array([5, -2, 0, 7, -1, 0]), np.zeros(2, np.int64)
>>> negative, zero, positive = (np.zeros(6, np.int64) for _ in range(3))
>>> three_way_partition(
...     d_in=a, d_first_part_out=negative, d_second_part_out=zero, d_unselected_out=positive,
...     d_num_selected_out=counts, num_items=6,
...     select_first_part_op=lambda x: x < 0, select_second_part_op=lambda x: x == 0,
... )
>>> negative[:counts[0]].tolist(), counts.tolist(), positive[:2].tolist()
([-2, -1], [2, 2], [5, 7])
";

pub(super) const MAKE_UNIQUE: &CStr = c"make_unique_by_key(*, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op, compute_capability=None)
--

Builds a removal of repeated keys for the types of the arguments, or finds the one this thread already has.

Parameters and errors are those of `unique_by_key`; the values of the arguments do not matter, only their types.

Returns
-------
An object to call with `temp_storage`, the parameters above but the last, and `num_items`.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, make_unique_by_key
>>> keys, items = np.array([1, 1, 2, 2, 1]), np.array([10, 20, 30, 40, 50])
>>> out_keys, out_items, count = np.zeros(5, np.int64), np.zeros(5, np.int64), np.zeros(1, np.int64)
>>> call = {
...     'd_in_keys': keys, 'd_in_items': items, 'd_out_keys': out_keys, 'd_out_items': out_items,
...     'd_out_num_selected': count, 'op': OpKind.EQUAL_TO,
... }
>>> f = make_unique_by_key(**call)
>>> temp = np.empty(f(temp_storage=None, num_items=5, **call), np.uint8)
>>> n = f(temp_storage=temp, num_items=5, **call)
>>> out_items[:count[0]].tolist()
[10, 30, 50]
";

pub(super) const UNIQUE: &CStr = c"unique_by_key(*, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op, num_items, stream=None)
--

Copies the first (key, item) of each run of neighbours with equal keys, of `num_items` in all, to the front of
the outputs, in their order.

Parameters
----------
d_in_keys, d_in_items : array or iterator
    The keys and what belongs to them. Arrays may have any shape, strides and alignment.
d_out_keys, d_out_items : array or output iterator
    Where the kept keys and items go, converted to their types. They may be shorter than `num_items` if what is
    kept fits. What lies behind that stays as it is. `d_out_items` may be the array `d_in_items` itself.
d_out_num_selected : array of integers
    Its first element receives the number of kept items.
op : OpKind or function
    Says whether two keys are equal: it is called with each key and the one before it, `op(before, key)`. Equal
    is what is true or not zero.
num_items : int
    How many keys and items to read.
stream : None
    For compatibility.

Raises
------
CompileError
    `op` contains something that cannot be compiled.
TypeError
    Types do not go together, or a dtype is not supported.
ValueError
    Too few keys or items, more of them kept than an output has room for, a read-only output, a negative
    `num_items`, memory of an output that overlaps that of `d_in_keys`, or that of `d_in_items` other than item
    for item.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import OpKind, unique_by_key
>>> keys, items = np.array([7, 7, 7, 8, 8]), np.array([0.5, 1.5, 2.5, 3.5, 4.5])
>>> out_keys, out_items, count = np.zeros(5, np.int64), np.zeros(5), np.zeros(1, np.int64)
>>> unique_by_key(
...     d_in_keys=keys, d_in_items=items, d_out_keys=out_keys, d_out_items=out_items,
...     d_out_num_selected=count, op=OpKind.EQUAL_TO, num_items=5,
... )
>>> out_keys[:count[0]].tolist(), out_items[:count[0]].tolist()
([7, 8], [0.5, 3.5])
";
