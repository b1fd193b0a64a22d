//! What must be forgotten in the child of a `fork()`: it has the parent's memory but only one of its threads.
#![allow(unsafe_code, reason = "registers a handler with the C library")]

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

static GENERATION: AtomicU64 = AtomicU64::new(0);

/// Changes in the child when the process forks. Objects with locks that other threads may have held remember
/// the generation they were made in and are abandoned in another one.
pub fn fork_generation() -> u64 {
    register();
    GENERATION.load(Ordering::Relaxed)
}

/// Makes sure that children know they are.
pub(crate) fn register() {
    static REGISTERED: Once = Once::new();
    // SAFETY: the handler stores to two atomics and calls nothing, so it may run between `fork` and `exec`.
    REGISTERED.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
    });
}

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    crate::pool::forget();
}
