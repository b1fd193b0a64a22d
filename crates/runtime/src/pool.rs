//! The threads of the process.
#![allow(unsafe_code, reason = "the pool is leaked so that a forked child can forget it")]

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use crate::fork;

/// How many threads a run may use, the calling one included: `FREELOOM_NUM_THREADS`, or else the processors
/// that this process may use. At least 1. The environment is read once.
pub fn threads() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    match THREADS.load(Ordering::Relaxed) {
        0 => {
            let threads = wanted_threads();
            THREADS.store(threads, Ordering::Relaxed);
            threads
        }
        threads => threads,
    }
}

fn wanted_threads() -> usize {
    let wanted = std::env::var("FREELOOM_NUM_THREADS").ok().and_then(|v| v.trim().parse().ok());
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.filter(|n| *n > 0).unwrap_or_else(available)
}

static POOL: AtomicPtr<ThreadPool> = AtomicPtr::new(std::ptr::null_mut());

/// Forgets the pool: its threads exist in the parent process only.
pub(crate) fn forget() {
    POOL.store(std::ptr::null_mut(), Ordering::Release);
}

/// The pool, made at the first call; none if the system refuses to make threads.
pub(crate) fn pool() -> Option<&'static ThreadPool> {
    let seen = POOL.load(Ordering::Acquire);
    // SAFETY: null, or a pool that was published below and is never freed from then on.
    if let Some(pool) = unsafe { seen.as_ref() } {
        return Some(pool);
    }
    fork::register();
    let name = |i| format!("freeloom-{i}");
    let pool = ThreadPoolBuilder::new().num_threads(threads() - 1).thread_name(name).build().ok()?;
    let new = Box::into_raw(Box::new(pool));
    match POOL.compare_exchange(seen, new, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: published just now, never freed.
        Ok(_) => Some(unsafe { &*new }),
        Err(winner) => {
            // SAFETY: `new` was not published.
            drop(unsafe { Box::from_raw(new) });
            // SAFETY: as for `seen`.
            unsafe { winner.as_ref() }
        }
    }
}
