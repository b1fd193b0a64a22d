# Calls of Python functions, which are inlined.
import math
import numpy as np
from math import sqrt

scale = 2.5
offsets = (1, 2.5)


def square(x):
    return x * x


def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


def first_divisor(n):
    for d in range(2, n):
        if n % d == 0:
            return d
    return n


def with_default(x, k=3, *, shift=0.5):
    return x * k + shift


def nothing(x):
    x + 1


def bad(x):
    return x + "text"


def calls_bad(x):
    return bad(x) + 1


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def starred(*args):
    return 1


def apply(f, x):
    return f(x) + f(x + 1)


@property
def decorated(x):
    return x


#: ir f32
def inlined(x):
    return square(x) + square(1)
#> (f32) -> f32
#> func @0 "inlined"(%0: f32) -> f32 {
#>   %1 = mul %0, %0
#>   %2 = const f32 1.0
#>   %3 = add %1, %2
#>   return %3
#> }


#: ir i32
def early_returns(x):
    return sign(x) * 2
#> (i32) -> i64
#> func @0 "early_returns"(%0: i32) -> i64 {
#>   var $0 "return": i64
#>   loop {
#>     %1 = const i32 0
#>     %2 = gt %0, %1
#>     if %2 {
#>       %3 = const i64 1
#>       set $0, %3
#>       break
#>     }
#>     %4 = const i32 0
#>     %5 = lt %0, %4
#>     if %5 {
#>       %6 = const i64 -1
#>       set $0, %6
#>       break
#>     }
#>     %7 = const i64 0
#>     set $0, %7
#>     break
#>   }
#>   %8 = get $0
#>   %9 = const i64 2
#>   %10 = mul %8, %9
#>   return %10
#> }


#: ir i64
def return_from_a_loop(x):
    return first_divisor(x)
#> (i64) -> i64, polls
#> func @0 "return_from_a_loop"(%0: i64) -> i64 {
#>   var $0 "returned": bool
#>   var $1 "d": i64
#>   var $2 "return": i64
#>   %1 = const bool false
#>   set $0, %1
#>   loop {
#>     %2 = const i64 2
#>     %3 = const i64 1
#>     for %4 = %2 to %0 {
#>       poll
#>       set $1, %4
#>       %5 = get $1
#>       %6 = rem %0, %5
#>       %7 = const i64 0
#>       %8 = ne %6, %7
#>       %9 = xor %6, %5
#>       %10 = const i64 0
#>       %11 = lt %9, %10
#>       %12 = and %8, %11
#>       %13 = add %6, %5
#>       %14 = select %12, %13, %6
#>       %15 = const i64 0
#>       %16 = eq %14, %15
#>       if %16 {
#>         %17 = get $1
#>         set $2, %17
#>         %18 = const bool true
#>         set $0, %18
#>         break
#>       }
#>     }
#>     %19 = get $0
#>     if %19 {
#>       break
#>     }
#>     set $2, %0
#>     break
#>   }
#>   %20 = get $2
#>   return %20
#> }


#: i64
def call_in_a_loop(n):
    s = 0
    for i in range(n):
        s += first_divisor(i)
    return s
#> (i64) -> i64, polls


#: f32
def defaults(x):
    return with_default(x) + with_default(x, 2, shift=1) + with_default(k=1, x=x)
#> (f32) -> f32


#: ir f64
def with_constants(x):
    return x * scale + offsets[1]
#> (f64) -> f64
#> func @0 "with_constants"(%0: f64) -> f64 {
#>   %1 = const f64 2.5
#>   %2 = mul %0, %1
#>   %3 = const f64 2.5
#>   %4 = add %2, %3
#>   return %4
#> }


#: i32
def nested(x):
    def inner(y, k=x):
        return x + y * k

    x = 2.5
    return inner(1)
#> (i32) -> f64


#: i32
def local_lambda(x):
    f = lambda v, w=2: v * w + x
    return f(3) + f(x, 1)
#> (i32) -> i32


#: ir i32
def function_argument(x):
    return apply(lambda v: v * x, 2)
#> (i32) -> i32
#> func @0 "function_argument"(%0: i32) -> i32 {
#>   %1 = const i32 2
#>   %2 = mul %1, %0
#>   %3 = const i32 3
#>   %4 = mul %3, %0
#>   %5 = add %2, %4
#>   return %5
#> }


#: f64
def library(x):
    return sqrt(x) + math.sin(x) + np.exp(x) + abs(x)
#> (f64) -> f64


#: i32
def same_name_other_scope(x):
    def square(y):
        z = y * 1.5
        return z

    z = square(x)
    return z
#> (i32) -> f64


#: f32
the_lambda = lambda x: x * 2 + 1
#> (f32) -> f32


#: i32
def default_of_the_operator(x, k=2.5):
    return x * k
#> (i32) -> f64


#: i32
def missing_argument(x):
    return with_default()
#> `with_default` is missing the argument `x`
#>   File "calls.py", line 2
#>         return with_default()
#>                ^^^^^^^^^^^^^^


#: i32
def too_many_arguments(x):
    return square(x, x)
#> `square` takes 1 positional argument but 2 were given
#>   File "calls.py", line 2
#>         return square(x, x)
#>                ^^^^^^^^^^^^


#: i32
def unknown_keyword(x):
    return square(x, y=1)
#> `square` has no parameter `y`
#>   File "calls.py", line 2
#>         return square(x, y=1)
#>                ^^^^^^^^^^^^^^


#: i32
def two_values(x):
    return square(x, x=1)
#> `square` got two values for `x`
#>   File "calls.py", line 2
#>         return square(x, x=1)
#>                ^^^^^^^^^^^^^^


#: i32
def returns_nothing(x):
    return nothing(x)
#> `nothing` returns nothing on some path
#>   File "calls.py", line 1, in nothing
#>     def nothing(x):
#>     ^^^^^^^^^^^
#>   hint: end every path with `return` and a value


#: i32
def error_inside(x):
    return calls_bad(x)
#> strings are not values of compiled functions
#>   File "calls.py", line 2, in calls_bad → bad
#>         return x + "text"
#>                    ^^^^^^
#>   hint: use numbers


#: i32
def recursive(x):
    return factorial(x)
#> `factorial` is a function that calls itself, which compiled functions cannot use
#>   File "calls.py", line 2, in factorial
#>         return 1 if n < 2 else n * factorial(n - 1)
#>                                    ^^^^^^^^^
#>   hint: write it as a loop


#: i32
def locally_recursive(x):
    def f(n):
        return g(n)

    def g(n):
        return f(n)

    return f(x)
#> recursion is not supported: f → g → f
#>   File "calls.py", line 6, in f → g
#>             return f(n)
#>                    ^^^^
#>   hint: write it as a loop


#: i32
def calls_starred(x):
    return starred(x)
#> a function with *args is not supported
#>   File "calls.py", line 1, in starred
#>     def starred(*args):
#>                  ^^^^
#>   hint: name every parameter


#: i32
def calls_decorated(x):
    return decorated(x)
#> a function with decorators is not supported
#>   File "calls.py", line 0, in decorated
#>   hint: call the undecorated function


#: i32
def function_as_value(x):
    return square + x
#> `square` is a function, not a value
#>   File "calls.py", line 2
#>         return square + x
#>                ^^^^^^
#>   hint: call it, or pass it to a function that calls it


#: i32
def calls_a_number(x):
    return x(1)
#> this is not a function
#>   File "calls.py", line 2
#>         return x(1)
#>                ^


#: bool, i32
def function_bound_twice(c, x):
    f = lambda v: v
    if c:
        f = lambda v: v + 1
    return f(x)
#> `f` is bound to a function and in another place too
#>   File "calls.py", line 2
#>         f = lambda v: v
#>         ^
#>   hint: a name that stands for a function must be bound in one place only


#: i32, i32, i32
def operator_with_too_few_parameters(x):
    return x
#> `operator_with_too_few_parameters` takes 1 positional argument but 3 were given
#>   File "calls.py", line 1
#>     def operator_with_too_few_parameters(x):
#>     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^


#: i32
def operator_with_too_many_parameters(x, y):
    return x
#> `operator_with_too_many_parameters` is missing the argument `y`
#>   File "calls.py", line 1
#>     def operator_with_too_many_parameters(x, y):
#>     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
