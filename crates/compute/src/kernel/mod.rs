//! Kernels: exported functions of one signature, and how they are called.
//!
//! ```c
//! void kernel(const u64* args, i64 begin, i64 end, u8* scratch);
//! ```
//!
//! `args` holds what is known at the call only: one or more 8-byte slots for each leaf of the iterators and
//! each captured array. [`Cx`] hands the slots out in the order in which [`Args`] packs them; both walk the
//! same typed tree ([`Iter`](crate::iter::Iter), [`Op`](crate::op::Op)), and the two walks of each node stand
//! next to one another in one file.

mod args;
mod call;
mod cx;
pub(crate) mod leaves;

pub(crate) use args::{Args, Layout, Variant};
pub(crate) use call::{Bound, Entry};
pub(crate) use cx::{Cx, Unit};
