//! Parallel algorithms over iterators and operators.
//!
//! What decides the code is a [`spec`]: plain data, hashable, without anything that is only known when the
//! algorithm runs. Plans ([`ReducePlan`], [`ScanPlan`], [`TransformPlan`]) are built from a spec once per
//! process and shared by every thread. What is known only at the call — pointers, shapes, strides, start
//! values, captured arrays — comes as a [`binding`], a tree of the same shape as the spec's iterator.
//!
//! Iterators are compiled into the kernels: a transform of a zip of arrays is a few instructions in the loop
//! and never an array.
//!
//! ```text
//! spec ─iter, op─▶ typed tree ─reduce|scan|transform::cpu─▶ ir::Module ─cache─▶ code ─▶ plan
//! binding ─iter, op─▶ argument slots + memory layouts ─plan─▶ kernels called block by block
//! ```
#![deny(unsafe_code)]

pub mod binding;
mod cache;
mod chain;
mod compact;
mod error;
mod grain;
mod histogram;
mod iter;
mod kernel;
#[cfg(test)]
mod kernel_tests;
mod merge_sort;
mod op;
pub mod opkind;
mod plan;
mod reduce;
mod scan;
mod search;
mod segmented;
mod sort;
pub mod spec;
mod transform;

pub use binding::{ArrayBinding, Dims, IterBinding, OpBinding};
pub use cache::{CacheStats, cache_stats, clear_caches};
pub use compact::{CompactArgs, CompactPlan, CompactRule, CompactSpec};
pub use error::{BuildError, RunError};
pub use histogram::{Bins, HistogramPlan, HistogramSpec};
pub use iter::{item_type, output_item_type};
pub use merge_sort::{MergeSortPlan, MergeSortSpec};
pub use op::Requirement;
pub use opkind::OpKind;
pub use reduce::ReducePlan;
pub use scan::ScanPlan;
pub use search::{SearchPlan, SearchSpec, Side};
pub use segmented::{SegmentedReducePlan, SegmentedReduceSpec, Segments};
pub use sort::{RadixSort, SortData, SortOrder, segments};
pub use spec::{Determinism, IterSpec, Operator, ReduceSpec, ScanKind, ScanSpec, TransformSpec};
pub use transform::TransformPlan;
