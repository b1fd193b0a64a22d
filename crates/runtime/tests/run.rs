//! Fork and join: coverage, order, nesting, and each way to end early.
#![cfg(not(loom))]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use freeloom_runtime::{Interrupt, NoInterrupt, RunError, cancelled, fail, run, threads};

#[test]
fn every_block_runs_once() {
    for blocks in [0, 1, 2, 3, 7, 1000] {
        let counts: Vec<AtomicUsize> = (0..blocks).map(|_| AtomicUsize::new(0)).collect();
        run(blocks, &NoInterrupt, &|b| {
            counts[b].fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1));
    }
}

/// Each block waits for the one before it: ends only if that one has started, on some thread.
#[test]
fn blocks_may_wait_for_earlier_ones() {
    for _ in 0..200 {
        let done: Vec<AtomicBool> = (0..50).map(|_| AtomicBool::new(false)).collect();
        run(50, &NoInterrupt, &|b| {
            while b > 0 && !done[b - 1].load(Ordering::Acquire) {
                std::hint::spin_loop();
            }
            done[b].store(true, Ordering::Release);
        })
        .unwrap();
    }
}

#[test]
fn results_are_visible_to_the_caller() {
    for i in 0..2000 {
        let mut data = vec![0usize; 64];
        let cells: Vec<std::sync::Mutex<&mut usize>> = data.iter_mut().map(std::sync::Mutex::new).collect();
        run(64, &NoInterrupt, &|b| **cells[b].lock().unwrap() = b + i).unwrap();
        drop(cells);
        assert!(data.iter().enumerate().all(|(b, v)| *v == b + i));
    }
}

#[test]
fn runs_may_be_nested() {
    let total = AtomicUsize::new(0);
    run(8, &NoInterrupt, &|_| {
        run(8, &NoInterrupt, &|_| {
            run(4, &NoInterrupt, &|_| {
                total.fetch_add(1, Ordering::Relaxed);
            })
            .unwrap();
        })
        .unwrap();
    })
    .unwrap();
    assert_eq!(total.into_inner(), 256);
}

#[test]
fn many_threads_run_at_once() {
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..300 {
                    let sum = AtomicUsize::new(0);
                    run(5, &NoInterrupt, &|b| {
                        sum.fetch_add(b, Ordering::Relaxed);
                    })
                    .unwrap();
                    assert_eq!(sum.into_inner(), 10);
                }
            });
        }
    });
}

/// The pool is occupied by a long run; a short one does not wait for it.
#[test]
fn a_busy_pool_does_not_delay_a_run() {
    let (release, started) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            run(threads(), &NoInterrupt, &|_| {
                started.fetch_add(1, Ordering::Relaxed);
                while !release.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            })
        });
        while started.load(Ordering::Relaxed) < threads() {
            std::thread::yield_now();
        }
        for _ in 0..100 {
            run(4, &NoInterrupt, &|_| ()).unwrap();
        }
        assert!(!release.swap(true, Ordering::Relaxed));
    });
}

#[test]
fn the_first_failure_cancels_the_rest() {
    for blocks in [1, 2, 100_000] {
        let ran = AtomicUsize::new(0);
        let result = run(blocks, &NoInterrupt, &|b| {
            ran.fetch_add(1, Ordering::Relaxed);
            if b == 0 {
                fail(7);
                fail(8);
                assert!(cancelled());
            } else {
                std::thread::sleep(Duration::from_micros(100));
            }
        });
        assert!(matches!(result, Err(RunError::Failed(7))), "{result:?}");
        assert!(ran.into_inner() < 1000);
    }
    assert!(!cancelled(), "a run's end is not the thread's");
}

#[test]
fn a_panic_becomes_an_error() {
    for blocks in [1, 8] {
        let result = run(blocks, &NoInterrupt, &|b| assert!(b != 0, "block {b} on purpose"));
        let message = result.as_ref().unwrap_err().to_string();
        assert!(message.ends_with("block 0 on purpose"), "{message}");
        run(blocks, &NoInterrupt, &|_| ()).unwrap();
    }
}

/// Interrupts as soon as it is asked; checks who asks.
struct OnThread(std::thread::ThreadId);

impl Interrupt for OnThread {
    fn interrupted(&self) -> bool {
        assert_eq!(std::thread::current().id(), self.0);
        true
    }
}

#[test]
fn an_interrupt_ends_blocks_that_ask() {
    let interrupt = OnThread(std::thread::current().id());
    for blocks in [1, 2, 16] {
        let start = Instant::now();
        let result = run(blocks, &interrupt, &|_| {
            while !cancelled() {
                std::hint::spin_loop();
            }
        });
        assert!(matches!(result, Err(RunError::Interrupted)));
        assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    }
}

/// The calling thread has nothing left to do and waits for a helper: it asks while it waits.
#[test]
fn a_waiting_caller_asks_for_interrupts() {
    if threads() == 1 {
        return;
    }
    let (caller, helped) = (std::thread::current().id(), AtomicBool::new(false));
    let result = run(2, &OnThread(caller), &|_| {
        if std::thread::current().id() == caller {
            while !helped.load(Ordering::Relaxed) && !cancelled() {
                std::thread::yield_now();
            }
        } else {
            helped.store(true, Ordering::Relaxed);
            while !cancelled() {
                std::thread::yield_now();
            }
        }
    });
    assert!(matches!(result, Err(RunError::Interrupted)));
}

#[test]
fn cancelling_a_run_cancels_the_runs_inside() {
    let interrupt = OnThread(std::thread::current().id());
    let result = run(1, &interrupt, &|_| {
        let inner = run(4, &NoInterrupt, &|_| while !cancelled() {});
        assert!(matches!(inner, Err(RunError::Interrupted)));
    });
    assert!(matches!(result, Err(RunError::Interrupted)));
}

struct Panics;

impl Interrupt for Panics {
    fn interrupted(&self) -> bool {
        panic!("asked")
    }
}

#[test]
fn a_panic_of_the_interrupt_ends_the_run() {
    let result = run(1, &Panics, &|_| while !cancelled() {});
    assert!(matches!(result, Err(RunError::Panicked(_))));
}
