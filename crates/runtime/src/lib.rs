//! Fork-join scheduler and run-time state.
//!
//! * [`run()`] — calls a body once per block, on the calling thread and the pool's
//! * [`cancelled`], [`fail`] — what a body, or code it calls, asks and says
//! * [`Interrupt`] — how the owner of the calling thread asks for a stop
//! * [`ExitGate`] — what must be over before the process takes away what it uses
//!
//! Threads: every function is free. No lock is shared by runs; a run of one block touches nothing shared.
//! After `fork()` the child starts a pool of its own.
//!
//! `unsafe` is confined to what erases the lifetimes of borrows (`erased`, `context`), the leaked pool (`pool`)
//! and the registration of a fork handler (`fork`).
#![deny(unsafe_code)]

mod context;
mod control;
mod erased;
mod exit;
mod fork;
mod gate;
mod job;
mod pool;
mod run;
mod sync;

pub use context::{cancelled, fail, poll};
pub use control::RunError;
pub use exit::{ExitGate, Using};
pub use fork::fork_generation;
pub use pool::threads;
pub use run::{Interrupt, NoInterrupt, run};
