//! What Python's operators do, and which type they give.
//!
//! The rules are NumPy's for scalars; `docs/typing-rules.md` tells them and the few differences.
//!
//! * `promote`: the common type of two numbers, result types of operators, `join`
//! * `number`: numbers as IR values; numbers known now
//! * `operators`, `fold`, `integer`, `floating`, `complex`, `elementary`, `power`: arithmetic
//! * `compare`: comparisons and truth values
//! * `convert`, `record`: declared types, records, tuples, sub-arrays

pub(crate) mod compare;
pub(crate) mod complex;
pub(crate) mod convert;
pub(crate) mod elementary;
pub(crate) mod floating;
mod fold;
pub(crate) mod integer;
pub(crate) mod number;
pub(crate) mod operators;
mod power;
pub(crate) mod promote;
pub(crate) mod record;

pub use compare::{compare, truth};
pub use convert::{coerce, convert, select};
pub(crate) use number::Known;
pub use number::materialise;
pub use operators::{binary, unary};
pub use promote::{join, type_name};
pub use record::{attribute, construct, subscript};
