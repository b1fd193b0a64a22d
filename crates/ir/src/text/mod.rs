//! The text form of the IR. Printing (`Display` of [`Module`](crate::Module) and [`Func`](crate::Func)) and
//! [`parse_module`] are exact inverses.
//!
//! ```text
//! export func @0 "kernel"(%0: ptr, %1: i64) -> f32 {
//!   var $0 "acc": f32
//!   %2 = const f32 1.0
//!   set $0, %2
//!   for %3 = %1 to %1 parallel {
//!     %4 = load f32, %0
//!     store %0, %4
//!   }
//!   %5 = get $0
//!   return %5
//! }
//! ```
//!
//! * `%` values, `$` variables, `@` functions; all are numbers. `@0` in a function's head may be left out.
//! * `export` marks [`Linkage::Export`](crate::Linkage::Export); other functions are internal.
//! * A value's type follows from its instruction. Where it does not (a call in a function that is printed
//!   alone, an invalid function) it is written: `%3: f32 = call @0(%1)`. A value that nothing defines is
//!   declared next to the variables: `value %7: i64`.
//! * Integers and floats are decimal. Hexadecimal digits are the bits of a constant of any type, used for NaNs
//!   other than `nan`.
//! * Names are quoted, with Rust's escapes. `;` starts a comment that ends with the line.
//!
//! Instructions: `const T c`, `get $v`, `OP a`, `OP a, b`, `select c, a, b`, `cast a to T`, `bitcast a to T`,
//! `make T [a, b]`, `extract a, 0`, `index a, i`, `view_len v, 0`, `view_load v [i, j]`, `ptr_add p, n`,
//! `load T, p`, `stack_alloc 64`, `call @0(a, b)`.
//!
//! Statements: `%1 = INSTRUCTION`, `set $0, a`, `store p, a`, `if c { } else { }`, `loop { }`,
//! `for %1 = lo to hi parallel { }`, `break`, `continue`, `return`, `return a`, `poll`, `fail REASON`.

mod constant;
mod inst;
mod lex;
mod parse;
mod print;
mod types;

pub use constant::parse_const;
pub use parse::{parse_module, parse_type};

/// Text that is not IR.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

#[cfg(test)]
mod tests;
