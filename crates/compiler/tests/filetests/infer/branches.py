# Conditions, `and`, `or`, chained comparisons, branches.
import math

DEBUG = False
MODE = None


#: ir i32
def clamp(a):
    return 0 if a < 0 else a
#> (i32) -> i32
#> func @0 "clamp"(%0: i32) -> i32 {
#>   %1 = const i32 0
#>   %2 = lt %0, %1
#>   %3 = const i32 0
#>   %4 = select %2, %3, %0
#>   return %4
#> }


#: ir f64
def lazy_conditional(a):
    return math.log(a) if a > 0 else -math.inf
#> (f64) -> f64
#> func @0 "lazy_conditional"(%0: f64) -> f64 {
#>   var $0 "either": f64
#>   %1 = const f64 0.0
#>   %2 = gt %0, %1
#>   if %2 {
#>     %3 = log %0
#>     set $0, %3
#>   } else {
#>     %4 = const f64 -inf
#>     set $0, %4
#>   }
#>   %5 = get $0
#>   return %5
#> }


#: f32, i32
def joined_conditional(a, b):
    return a if a > b else b
#> (f32, i32) -> f64


#: i32
def all_paths_return(a):
    if a > 10:
        return 1
    elif a > 5:
        return 2.5
    else:
        return a
#> (i32) -> f64


#: ir bool, i64, i64
def if_else(c, a, b):
    if c:
        x = a
    else:
        x = b
    return x
#> (bool, i64, i64) -> i64
#> func @0 "if_else"(%0: bool, %1: i64, %2: i64) -> i64 {
#>   var $0 "x": i64
#>   if %0 {
#>     set $0, %1
#>   } else {
#>     set $0, %2
#>   }
#>   %3 = get $0
#>   return %3
#> }


#: i32
def pruned(a):
    if DEBUG:
        return "never compiled"
    return a
#> (i32) -> i32


#: i32
def pruned_by_none(a):
    if MODE is None:
        return a
    return MODE + a
#> (i32) -> i32


#: ir f32, f32, f32
def chained_comparison(a, b, c):
    return a < b <= c
#> (f32, f32, f32) -> bool
#> func @0 "chained_comparison"(%0: f32, %1: f32, %2: f32) -> bool {
#>   %3 = lt %0, %1
#>   %4 = le %1, %2
#>   %5 = and %3, %4
#>   return %5
#> }


#: ir i32, i32
def and_value(a, b):
    return a and b
#> (i32, i32) -> i32
#> func @0 "and_value"(%0: i32, %1: i32) -> i32 {
#>   %2 = cast %0 to bool
#>   %3 = select %2, %1, %0
#>   return %3
#> }


#: f64, i32
def or_value(a, b):
    return a or b
#> (f64, i32) -> f64


#: ir bool, bool
def bools(a, b):
    return a and not b
#> (bool, bool) -> bool
#> func @0 "bools"(%0: bool, %1: bool) -> bool {
#>   %2 = not %1
#>   %3 = and %0, %2
#>   return %3
#> }


#: f64, bool
def condition_of_mixed_types(x, flag):
    return 1 if x and flag else 0
#> (f64, bool) -> i64


#: i32
def known_operand(a):
    return True and a
#> (i32) -> i32


#: i32
def code_after_return(a):
    return a
    return undefined_name
#> (i32) -> i32


#: bool, f64
def conditional_of_tuples(c, a):
    return (a, 1) if c else (0, a)
#> (bool, f64) -> struct "tuple"[16, 8]{"field_0"@0: f64, "field_1"@8: f64}


#: bool, i32
def assigned_when_true(c, a):
    if c and (b := a + 1):
        return b
    return a
#> (bool, i32) -> i32


#: bool, i32
def unassigned_when_false(c, a):
    if c and (b := a + 1):
        return a
    return b
#> `b` may be used before it is assigned
#>   File "branches.py", line 4
#>         return b
#>                ^
#>   hint: assign it on every path that leads here


#: i32
def falls_off(a):
    if a > 0:
        return a
#> `falls_off` returns nothing on some path
#>   File "branches.py", line 1
#>     def falls_off(a):
#>     ^^^^^^^^^^^^^
#>   hint: end every path with `return` and a value


#: i32
def empty_return(a):
    if a > 0:
        return
    return a
#> `empty_return` returns nothing on some path
#>   File "branches.py", line 3
#>             return
#>             ^^^^^^
#>   hint: end every path with `return` and a value


#: i32
def comparison_by_identity(a):
    return a is 1
#> `is` compares objects, not values
#>   File "branches.py", line 2
#>         return a is 1
#>                     ^
#>   hint: use `==` or `!=`


#: i32
def membership(a):
    return a in (1, 2)
#> `in` is not supported
#>   File "branches.py", line 2
#>         return a in (1, 2)
#>                     ^^^^^^
#>   hint: compare with each item: `x == a or x == b`
