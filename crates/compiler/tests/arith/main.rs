//! Arithmetic and library functions: what is emitted is run by the reference interpreter.

mod differences;
mod numpy;
mod records;
mod support;
