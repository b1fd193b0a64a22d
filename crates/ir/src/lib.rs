//! Typed, structured intermediate representation: the meaning of a compiled Python function, for every
//! back end.
//!
//! A [`Module`] is a list of [`Func`]s. A function body is a tree of [`Stmt`]s: straight-line code that
//! defines [`Value`]s (once each, visible to the end of the enclosing block), mutable local variables
//! ([`Var`]), and structured control flow (`if`, `loop`, counted `for`). There are no gotos and no phis:
//! what changes lives in a variable, and back ends rebuild SSA form themselves.
//!
//! Every operation is *total*: for all inputs, division by zero included, the result is defined here (see
//! [`op`]) and is the same in the interpreter and in every back end. This is what lets the reference
//! interpreter be the oracle of the test suites.
//!
//! * [`types`] — scalars, complex numbers, tuples, records with their exact memory layout, arrays, views
//! * [`op`] — the operation tables, one line each, with meaning
//! * [`func`] — functions, statements, instructions
//! * [`builder`] — the only convenient way to make a function
//! * [`text`] — the text form: printing and parsing
//! * [`verify`](mod@verify) — the rules of a valid module
//! * [`interp`] — the reference interpreter
//! * `testing` (feature of that name) — random valid functions
#![forbid(unsafe_code)]

pub mod builder;
pub mod func;
pub mod interp;
pub mod op;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod types;
mod typing;
pub mod verify;

pub use builder::Builder;
pub use func::{Block, Fail, For, Func, FuncId, Inst, Linkage, Module, Rounds, Stmt, Value, Var, VarData};
pub use interp::{Datum, Interp, Trap};
pub use op::{BinaryOp, CmpOp, Const, UnaryOp};
pub use text::{ParseError, parse_module};
pub use types::{ArrayType, Field, Scalar, StructType, Type, ViewType};
pub use verify::{VerifyError, verify};
