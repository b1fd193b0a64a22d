//! Parallel algorithms over iterators and operators.
//!
//! What decides the code is a [`spec`]: plain data, hashable, without anything that is only known when the
//! algorithm runs. [`plan`](crate) objects are built from a spec once per process and shared by every
//! thread. What is known only at the call — pointers, shapes, strides, start values, captured arrays — comes
//! as a [`binding`], a tree of the same shape as the spec's iterator.
//!
//! Iterators are compiled into the kernels: a transform of a zip of arrays is a few instructions in the loop
//! and never an array.

pub mod binding;
pub mod opkind;
pub mod spec;

pub use binding::{ArrayBinding, Dims, IterBinding, OpBinding};
pub use opkind::OpKind;
pub use spec::{Determinism, IterSpec, Operator, ReduceSpec, ScanKind, ScanSpec, TransformSpec};
