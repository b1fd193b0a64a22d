//! The record that a run shares with its helpers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::context::{self, Context};
use crate::control::Control;
use crate::erased::{Body, ErasedBody};
use crate::gate::Gate;
use crate::sync::{AtomicUsize, Ordering};

pub(crate) struct Job {
    pub(crate) gate: Gate,
    pub(crate) control: Control,
    claims: Claims,
    body: ErasedBody,
}

impl Job {
    /// A job whose body is lent until `gate` is shut.
    pub(crate) fn new(blocks: usize, body: &Body<'_>) -> Job {
        Job {
            gate: Gate::new(),
            control: Control::new(),
            claims: Claims { next: AtomicUsize::new(0), blocks },
            body: ErasedBody::new(body),
        }
    }

    /// Works as a helper, unless the run has ended.
    pub(crate) fn help(&self) {
        let Some(inside) = self.gate.enter() else { return };
        // SAFETY: the job's creator shuts the job's gate before the borrow ends.
        #[expect(unsafe_code, reason = "the borrow checker cannot see the gate")]
        let body = unsafe { self.body.get(&inside) };
        context::enter(&self.control, None, |context| self.work(context, body));
    }

    /// Calls the body for one free block after the other.
    pub(crate) fn work(&self, context: &Context<'_>, body: &Body<'_>) {
        while !context.is_cancelled() {
            let Some(block) = self.claims.next() else { return };
            call(&self.control, body, block);
        }
    }
}

/// Hands out blocks in order. A claimed block is run at once by the thread that claimed it, so when a block
/// starts, all before it have started.
struct Claims {
    next: AtomicUsize,
    blocks: usize,
}

impl Claims {
    /// Relaxed: the counter is all that claims have in common.
    fn next(&self) -> Option<usize> {
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        (block < self.blocks).then_some(block)
    }
}

/// Calls the body for a block; a panic ends the run instead of the thread.
pub(crate) fn call(control: &Control, body: &Body<'_>, block: usize) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| body(block))) {
        control.panic(payload);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use std::time::Duration;

    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn loom_each_block_runs_once_and_before_the_run_returns() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let runs: Vec<AtomicUsize> = (0..2).map(|_| AtomicUsize::new(0)).collect();
            let body = |block: usize| {
                runs[block].fetch_add(1, Ordering::Relaxed);
            };
            let job = Arc::new(Job::new(2, &body));
            let helper = {
                let job = Arc::clone(&job);
                loom::thread::spawn(move || job.help())
            };
            context::enter(&job.control, None, |context| job.work(context, &body));
            job.gate.close(Duration::from_millis(1), || ());
            for run in &runs {
                assert_eq!(run.load(Ordering::Relaxed), 1);
            }
            drop(runs);
            helper.join().unwrap();
        });
    }
}
