//! A child of `fork()` has none of the pool's threads and makes its own.
#![cfg(all(unix, not(loom)))]

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use freeloom_runtime::{NoInterrupt, fork_generation, run, threads};

/// Sums over blocks; each waits a little, so that helpers get some.
fn sum() -> (usize, usize) {
    let (total, workers) = (AtomicUsize::new(0), Mutex::new(HashSet::new()));
    let body = |b: usize| {
        std::thread::sleep(Duration::from_millis(2));
        workers.lock().unwrap().insert(std::thread::current().id());
        total.fetch_add(b, Ordering::Relaxed);
    };
    run(32, &NoInterrupt, &body).unwrap();
    (total.into_inner(), workers.into_inner().unwrap().len())
}

#[test]
fn a_forked_child_runs_in_parallel() {
    let before = fork_generation();
    assert_eq!(sum().0, 496);
    // SAFETY: the child calls nothing but this crate and `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let (total, workers) = sum();
        let good = total == 496 && workers == threads().min(32) && fork_generation() == before + 1;
        // SAFETY: ends the child without running the test harness.
        unsafe { libc::_exit(i32::from(!good)) };
    }
    assert!(child > 0);
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child failed");
    assert_eq!(sum().0, 496);
    assert_eq!(fork_generation(), before);
}
