"""Parallel algorithms over arrays and iterators, with operators written in Python.

Names and signatures are those of `cuda.compute`. Data lies in host memory: NumPy arrays, and anything that
has `__array_interface__`, the buffer protocol or DLPack.
"""

from freeloom._native import CacheModifiedInputIterator as CacheModifiedInputIterator
from freeloom._native import ConstantIterator as ConstantIterator
from freeloom._native import CountingIterator as CountingIterator
from freeloom._native import DiscardIterator as DiscardIterator
from freeloom._native import PermutationIterator as PermutationIterator
from freeloom._native import ReverseIterator as ReverseIterator
from freeloom._native import ShuffleIterator as ShuffleIterator
from freeloom._native import TransformIterator as TransformIterator
from freeloom._native import TransformOutputIterator as TransformOutputIterator
from freeloom._native import ZipIterator as ZipIterator
from freeloom._native import binary_transform as binary_transform
from freeloom._native import clear_all_caches as clear_all_caches
from freeloom._native import exclusive_scan as exclusive_scan
from freeloom._native import histogram_even as histogram_even
from freeloom._native import inclusive_scan as inclusive_scan
from freeloom._native import lower_bound as lower_bound
from freeloom._native import make_binary_transform as make_binary_transform
from freeloom._native import make_exclusive_scan as make_exclusive_scan
from freeloom._native import make_histogram_even as make_histogram_even
from freeloom._native import make_inclusive_scan as make_inclusive_scan
from freeloom._native import make_lower_bound as make_lower_bound
from freeloom._native import make_merge_sort as make_merge_sort
from freeloom._native import make_radix_sort as make_radix_sort
from freeloom._native import make_reduce_into as make_reduce_into
from freeloom._native import make_segmented_reduce as make_segmented_reduce
from freeloom._native import make_segmented_sort as make_segmented_sort
from freeloom._native import make_select as make_select
from freeloom._native import make_three_way_partition as make_three_way_partition
from freeloom._native import make_unary_transform as make_unary_transform
from freeloom._native import make_unique_by_key as make_unique_by_key
from freeloom._native import make_upper_bound as make_upper_bound
from freeloom._native import merge_sort as merge_sort
from freeloom._native import radix_sort as radix_sort
from freeloom._native import reduce_into as reduce_into
from freeloom._native import segmented_reduce as segmented_reduce
from freeloom._native import segmented_sort as segmented_sort
from freeloom._native import select as select
from freeloom._native import three_way_partition as three_way_partition
from freeloom._native import unary_transform as unary_transform
from freeloom._native import unique_by_key as unique_by_key
from freeloom._native import upper_bound as upper_bound
from freeloom.compute import types as types
from freeloom.compute._sorting import DoubleBuffer as DoubleBuffer
from freeloom.compute._sorting import SortOrder as SortOrder
from freeloom.compute.determinism import Determinism as Determinism
from freeloom.compute.op import OpKind as OpKind
from freeloom.compute.struct import gpu_struct as gpu_struct
from freeloom.compute.struct import record as record

__all__ = [
    "CacheModifiedInputIterator",
    "ConstantIterator",
    "CountingIterator",
    "Determinism",
    "DiscardIterator",
    "DoubleBuffer",
    "OpKind",
    "PermutationIterator",
    "ReverseIterator",
    "ShuffleIterator",
    "SortOrder",
    "TransformIterator",
    "TransformOutputIterator",
    "ZipIterator",
    "binary_transform",
    "clear_all_caches",
    "exclusive_scan",
    "gpu_struct",
    "histogram_even",
    "inclusive_scan",
    "lower_bound",
    "make_binary_transform",
    "make_exclusive_scan",
    "make_histogram_even",
    "make_inclusive_scan",
    "make_lower_bound",
    "make_merge_sort",
    "make_radix_sort",
    "make_reduce_into",
    "make_segmented_reduce",
    "make_segmented_sort",
    "make_select",
    "make_three_way_partition",
    "make_unary_transform",
    "make_unique_by_key",
    "make_upper_bound",
    "merge_sort",
    "radix_sort",
    "record",
    "reduce_into",
    "segmented_reduce",
    "segmented_sort",
    "select",
    "three_way_partition",
    "types",
    "unary_transform",
    "unique_by_key",
    "upper_bound",
]
