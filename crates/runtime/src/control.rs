//! How a run ends.

use std::any::Any;

use crate::sync::{AtomicU64, Mutex, Ordering, lock};

/// Why a run did not complete.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The caller's thread was asked to stop.
    #[error("the run was interrupted")]
    Interrupted,
    /// The code that ran failed, with this code.
    #[error("the run failed with code {0}")]
    Failed(u32),
    /// A block panicked; this is what it panicked with.
    #[error("a block of the run panicked: {}", panic_message(&**.0))]
    Panicked(Box<dyn Any + Send>),
}

/// What `panic!` was given, if it was a text.
fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Shared by all threads of a run: is it still wanted, and if not, why? The first reason stays.
#[derive(Debug)]
pub(crate) struct Control {
    /// 0 while all is well; else a kind, and for failures the code above it.
    status: AtomicU64,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

const RUNNING: u64 = 0;
const INTERRUPTED: u64 = 1;
const PANICKED: u64 = 2;
const FAILED: u64 = 3;

impl Control {
    pub(crate) fn new() -> Control {
        Control { status: AtomicU64::new(RUNNING), panic: Mutex::new(None) }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.status.load(Ordering::Relaxed) != RUNNING
    }

    pub(crate) fn interrupt(&self) {
        self.end(INTERRUPTED);
    }

    pub(crate) fn fail(&self, code: u32) {
        self.end(FAILED | u64::from(code) << 32);
    }

    pub(crate) fn panic(&self, payload: Box<dyn Any + Send>) {
        let mut slot = lock(&self.panic);
        if self.end(PANICKED) {
            *slot = Some(payload);
        }
    }

    /// Relaxed: the reason orders nothing. Whoever reads the result first shuts the gate, which does.
    fn end(&self, status: u64) -> bool {
        self.status.compare_exchange(RUNNING, status, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The outcome, once no thread works on the run any more.
    pub(crate) fn result(&self) -> Result<(), RunError> {
        match self.status.load(Ordering::Relaxed) {
            RUNNING => Ok(()),
            INTERRUPTED => Err(RunError::Interrupted),
            PANICKED => {
                let payload = lock(&self.panic).take();
                Err(RunError::Panicked(payload.unwrap_or_else(|| Box::new("a block panicked"))))
            }
            failed => Err(RunError::Failed((failed >> 32) as u32)),
        }
    }
}
