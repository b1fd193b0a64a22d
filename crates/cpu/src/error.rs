//! What can go wrong.

use inkwell::builder::BuilderError;

/// Why the back end could not compile or load.
#[derive(Debug, thiserror::Error)]
pub enum CpuError {
    /// The IR breaks its rules. Always a bug in whoever built it: the verifier would have said so.
    #[error("invalid IR: {0}")]
    Invalid(String),
    /// The processor lacks what the program needs.
    #[error("{0}")]
    Unsupported(String),
    /// LLVM does not know the processor.
    #[error("unknown processor {0:?}")]
    Target(String),
    /// LLVM refused what was emitted. Always a bug of this crate.
    #[error("LLVM: {0}")]
    Llvm(String),
    /// The object cannot be loaded: it is damaged or needs a symbol that code must not use.
    #[error("cannot load object code: {0}")]
    Link(String),
}

impl From<BuilderError> for CpuError {
    fn from(e: BuilderError) -> CpuError {
        CpuError::Llvm(e.to_string())
    }
}

pub(crate) fn invalid(what: impl Into<String>) -> CpuError {
    CpuError::Invalid(what.into())
}
