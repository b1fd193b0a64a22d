# Locals: the type of each is the join of its assignments.
import numpy as np

Point = record(x="f32", y="f32")


#: ir i32, i32
def add(a, b):
    return a + b
#> (i32, i32) -> i32
#> func @0 "add"(%0: i32, %1: i32) -> i32 {
#>   %2 = add %0, %1
#>   return %2
#> }


#: ir f64, f64
def through_locals(a, b):
    s = a + b
    t = s
    return t
#> (f64, f64) -> f64
#> func @0 "through_locals"(%0: f64, %1: f64) -> f64 {
#>   %2 = add %0, %1
#>   return %2
#> }


#: ir i64
def widened(n):
    x = 0
    x = x + 1.5
    return x * n
#> (i64) -> f64
#> func @0 "widened"(%0: i64) -> f64 {
#>   var $0 "x": f64
#>   %1 = const f64 0.0
#>   set $0, %1
#>   %2 = get $0
#>   %3 = const f64 1.5
#>   %4 = add %2, %3
#>   set $0, %4
#>   %5 = get $0
#>   %6 = cast %0 to f64
#>   %7 = mul %5, %6
#>   return %7
#> }


#: i8, f32
def narrow_and_wide(a, b):
    x = a
    x = b
    return x
#> (i8, f32) -> f32


#: f64
def widened_in_a_loop(limit):
    total = 0
    for i in range(10):
        total = total + limit
    return total
#> (f64) -> f64


#: ir f32, f32
def swapped(a, b):
    a, b = b, a
    return a - b
#> (f32, f32) -> f32
#> func @0 "swapped"(%0: f32, %1: f32) -> f32 {
#>   var $0 "a": f32
#>   var $1 "b": f32
#>   set $0, %0
#>   set $1, %1
#>   %2 = get $1
#>   %3 = get $0
#>   set $0, %2
#>   set $1, %3
#>   %4 = get $0
#>   %5 = get $1
#>   %6 = sub %4, %5
#>   return %6
#> }


#: i32
def nested_unpacking(a):
    (x, y), z = (a, 1.5), 2
    return x * y + z
#> (i32) -> f64


#: i32
def chained(a):
    x = y = a
    return x * y
#> (i32) -> i32


#: i32
def annotated(a):
    x: float = a
    return x
#> (i32) -> i32


#: f32
def augmented(a):
    a += 1
    a *= 2.5
    return a
#> (f32) -> f32


#: i64
def walrus(a):
    if (b := a * 2) > 10 and (c := b + 1.5) > 0:
        return c
    return b
#> (i64) -> f64


#: f64
def weak_result(a):
    return 1
#> (f64) -> i64


#: f64
def tuple_result(a):
    return a, 1, (2, 3.5)
#> (f64) -> struct "tuple"[32, 8]{"field_0"@0: f64, "field_1"@8: i64, "field_2"@16: struct "tuple"[16, 8]{"field_0"@0: i64, "field_1"@8: f64}}


#: f32, f32 -> Point
def tuple_to_record(a, b):
    return a, b
#> (f32, f32) -> struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}


#: Point
def unpacked_record(p):
    x, y = p
    return x * y
#> (struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}) -> f32


#: (i32, f64)
def tuple_argument(t):
    return t[0] + t[1]
#> ((i32, f64)) -> f64


#: bool, i32
def tuple_local(c, n):
    best = (n, 0)
    if c:
        best = (n + 1, 0.5)
    return best
#> (bool, i32) -> struct "tuple"[16, 8]{"field_0"@0: i32, "field_1"@8: f64}


#: i32
def docstring(a):
    """Says what it does."""
    pass
    return a
#> (i32) -> i32


#: bool, i32
def maybe_unassigned(c, a):
    if c:
        x = a
    return x
#> `x` may be used before it is assigned
#>   File "locals.py", line 4
#>         return x
#>                ^
#>   hint: assign it on every path that leads here


#: i32
def assigned_later(a):
    b = x + a
    x = b
    return x
#> `x` may be used before it is assigned
#>   File "locals.py", line 2
#>         b = x + a
#>             ^
#>   hint: assign it on every path that leads here


#: i32
def only_annotated(a):
    x: int
    return x + a
#> `x` may be used before it is assigned
#>   File "locals.py", line 3
#>         return x + a
#>                ^
#>   hint: assign it on every path that leads here


#: i32
def wrong_count(a):
    x, y, z = a, a
    return x
#> 2 values cannot be unpacked into 3 targets
#>   File "locals.py", line 2
#>         x, y, z = a, a
#>         ^^^^^^^


#: i32
def unpacked_number(a):
    x, y = a
    return x
#> a number cannot be unpacked
#>   File "locals.py", line 2
#>         x, y = a
#>         ^^^^
#>   hint: only tuples, records and sub-arrays have components


#: bool, i32
def join_of_tuple_and_number(c, a):
    x = a
    if c:
        x = (a, a)
    return x
#> one value cannot be both int32 and tuple (int32, int32)
#>   File "locals.py", line 4
#>             x = (a, a)
#>             ^
#>   hint: use a second variable, or make both the same type


#: i32
def starred(a):
    x, *y = a, a, a
    return x
#> `*` in an assignment is not supported
#>   File "locals.py", line 2
#>         x, *y = a, a, a
#>            ^^
#>   hint: name every item


#: Point
def field_assignment(p):
    p.x = 1
    return p
#> fields of records cannot be assigned
#>   File "locals.py", line 2
#>         p.x = 1
#>         ^^^
#>   hint: build a new record from the fields


#: i32
def undefined(a):
    return a + missing
#> the name `missing` is not defined
#>   File "locals.py", line 2
#>         return a + missing
#>                    ^^^^^^^
#>   hint: names are looked up when the function is handed over: define it before
