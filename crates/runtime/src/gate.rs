//! The gate between a run's caller and its helpers.
//!
//! A run lends its body, a borrow, to jobs that wait in the pool's queue for as long as the pool is busy. The
//! caller must not wait for jobs that have not begun, and those that begin late must not touch the body.
//!
//! # Protocol
//!
//! One word: bit 0 is *closed*, the rest counts the helpers *inside*.
//!
//! | state | word | who may touch the body |
//! |---|---|---|
//! | open | `2n` | the caller, and the `n` helpers inside |
//! | closing | `2n + 1`, n > 0 | the `n` helpers inside; the caller waits |
//! | shut | `1` | nobody; the caller returns and the borrow ends |
//!
//! * A helper **enters** by adding 2, only if the word is even. It touches the body between entering and
//!   leaving, never else.
//! * A helper **leaves** by subtracting 2. If that makes the word 1, it was the last: it locks the mutex and
//!   notifies. It keeps the gate alive by a reference count, not by the borrow.
//! * The caller **closes** by setting bit 0, once, after its own last block. From then on the count only falls.
//!   It then waits, under the mutex, until the word is 1.
//!
//! # Orderings
//!
//! * *leave* releases and the caller's reads of the word acquire: all that helpers did happens before the
//!   caller returns.
//! * *enter* acquires what *close* would release; it needs no more, because what the caller wrote before the
//!   run reaches helpers through the pool's queue.
//! * The last helper notifies under the mutex, and the caller tests the word under it before each wait, so the
//!   notification cannot fall between test and wait. The wait has a time limit all the same, for the sake of
//!   what the caller must look at now and then.

use std::time::Duration;

use crate::sync::{AtomicUsize, Condvar, Mutex, Ordering, lock};

const CLOSED: usize = 1;
const HELPER: usize = 2;

/// How often the caller looks at the word before it sleeps.
const SPINS: usize = if cfg!(loom) { 0 } else { 200 };

#[derive(Debug)]
pub(crate) struct Gate {
    word: AtomicUsize,
    mutex: Mutex<()>,
    shut: Condvar,
}

/// Proof that a helper is inside. Leaves when dropped.
#[derive(Debug)]
pub(crate) struct Inside<'a>(&'a Gate);

impl Gate {
    pub(crate) fn new() -> Gate {
        Gate { word: AtomicUsize::new(0), mutex: Mutex::new(()), shut: Condvar::new() }
    }

    /// A helper comes in, unless the gate is closed.
    pub(crate) fn enter(&self) -> Option<Inside<'_>> {
        let mut word = self.word.load(Ordering::Relaxed);
        while word & CLOSED == 0 {
            match self.word.compare_exchange_weak(word, word + HELPER, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(Inside(self)),
                Err(now) => word = now,
            }
        }
        None
    }

    /// The caller shuts the gate: returns when no helper is inside and none can come in any more. While it
    /// waits it calls `tick` every `period` or so.
    pub(crate) fn close(&self, period: Duration, mut tick: impl FnMut()) {
        if self.word.fetch_or(CLOSED, Ordering::AcqRel) == 0 || self.spin() {
            return;
        }
        let mut guard = lock(&self.mutex);
        while self.word.load(Ordering::Acquire) != CLOSED {
            let waited = self.shut.wait_timeout(guard, period);
            guard = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
            if self.word.load(Ordering::Acquire) != CLOSED {
                drop(guard);
                tick();
                guard = lock(&self.mutex);
            }
        }
    }

    fn spin(&self) -> bool {
        (0..SPINS).any(|_| {
            std::hint::spin_loop();
            self.word.load(Ordering::Acquire) == CLOSED
        })
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if self.0.word.fetch_sub(HELPER, Ordering::Release) == CLOSED | HELPER {
            let _guard = lock(&self.0.mutex);
            self.0.shut.notify_one();
        }
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;

    use super::*;

    struct Shared {
        gate: Gate,
        /// Stands for the borrowed body: helpers write while inside, the caller after `close`.
        body: UnsafeCell<usize>,
    }

    // SAFETY: loom reports every unsynchronised access, which is the point of the model.
    #[expect(unsafe_code, reason = "the model looks for data races")]
    unsafe impl Sync for Shared {}

    fn touch(shared: &Shared) {
        // SAFETY: loom checks that no other access overlaps.
        #[expect(unsafe_code, reason = "the model looks for data races")]
        shared.body.with_mut(|n| unsafe { *n += 1 });
    }

    #[test]
    fn loom_helpers_never_touch_the_body_after_close() {
        loom::model(|| {
            let shared = Arc::new(Shared { gate: Gate::new(), body: UnsafeCell::new(0) });
            let helper = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || {
                    let inside = shared.gate.enter();
                    if inside.is_some() {
                        touch(&shared);
                    }
                    inside.is_some()
                })
            };
            shared.gate.close(Duration::from_millis(1), || ());
            touch(&shared);
            let entered = helper.join().unwrap();
            shared.body.with(|n| {
                // SAFETY: both threads are done.
                #[expect(unsafe_code, reason = "the model looks for data races")]
                let n = unsafe { *n };
                assert_eq!(n, 1 + usize::from(entered));
            });
        });
    }

    #[test]
    fn loom_the_last_of_two_helpers_wakes_the_caller() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let gate = Arc::new(Gate::new());
            let helpers: Vec<_> = (0..2)
                .map(|_| {
                    let gate = Arc::clone(&gate);
                    loom::thread::spawn(move || drop(gate.enter()))
                })
                .collect();
            gate.close(Duration::from_millis(1), || ());
            assert!(gate.enter().is_none());
            helpers.into_iter().for_each(|h| h.join().unwrap());
        });
    }
}
