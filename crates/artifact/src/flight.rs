//! Single flight: one build per key, its result or error shared by all who ask meanwhile.
//!
//! # Protocol
//!
//! The map has at most one entry per key:
//!
//! ```text
//!              insert if absent                    replace if same
//!   (absent) ───────────────────▶ Building(slot) ──────────────────▶ Ready(value)
//!       ▲                              │
//!       └──────────────────────────────┘
//!         remove if same: the build failed or panicked
//! ```
//!
//! * Whoever inserts the slot is its **builder** and builds outside of any lock. All who find it **wait** on
//!   the slot's own mutex. A `Ready` entry is read without a lock.
//! * The builder first changes the map, then fills the slot's outcome, once, under its mutex, and notifies all.
//!   So when a waiter has seen a failure the entry is gone, and asking again builds again.
//! * "If same" compares slots, because `clear` may have emptied the map meanwhile and another builder may have
//!   begun: a build that was overtaken serves its own waiters and leaves the map alone.
//! * The slot's outcome is filled on every way out of the builder, a panic included, so no waiter hangs.
//! * A slot remembers its thread: asking for a key while building it is an error instead of a wait for oneself.
//!   It also remembers its process: in a child of `fork()` the parent's builders do not exist, and their slots
//!   are replaced.
//!
//! Builds that wait for each other's keys on different threads would wait for ever; builders must ask for other
//! keys in one order only, and here do not ask at all.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use crate::map::Map;
use crate::sync::{Condvar, Mutex, lock, thread, wait};

/// Builds each value of a process once.
///
/// Threads: free. A completed hit takes no lock.
pub struct Flight<K, V, E> {
    entries: Map<K, Entry<V, E>>,
}

/// Why there is no value.
#[derive(Debug, thiserror::Error)]
pub enum FlightError<E> {
    /// The build failed. All who waited for it get the same error.
    #[error("{0}")]
    Build(Arc<E>),
    /// The build, on another thread, panicked.
    #[error("the build panicked on another thread")]
    Panicked,
    /// The build asked for the value that it builds.
    #[error("the build needs its own result")]
    Reentrant,
}

impl<E> Clone for FlightError<E> {
    fn clone(&self) -> Self {
        match self {
            FlightError::Build(e) => FlightError::Build(Arc::clone(e)),
            FlightError::Panicked => FlightError::Panicked,
            FlightError::Reentrant => FlightError::Reentrant,
        }
    }
}

enum Entry<V, E> {
    Building(Arc<Slot<V, E>>),
    Ready(Arc<V>),
}

impl<V, E> Clone for Entry<V, E> {
    fn clone(&self) -> Self {
        match self {
            Entry::Building(slot) => Entry::Building(Arc::clone(slot)),
            Entry::Ready(value) => Entry::Ready(Arc::clone(value)),
        }
    }
}

type Outcome<V, E> = Result<Arc<V>, FlightError<E>>;

/// Where the waiters of one build wait.
struct Slot<V, E> {
    thread: thread::ThreadId,
    process: u32,
    outcome: Mutex<Option<Outcome<V, E>>>,
    filled: Condvar,
}

impl<V, E> Slot<V, E> {
    fn new() -> Self {
        Slot {
            thread: thread::current().id(),
            process: std::process::id(),
            outcome: Mutex::new(None),
            filled: Condvar::new(),
        }
    }

    fn fill(&self, outcome: Outcome<V, E>) {
        *lock(&self.outcome) = Some(outcome);
        self.filled.notify_all();
    }

    fn wait(&self) -> Outcome<V, E> {
        let mut outcome = lock(&self.outcome);
        loop {
            if let Some(outcome) = &*outcome {
                return outcome.clone();
            }
            if self.thread == thread::current().id() {
                return Err(FlightError::Reentrant);
            }
            outcome = wait(&self.filled, outcome);
        }
    }
}

impl<K: Hash + Eq + Clone, V, E> Flight<K, V, E> {
    /// No entries.
    pub fn new() -> Self {
        Flight { entries: Map::new() }
    }

    /// The value of `key`: the one that is there, or that another thread is building, or that `build` gives.
    ///
    /// A panic of `build` unwinds out of this call; those who wait for it get [`FlightError::Panicked`].
    pub fn get_or_build(&self, key: &K, build: impl FnOnce() -> Result<V, E>) -> Outcome<V, E> {
        loop {
            match self.entries.get(key) {
                Some(Entry::Ready(value)) => return Ok(value),
                Some(Entry::Building(slot)) if slot.process == std::process::id() => return slot.wait(),
                Some(Entry::Building(slot)) => self.entries.remove_if(key, |entry| entry.is(&slot)),
                None => {
                    let slot = Arc::new(Slot::new());
                    if self.entries.insert_new(key, Entry::Building(Arc::clone(&slot))) {
                        return Builder { flight: self, key, slot, outcome: None }.run(build);
                    }
                }
            }
        }
    }

    /// The value of `key` if it is complete.
    pub fn get(&self, key: &K) -> Option<Arc<V>> {
        match self.entries.get(key) {
            Some(Entry::Ready(value)) => Some(value),
            _ => None,
        }
    }

    /// Forgets all values. Builds in progress serve those who wait for them and are not kept.
    pub fn clear(&self) {
        self.entries.clear();
    }

    /// Number of values, those being built included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K: Hash + Eq + Clone, V, E> Default for Flight<K, V, E> {
    fn default() -> Self {
        Flight::new()
    }
}

impl<K, V, E> fmt::Debug for Flight<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flight").finish_non_exhaustive()
    }
}

impl<V, E> Entry<V, E> {
    fn is(&self, slot: &Arc<Slot<V, E>>) -> bool {
        matches!(self, Entry::Building(mine) if Arc::ptr_eq(mine, slot))
    }
}

/// Builds for a slot that it has put into the map; settles both when dropped, on whatever way.
struct Builder<'a, K: Hash + Eq + Clone, V, E> {
    flight: &'a Flight<K, V, E>,
    key: &'a K,
    slot: Arc<Slot<V, E>>,
    /// Nothing if the build panicked.
    outcome: Option<Outcome<V, E>>,
}

impl<K: Hash + Eq + Clone, V, E> Builder<'_, K, V, E> {
    fn run(mut self, build: impl FnOnce() -> Result<V, E>) -> Outcome<V, E> {
        let outcome = build().map(Arc::new).map_err(|e| FlightError::Build(Arc::new(e)));
        self.outcome = Some(outcome.clone());
        outcome
    }
}

impl<K: Hash + Eq + Clone, V, E> Drop for Builder<'_, K, V, E> {
    fn drop(&mut self) {
        let outcome = self.outcome.take().unwrap_or(Err(FlightError::Panicked));
        let entries = &self.flight.entries;
        match &outcome {
            Ok(value) => {
                let ready = Entry::Ready(Arc::clone(value));
                entries.replace_if(self.key, ready, |entry| entry.is(&self.slot));
            }
            Err(_) => entries.remove_if(self.key, |entry| entry.is(&self.slot)),
        }
        self.slot.fill(outcome);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;

#[cfg(all(test, loom))]
mod loom_tests;
