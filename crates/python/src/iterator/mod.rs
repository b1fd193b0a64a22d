//! Iterators: values that are computed when an algorithm asks for them.

mod base;
mod classes;
mod node;
mod start;

pub(crate) use base::IteratorBase;
pub(crate) use classes::{
    ConstantIterator, CountingIterator, TransformIterator, TransformOutputIterator, ZipIterator,
};
pub(crate) use node::Binder;
