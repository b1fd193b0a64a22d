//! Python functions: read once, recognised quickly afterwards.
//!
//! ```text
//! function object ──guards──▶ known: shared Function, its number, the arrays of now
//!        └──────── source.rs ─▶ ast ─▶ syntax.rs ─▶ free.rs ─▶ capture.rs ─▶ Function, guards
//! ```

mod builtin;
mod capture;
mod constant;
mod expr;
mod free;
mod guard;
mod memo;
mod python;
mod read;
mod stmt;

pub(crate) use memo::{Resolved, resolve};
pub(crate) use python::annotation;
