//! Fork and join.

use std::sync::Arc;

use crate::context::{self, INTERRUPT_PERIOD};
use crate::control::{Control, RunError};
use crate::erased::Body;
use crate::job::{self, Job};
use crate::pool::{pool, threads};

/// How the owner of the calling thread asks a run to stop.
pub trait Interrupt: Sync {
    /// Should the run stop? Asked on the thread that called [`run`] alone, about every 10 ms.
    fn interrupted(&self) -> bool;
}

/// Never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInterrupt;

impl Interrupt for NoInterrupt {
    fn interrupted(&self) -> bool {
        false
    }
}

/// Calls `body(b)` once for every `b` in `0..blocks` and returns when all calls have.
///
/// Blocks start in increasing order: when `b` starts, all before it have started. So a block may wait for an
/// earlier one, provided that it asks [`cancelled`](crate::cancelled) while it does.
///
/// The calling thread takes part, and never waits for a thread that has not begun to help: a busy pool does
/// not delay a run. Runs may be nested.
///
/// If the run is interrupted, fails or panics, blocks that have not started are skipped and the first reason
/// is returned.
pub fn run(blocks: usize, interrupt: &dyn Interrupt, body: &(dyn Fn(usize) + Sync)) -> Result<(), RunError> {
    let helpers = blocks.min(threads()).saturating_sub(1);
    match pool_for(helpers) {
        Some(pool) => run_shared(pool, helpers, blocks, interrupt, body),
        None => run_inline(blocks, interrupt, body),
    }
}

fn pool_for(helpers: usize) -> Option<&'static rayon_core::ThreadPool> {
    if helpers == 0 { None } else { pool() }
}

fn run_inline(blocks: usize, interrupt: &dyn Interrupt, body: &Body<'_>) -> Result<(), RunError> {
    let control = Control::new();
    context::enter(&control, Some(interrupt), |context| {
        for block in 0..blocks {
            if block > 0 && context.is_cancelled() {
                break;
            }
            job::call(&control, body, block);
        }
    });
    control.result()
}

fn run_shared(
    pool: &rayon_core::ThreadPool,
    helpers: usize,
    blocks: usize,
    interrupt: &dyn Interrupt,
    body: &Body<'_>,
) -> Result<(), RunError> {
    let job = Arc::new(Job::new(blocks, body));
    for _ in 0..helpers {
        let job = Arc::clone(&job);
        pool.spawn(move || job.help());
    }
    context::enter(&job.control, Some(interrupt), |context| {
        job.work(context, body);
        job.gate.close(INTERRUPT_PERIOD, || {
            context.is_cancelled();
        });
    });
    job.control.result()
}
