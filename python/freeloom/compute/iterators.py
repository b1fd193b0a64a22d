"""Iterators: sequences that are computed while an algorithm reads or writes them."""

from freeloom._native import CacheModifiedInputIterator as CacheModifiedInputIterator
from freeloom._native import ConstantIterator as ConstantIterator
from freeloom._native import CountingIterator as CountingIterator
from freeloom._native import DiscardIterator as DiscardIterator
from freeloom._native import IteratorBase as IteratorBase
from freeloom._native import PermutationIterator as PermutationIterator
from freeloom._native import ReverseIterator as ReverseIterator
from freeloom._native import ShuffleIterator as ShuffleIterator
from freeloom._native import TransformIterator as TransformIterator
from freeloom._native import TransformOutputIterator as TransformOutputIterator
from freeloom._native import ZipIterator as ZipIterator

__all__ = [
    "CacheModifiedInputIterator",
    "ConstantIterator",
    "CountingIterator",
    "DiscardIterator",
    "IteratorBase",
    "PermutationIterator",
    "ReverseIterator",
    "ShuffleIterator",
    "TransformIterator",
    "TransformOutputIterator",
    "ZipIterator",
]
