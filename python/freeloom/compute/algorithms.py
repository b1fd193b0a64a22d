"""The algorithms: each as a function, and as a `make_*` function that builds an object to call again."""

from freeloom._native import binary_transform as binary_transform
from freeloom._native import exclusive_scan as exclusive_scan
from freeloom._native import inclusive_scan as inclusive_scan
from freeloom._native import make_binary_transform as make_binary_transform
from freeloom._native import make_exclusive_scan as make_exclusive_scan
from freeloom._native import make_inclusive_scan as make_inclusive_scan
from freeloom._native import make_reduce_into as make_reduce_into
from freeloom._native import make_select as make_select
from freeloom._native import make_three_way_partition as make_three_way_partition
from freeloom._native import make_unary_transform as make_unary_transform
from freeloom._native import make_unique_by_key as make_unique_by_key
from freeloom._native import reduce_into as reduce_into
from freeloom._native import select as select
from freeloom._native import three_way_partition as three_way_partition
from freeloom._native import unary_transform as unary_transform
from freeloom._native import unique_by_key as unique_by_key

__all__ = [
    "binary_transform",
    "exclusive_scan",
    "inclusive_scan",
    "make_binary_transform",
    "make_exclusive_scan",
    "make_inclusive_scan",
    "make_reduce_into",
    "make_select",
    "make_three_way_partition",
    "make_unary_transform",
    "make_unique_by_key",
    "reduce_into",
    "select",
    "three_way_partition",
    "unary_transform",
    "unique_by_key",
]
