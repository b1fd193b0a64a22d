//! The gate between threads that use something and the end of the process, which takes it away.
//!
//! # Protocol
//!
//! One word: bit 0 is *closed*, the bits above it up to 31 count the *users* inside, the upper half is the
//! [generation](crate::fork_generation) of the process that the rest speaks of.
//!
//! * A user **enters** by adding one to the count, only if the word is not closed. It uses what the gate guards
//!   between entering and leaving, never else.
//! * A user **leaves** by subtracting one.
//! * The ending thread **closes** the gate by setting bit 0; from then on the count only falls. It waits until
//!   nobody but itself is inside. The gate is never opened again.
//! * In a child of `fork()` the users of the parent do not exist: a word of another generation counts as 0, and
//!   a user of another generation leaves without a trace.
//!
//! # Orderings
//!
//! *leave* releases and the ending thread's reads acquire: all that users did happens before what the gate guards
//! is taken away. *enter* acquires what *close* released, for those that look at why they were refused.

use crate::fork::fork_generation;
use crate::sync::{AtomicU64, Ordering};

const CLOSED: u64 = 1;
const USER: u64 = 2;
const LOCAL: u64 = u32::MAX as u64;

/// Lets users in until the process ends. Free.
#[derive(Debug)]
pub struct ExitGate {
    word: AtomicU64,
}

/// Proof of being inside. Leaves when dropped.
#[derive(Debug)]
pub struct Using<'a> {
    gate: &'a ExitGate,
    generation: u64,
}

impl Default for ExitGate {
    fn default() -> Self {
        ExitGate::new()
    }
}

impl ExitGate {
    /// An open gate.
    #[cfg(not(loom))]
    pub const fn new() -> ExitGate {
        ExitGate { word: AtomicU64::new(0) }
    }

    /// An open gate.
    #[cfg(loom)]
    pub fn new() -> ExitGate {
        ExitGate { word: AtomicU64::new(0) }
    }

    /// Comes in; `None` if the gate is closed.
    pub fn enter(&self) -> Option<Using<'_>> {
        let generation = generation();
        let mut word = self.word.load(Ordering::Relaxed);
        loop {
            let now = current(word, generation);
            if now & CLOSED != 0 {
                return None;
            }
            match self.word.compare_exchange_weak(word, now + USER, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(Using { gate: self, generation }),
                Err(seen) => word = seen,
            }
        }
    }

    /// Closes the gate and waits until at most `own` users are inside, those of the calling thread. Calls
    /// `pause` between looks; gives up if that returns `false`.
    pub fn close(&self, own: u64, mut pause: impl FnMut() -> bool) {
        let generation = generation();
        let mut word = self.word.load(Ordering::Relaxed);
        loop {
            let now = current(word, generation) | CLOSED;
            match self.word.compare_exchange_weak(word, now, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => break,
                Err(seen) => word = seen,
            }
        }
        while (self.word.load(Ordering::Acquire) & LOCAL) / USER > own && pause() {}
    }
}

/// The word as this process means it.
fn current(word: u64, generation: u64) -> u64 {
    if word & !LOCAL == generation { word } else { generation }
}

fn generation() -> u64 {
    fork_generation() << 32
}

impl Drop for Using<'_> {
    fn drop(&mut self) {
        if self.generation == generation() {
            self.gate.word.fetch_sub(USER, Ordering::Release);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_closed_gate_lets_nobody_in() {
        let gate = ExitGate::new();
        let own = gate.enter();
        assert!(own.is_some());
        gate.close(1, || unreachable!("only the closer is inside"));
        assert!(gate.enter().is_none());
        let mut looks = 0;
        gate.close(0, || {
            looks += 1;
            looks < 3
        });
        assert_eq!(looks, 3);
        drop(own);
        gate.close(0, || unreachable!("nobody is inside"));
    }

    #[test]
    fn a_word_of_another_process_counts_as_open() {
        let gate = ExitGate { word: AtomicU64::new(7 << 32 | 5 * USER | CLOSED) };
        let user = gate.enter();
        assert!(user.is_some());
        drop(user);
        gate.close(0, || unreachable!("nobody is inside"));
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;

    use super::*;

    struct Shared {
        gate: ExitGate,
        /// Stands for what the gate guards: users write while inside, the ending thread after `close`.
        guarded: UnsafeCell<usize>,
    }

    // SAFETY: loom reports every unsynchronised access, which is the point of the model.
    #[expect(unsafe_code, reason = "the model looks for data races")]
    unsafe impl Sync for Shared {}

    #[test]
    fn loom_what_is_guarded_is_taken_away_after_its_last_use() {
        loom::model(|| {
            let shared = Arc::new(Shared { gate: ExitGate::new(), guarded: UnsafeCell::new(0) });
            let user = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || {
                    if let Some(_using) = shared.gate.enter() {
                        // SAFETY: loom checks that no other access overlaps.
                        #[expect(unsafe_code, reason = "the model looks for data races")]
                        shared.guarded.with_mut(|n| unsafe { *n += 1 });
                    }
                })
            };
            shared.gate.close(0, || {
                loom::thread::yield_now();
                true
            });
            // SAFETY: loom checks that no other access overlaps.
            #[expect(unsafe_code, reason = "the model looks for data races")]
            shared.guarded.with_mut(|n| unsafe { *n += 10 });
            user.join().unwrap();
        });
    }
}
