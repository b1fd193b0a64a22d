//! What can go wrong, when a plan is built and when it runs.

use std::sync::Arc;

use freeloom_compiler::CompileError;

use crate::OpKind;

/// Why a plan cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A Python operator is outside of the language, or its result does not fit.
    #[error("{0}")]
    Compile(CompileError),
    /// A well-known operator does not take these operands.
    #[error("OpKind.{} {reason}", op.name())]
    Operator {
        /// The operator.
        op: OpKind,
        /// Why, and what to use instead.
        reason: String,
    },
    /// The types of the parameters do not go together. Begins with the parameter's name.
    #[error("{0}")]
    Type(String),
    /// The back end failed: a bug of this library or an unsupported machine.
    #[error("{0}")]
    Backend(String),
}

/// Why a run has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The interrupt source asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The operator failed.
    #[error("the operator failed: {}", .0.name())]
    Failed(freeloom_ir::Fail),
    /// Code of this library panicked.
    #[error("internal error: {0}")]
    Panicked(String),
    /// A captured array is shorter than an index the operator uses without a check.
    #[error("captured array {slot} has {got} items along axis {axis}, the operator needs {needed}")]
    CaptureTooShort {
        /// Which array.
        slot: u32,
        /// Along which axis.
        axis: u32,
        /// Items needed.
        needed: u64,
        /// Items there are.
        got: u64,
    },
    /// An output is too small for the result. Begins with the parameter's name.
    #[error("{0}")]
    Output(String),
    /// A segment that is not one: it ends before it starts, or lies outside of the items.
    #[error(
        "start_offsets_in, end_offsets_in: segment {index} is {start} to {end}, which is no part of the {len} items of d_in"
    )]
    BadSegment {
        /// Which one.
        index: u64,
        /// Its first item.
        start: i64,
        /// One past its last item.
        end: i64,
        /// Items there are.
        len: u64,
    },
    /// Code for the memory layout of these arrays could not be made.
    #[error("{0}")]
    Build(Arc<BuildError>),
    /// A binding has not the shape of the plan's spec.
    #[error("{0} does not match the plan")]
    Mismatch(&'static str),
}

/// Result of building.
pub(crate) type Built<T> = Result<T, BuildError>;
