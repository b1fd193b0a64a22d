"""Iterators: sequences that are computed while an algorithm reads or writes them."""

from freeloom._native import ConstantIterator as ConstantIterator
from freeloom._native import CountingIterator as CountingIterator
from freeloom._native import IteratorBase as IteratorBase
from freeloom._native import TransformIterator as TransformIterator
from freeloom._native import TransformOutputIterator as TransformOutputIterator
from freeloom._native import ZipIterator as ZipIterator

__all__ = [
    "ConstantIterator",
    "CountingIterator",
    "IteratorBase",
    "TransformIterator",
    "TransformOutputIterator",
    "ZipIterator",
]
