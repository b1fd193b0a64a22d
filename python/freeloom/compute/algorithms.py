"""The algorithms: each as a function, and as a `make_*` function that builds an object to call again."""

from freeloom._native import binary_transform as binary_transform
from freeloom._native import exclusive_scan as exclusive_scan
from freeloom._native import inclusive_scan as inclusive_scan
from freeloom._native import make_binary_transform as make_binary_transform
from freeloom._native import make_exclusive_scan as make_exclusive_scan
from freeloom._native import make_inclusive_scan as make_inclusive_scan
from freeloom._native import make_reduce_into as make_reduce_into
from freeloom._native import make_unary_transform as make_unary_transform
from freeloom._native import reduce_into as reduce_into
from freeloom._native import unary_transform as unary_transform

__all__ = [
    "binary_transform",
    "exclusive_scan",
    "inclusive_scan",
    "make_binary_transform",
    "make_exclusive_scan",
    "make_inclusive_scan",
    "make_reduce_into",
    "make_unary_transform",
    "reduce_into",
    "unary_transform",
]
