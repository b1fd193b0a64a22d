//! Iterators: values that are computed when an algorithm asks for them.

mod advanced;
mod available;
mod base;
mod bind;
mod classes;
mod node;
mod room;
mod start;

pub(crate) use advanced::{
    CacheModifiedInputIterator, DiscardIterator, PermutationIterator, ReverseIterator, ShuffleIterator,
};
pub(crate) use base::IteratorBase;
pub(crate) use bind::Binder;
pub(crate) use classes::{
    ConstantIterator, CountingIterator, TransformIterator, TransformOutputIterator, ZipIterator,
};
