//! What Python's `help` says about histograms.

use std::ffi::CStr;

pub(super) const MAKE: &CStr = c"make_histogram_even(*, d_samples, d_histogram, h_num_output_levels, h_lower_level, h_upper_level, num_samples, compute_capability=None)
--

Builds a histogram for the types of the arguments, or finds the one this thread already has.

Parameters
----------
d_samples : array or iterator
    Samples like those to count.
d_histogram : array or output iterator
    Where the counts will go.
h_num_output_levels : array of one integer, or int
    Number of bins + 1.
h_lower_level, h_upper_level : array of one number, or number
    Bounds like those to use, both of one dtype; their values do not matter.
num_samples : int
    Number of samples.

Returns
-------
An object to call with `temp_storage` and the parameters above. One object is good for any bounds.

Threads: free. Equal arguments give the same object within a thread; code is shared by all threads.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import make_histogram_even
>>> samples, counts = np.array([0.5, 2.5, 2.6, 9.0]), np.zeros(4, np.int32)
>>> call = {
...     'd_samples': samples, 'd_histogram': counts, 'h_num_output_levels': np.array([5], np.int32),
...     'h_lower_level': np.array([0.0]), 'h_upper_level': np.array([4.0]), 'num_samples': 4,
... }
>>> f = make_histogram_even(**call)
>>> temp = np.empty(f(temp_storage=None, **call), np.uint8)
>>> n = f(temp_storage=temp, **call)
>>> counts.tolist()
[1, 0, 2, 0]
";

pub(super) const ONE_SHOT: &CStr = c"histogram_even(*, d_samples, d_histogram, num_output_levels, lower_level, upper_level, num_samples, stream=None)
--

Counts how many samples fall into each of `num_output_levels - 1` bins of equal width over
`[lower_level, upper_level)`. Samples outside and NaN are ignored. The counts are overwritten, not added to.

A sample `x` falls into bin `floor((x - lower) * bins / (upper - lower))`, computed in `float64`. Differences from
`np.histogram`: a sample equal to `upper_level` is outside, and a sample that `float64` cannot tell from an inner
edge may fall on either side of it. 64-bit integers beyond 2^53 are rounded to `float64` first.

Parameters
----------
d_samples : array or iterator
    Integers, booleans or floats. Arrays may have any shape, strides and alignment.
d_histogram : array or output iterator
    Receives the counts, one for each bin, converted to its type; integers wrap.
num_output_levels : int
    Number of bins + 1, at least 2.
lower_level, upper_level : number
    The bounds, both of one dtype: two ints, two floats or two NumPy scalars.
num_samples : int
    How many samples to read.
stream : None
    For compatibility.

Raises
------
TypeError
    Samples or counts are no real numbers, the bounds have different dtypes, or a dtype is not supported.
ValueError
    Too few samples or room for too few bins, bounds that are not finite or not in order, fewer than 2 levels, a
    read-only output, a negative `num_samples`, or counts that overlap samples.

Threads: free. Arrays belong to the caller: do not change them meanwhile.

Examples
--------
>>> import numpy as np
>>> from freeloom.compute import histogram_even
>>> samples, counts = np.array([1, 5, 5, 12, 29, 30]), np.zeros(3, np.int64)
>>> histogram_even(
...     d_samples=samples, d_histogram=counts, num_output_levels=4, lower_level=0, upper_level=30, num_samples=6
... )
>>> counts.tolist()
[3, 1, 1]
";
