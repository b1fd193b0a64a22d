# Records and tuples.
import numpy as np

Point = record(x="f32", y="f32")
Pair = record(lo="Point", n="i64")
Wide = record(x="f64", y="f64")


#: ir Point, Point
def add(p, q):
    return Point(p.x + q.x, p.y + q.y)
#> (struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}) -> struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}
#> func @0 "add"(%0: struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, %1: struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}) -> struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32} {
#>   %2 = extract %0, 0
#>   %3 = extract %1, 0
#>   %4 = add %2, %3
#>   %5 = extract %0, 1
#>   %6 = extract %1, 1
#>   %7 = add %5, %6
#>   %8 = make struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32} [%4, %7]
#>   return %8
#> }


#: Point, Point
def select(p, q):
    return p if p[0] >= q[0] else q
#> (struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}) -> struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}


#: Pair
def nested_field(p):
    return p.lo.x * p.n
#> (struct "Pair"[16, 8]{"lo"@0: struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, "n"@8: i64}) -> f64


#: Point -> Wide
def widened(p):
    return p
#> (struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}) -> struct "Wide"[16, 8]{"x"@0: f64, "y"@8: f64}


#: i32
def by_keyword(a):
    return Pair(lo=Point(a, 1), n=2)
#> (i32) -> struct "Pair"[16, 8]{"lo"@0: struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, "n"@8: i64}


#: Point, i32
def fold(p, n):
    acc = p
    for i in range(n):
        acc = Point(acc.x + 1, acc.y)
    return acc
#> (struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, i32) -> struct "Point"[8, 4]{"x"@0: f32, "y"@4: f32}, polls


#: i64
def dtype_constructor(a):
    return np.float32(a) * np.int8(1)
#> (i64) -> f32


#: c64
def complex_parts(z):
    return z.real + z.imag + z.conjugate().real
#> (complex<f32>) -> f32


#: Point
def no_such_field(p):
    return p.z
#> record Point has no field z
#>   File "records.py", line 2
#>         return p.z
#>                ^^^
#>   hint: its fields are x, y


#: Point
def wrong_number_of_fields(p):
    return Point(p.x)
#> field y of Point is missing
#>   File "records.py", line 2
#>         return Point(p.x)
#>                ^^^^^^^^^^
#>   hint: Point(x, y)


#: f64
def attribute_of_number(x):
    return x.shape
#> float64 has no attribute shape
#>   File "records.py", line 2
#>         return x.shape
#>                ^^^^^^^
