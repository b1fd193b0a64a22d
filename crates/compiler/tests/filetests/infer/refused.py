# Everything outside the language is refused with a reason and a hint.
import math
import numpy as np

thing = other("a socket")
Nothing = None
label = "text"


#: i32
def list_display(x):
    return [x, x]
#> lists are not supported
#>   File "refused.py", line 2
#>         return [x, x]
#>                ^^^^^^
#>   hint: use a tuple


#: i32
def dict_display(x):
    return {x: x}
#> dictionaries are not supported
#>   File "refused.py", line 2
#>         return {x: x}
#>                ^^^^^^
#>   hint: use a record type or a tuple


#: i32
def comprehension(x):
    return sum(i for i in (x, x))
#> comprehensions are not supported
#>   File "refused.py", line 2
#>         return sum(i for i in (x, x))
#>                   ^^^^^^^^^^^^^^^^^^^
#>   hint: use a `for` loop over `range(…)`


#: i32
def f_string(x):
    return f"{x}"
#> strings are not values of compiled functions
#>   File "refused.py", line 2
#>         return f"{x}"
#>                ^^^^^^
#>   hint: format outside the operator


#: i32
def raising(x):
    raise ValueError(x)
#> `raise` is not supported
#>   File "refused.py", line 2
#>         raise ValueError(x)
#>         ^^^^^^^^^^^^^^^^^^^
#>   hint: return a value that says so, such as `math.nan`


#: i32
def trying(x):
    try:
        return x
    except ValueError:
        return 0
#> `try` is not supported
#>   File "refused.py", line 2
#>         try:
#>         ^^^^
#>   hint: compute a valid result for every input


#: i32
def asserting(x):
    assert x > 0
    return x
#> `assert` is not supported
#>   File "refused.py", line 2
#>         assert x > 0
#>         ^^^^^^^^^^^^
#>   hint: check before the operator runs


#: i32
def with_block(x):
    with x:
        return x
#> `with` is not supported
#>   File "refused.py", line 2
#>         with x:
#>         ^^^^^^^
#>   hint: do it outside the operator


#: i32
def importing(x):
    import math

    return x
#> `import` inside the function is not supported
#>   File "refused.py", line 2
#>         import math
#>         ^^^^^^^^^^^
#>   hint: import at module level


#: i32
def global_statement(x):
    global counter
    counter = x
    return x
#> `global` is not supported
#>   File "refused.py", line 2
#>         global counter
#>         ^^^^^^^^^^^^^^
#>   hint: return the new value instead of assigning a global


#: i32
def nonlocal_statement(x):
    y = 1

    def f():
        nonlocal y
        y = 2
        return y

    return f() + x
#> `nonlocal` is not supported
#>   File "refused.py", line 5, in f
#>             nonlocal y
#>             ^^^^^^^^^^
#>   hint: return the new value and assign it where it is used


#: i32
def printing(x):
    print(x)
    return x
#> print is not supported
#>   File "refused.py", line 2
#>         print(x)
#>         ^^^^^^^^
#>   hint: docs/typing-rules.md lists the functions that are


#: i32
def matching(x):
    match x:
        case 1:
            return 1
    return x
#> `match` is not supported
#>   File "refused.py", line 2
#>         match x:
#>         ^^^^^^^^
#>   hint: use `if` and `elif`


#: i32
def string_value(x):
    return x + label
#> strings are not values of compiled functions
#>   File "refused.py", line 2
#>         return x + label
#>                    ^^^^^
#>   hint: use numbers


#: i32
def none_value(x):
    return x + Nothing
#> `None` is not a value of compiled functions
#>   File "refused.py", line 2
#>         return x + Nothing
#>                    ^^^^^^^
#>   hint: use a number


#: i32
def unusable_capture(x):
    return thing.read(x)
#> `thing` is a socket, which compiled functions cannot use
#>   File "refused.py", line 2
#>         return thing.read(x)
#>                ^^^^^
#>   hint: they can use numbers, tuples, records, NumPy arrays, Python functions, `math` and NumPy functions


#: i32
def module_as_value(x):
    return math + x
#> `math` is the module math, which compiled functions cannot use
#>   File "refused.py", line 2
#>         return math + x
#>                ^^^^
#>   hint: they can use numbers, tuples, records, NumPy arrays, Python functions, `math` and NumPy functions


#: i32
def star_argument(x):
    return max(*(x, x))
#> `*` in a list of values is not supported
#>   File "refused.py", line 2
#>         return max(*(x, x))
#>                    ^^^^^^^
#>   hint: write the values out


#: i32
def huge_integer(x):
    return x + 1000000000000000000000000000000000000000000
#> integers beyond 128 bits are not supported
#>   File "refused.py", line 2
#>         return x + 1000000000000000000000000000000000000000000
#>                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#>   hint: use a float


#: i32
def yielding(x):
    yield x
#> a function with yield is not supported
#>   File "refused.py", line 2
#>         yield x
#>         ^^^^^^^
#>   hint: write a plain function that returns one value


#: i32
def star_parameters(x, *rest):
    return x
#> a function with *args is not supported
#>   File "refused.py", line 1
#>     def star_parameters(x, *rest):
#>                             ^^^^
#>   hint: name every parameter


#: i32
def matrix_product(x):
    return x @ x
#> `@` is not supported between int32 and int32
#>   File "refused.py", line 2
#>         return x @ x
#>                ^^^^^
#>   hint: write the sum of products


#: i32
def non_ascii(größe):
    return größe + [größe]
#> lists are not supported
#>   File "refused.py", line 2
#>         return größe + [größe]
#>                        ^^^^^^^
#>   hint: use a tuple


#: f64
def keyword_of_numpy(x):
    return np.add(x, 1, dtype=np.float32)
#> numpy.add with `dtype` is not supported
#>   File "refused.py", line 2
#>         return np.add(x, 1, dtype=np.float32)
#>                                   ^^^^^^^^^^
#>   hint: convert the result, as in `np.float32(x)`
