//! Which run the current thread works for.
//!
//! The context lies on the stack of the thread that entered it and is left before that frame ends; the
//! thread-local is a pointer to the innermost.
#![allow(unsafe_code, reason = "a thread-local cannot hold a borrow")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::time::{Duration, Instant};

use crate::control::Control;
use crate::run::Interrupt;

/// How often the calling thread asks whether it is interrupted.
pub(crate) const INTERRUPT_PERIOD: Duration = Duration::from_millis(10);

thread_local! {
    static CURRENT: Cell<*const Context<'static>> = const { Cell::new(ptr::null()) };
}

/// A thread's part in a run.
pub(crate) struct Context<'a> {
    control: &'a Control,
    /// On the calling thread: whom to ask for interruption, and when that was done last.
    interrupt: Option<&'a dyn Interrupt>,
    asked: Cell<Option<Instant>>,
    /// What the thread did when it entered this one.
    outer: *const Context<'static>,
}

/// Works on a run: `f` is called with the context, which [`cancelled`] and [`fail`] refer to meanwhile.
pub(crate) fn enter<R>(
    control: &Control,
    interrupt: Option<&dyn Interrupt>,
    f: impl FnOnce(&Context<'_>) -> R,
) -> R {
    let outer = CURRENT.get();
    let context = Context { control, interrupt, asked: Cell::new(None), outer };
    CURRENT.set((&raw const context).cast());
    let _restore = Restore(outer);
    f(&context)
}

struct Restore(*const Context<'static>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

impl Context<'_> {
    /// Is the run cancelled? The calling thread also asks those outside who may want that.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.control.is_cancelled() || self.interrupt.is_some_and(|i| self.ask(i))
    }

    fn ask(&self, interrupt: &dyn Interrupt) -> bool {
        // SAFETY: an outer context is on this thread's stack, below this one.
        let outer_cancelled = unsafe { self.outer.as_ref() }.is_some_and(Context::is_cancelled);
        if outer_cancelled || self.is_due() && self.interrupted(interrupt) {
            self.control.interrupt();
        }
        self.control.is_cancelled()
    }

    fn is_due(&self) -> bool {
        let now = Instant::now();
        match self.asked.get() {
            Some(last) if now.duration_since(last) < INTERRUPT_PERIOD => false,
            last => {
                self.asked.set(Some(now));
                last.is_some()
            }
        }
    }

    /// A panic ends the run like a panic of a block; it must not unwind through generated code.
    fn interrupted(&self, interrupt: &dyn Interrupt) -> bool {
        catch_unwind(AssertUnwindSafe(|| interrupt.interrupted())).unwrap_or_else(|payload| {
            self.control.panic(payload);
            false
        })
    }
}

fn with_current<R>(f: impl FnOnce(&Context<'_>) -> R) -> Option<R> {
    // SAFETY: `enter` keeps what it points to alive and resets the pointer before its frame ends.
    unsafe { CURRENT.get().as_ref() }.map(f)
}

/// Is the current run cancelled? A block that waits for another one, or that takes long, asks now and then and
/// returns if so. `false` outside of runs.
pub fn cancelled() -> bool {
    with_current(|context| context.is_cancelled()).unwrap_or(false)
}

/// [`cancelled`], under the name that generated code knows.
pub fn poll() -> bool {
    cancelled()
}

/// Records that the current run failed and cancels it; the first failure counts. Nothing outside of runs.
pub fn fail(code: u32) {
    with_current(|context| context.control.fail(code));
}
