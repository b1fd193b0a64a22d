# Captured arrays.
limit = array("f64", 1)
matrix = array("f32", 2)
scalar = array("i32", 0)
unused = array("i8", 1)


def helper(x):
    return x > limit[1]


#: ir f64
def constant_index(x):
    return x > limit[0]
#> (f64) -> bool
#> reads array 0: f64 of 1 dimensions, at least [1]
#> func @0 "constant_index"(%0: f64, %1: view<f64, 1>) -> bool {
#>   %2 = const i64 0
#>   %3 = view_load %1 [%2]
#>   %4 = gt %0, %3
#>   return %4
#> }


#: ir f64, i32
def dynamic_index(x, i):
    return x * limit[i]
#> (f64, i32) -> f64
#> reads array 0: f64 of 1 dimensions, at least [0]
#> func @0 "dynamic_index"(%0: f64, %1: i32, %2: view<f64, 1>) -> f64 {
#>   %3 = cast %1 to i64
#>   %4 = view_len %2, 0
#>   %5 = const i64 0
#>   %6 = lt %3, %5
#>   %7 = add %3, %4
#>   %8 = select %6, %7, %3
#>   %9 = cast %8 to u64
#>   %10 = cast %4 to u64
#>   %11 = ge %9, %10
#>   if %11 {
#>     fail index_out_of_range
#>   }
#>   %12 = view_load %2 [%8]
#>   %13 = mul %0, %12
#>   return %13
#> }


#: ir f64, u8
def unsigned_index(x, i):
    return x * limit[i]
#> (f64, u8) -> f64
#> reads array 0: f64 of 1 dimensions, at least [0]
#> func @0 "unsigned_index"(%0: f64, %1: u8, %2: view<f64, 1>) -> f64 {
#>   %3 = cast %1 to i64
#>   %4 = view_len %2, 0
#>   %5 = cast %3 to u64
#>   %6 = cast %4 to u64
#>   %7 = ge %5, %6
#>   if %7 {
#>     fail index_out_of_range
#>   }
#>   %8 = view_load %2 [%3]
#>   %9 = mul %0, %8
#>   return %9
#> }


#: f64
def negative_index(x):
    return x * limit[-2]
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [2]


#: f32, i64
def two_dimensions(x, i):
    return x + matrix[i, 3] + matrix[0][i]
#> (f32, i64) -> f32
#> reads array 1: f32 of 2 dimensions, at least [1, 4]


#: i32
def no_dimensions(x):
    return scalar[()] + x
#> (i32) -> i32
#> reads array 2: i32 of 0 dimensions, at least []


#: f64
def lengths(x):
    return len(limit) + matrix.shape[1] + matrix.size + matrix.ndim
#> (f64) -> i64
#> reads array 0: f64 of 1 dimensions, at least [0]
#> reads array 1: f32 of 2 dimensions, at least [0, 0]


#: f64
def polynomial(x):
    r = 0.0
    for i in range(len(limit)):
        r = r * x + limit[i]
    return r
#> (f64) -> f64, polls
#> reads array 0: f64 of 1 dimensions, at least [0]


#: ir f64
def guarded_constant_index(x):
    return limit[5] if len(limit) > 5 else x
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [0]
#> func @0 "guarded_constant_index"(%0: f64, %1: view<f64, 1>) -> f64 {
#>   var $0 "either": f64
#>   %2 = view_len %1, 0
#>   %3 = const i64 5
#>   %4 = gt %2, %3
#>   if %4 {
#>     %5 = const i64 5
#>     %6 = view_len %1, 0
#>     %7 = cast %5 to u64
#>     %8 = cast %6 to u64
#>     %9 = ge %7, %8
#>     if %9 {
#>       fail index_out_of_range
#>     }
#>     %10 = view_load %1 [%5]
#>     set $0, %10
#>   } else {
#>     set $0, %0
#>   }
#>   %11 = get $0
#>   return %11
#> }


#: f64
def index_after_a_guard(x):
    if len(limit) < 3:
        return x
    return limit[2]
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [0]


#: f64
def in_helper(x):
    return helper(x) and x < limit[0]
#> (f64) -> bool
#> reads array 0: f64 of 1 dimensions, at least [2]


#: f64
def alias(x):
    a = limit
    return a[0] + x
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [1]


#: f64
def as_argument(x):
    def get(a, i):
        return a[i]

    return get(limit, 0) + x
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [1]


#: f64
def whole_array(x):
    return x + limit
#> a whole array is not a value of compiled functions
#>   File "arrays.py", line 2
#>         return x + limit
#>                    ^^^^^
#>   hint: read one element, as in `array[i0]`


#: f64
def row(x):
    return x + matrix[0]
#> an array of 2 dimensions is indexed with 1
#>   File "arrays.py", line 2
#>         return x + matrix[0]
#>                    ^^^^^^^^^
#>   hint: give one index for each dimension, as in `m[i, j]`


#: f64
def too_many_indices(x):
    return x + limit[0, 1]
#> an array of 1 dimensions is indexed with 2
#>   File "arrays.py", line 2
#>         return x + limit[0, 1]
#>                    ^^^^^^^^^^^
#>   hint: give one index for each dimension, as in `m[i, j]`


#: f64
def float_index(x):
    return limit[x]
#> an array index must be an integer
#>   File "arrays.py", line 2
#>         return limit[x]
#>                      ^
#>   hint: convert it, as in `int(x)`


#: f64
def slice_index(x):
    return limit[1:2]
#> slices are not supported
#>   File "arrays.py", line 2
#>         return limit[1:2]
#>                      ^^^
#>   hint: index single elements


#: f64
def array_method(x):
    return limit.sum() + x
#> `.sum()` of an array is not supported
#>   File "arrays.py", line 2
#>         return limit.sum() + x
#>                ^^^^^^^^^^^
#>   hint: write a loop over its elements


#: f64
def array_attribute(x):
    return limit.T
#> `.T` of an array is not supported
#>   File "arrays.py", line 2
#>         return limit.T
#>                ^^^^^^^
#>   hint: arrays have elements, `len()`, `.shape`, `.size` and `.ndim`


#: f64
def array_write(x):
    limit[0] = x
    return x
#> elements cannot be assigned
#>   File "arrays.py", line 2
#>         limit[0] = x
#>         ^^^^^^^^
#>   hint: return the value: the algorithm stores it


# An index that not every call reads is checked when it is read.
#: f64 -> f64
def reads_on_one_path(x):
    return limit[0] if x > 100.0 else -1.0
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [0]


#: f64 -> f64
def reads_what_the_test_has_read(x):
    return x - limit[0] if x > limit[0] else 0.0
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [1]


#: f64 -> f64
def reads_after_a_return(x):
    if x < 0.0:
        return x
    return x * limit[1]
#> (f64) -> f64
#> reads array 0: f64 of 1 dimensions, at least [0]
