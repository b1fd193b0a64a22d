//! Python functions, given as plain data, become typed IR.
//!
//! The front of a host (the Python extension) parses a function with CPython's own `ast`, converts the tree
//! to [`ast`] once, and resolves every free name to a [`Capture`]. [`compile`] then infers types from the
//! argument types, checks, and emits [`freeloom_ir`]. Nothing here knows a Python object, LLVM or CUDA.
//!
//! The rule of the language is one sentence: *a compiled operator does what CPython does when it is called
//! with NumPy scalars*. Where fixed-width integers or totality force a difference, `docs/typing-rules.md`
//! says so. What is outside the language is refused with a [`CompileError`]; nothing is half compiled.
#![forbid(unsafe_code)]

pub mod arith;
pub mod ast;
pub mod diagnostic;
mod flow;
pub mod function;
pub mod library;
mod lower;
pub mod operand;
mod scope;

pub use diagnostic::{CompileError, Refusal};
pub use function::{ArrayCapture, Builtin, Capture, ConstValue, Function, Library, SourceFile};
pub use lower::{CapturedArray, Compiled, as_single_op, compile};
pub use operand::{Operand, Repr, Ty};
