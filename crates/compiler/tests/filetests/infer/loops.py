# Loops.
import math
import numpy as np

weights = array("f64", 1)
table = array("f32", 2)


#: ir i64
def count(n):
    s = 0
    for i in range(n):
        s += i
    return s
#> (i64) -> i64, polls
#> func @0 "count"(%0: i64) -> i64 {
#>   var $0 "s": i64
#>   var $1 "i": i64
#>   %1 = const i64 0
#>   set $0, %1
#>   %2 = const i64 0
#>   %3 = const i64 1
#>   for %4 = %2 to %0 {
#>     poll
#>     set $1, %4
#>     %5 = get $0
#>     %6 = get $1
#>     %7 = add %5, %6
#>     set $0, %7
#>   }
#>   %8 = get $0
#>   return %8
#> }


#: ir i64
def down(n):
    s = 0
    for i in range(n, 0, -2):
        s += i
    return s
#> (i64) -> i64, polls
#> func @0 "down"(%0: i64) -> i64 {
#>   var $0 "s": i64
#>   var $1 "i": i64
#>   %1 = const i64 0
#>   set $0, %1
#>   %2 = const i64 0
#>   %3 = const i64 -2
#>   %4 = const i64 0
#>   %5 = const u64 2
#>   %6 = lt %2, %0
#>   %7 = sub %0, %2
#>   %8 = cast %7 to u64
#>   %9 = const u64 1
#>   %10 = sub %8, %9
#>   %11 = div %10, %5
#>   %12 = add %11, %9
#>   %13 = const u64 9223372036854775807
#>   %14 = min %12, %13
#>   %15 = cast %14 to i64
#>   %16 = const i64 0
#>   %17 = select %6, %15, %16
#>   for %18 = %4 to %17 {
#>     poll
#>     %19 = mul %18, %3
#>     %20 = add %0, %19
#>     set $1, %20
#>     %21 = get $0
#>     %22 = get $1
#>     %23 = add %21, %22
#>     set $0, %23
#>   }
#>   %24 = get $0
#>   return %24
#> }


#: ir i64, i64, i64
def any_step(a, b, c):
    s = 0
    for i in range(a, b, c):
        s += i
    return s
#> (i64, i64, i64) -> i64, polls
#> func @0 "any_step"(%0: i64, %1: i64, %2: i64) -> i64 {
#>   var $0 "s": i64
#>   var $1 "i": i64
#>   %3 = const i64 0
#>   set $0, %3
#>   %4 = const i64 0
#>   %5 = const i64 0
#>   %6 = eq %2, %5
#>   if %6 {
#>     fail zero_step
#>   }
#>   %7 = gt %2, %5
#>   %8 = select %7, %0, %1
#>   %9 = select %7, %1, %0
#>   %10 = abs %2
#>   %11 = cast %10 to u64
#>   %12 = lt %8, %9
#>   %13 = sub %9, %8
#>   %14 = cast %13 to u64
#>   %15 = const u64 1
#>   %16 = sub %14, %15
#>   %17 = div %16, %11
#>   %18 = add %17, %15
#>   %19 = const u64 9223372036854775807
#>   %20 = min %18, %19
#>   %21 = cast %20 to i64
#>   %22 = const i64 0
#>   %23 = select %12, %21, %22
#>   for %24 = %4 to %23 {
#>     poll
#>     %25 = mul %24, %2
#>     %26 = add %0, %25
#>     set $1, %26
#>     %27 = get $0
#>     %28 = get $1
#>     %29 = add %27, %28
#>     set $0, %29
#>   }
#>   %30 = get $0
#>   return %30
#> }


#: f32
def power(x):
    r = x
    for _ in range(3):
        r = r * x
    return r
#> (f32) -> f32


#: i32
def loop_variable_after(n):
    for i in range(5):
        i = i * 2
    return i
#> (i32) -> i64


#: i32
def loop_variable_maybe_unassigned(n):
    for i in range(n):
        pass
    return i
#> `i` may be used before it is assigned
#>   File "loops.py", line 4
#>         return i
#>                ^
#>   hint: assign it on every path that leads here


#: i32
def zero_rounds(n):
    x = n
    for i in range(0):
        x = "never"
    return x
#> (i32) -> i32


#: ir u32
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
#> (u32) -> i64, polls
#> func @0 "collatz"(%0: u32) -> i64 {
#>   var $0 "n": u32
#>   var $1 "steps": i64
#>   set $0, %0
#>   %1 = const i64 0
#>   set $1, %1
#>   loop {
#>     poll
#>     %2 = get $0
#>     %3 = const u32 1
#>     %4 = ne %2, %3
#>     if %4 {
#>     } else {
#>       break
#>     }
#>     %5 = get $0
#>     %6 = const u32 2
#>     %7 = rem %5, %6
#>     %8 = const u32 0
#>     %9 = eq %7, %8
#>     %10 = get $0
#>     %11 = const u32 2
#>     %12 = div %10, %11
#>     %13 = get $0
#>     %14 = const u32 3
#>     %15 = mul %14, %13
#>     %16 = const u32 1
#>     %17 = add %15, %16
#>     %18 = select %9, %12, %17
#>     set $0, %18
#>     %19 = get $1
#>     %20 = const i64 1
#>     %21 = add %19, %20
#>     set $1, %21
#>   }
#>   %22 = get $1
#>   return %22
#> }


#: f64
def endless(x):
    while True:
        x = x * 0.5
        if x < 1:
            return x
#> (f64) -> f64, polls


#: ir i64
def while_break(n):
    while True:
        if n > 100:
            found = n
            break
        n = n * 2
    return found
#> (i64) -> i64, polls
#> func @0 "while_break"(%0: i64) -> i64 {
#>   var $0 "n": i64
#>   var $1 "found": i64
#>   set $0, %0
#>   loop {
#>     poll
#>     %1 = get $0
#>     %2 = const i64 100
#>     %3 = gt %1, %2
#>     if %3 {
#>       %4 = get $0
#>       set $1, %4
#>       break
#>     }
#>     %5 = get $0
#>     %6 = const i64 2
#>     %7 = mul %5, %6
#>     set $0, %7
#>   }
#>   %8 = get $1
#>   return %8
#> }


#: ir i64
def for_else(n):
    for d in range(2, n):
        if n % d == 0:
            r = d
            break
    else:
        r = -1
    return r
#> (i64) -> i64, polls
#> func @0 "for_else"(%0: i64) -> i64 {
#>   var $0 "broke": bool
#>   var $1 "d": i64
#>   var $2 "r": i64
#>   %1 = const i64 2
#>   %2 = const i64 1
#>   %3 = const bool false
#>   set $0, %3
#>   for %4 = %1 to %0 {
#>     poll
#>     set $1, %4
#>     %5 = get $1
#>     %6 = rem %0, %5
#>     %7 = const i64 0
#>     %8 = ne %6, %7
#>     %9 = xor %6, %5
#>     %10 = const i64 0
#>     %11 = lt %9, %10
#>     %12 = and %8, %11
#>     %13 = add %6, %5
#>     %14 = select %12, %13, %6
#>     %15 = const i64 0
#>     %16 = eq %14, %15
#>     if %16 {
#>       %17 = get $1
#>       set $2, %17
#>       %18 = const bool true
#>       set $0, %18
#>       break
#>     }
#>   }
#>   %19 = get $0
#>   if %19 {
#>   } else {
#>     %20 = const i64 -1
#>     set $2, %20
#>   }
#>   %21 = get $2
#>   return %21
#> }


#: i64
def while_else(n):
    while n > 10:
        n -= 3
        if n == 50:
            break
    else:
        n = 0
    return n
#> (i64) -> i64, polls


#: i64
def continued(n):
    s = 0
    for i in range(n):
        if i % 2:
            continue
        s += i
    return s
#> (i64) -> i64, polls


#: ir f32
def unrolled(x):
    s = 0
    for c in (1, 2.5, x):
        s += c
    return s
#> (f32) -> f32
#> func @0 "unrolled"(%0: f32) -> f32 {
#>   var $0 "s": f32
#>   %1 = const f32 0.0
#>   set $0, %1
#>   %2 = get $0
#>   %3 = const f32 1.0
#>   %4 = add %2, %3
#>   set $0, %4
#>   %5 = get $0
#>   %6 = const f32 2.5
#>   %7 = add %5, %6
#>   set $0, %7
#>   %8 = get $0
#>   %9 = add %8, %0
#>   set $0, %9
#>   %10 = get $0
#>   return %10
#> }


#: ir i32
def unrolled_with_break(x):
    for c in (2, 3, 5):
        if x % c == 0:
            break
    else:
        c = 0
    return c
#> (i32) -> i64
#> func @0 "unrolled_with_break"(%0: i32) -> i64 {
#>   var $0 "broke": bool
#>   var $1 "c": i64
#>   %1 = const bool false
#>   set $0, %1
#>   loop {
#>     loop {
#>       %2 = const i64 2
#>       set $1, %2
#>       %3 = get $1
#>       %4 = cast %3 to i32
#>       %5 = rem %0, %4
#>       %6 = const i32 0
#>       %7 = ne %5, %6
#>       %8 = xor %5, %4
#>       %9 = const i32 0
#>       %10 = lt %8, %9
#>       %11 = and %7, %10
#>       %12 = add %5, %4
#>       %13 = select %11, %12, %5
#>       %14 = const i32 0
#>       %15 = eq %13, %14
#>       if %15 {
#>         %16 = const bool true
#>         set $0, %16
#>         break
#>       }
#>       break
#>     }
#>     %17 = get $0
#>     if %17 {
#>       break
#>     }
#>     loop {
#>       %18 = const i64 3
#>       set $1, %18
#>       %19 = get $1
#>       %20 = cast %19 to i32
#>       %21 = rem %0, %20
#>       %22 = const i32 0
#>       %23 = ne %21, %22
#>       %24 = xor %21, %20
#>       %25 = const i32 0
#>       %26 = lt %24, %25
#>       %27 = and %23, %26
#>       %28 = add %21, %20
#>       %29 = select %27, %28, %21
#>       %30 = const i32 0
#>       %31 = eq %29, %30
#>       if %31 {
#>         %32 = const bool true
#>         set $0, %32
#>         break
#>       }
#>       break
#>     }
#>     %33 = get $0
#>     if %33 {
#>       break
#>     }
#>     loop {
#>       %34 = const i64 5
#>       set $1, %34
#>       %35 = get $1
#>       %36 = cast %35 to i32
#>       %37 = rem %0, %36
#>       %38 = const i32 0
#>       %39 = ne %37, %38
#>       %40 = xor %37, %36
#>       %41 = const i32 0
#>       %42 = lt %40, %41
#>       %43 = and %39, %42
#>       %44 = add %37, %36
#>       %45 = select %43, %44, %37
#>       %46 = const i32 0
#>       %47 = eq %45, %46
#>       if %47 {
#>         %48 = const bool true
#>         set $0, %48
#>         break
#>       }
#>       break
#>     }
#>     %49 = get $0
#>     if %49 {
#>       break
#>     }
#>     break
#>   }
#>   %50 = get $0
#>   if %50 {
#>   } else {
#>     %51 = const i64 0
#>     set $1, %51
#>   }
#>   %52 = get $1
#>   return %52
#> }


#: i32
def unrolled_pairs(x):
    s = 0
    for a, b in ((1, 2), (3, 4)):
        if a == x:
            continue
        s += a * b
    return s
#> (i32) -> i64


#: f32[3]
def over_sub_array(v):
    s = np.float32(0)
    for x in v:
        s += x
    return s
#> ([3 x f32]) -> f32


#: f64
def over_array(x):
    s = 0.0
    for w in weights:
        s += w * x
    return s
#> (f64) -> f64, polls
#> reads array 0: f64 of 1 dimensions, at least [0]


#: f32
def always_leaves(x):
    for i in range(3):
        return x
#> (f32) -> f32


#: i32
def long_constant_loop(x):
    s = x
    for i in range(1000):
        for j in range(1000):
            s += 1
    return s
#> (i32) -> i32, polls


#: i32
def step_zero(n):
    for i in range(0, n, 0):
        pass
    return n
#> the step of `range()` is zero
#>   File "loops.py", line 2
#>         for i in range(0, n, 0):
#>                  ^^^^^^^^^^^^^^
#>   hint: use a step other than 0


#: f32
def range_of_float(x):
    s = 0
    for i in range(x):
        s += i
    return s
#> `range()` needs integers
#>   File "loops.py", line 3
#>         for i in range(x):
#>                        ^
#>   hint: convert it, as in `int(x)`


#: i32
def over_zip(n):
    s = 0
    for a, b in zip((1, 2), (3, 4)):
        s += a
    return s
#> iterating over `zip()` is not supported
#>   File "loops.py", line 3
#>         for a, b in zip((1, 2), (3, 4)):
#>                     ^^^^^^^^^^^^^^^^^^^
#>   hint: use `for i in range(…)` and index


#: i32
def over_number(n):
    for i in n:
        pass
    return n
#> this cannot be iterated over
#>   File "loops.py", line 2
#>         for i in n:
#>                  ^
#>   hint: loops run over `range(…)`, tuples and arrays of one dimension


#: i32
def over_matrix(n):
    for row in table:
        pass
    return n
#> iterating over an array of 2 dimensions
#>   File "loops.py", line 2
#>         for row in table:
#>                    ^^^^^
#>   hint: loop over `range(…)` of each `.shape[k]` and index


#: i32
def range_as_value(n):
    r = range(n)
    return n
#> `range()` is supported in `for` loops only
#>   File "loops.py", line 2
#>         r = range(n)
#>             ^^^^^^^^
#>   hint: write `for i in range(…):`


#: i32
def assigned_in_body_only(n):
    while n > 0:
        last = n
        n -= 1
    return last
#> `last` may be used before it is assigned
#>   File "loops.py", line 5
#>         return last
#>                ^^^^
#>   hint: assign it on every path that leads here


#: ir i64
def loop_that_never_begins(n):
    x = n
    while x := 0:
        n = 1
    return x
#> (i64) -> i64
#> func @0 "loop_that_never_begins"(%0: i64) -> i64 {
#>   var $0 "n": i64
#>   var $1 "x": i64
#>   set $0, %0
#>   %1 = get $0
#>   set $1, %1
#>   %2 = const i64 0
#>   set $1, %2
#>   %3 = get $1
#>   return %3
#> }
